"""What records are called on screens."""

from tenure.twins.hubspot.associationtypes import PRIMARY, hubspot_types
from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.service import types
from tenure.twins.hubspot.service.associations import between
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

_NAMED = {
    "companies": ("name", "domain"),
    "deals": ("dealname",),
    "tickets": ("subject",),
    "tasks": ("hs_task_subject",),
    "meetings": ("hs_meeting_title",),
    "calls": ("hs_call_title",),
    "emails": ("hs_email_subject",),
}


def title(t: Type, record: CrmObject) -> str:
    """A record's name, or a stand-in that says which record it is."""
    p = record.properties
    if t.key == "contacts":
        names = [f"{p.get('firstname', '')} {p.get('lastname', '')}".strip(), p.get("email", "")]
    elif t.schema is not None:
        names = [p.get(t.schema.primary_display_property, "")]
    else:
        names = [p.get(name, "") for name in _NAMED.get(t.key, ("name", "hs_name"))]
    return next(filter(None, names), f"{t.spec.label} {record.id}")


def named_ends(act: Act, t: Type, record: CrmObject, to_key: str) -> list[dict[str, str]]:
    """The objects of a type that a record is associated with, the primary one first.

    Returns:
        Rows of ``type``, ``id`` and ``title``; each is shown.
    """
    to = types.resolve(act, to_key)
    end = (t.key, record.id)
    primary = {k.type_id for k in hubspot_types(t.key, to.key) if k.label == PRIMARY}
    found = between(act, end, to)
    found.sort(key=lambda a: primary.isdisjoint(a.types_from(end)))
    rows = []
    for association in found:
        other = act.get(to.kind, association.other(end)[1])
        if other is not None:
            act.show(other)
            rows.append({"type": to.key, "id": other.id, "title": title(to, other)})
    return rows
