"""Property definitions and groups."""

import re
from typing import Any

from tenure.twins.hubspot.definitions import custom_properties, standard_groups, standard_properties
from tenure.twins.hubspot.records import Group, Option, Property
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import HubSpotError, conflict, invalid, not_found
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.times import iso
from tenure.world import Act

TYPES: dict[str, frozenset[str]] = {
    "string": frozenset({"text", "textarea", "html", "file", "phonenumber", "calculation_equation"}),
    "number": frozenset({"number", "calculation_equation", "calculation_rollup"}),
    "date": frozenset({"date"}),
    "datetime": frozenset({"date"}),
    "enumeration": frozenset({"select", "radio", "checkbox", "booleancheckbox", "calculation_equation"}),
    "bool": frozenset({"booleancheckbox", "calculation_equation"}),
}
"""Value type → the field types it may have."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,99}")


# -- reading ---------------------------------------------------------------------------------


def _standard(t: Type) -> dict[str, Property]:
    return custom_properties(t.key) if t.schema else standard_properties()[t.key]


def definition(act: Act, t: Type, name: str) -> Property | None:
    """A property that values may be written to, or ``None``."""
    found = act.get(Property, f"{t.key}/{name}") or _standard(t).get(name)
    return None if found is None or found.archived else found


def definitions(act: Act, t: Type, archived: bool = False) -> dict[str, Property]:
    """Name → property, standard ones first; the live or the archived ones."""
    found = dict(_standard(t))
    found |= {p.name: p for p in act.all(Property, "type", t.key)}
    return {name: p for name, p in found.items() if p.archived == archived}


def unique(act: Act, t: Type, name: str) -> Property:
    """A property whose values identify records.

    Raises:
        HubSpotError: 400, it has no unique values, or there is none of the name.
    """
    found = definition(act, t, name)
    if found is None:
        raise invalid(f'Property "{name}" does not exist', context={"propertyName": [name]})
    if not found.has_unique_value:
        raise invalid(f"Property '{name}' is not a unique identifier property for {t.key}")
    return found


def get(act: Act, t: Type, name: str, archived: bool = False) -> Property:
    """A property by name.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = definitions(act, t, archived).get(name)
    if found is None:
        raise not_found(f"Property {name} does not exist for object type {t.spec.type_id}")
    act.show(found)
    return found


def property_body(p: Property) -> dict[str, Any]:
    """A property as the vendor writes it."""
    body: dict[str, Any] = {
        "name": p.name,
        "label": p.label,
        "type": p.type,
        "fieldType": p.field_type,
        "description": p.description,
        "groupName": p.group_name,
        "options": [
            {
                "label": o.label,
                "value": o.value,
                "displayOrder": o.display_order,
                "hidden": o.hidden,
                "description": o.description,
            }
            for o in p.options
        ],
        "displayOrder": p.display_order,
        "calculated": bool(p.calculation_formula) or p.read_only,
        "externalOptions": p.external_options,
        "hasUniqueValue": p.has_unique_value,
        "hidden": p.hidden,
        "hubspotDefined": p.hubspot_defined,
        "formField": p.form_field,
        "archived": p.archived,
        "createdAt": iso(p.created_at),
        "updatedAt": iso(p.updated_at),
        "modificationMetadata": {
            "archivable": not p.hubspot_defined,
            "readOnlyDefinition": p.hubspot_defined,
            "readOnlyValue": p.read_only,
            "readOnlyOptions": p.external_options,
        },
    }
    optional = {
        "calculationFormula": p.calculation_formula,
        "referencedObjectType": p.referenced_object_type,
        "archivedAt": iso(p.archived_at) if p.archived_at else "",
    }
    return body | {name: value for name, value in optional.items() if value}


# -- writing ---------------------------------------------------------------------------------


def _options(body: Body) -> list[Option]:
    found = [
        Option(
            label=part.text("label"),
            value=part.text("value"),
            display_order=part.number("displayOrder", n),
            hidden=part.flag("hidden"),
            description=part.text("description", ""),
        )
        for n, part in enumerate(body.parts("options"))
    ]
    values = [option.value for option in found]
    if len(set(values)) < len(values):
        raise invalid(
            "Property options must have unique values", errors=[{"message": "duplicate option value"}]
        )
    return found


def _check(act: Act, t: Type, p: Property) -> None:
    if p.type not in TYPES:
        raise invalid(f"Invalid property type {p.type}; one of {', '.join(TYPES)}")
    if p.field_type not in TYPES[p.type]:
        raise invalid(f"Field type {p.field_type} does not go with property type {p.type}")
    if p.group_name not in groups(act, t):
        raise invalid(f"Property group {p.group_name} does not exist for object type {t.spec.type_id}")


