"""Routes of properties, pipelines and owners."""

from tenure.twins.hubspot.rest.request import flag, json, number, type_of
from tenure.twins.hubspot.service import batch, owners, pipelines, properties
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.hubspot.service.properties import group_body, property_body
from tenure.twins.wire import Route
from tenure.world import Call, Reply

_PROPERTIES = "/crm/v3/properties/{objectType}"
_PROPERTY = _PROPERTIES + "/{propertyName}"
_GROUPS = _PROPERTIES + "/groups"
_GROUP = _GROUPS + "/{groupName}"
_PIPELINES = "/crm/v3/pipelines/{objectType}"
_PIPELINE = _PIPELINES + "/{pipelineId}"
_STAGES = _PIPELINE + "/stages"
_STAGE = _STAGES + "/{stageId}"


# -- properties ------------------------------------------------------------------------------


def get_properties(call: Call) -> Reply:
    """Every property of a type."""
    found = properties.definitions(call.act, type_of(call), flag(call, "archived"))
    hidden = flag(call, "includeHidden")
    shown = [p for p in found.values() if hidden or not p.hidden]
    for p in shown:
        call.act.show(p)
    return Reply(200, {"results": [property_body(p) for p in shown]})


def get_property(call: Call) -> Reply:
    """One property."""
    found = properties.get(call.act, type_of(call), call.params["propertyName"], flag(call, "archived"))
    return Reply(200, property_body(found))


def create_property(call: Call) -> Reply:
    """Create a property."""
    return Reply(201, property_body(properties.make(call.act, type_of(call), json(call))))


def update_property(call: Call) -> Reply:
    """Change a property."""
    changed = properties.change(call.act, type_of(call), call.params["propertyName"], json(call))
    return Reply(200, property_body(changed))


def archive_property(call: Call) -> Reply:
    """Archive a property."""
    properties.archive(call.act, type_of(call), call.params["propertyName"])
    return Reply(204)


def batch_properties(call: Call) -> Reply:
    """Create, read or archive several properties; the path's last part says which."""
    request = json(call)
    do = call.path.rstrip("/").rpartition("/")[2]
    inputs = batch.inputs_of(request)
    found, failed = properties.batch(call.act, type_of(call), do, inputs, request.flag("archived"))
    if failed and not found:
        raise failed[0]
    if do == "archive":
        return Reply(204)
    done = batch.Outcome([property_body(p) for p in found], failed)
    return Reply(207 if failed else 201 if do == "create" else 200, done.answer(call.act))


def get_groups(call: Call) -> Reply:
    """Every property group of a type."""
    found = properties.groups(call.act, type_of(call)).values()
    return Reply(200, {"results": [group_body(g) for g in found]})


def get_group(call: Call) -> Reply:
    """One property group."""
    return Reply(200, group_body(properties.group(call.act, type_of(call), call.params["groupName"])))


def create_group(call: Call) -> Reply:
    """Create a property group."""
    return Reply(201, group_body(properties.make_group(call.act, type_of(call), json(call))))


def update_group(call: Call) -> Reply:
    """Change a property group."""
    name = call.params["groupName"]
    return Reply(200, group_body(properties.change_group(call.act, type_of(call), name, json(call))))


def archive_group(call: Call) -> Reply:
    """Archive a property group."""
    properties.archive_group(call.act, type_of(call), call.params["groupName"])
    return Reply(204)


# -- pipelines -------------------------------------------------------------------------------


def get_pipelines(call: Call) -> Reply:
    """Every pipeline of a type."""
    found = pipelines.every(call.act, type_of(call))
    for pipeline in found:
        call.act.show(pipeline)
    return Reply(200, {"results": [pipelines.pipeline_body(p) for p in found]})


def get_pipeline(call: Call) -> Reply:
    """One pipeline."""
    found = pipelines.get(call.act, type_of(call), call.params["pipelineId"])
    return Reply(200, pipelines.pipeline_body(found))


def create_pipeline(call: Call) -> Reply:
    """Create a pipeline."""
    return Reply(201, pipelines.pipeline_body(pipelines.make(call.act, type_of(call), json(call))))


def update_pipeline(call: Call) -> Reply:
    """Change a pipeline's label or place."""
    changed = pipelines.change(call.act, type_of(call), call.params["pipelineId"], json(call))
    return Reply(200, pipelines.pipeline_body(changed))


def replace_pipeline(call: Call) -> Reply:
    """Replace a pipeline with its stages."""
    replaced = pipelines.replace(call.act, type_of(call), call.params["pipelineId"], json(call))
    return Reply(200, pipelines.pipeline_body(replaced))


def archive_pipeline(call: Call) -> Reply:
    """Delete a pipeline."""
    pipelines.archive(call.act, type_of(call), call.params["pipelineId"])
    return Reply(204)


