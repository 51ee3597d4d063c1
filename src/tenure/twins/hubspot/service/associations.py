"""Associations between objects (v4): listing, linking, labels on links, and taking them away."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tenure.twins.hubspot.associationtypes import PRIMARY, default_types, hubspot_types
from tenure.twins.hubspot.records import Association, AssociationLabel, CrmObject, End, pair, pair_id
from tenure.twins.hubspot.service import types
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.lookup import alive, find
from tenure.twins.hubspot.service.paging import check_limit, cursor
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

HUBSPOT, USER = "HUBSPOT_DEFINED", "USER_DEFINED"
CATEGORIES = (HUBSPOT, USER, "INTEGRATOR_DEFINED")


class Spec(NamedTuple):
    """An association type as seen from one side."""

    category: str
    type_id: int
    label: str | None
    inverse_id: int

    def body(self) -> dict[str, Any]:
        """As the vendor lists it."""
        return {"category": self.category, "typeId": self.type_id, "label": self.label}


class Wanted(NamedTuple):
    """An association that a create asks for: the type ids say which type of object ``to_id`` is."""

    to_id: str
    types: tuple[tuple[str, int], ...]


# -- types -----------------------------------------------------------------------------------


def specs(act: Act, t: Type, to: Type) -> list[Spec]:
    """Every association type from one object type to another."""
    found = [Spec(HUBSPOT, k.type_id, k.label, k.inverse_id) for k in hubspot_types(t.key, to.key)]
    for label in act.all(AssociationLabel, "between", f"{t.key}>{to.key}"):
        found += _user_specs(label, t.key)
    return found


def _user_specs(label: AssociationLabel, key: str) -> list[Spec]:
    """A label's types from one side; a paired label between objects of one type has both."""
    there = Spec(USER, label.type_id, label.label, label.inverse_id)
    back = Spec(USER, label.inverse_id, label.inverse_label or label.label, label.type_id)
    if label.from_type != label.to_type:
        return [there if label.from_type == key else back]
    return [there] if label.type_id == label.inverse_id else [there, back]


def _pick(act: Act, t: Type, to: Type, wanted: Iterable[tuple[str, int]]) -> list[Spec]:
    known = {(s.category, s.type_id): s for s in specs(act, t, to)}
    found = []
    for category, type_id in wanted:
        if category not in CATEGORIES:
            raise invalid(f"associationCategory must be one of {', '.join(CATEGORIES)}, was {category}")
        spec = known.get((category, type_id))
        if spec is None:
            raise invalid(
                f"{category} association type {type_id} does not go from {t.key} to {to.key}",
                context={"typeId": [str(type_id)], "fromObjectType": [t.key], "toObjectType": [to.key]},
            )
        found.append(spec)
    if not found:
        raise invalid("At least one association type is needed")
    return found


def target(act: Act, t: Type, category: str, type_id: int) -> Type:
    """The type that an association type leads to from an object type.

    Raises:
        HubSpotError: 400, no association of this type starts there.
    """
    if category == USER:
        for label in act.all(AssociationLabel, "type_id", type_id):
            if type_id == label.type_id and label.from_type == t.key:
                return types.resolve(act, label.to_type)
            if type_id == label.inverse_id and label.to_type == t.key:
                return types.resolve(act, label.from_type)
    else:
        for to in types.every(act):
            if any(k.type_id == type_id for k in hubspot_types(t.key, to.key)):
                return to
    raise invalid(f"{category} association type {type_id} does not start at {t.spec.type_id}")


# -- reading ---------------------------------------------------------------------------------


def between(act: Act, end: End, to: Type) -> list[Association]:
    """Associations of one object with objects of a type, by the others' ids."""
    found = act.all(Association, "between", f"{end[0]}/{end[1]}>{to.key}")
    return sorted(found, key=lambda a: int(a.other(end)[1]))


def page(
    act: Act, t: Type, id: str, to: Type, *, limit: int = 500, after: str = ""
) -> tuple[list[dict[str, Any]], str]:
    """A v4 list of an object's associations, and where the next page starts.

    Raises:
        HubSpotError: 400, the limit or the cursor is not valid; 404, the object is not there.
    """
    check_limit(limit, 500)
    start = cursor(after) or 0
    record = alive(act, t, id)
    end = (t.key, record.id)
    found = [a for a in between(act, end, to) if int(a.other(end)[1]) >= start]
    more = found[limit].other(end)[1] if len(found) > limit else ""
    known = {s.type_id: s for s in specs(act, t, to)}
    rows = []
    for association in found[:limit]:
        act.show(association)
        rows.append(
            {
                "toObjectId": association.other(end)[1],
                "associationTypes": [known[n].body() for n in association.types_from(end) if n in known],
            }
        )
    return rows, more


# -- linking ---------------------------------------------------------------------------------


