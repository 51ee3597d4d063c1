"""Pipelines and their stages."""

import re
from typing import Any

from tenure.twins.hubspot.definitions import PIPELINE_PROPERTIES, STANDARD_PIPELINES
from tenure.twins.hubspot.records import CrmObject, Pipeline, Stage
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.times import iso
from tenure.world import Act


def every(act: Act, t: Type, archived: bool = False) -> list[Pipeline]:
    """The type's pipelines, in order of display; not to be changed."""
    found = {p.id: p for p in STANDARD_PIPELINES.values() if p.object_type == t.key}
    found |= {p.id: p for p in act.all(Pipeline, "type", t.key)}
    live = (p for p in found.values() if p.archived == archived)
    return sorted(live, key=lambda p: (p.display_order, p.pipeline_id))


def find(act: Act, t: Type, id: str) -> Pipeline | None:
    """A live pipeline by id, or ``None``; not to be changed."""
    key = f"{t.key}/{id}"
    found = act.get(Pipeline, key) or STANDARD_PIPELINES.get(key)
    return None if found is None or found.archived else found


def get(act: Act, t: Type, id: str) -> Pipeline:
    """A live pipeline by id; the caller's own to change.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = find(act, t, id)
    if found is None:
        raise not_found(f"Pipeline {id} does not exist for object type {t.spec.type_id}")
    act.show(found)
    return found.copy_deep()


def live_stages(pipeline: Pipeline) -> list[Stage]:
    """A pipeline's stages, in order of display."""
    return sorted((s for s in pipeline.stages if not s.archived), key=lambda s: (s.display_order, s.id))


def stage_of(pipeline: Pipeline, id: str) -> Stage:
    """A live stage of a pipeline.

    Raises:
        HubSpotError: 404, there is none.
    """
    for stage in pipeline.stages:
        if stage.id == id and not stage.archived:
            return stage
    raise not_found(f"Stage {id} does not exist in pipeline {pipeline.pipeline_id}")


def stage_body(s: Stage) -> dict[str, Any]:
    """A stage as the vendor writes it."""
    return {
        "id": s.id,
        "label": s.label,
        "displayOrder": s.display_order,
        "metadata": s.metadata,
        "createdAt": iso(s.created_at),
        "updatedAt": iso(s.updated_at),
        "archived": s.archived,
        "writePermissions": "CRM_PERMISSIONS_ENFORCEMENT",
    }


def pipeline_body(p: Pipeline) -> dict[str, Any]:
    """A pipeline as the vendor writes it."""
    return {
        "id": p.pipeline_id,
        "label": p.label,
        "displayOrder": p.display_order,
        "stages": [stage_body(s) for s in live_stages(p)],
        "createdAt": iso(p.created_at),
        "updatedAt": iso(p.updated_at),
        "archived": p.archived,
    }


# -- writing ---------------------------------------------------------------------------------


def _supports(t: Type) -> None:
    if t.key not in PIPELINE_PROPERTIES and not t.schema:
        raise invalid(f"Object type {t.spec.type_id} does not support pipelines")