def make(act: Act, t: Type, body: Body) -> Property:
    """Create a property.

    Raises:
        HubSpotError: 400, the definition is not valid; 409, the name is taken.
    """
    body.need("name", "label", "type", "fieldType", "groupName")
    name = body.text("name")
    if not _NAME.fullmatch(name):
        raise invalid(
            f"Property name {name!r} is not valid: lower-case letters, digits and underscores, letter first"
        )
    if name in definitions(act, t):
        raise conflict(f"Property named '{name}' already exists. ")
    made = Property(
        id=f"{t.key}/{name}",
        object_type=t.key,
        name=name,
        label=body.text("label"),
        type=body.text("type"),
        field_type=body.text("fieldType"),
        group_name=body.text("groupName"),
        description=body.text("description", ""),
        options=_options(body),
        display_order=body.number("displayOrder", -1),
        has_unique_value=body.flag("hasUniqueValue"),
        hidden=body.flag("hidden"),
        form_field=body.flag("formField"),
        calculation_formula=body.text("calculationFormula", ""),
        read_only="calculationFormula" in body,
        external_options=body.flag("externalOptions"),
        referenced_object_type=body.text("referencedObjectType", ""),
        created_at=act.now,
        updated_at=act.now,
    )
    _check(act, t, made)
    act.put(made)
    act.show(made)
    return made


def change(act: Act, t: Type, name: str, body: Body) -> Property:
    """Update a property; absent fields stay.

    Raises:
        HubSpotError: 400, not valid; 404, there is none.
    """
    found = get(act, t, name).copy_deep()
    text_fields = {
        "label": "label",
        "description": "description",
        "groupName": "group_name",
        "type": "type",
        "fieldType": "field_type",
        "calculationFormula": "calculation_formula",
    }
    for wire, own in text_fields.items():
        if wire in body:
            setattr(found, own, body.text(wire))
    if "options" in body:
        if found.external_options:
            raise invalid(f"The options of {name} are read only")
        found.options = _options(body)
    found.hidden = body.flag("hidden", found.hidden)
    found.form_field = body.flag("formField", found.form_field)
    found.display_order = body.number("displayOrder", found.display_order)
    _check(act, t, found)
    found.updated_at = act.now
    act.put(found)
    act.show(found)
    return found


def archive(act: Act, t: Type, name: str) -> None:
    """Archive a property of the account's own.

    Raises:
        HubSpotError: 400, the vendor defined it; 404, there is none.
    """
    found = get(act, t, name)
    if found.hubspot_defined:
        raise invalid(f"Property {name} is defined by HubSpot and cannot be archived")
    found.archived, found.archived_at, found.updated_at = True, act.now, act.now
    act.put(found)


def batch(
    act: Act, t: Type, do: str, inputs: list[Body], archived: bool = False
) -> tuple[list[Property], list[HubSpotError]]:
    """Create, read or archive several; what failed comes back beside what did not."""
    made, failed = [], []
    for part in inputs:
        try:
            with act.nested():
                if do == "create":
                    made.append(make(act, t, part))
                elif do == "read":
                    made.append(get(act, t, part.text("name"), archived))
                else:
                    archive(act, t, part.text("name"))
        except HubSpotError as error:
            failed.append(error)
    return made, failed


# -- groups ----------------------------------------------------------------------------------


def groups(act: Act, t: Type) -> dict[str, Group]:
    """Name → live property group."""
    found = {} if t.schema else standard_groups(t.key)
    if t.schema:
        found = {"custom": Group(id=f"{t.key}/custom", object_type=t.key, name="custom", label=t.spec.label)}
    found |= {g.name: g for g in act.all(Group, "type", t.key)}
    return {name: g for name, g in found.items() if not g.archived}


def group(act: Act, t: Type, name: str) -> Group:
    """A group by name.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = groups(act, t).get(name)
    if found is None:
        raise not_found(f"Property group {name} does not exist for object type {t.spec.type_id}")
    act.show(found)
    return found


def group_body(g: Group) -> dict[str, Any]:
    """A group as the vendor writes it."""
    return {"name": g.name, "label": g.label, "displayOrder": g.display_order, "archived": g.archived}


def make_group(act: Act, t: Type, body: Body) -> Group:
    """Create a group.

    Raises:
        HubSpotError: 409, the name is taken.
    """
    body.need("name", "label")
    name = body.text("name")
    if name in groups(act, t):
        raise conflict(f"Property group named '{name}' already exists. ")
    made = Group(
        id=f"{t.key}/{name}",
        object_type=t.key,
        name=name,
        label=body.text("label"),
        display_order=body.number("displayOrder", -1),
    )
    act.put(made)
    act.show(made)
    return made


def change_group(act: Act, t: Type, name: str, body: Body) -> Group:
    """Update a group's label or place."""
    found = group(act, t, name)
    found.label = body.text("label", found.label)
    found.display_order = body.number("displayOrder", found.display_order)
    act.put(found)
    return found


def archive_group(act: Act, t: Type, name: str) -> None:
    """Archive a group that holds no properties.

    Raises:
        HubSpotError: 400, properties are in it.
    """
    found = group(act, t, name)
    if any(p.group_name == name for p in definitions(act, t).values()):
        raise invalid(f"Property group {name} still holds properties")
    found.archived = True
    act.put(found)
