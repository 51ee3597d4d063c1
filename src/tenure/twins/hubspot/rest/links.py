"""Routes of the older associations: v3, by name."""

from tenure.twins.hubspot.rest.request import json, number, pair_of, type_of
from tenure.twins.hubspot.service import associations, batch, links, objects, view
from tenure.twins.hubspot.service.paging import check_limit, cursor, listed
from tenure.twins.hubspot.service.view import Asked
from tenure.twins.wire import Route
from tenure.world import Call, Reply

_LIST = "/crm/v3/objects/{objectType}/{objectId}/associations/{toObjectType}"
_ONE = _LIST + "/{toObjectId}/{associationType}"
_BETWEEN = "/crm/v3/associations/{fromObjectType}/{toObjectType}"


def get_page(call: Call) -> Reply:
    """An object's associations with objects of a type."""
    t, to = type_of(call), type_of(call, "toObjectType")
    limit, start = number(call, "limit", 500), cursor(call.arg("after") or "") or 0
    check_limit(limit, 500)
    record = objects.get(call.act, t, call.params["objectId"])
    rows = [row for row in links.named_links(call.act, t, record, to) if int(row["id"]) >= start]
    # Rows of one object stay on one page: the cursor is an object's id.
    ids = sorted({row["id"] for row in rows}, key=int)
    shown = set(ids[:limit])
    more = ids[limit] if len(ids) > limit else ""
    return Reply(200, listed([row for row in rows if row["id"] in shown], more))


def create(call: Call) -> Reply:
    """Associate two objects under one type; answers the first with its associations."""
    t, to = type_of(call), type_of(call, "toObjectType")
    id, to_id = call.params["objectId"], call.params["toObjectId"]
    chosen = links.wanted(call.act, t, to, call.params["associationType"])
    associations.link(call.act, t, id, to, to_id, [chosen])
    record = objects.get(call.act, t, id)
    return Reply(200, view.body(call.act, t, record, Asked.of(associations=[to.key])))


def archive(call: Call) -> Reply:
    """Take one type of two objects' associations away."""
    t, to = type_of(call), type_of(call, "toObjectType")
    chosen = links.wanted(call.act, t, to, call.params["associationType"])
    associations.unlabel(call.act, t, call.params["objectId"], to, call.params["toObjectId"], [chosen])
    return Reply(204)


def batch_create(call: Call) -> Reply:
    """Associate pairs."""
    t, to = pair_of(call)
    inputs = batch.inputs_of(json(call), batch.MAX_ASSOCIATIONS)
    done = batch.each(call.act, inputs, lambda part: links.link(call.act, t, to, part))
    return Reply(207 if done.errors else 201, done.answer(call.act))


def batch_read(call: Call) -> Reply:
    """Read the associations of several objects."""
    t, to = pair_of(call)
    inputs = batch.inputs_of(json(call), batch.MAX_ASSOCIATION_READS)
    done = batch.each(call.act, inputs, lambda part: links.read(call.act, t, to, part))
    return Reply(207 if done.errors else 200, done.answer(call.act))


def batch_archive(call: Call) -> Reply:
    """Take associations of pairs away."""
    t, to = pair_of(call)
    for part in batch.inputs_of(json(call), batch.MAX_ASSOCIATIONS):
        links.unlink(call.act, t, to, part)
    return Reply(204)


def get_types(call: Call) -> Reply:
    """The association types between two object types."""
    names = links.type_names(call.act, *pair_of(call))
    return Reply(200, {"results": [{"id": str(id), "name": name} for id, name in names.items()]})


ROUTES = (
    Route("crm.objects.associations.get_all", "GET", _LIST, get_page),
    Route("crm.objects.associations.create", "PUT", _ONE, create),
    Route("crm.objects.associations.archive", "DELETE", _ONE, archive),
    Route("crm.associations.batch.create", "POST", _BETWEEN + "/batch/create", batch_create),
    Route("crm.associations.batch.read", "POST", _BETWEEN + "/batch/read", batch_read),
    Route("crm.associations.batch.archive", "POST", _BETWEEN + "/batch/archive", batch_archive),
    Route("crm.associations.schema.types.get_all", "GET", _BETWEEN + "/types", get_types),
)