def get_stages(call: Call) -> Reply:
    """Every stage of a pipeline."""
    found = pipelines.get(call.act, type_of(call), call.params["pipelineId"])
    return Reply(200, {"results": [pipelines.stage_body(s) for s in pipelines.live_stages(found)]})


def get_stage(call: Call) -> Reply:
    """One stage."""
    pipeline = pipelines.get(call.act, type_of(call), call.params["pipelineId"])
    return Reply(200, pipelines.stage_body(pipelines.stage_of(pipeline, call.params["stageId"])))


def create_stage(call: Call) -> Reply:
    """Add a stage."""
    made = pipelines.make_stage(call.act, type_of(call), call.params["pipelineId"], json(call))
    return Reply(201, pipelines.stage_body(made))


def write_stage(call: Call) -> Reply:
    """Change a stage (PATCH) or replace it (PUT)."""
    pipeline, stage = call.params["pipelineId"], call.params["stageId"]
    changed = pipelines.change_stage(
        call.act, type_of(call), pipeline, stage, json(call), whole=call.method == "PUT"
    )
    return Reply(200, pipelines.stage_body(changed))


def archive_stage(call: Call) -> Reply:
    """Delete a stage."""
    pipelines.archive_stage(call.act, type_of(call), call.params["pipelineId"], call.params["stageId"])
    return Reply(204)


# -- owners ----------------------------------------------------------------------------------


def get_owners(call: Call) -> Reply:
    """A page of owners."""
    found, more = owners.page(
        call.act,
        email=call.arg("email") or "",
        archived=flag(call, "archived"),
        limit=number(call, "limit", 100),
        after=call.arg("after") or "",
    )
    return Reply(200, listed([owners.owner_body(o) for o in found], more))


def get_owner(call: Call) -> Reply:
    """One owner, by owner id or user id."""
    by = call.arg("idProperty") or "id"
    found = owners.get(call.act, call.params["ownerId"], by, flag(call, "archived"))
    return Reply(200, owners.owner_body(found))


ROUTES = (
    Route("crm.properties.core.get_all", "GET", _PROPERTIES, get_properties),
    Route("crm.properties.core.create", "POST", _PROPERTIES, create_property),
    Route("crm.properties.core.get_by_name", "GET", _PROPERTY, get_property),
    Route("crm.properties.core.update", "PATCH", _PROPERTY, update_property),
    Route("crm.properties.core.archive", "DELETE", _PROPERTY, archive_property),
    Route("crm.properties.batch.create", "POST", _PROPERTIES + "/batch/create", batch_properties),
    Route("crm.properties.batch.read", "POST", _PROPERTIES + "/batch/read", batch_properties),
    Route("crm.properties.batch.archive", "POST", _PROPERTIES + "/batch/archive", batch_properties),
    Route("crm.properties.groups.get_all", "GET", _GROUPS, get_groups),
    Route("crm.properties.groups.create", "POST", _GROUPS, create_group),
    Route("crm.properties.groups.get_by_name", "GET", _GROUP, get_group),
    Route("crm.properties.groups.update", "PATCH", _GROUP, update_group),
    Route("crm.properties.groups.archive", "DELETE", _GROUP, archive_group),
    Route("crm.pipelines.pipelines.get_all", "GET", _PIPELINES, get_pipelines),
    Route("crm.pipelines.pipelines.create", "POST", _PIPELINES, create_pipeline),
    Route("crm.pipelines.pipelines.get_by_id", "GET", _PIPELINE, get_pipeline),
    Route("crm.pipelines.pipelines.update", "PATCH", _PIPELINE, update_pipeline),
    Route("crm.pipelines.pipelines.replace", "PUT", _PIPELINE, replace_pipeline),
    Route("crm.pipelines.pipelines.archive", "DELETE", _PIPELINE, archive_pipeline),
    Route("crm.pipelines.pipeline_stages.get_all", "GET", _STAGES, get_stages),
    Route("crm.pipelines.pipeline_stages.create", "POST", _STAGES, create_stage),
    Route("crm.pipelines.pipeline_stages.get_by_id", "GET", _STAGE, get_stage),
    Route("crm.pipelines.pipeline_stages.update", "PATCH", _STAGE, write_stage),
    Route("crm.pipelines.pipeline_stages.replace", "PUT", _STAGE, write_stage),
    Route("crm.pipelines.pipeline_stages.archive", "DELETE", _STAGE, archive_stage),
    Route("crm.owners.owners.get_page", "GET", "/crm/v3/owners", get_owners),
    Route("crm.owners.owners.get_by_id", "GET", "/crm/v3/owners/{ownerId}", get_owner),
)