def _metadata(t: Type, given: dict[str, Any]) -> dict[str, str]:
    metadata = {
        str(name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in given.items()
    }
    if t.key == "deals":
        chance = metadata.get("probability", "")
        try:
            number = float(chance)
        except ValueError:
            number = -1
        if not 0 <= number <= 1:
            raise invalid(f"Stage metadata probability must be between 0.0 and 1.0, was {chance!r}")
        metadata["probability"] = str(number)
        metadata.setdefault("isClosed", str(number in {0.0, 1.0}).lower())
    if t.key == "tickets":
        metadata.setdefault("ticketState", "OPEN")
        if metadata["ticketState"] not in {"OPEN", "CLOSED"}:
            raise invalid("Stage metadata ticketState must be OPEN or CLOSED")
        metadata.setdefault("isClosed", str(metadata["ticketState"] == "CLOSED").lower())
    return metadata


def _new_stage(act: Act, t: Type, body: Body, taken: set[str]) -> Stage:
    body.need("label", "displayOrder")
    id = body.text("stageId", "") or body.text("id", "") or act.decimal_id("hubspot.stage", 10)
    if id in taken:
        raise conflict(f"A stage with id {id} already exists")
    return Stage(
        id=id,
        label=body.text("label"),
        display_order=body.number("displayOrder"),
        metadata=_metadata(t, body.mapping("metadata")),
        created_at=act.now,
        updated_at=act.now,
    )


def _every_stage_id(act: Act, t: Type) -> set[str]:
    return {s.id for p in every(act, t) for s in p.stages}


def _check_label(act: Act, t: Type, label: str, own: str = "") -> None:
    if any(p.label.lower() == label.lower() and p.pipeline_id != own for p in every(act, t)):
        raise conflict(f"A pipeline with the label '{label}' already exists")


def make(act: Act, t: Type, body: Body) -> Pipeline:
    """Create a pipeline with its stages.

    Raises:
        HubSpotError: 400, not valid; 409, the label or an id is taken.
    """
    _supports(t)
    body.need("label", "displayOrder", "stages")
    label = body.text("label")
    _check_label(act, t, label)
    id = body.text("pipelineId", "") or re.sub(r"[^a-z0-9]", "", label.lower()) or "pipeline"
    if act.get(Pipeline, f"{t.key}/{id}") or f"{t.key}/{id}" in STANDARD_PIPELINES:
        id = act.decimal_id("hubspot.pipeline", 10)
    made = Pipeline(
        id=f"{t.key}/{id}",
        object_type=t.key,
        pipeline_id=id,
        label=label,
        display_order=body.number("displayOrder"),
        stages=_stages(act, t, body, _every_stage_id(act, t)),
        created_at=act.now,
        updated_at=act.now,
    )
    act.put(made)
    act.show(made)
    return made


def _stages(act: Act, t: Type, body: Body, taken: set[str]) -> list[Stage]:
    made: list[Stage] = []
    for part in body.parts("stages", required=True):
        made.append(_new_stage(act, t, part, taken | {s.id for s in made}))
    if not made:
        raise invalid("A pipeline must have at least one stage")
    return made


def change(act: Act, t: Type, id: str, body: Body) -> Pipeline:
    """Update a pipeline's label or place."""
    found = get(act, t, id)
    if "label" in body:
        _check_label(act, t, body.text("label"), own=id)
        found.label = body.text("label")
    found.display_order = body.number("displayOrder", found.display_order)
    return _save(act, found)


def replace(act: Act, t: Type, id: str, body: Body) -> Pipeline:
    """Replace a pipeline's label, place and stages; stages keep the ids they name.

    Raises:
        HubSpotError: 400, a stage that records are in would go.
    """
    found = get(act, t, id)
    body.need("label", "displayOrder", "stages")
    _check_label(act, t, body.text("label"), own=id)
    stages = _stages(act, t, body, _every_stage_id(act, t) - {s.id for s in found.stages})
    kept = {s.id for s in stages}
    for stage in live_stages(found):
        if stage.id not in kept:
            _refuse_used(act, t, found, stage)
    found.label, found.display_order, found.stages = body.text("label"), body.number("displayOrder"), stages
    return _save(act, found)


def archive(act: Act, t: Type, id: str) -> None:
    """Delete a pipeline that no record is in.

    Raises:
        HubSpotError: 400, it is used, or it is the last one.
    """
    found = get(act, t, id)
    if len(every(act, t)) == 1:
        raise invalid("The last pipeline of an object type cannot be deleted")
    for stage in live_stages(found):
        _refuse_used(act, t, found, stage)
    found.archived = True
    _save(act, found)


def _refuse_used(act: Act, t: Type, pipeline: Pipeline, stage: Stage) -> None:
    names = PIPELINE_PROPERTIES.get(t.key)
    if names is None:
        return
    used: list[CrmObject] = [
        record
        for record in act.all(t.kind, "value", f"{names[1]}={stage.id.lower()}")
        if record.properties.get(names[0]) == pipeline.pipeline_id
    ]
    if used:
        raise invalid(
            f"Stage {stage.id} is used by {len(used)} records and cannot be deleted",
            context={"stageId": [stage.id]},
        )


def _save(act: Act, pipeline: Pipeline) -> Pipeline:
    pipeline.updated_at = act.now
    act.put(pipeline)
    act.show(pipeline)
    return pipeline


def make_stage(act: Act, t: Type, id: str, body: Body) -> Stage:
    """Add a stage."""
    found = get(act, t, id)
    made = _new_stage(act, t, body, _every_stage_id(act, t))
    if any(s.label.lower() == made.label.lower() for s in live_stages(found)):
        raise conflict(f"A stage with the label '{made.label}' already exists in pipeline {id}")
    found.stages = [*found.stages, made]
    _save(act, found)
    return made


def change_stage(act: Act, t: Type, id: str, stage_id: str, body: Body, *, whole: bool = False) -> Stage:
    """Update a stage; ``whole`` replaces its metadata, else given keys are merged in."""
    found = get(act, t, id)
    stage = stage_of(found, stage_id)
    if whole:
        body.need("label", "displayOrder")
    stage.label = body.text("label", stage.label)
    stage.display_order = body.number("displayOrder", stage.display_order)
    if "metadata" in body or whole:
        stage.metadata = _metadata(t, ({} if whole else stage.metadata) | body.mapping("metadata"))
    stage.updated_at = act.now
    _save(act, found)
    return stage


def archive_stage(act: Act, t: Type, id: str, stage_id: str) -> None:
    """Delete a stage that no record is in."""
    found = get(act, t, id)
    stage = stage_of(found, stage_id)
    if len(live_stages(found)) == 1:
        raise invalid("The last stage of a pipeline cannot be deleted")
    _refuse_used(act, t, found, stage)
    found.stages = [s for s in found.stages if s.id != stage_id]
    _save(act, found)
