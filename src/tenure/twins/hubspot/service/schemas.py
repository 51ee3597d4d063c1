"""Custom object types."""

import re
from typing import Any

from tenure.twins.hubspot.associationtypes import default_types
from tenure.twins.hubspot.records import CustomObject, Schema
from tenure.twins.hubspot.service import properties, types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.properties import property_body
from tenure.twins.hubspot.times import iso
from tenure.world import Act

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{0,99}")
_ACTIVITIES = ("calls", "communications", "emails", "meetings", "notes", "postal_mail", "tasks")


def every(act: Act, archived: bool = False) -> list[Schema]:
    """The account's custom types."""
    return [s for s in act.all(Schema, "all") if s.archived == archived]


def get(act: Act, name: str) -> Schema:
    """A custom type by id, name or fully qualified name.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = types.find(act, name)
    if found is None or found.schema is None:
        raise not_found(f"Unable to find a custom object schema named {name}")
    return found.schema


def definition_body(act: Act, s: Schema) -> dict[str, Any]:
    """A custom type without its properties and associations."""
    return {
        "id": s.id.rpartition("-")[2],
        "objectTypeId": s.id,
        "fullyQualifiedName": types.full_name(act, s),
        "portalId": types.portal(act).portal_id,
        "name": s.name,
        "labels": {"singular": s.singular, "plural": s.plural},
        "description": s.description,
        "primaryDisplayProperty": s.primary_display_property,
        "secondaryDisplayProperties": s.secondary_display_properties,
        "requiredProperties": s.required_properties,
        "searchableProperties": s.searchable_properties,
        "archived": s.archived,
        "createdAt": iso(s.created_at),
        "updatedAt": iso(s.updated_at),
    }


def schema_body(act: Act, s: Schema) -> dict[str, Any]:
    """A custom type as the vendor writes it."""
    act.show(s)
    t = types.of_schema(s)
    links = []
    for key in dict.fromkeys((*s.associated_objects, *_ACTIVITIES)):
        to = types.resolve(act, key)
        forward, backward = default_types(t.key, to.key)
        for number, a, b in ((forward, t, to), (backward, to, t)):
            links.append(
                {
                    "id": str(number),
                    "fromObjectTypeId": a.spec.type_id,
                    "toObjectTypeId": b.spec.type_id,
                    "name": f"{a.spec.singular}_to_{b.spec.singular}",
                    "createdAt": iso(s.created_at),
                    "updatedAt": iso(s.created_at),
                }
            )
    return {
        **definition_body(act, s),
        "properties": [property_body(p) for p in properties.definitions(act, t).values()],
        "associations": links,
    }


def make(act: Act, request: Body) -> Schema:
    """Define a custom type with its properties.

    Raises:
        HubSpotError: 400, not valid; 409, the name is taken.
    """
    request.need("name", "labels", "requiredProperties", "properties", "associatedObjects")
    name = request.text("name").lower()
    if not _NAME.fullmatch(name):
        raise invalid(f"Schema name {name!r} is not valid: letters, digits and underscores, letter first")
    if types.find(act, name) is not None:
        raise conflict(f"An object type named {name} already exists")
    labels = request.part("labels")
    made = Schema(
        id=f"2-{act.decimal_id('hubspot.schema', 8)}",
        name=name,
        singular=labels.text("singular", name),
        plural=labels.text("plural", name),
        primary_display_property=request.text("primaryDisplayProperty", ""),
        secondary_display_properties=request.texts("secondaryDisplayProperties"),
        required_properties=request.texts("requiredProperties"),
        searchable_properties=request.texts("searchableProperties"),
        associated_objects=[types.resolve(act, key).key for key in request.texts("associatedObjects")],
        description=request.text("description", ""),
        created_at=act.now,
        updated_at=act.now,
    )
    act.put(made)
    t = types.of_schema(made)
    group = next(iter(properties.groups(act, t)))
    for part in request.parts("properties"):
        properties.make(act, t, Body({"groupName": group, **part.data}))
    _check_names(act, made)
    return made


def _check_names(act: Act, s: Schema) -> None:
    known = properties.definitions(act, types.of_schema(s))
    named = [s.primary_display_property, *s.secondary_display_properties, *s.required_properties]
    for name in [*named, *s.searchable_properties]:
        if name and name not in known:
            raise invalid(f"Property {name} does not exist on object type {s.name}")


def change(act: Act, name: str, request: Body) -> Schema:
    """Update a custom type's labels and the roles of its properties."""
    s = get(act, name)
    if "labels" in request:
        labels = request.part("labels")
        s.singular, s.plural = labels.text("singular", s.singular), labels.text("plural", s.plural)
    s.primary_display_property = request.text("primaryDisplayProperty", s.primary_display_property)
    s.description = "" if request.flag("clearDescription") else request.text("description", s.description)
    for wire, own in (
        ("secondaryDisplayProperties", "secondary_display_properties"),
        ("requiredProperties", "required_properties"),
        ("searchableProperties", "searchable_properties"),
    ):
        if wire in request:
            setattr(s, own, request.texts(wire))
    _check_names(act, s)
    s.updated_at = act.now
    act.put(s)
    act.show(s)
    return s


def archive(act: Act, name: str) -> None:
    """Delete a custom type that has no objects.

    Raises:
        HubSpotError: 400, it has some; 404, there is none.
    """
    s = get(act, name)
    if act.count(CustomObject, "state", types.of_schema(s).live):
        raise invalid(f"Object type {s.name} still has objects; delete them first")
    s.archived, s.updated_at = True, act.now
    act.put(s)