def link(act: Act, t: Type, id: str, to: Type, to_id: str, wanted: Iterable[tuple[str, int]]) -> Association:
    """Associate two objects under some types; those they have already stay.

    The plain type always comes along, and a new primary company takes the place of the old one.

    Raises:
        HubSpotError: 400, a type does not go this way; 404, an object is not there.
    """
    picked = _pick(act, t, to, wanted)
    a, b = (t.key, alive(act, t, id).id), (to.key, alive(act, to, to_id).id)
    if a == b:
        raise invalid(f"Object {id} cannot be associated with itself")
    plain = default_types(t.key, to.key)
    forward = {plain[0], *(s.type_id for s in picked)}
    backward = {plain[1], *(s.inverse_id for s in picked)}
    for spec in picked:
        if spec.category == HUBSPOT and spec.label == PRIMARY:
            _demote(act, a, b, {spec.type_id, spec.inverse_id})
    return _merge(act, a, b, forward, backward)


def _merge(act: Act, a: End, b: End, forward: set[int], backward: set[int]) -> Association:
    known = act.get(Association, pair_id(a, b))
    if known is not None:
        forward, backward = forward | set(known.types_from(a)), backward | set(known.types_from(b))
    made = pair(a, b, forward, backward)
    act.put(made)
    return made


def _demote(act: Act, a: End, b: End, primary: set[int]) -> None:
    """Take the primary mark off the other companies of the end that is no company."""
    end, company = (b, a) if a[0] == "companies" else (a, b)
    for other in between(act, end, types.resolve(act, company[0])):
        if other.other(end) != company:
            _drop(act, other, end, primary, primary)


def _drop(act: Act, association: Association, end: End, forward: set[int], backward: set[int]) -> None:
    """Take types off an association, those seen from an end and those seen from the other."""
    other = association.other(end)
    there = set(association.types_from(end)) - forward
    back = set(association.types_from(other)) - backward
    if there and back:
        act.put(pair(end, other, there, back))
    else:
        act.delete(association)


def link_default(act: Act, t: Type, id: str, to: Type, to_id: str) -> Association:
    """Associate two objects under the plain type."""
    return link(act, t, id, to, to_id, [(HUBSPOT, default_types(t.key, to.key)[0])])


def link_new(act: Act, t: Type, record: CrmObject, wanted: Wanted) -> Association:
    """An association that a create asks for."""
    if not wanted.types:
        raise invalid("Each association needs at least one type")
    to = target(act, t, *wanted.types[0])
    return link(act, t, record.id, to, wanted.to_id, wanted.types)


def _known(act: Act, t: Type, id: str, to: Type, to_id: str) -> tuple[End, Association] | None:
    """The association of two objects and the first of its ends, when there is one."""
    a, b = find(act, t, id), find(act, to, to_id)
    if a is None or b is None:
        return None
    end = (t.key, a.id)
    association = act.get(Association, pair_id(end, (to.key, b.id)))
    return None if association is None else (end, association)


def unlink(act: Act, t: Type, id: str, to: Type, to_id: str) -> None:
    """Take every association of two objects away. None there is no error."""
    if known := _known(act, t, id, to, to_id):
        act.delete(known[1])


def unlabel(act: Act, t: Type, id: str, to: Type, to_id: str, wanted: Iterable[tuple[str, int]]) -> None:
    """Take some types of an association away; with none left, it goes. None there is no error."""
    picked = _pick(act, t, to, wanted)
    if known := _known(act, t, id, to, to_id):
        end, association = known
        _drop(act, association, end, {s.type_id for s in picked}, {s.inverse_id for s in picked})


def move(act: Act, source: CrmObject, into: CrmObject) -> None:
    """Give a merged record's associations to the winner, which keeps its own primary ones."""
    start, end = (source.type_key, source.id), (into.type_key, into.id)
    for association in act.all(Association, "object", f"{start[0]}/{start[1]}"):
        other = association.other(start)
        act.delete(association)
        if other == end:
            continue
        forward, backward = set(association.types_from(start)), set(association.types_from(other))
        for known in hubspot_types(end[0], other[0]):
            if known.label == PRIMARY and known.type_id in forward:
                forward.discard(known.type_id)
                backward.discard(known.inverse_id)
        _merge(act, end, other, forward, backward)


# -- answers ---------------------------------------------------------------------------------


def pair_body(act: Act, t: Type, id: str, to: Type, association: Association) -> dict[str, Any]:
    """The labels between two objects, as the vendor answers a link."""
    act.show(association)
    end = (t.key, alive(act, t, id).id)
    ids = association.types_from(end)
    return {
        "fromObjectTypeId": t.spec.type_id,
        "fromObjectId": end[1],
        "toObjectTypeId": to.spec.type_id,
        "toObjectId": association.other(end)[1],
        "labels": [s.label for s in specs(act, t, to) if s.type_id in ids and s.label],
    }


def default_body(t: Type, id: str, to: Type, to_id: str) -> list[dict[str, Any]]:
    """Both directions of a plain association, as the vendor answers ``default``."""
    there, back = default_types(t.key, to.key)
    rows = [(id, to_id, there), (to_id, id, back)]
    return [
        {
            "from": {"id": a},
            "to": {"id": b},
            "associationSpec": {"associationCategory": HUBSPOT, "associationTypeId": n},
        }
        for a, b, n in rows
    ]
