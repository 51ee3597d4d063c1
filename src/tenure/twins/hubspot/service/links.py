"""Associations by name, as v3 reads and writes them; also what an object lists with itself."""

from typing import Any

from tenure.twins.hubspot.associationtypes import PRIMARY, hubspot_types
from tenure.twins.hubspot.records import AssociationLabel, CrmObject
from tenure.twins.hubspot.service import associations, lookup
from tenure.twins.hubspot.service.associations import HUBSPOT, USER, between
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act


def type_names(act: Act, t: Type, to: Type) -> dict[int, str]:
    """Association type id → its v3 name.

    Where the vendor has a primary type, the plain name means that one and the other is "unlabeled".
    """
    plain = f"{t.spec.singular}_to_{to.spec.singular}"
    known = hubspot_types(t.key, to.key)
    has_primary = any(k.label == PRIMARY for k in known)
    names = {}
    for k in known:
        if k.label is None:
            names[k.type_id] = f"{plain}_unlabeled" if has_primary else plain
        else:
            names[k.type_id] = plain if k.label == PRIMARY else k.label.lower().replace(" ", "_")
    for label in act.all(AssociationLabel, "between", f"{t.key}>{to.key}"):
        if label.from_type == t.key:
            names[label.type_id] = label.name
        if label.to_type == t.key:
            names.setdefault(label.inverse_id, f"{label.name}_inverse")
    return names


def named_links(act: Act, t: Type, record: CrmObject, to: Type) -> list[dict[str, Any]]:
    """An object's associations with objects of a type: one row for each association type."""
    end = (t.key, record.id)
    names = type_names(act, t, to)
    rows = []
    for association in between(act, end, to):
        act.show(association)
        id = association.other(end)[1]
        rows += [{"id": id, "type": names[n]} for n in association.types_from(end) if n in names]
    return rows


def wanted(act: Act, t: Type, to: Type, text: str) -> tuple[str, int]:
    """(category, type id) of an association type given by name or by id.

    Raises:
        HubSpotError: 400, there is none between the types.
    """
    names = type_names(act, t, to)
    found = next((n for n, name in names.items() if text in (name, str(n))), None)
    if found is None:
        raise invalid(f"{text} is not an association type from {t.key} to {to.key}")
    own = {k.type_id for k in hubspot_types(t.key, to.key)}
    return (HUBSPOT if found in own else USER), found


def link(act: Act, t: Type, to: Type, part: Body) -> list[dict[str, Any]]:
    """Associate one pair of a batch."""
    a, b, name = _ends(part)
    act.show(associations.link(act, t, a, to, b, [wanted(act, t, to, name)]))
    return [{"from": {"id": a}, "to": {"id": b}, "type": name}]


def unlink(act: Act, t: Type, to: Type, part: Body) -> None:
    """Take one type of one pair's associations away."""
    a, b, name = _ends(part)
    associations.unlabel(act, t, a, to, b, [wanted(act, t, to, name)])


def read(act: Act, t: Type, to: Type, part: Body) -> list[dict[str, Any]]:
    """The associations of one object of a batch; one without any gives no result."""
    record = lookup.alive(act, t, part.text("id"))
    rows = named_links(act, t, record, to)
    return [{"from": {"id": record.id}, "to": rows}] if rows else []


def _ends(part: Body) -> tuple[str, str, str]:
    return part.part("from").text("id"), part.part("to").text("id"), part.text("type")
