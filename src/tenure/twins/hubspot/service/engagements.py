"""Engagements (v1): notes, tasks and other activities in the older form."""

from typing import Any, NamedTuple

from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.service import associations, derived, lookup, objects, types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid, not_found
from tenure.twins.hubspot.service.types import Type, portal
from tenure.twins.hubspot.times import iso, moment
from tenure.world import Act


class _Form(NamedTuple):
    """How one type of engagement is written: the object type and metadata name → property."""

    object_type: str
    metadata: dict[str, str]


_FORMS = {
    "NOTE": _Form("notes", {"body": "hs_note_body"}),
    "TASK": _Form(
        "tasks",
        {
            "body": "hs_task_body",
            "subject": "hs_task_subject",
            "status": "hs_task_status",
            "priority": "hs_task_priority",
            "taskType": "hs_task_type",
        },
    ),
    "CALL": _Form(
        "calls",
        {
            "title": "hs_call_title",
            "body": "hs_call_body",
            "status": "hs_call_status",
            "disposition": "hs_call_disposition",
            "toNumber": "hs_call_to_number",
            "fromNumber": "hs_call_from_number",
            "durationMilliseconds": "hs_call_duration",
        },
    ),
    "MEETING": _Form(
        "meetings",
        {
            "title": "hs_meeting_title",
            "body": "hs_meeting_body",
            "startTime": "hs_meeting_start_time",
            "endTime": "hs_meeting_end_time",
        },
    ),
    "EMAIL": _Form(
        "emails", {"subject": "hs_email_subject", "text": "hs_email_text", "html": "hs_email_html"}
    ),
}
_LINKED = {
    "contactIds": "contacts",
    "companyIds": "companies",
    "dealIds": "deals",
    "ticketIds": "tickets",
}


def _find(act: Act, id: str) -> tuple[str, Type, CrmObject]:
    for name, form in _FORMS.items():
        t = types.resolve(act, form.object_type)
        record = lookup.find(act, t, id)
        if record is not None and not record.archived:
            return name, t, record
    raise not_found(f"Engagement {id} does not exist")


def _given(request: Body, form: _Form) -> dict[str, Any]:
    """The properties that a request sets. Metadata that the type does not keep is ignored."""
    metadata = request.mapping("metadata")
    found = {form.metadata[name]: value for name, value in metadata.items() if name in form.metadata}
    if "engagement" in request:
        engagement = request.part("engagement")
        if "ownerId" in engagement:
            found["hubspot_owner_id"] = engagement.text("ownerId")
        if "timestamp" in engagement:
            found["hs_timestamp"] = engagement.text("timestamp")
    return found


def _link(act: Act, t: Type, record: CrmObject, request: Body) -> None:
    if "associations" not in request:
        return
    listed = request.part("associations")
    for name, to in _LINKED.items():
        for id in listed.texts(name):
            associations.link_default(act, t, record.id, types.resolve(act, to), id)


def make(act: Act, request: Body) -> dict[str, Any]:
    """Create an engagement with its associations.

    Raises:
        HubSpotError: 400, not valid; 404, an associated object is not there.
    """
    name = request.part("engagement").text("type")
    if name not in _FORMS:
        raise invalid(f"engagement type must be one of {', '.join(_FORMS)}, was {name}")
    form = _FORMS[name]
    t = types.resolve(act, form.object_type)
    given = {"hs_timestamp": iso(act.now), **_given(request, form)}
    record = objects.make(act, t, given)
    _link(act, t, record, request)
    return _body(act, name, record)


def get(act: Act, id: str) -> dict[str, Any]:
    """An engagement.

    Raises:
        HubSpotError: 404, there is none.
    """
    name, _, record = _find(act, id)
    return _body(act, name, record)


def change(act: Act, id: str, request: Body) -> dict[str, Any]:
    """Update an engagement; associations are added to those it has.

    Raises:
        HubSpotError: 400, not valid; 404, it or an associated object is not there.
    """
    name, t, record = _find(act, id)
    changed = objects.change(act, t, record, _given(request, _FORMS[name]))
    _link(act, t, changed, request)
    return _body(act, name, changed)


def _body(act: Act, name: str, record: CrmObject) -> dict[str, Any]:
    act.show(record)
    p = record.properties
    owner = p.get("hubspot_owner_id")
    metadata = {wire: p[own] for wire, own in _FORMS[name].metadata.items() if own in p}
    return {
        "engagement": {
            "id": int(record.id),
            "portalId": portal(act).portal_id,
            "active": True,
            "createdAt": record.created_at,
            "lastUpdated": record.updated_at,
            "ownerId": int(owner) if owner else None,
            "type": name,
            "timestamp": moment(p.get("hs_timestamp", "")),
        },
        "associations": {
            **{wire: [int(id) for id in derived.linked(act, record, to)] for wire, to in _LINKED.items()},
            "ownerIds": [],
            "workflowIds": [],
        },
        "attachments": [],
        "metadata": metadata,
    }
