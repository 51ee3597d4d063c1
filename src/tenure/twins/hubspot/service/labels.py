"""Association labels that the account defines."""

from typing import Any

from tenure.twins.hubspot.records import FIRST_LABEL, Association, AssociationLabel
from tenure.twins.hubspot.service.associations import Spec, specs
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

MAX_LABELS = 50
"""Labels between two object types."""


def make(act: Act, t: Type, to: Type, body: Body) -> list[Spec]:
    """Define a label, or a pair of labels when an inverse one is given.

    Raises:
        HubSpotError: 400, there are too many; 409, the name or label is taken.
    """
    body.need("label", "name")
    name, label, inverse = body.text("name"), body.text("label"), body.text("inverseLabel", "")
    known = act.all(AssociationLabel, "between", f"{t.key}>{to.key}")
    if any(k.name == name or k.label.lower() == label.lower() for k in known):
        raise conflict(f"An association label named '{label}' already exists between {t.key} and {to.key}")
    if len(known) >= MAX_LABELS:
        raise invalid(f"There may be at most {MAX_LABELS} labels between two object types")
    type_id = FIRST_LABEL + act.next("hubspot.association_label")
    both_ways = t.key == to.key and not inverse
    inverse_id = type_id if both_ways else FIRST_LABEL + act.next("hubspot.association_label")
    made = AssociationLabel(
        id=str(type_id),
        from_type=t.key,
        to_type=to.key,
        name=name,
        label=label,
        type_id=type_id,
        inverse_id=inverse_id,
        inverse_label=inverse,
    )
    act.put(made)
    act.show(made)
    found = [s for s in specs(act, t, to) if s.type_id in (type_id, inverse_id)]
    back = [s for s in specs(act, to, t) if s.type_id == inverse_id and s not in found]
    return found + back


def _of(act: Act, t: Type, to: Type, type_id: int) -> AssociationLabel:
    for found in act.all(AssociationLabel, "type_id", type_id):
        if {found.from_type, found.to_type} == {t.key, to.key}:
            return found
    raise not_found(f"No association label with type id {type_id} exists between {t.key} and {to.key}")


def change(act: Act, t: Type, to: Type, body: Body) -> None:
    """Rename a label, seen from its own side or the other.

    Raises:
        HubSpotError: 404, there is none.
    """
    body.need("associationTypeId", "label")
    type_id = body.number("associationTypeId")
    found = _of(act, t, to, type_id)
    if type_id == found.type_id:
        found.label = body.text("label")
        found.inverse_label = body.text("inverseLabel", found.inverse_label)
    else:
        found.inverse_label = body.text("label")
        found.label = body.text("inverseLabel", found.label)
    act.put(found)


def archive(act: Act, t: Type, to: Type, type_id: int) -> None:
    """Delete a label that no two objects carry.

    Raises:
        HubSpotError: 400, it is in use; 404, there is none.
    """
    found = _of(act, t, to, type_id)
    if act.ids(Association, "label", found.type_id):
        raise invalid(f"Association label {type_id} is in use and cannot be deleted")
    act.delete(found)


def listed(act: Act, t: Type, to: Type) -> list[dict[str, Any]]:
    """Every association type from one object type to another, as the vendor lists them."""
    for label in act.all(AssociationLabel, "between", f"{t.key}>{to.key}"):
        act.show(label)
    return [s.body() for s in specs(act, t, to)]
