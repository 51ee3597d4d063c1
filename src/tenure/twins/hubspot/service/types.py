"""Finding the object type that a path or body names."""

from dataclasses import dataclass
from functools import cached_property

from tenure.twins.hubspot.objecttypes import CUSTOM, OBJECT_TYPES, ObjectType, standard
from tenure.twins.hubspot.records import (
    ARCHIVED,
    LIVE,
    OBJECTS,
    PORTAL,
    CrmObject,
    CustomObject,
    Portal,
    Schema,
)
from tenure.twins.hubspot.service.errors import invalid
from tenure.world import Act


@dataclass(frozen=True)
class Type:
    """An object type of this account.

    Attributes:
        spec: What is known of it.
        kind: Its kind of record.
        schema: Its schema, for a custom one.
    """

    spec: ObjectType
    kind: type[CrmObject]
    schema: Schema | None = None

    @property
    def key(self) -> str:
        """Plural name of a standard type, type id of a custom one."""
        return self.spec.name

    @property
    def live(self) -> str:
        """The value under which the ``state`` index files live records."""
        return f"{self.key}/{LIVE}"

    @property
    def archived(self) -> str:
        """The value under which the ``state`` index files archived records."""
        return f"{self.key}/{ARCHIVED}"

    @cached_property
    def created(self) -> str:
        """The name of its "created" property."""
        return "createdate" if self.key in {"contacts", "companies", "deals", "tickets"} else "hs_createdate"


STANDARD = {name: Type(spec, OBJECTS[name]) for name, spec in OBJECT_TYPES.items()}
"""Standard type name → type."""


def portal(act: Act) -> Portal:
    """The account's settings."""
    return act.get(Portal, "portal") or PORTAL


def full_name(act: Act, schema: Schema) -> str:
    """A custom type's fully qualified name."""
    return f"p{portal(act).portal_id}_{schema.name}"


def of_schema(schema: Schema) -> Type:
    """The type that a schema defines."""
    own = (schema.primary_display_property, *schema.secondary_display_properties)
    spec = CUSTOM._replace(
        name=schema.id,
        type_id=schema.id,
        singular=schema.name,
        label=schema.singular,
        defaults=(*dict.fromkeys(own), "hs_createdate", "hs_lastmodifieddate", "hs_object_id"),
        searchable=tuple(schema.searchable_properties),
        required=tuple(schema.required_properties),
    )
    return Type(spec, CustomObject, schema)


def find(act: Act, name: str) -> Type | None:
    """The type with a name, a type id or a fully qualified name; ``None`` when there is none."""
    if spec := standard(name):
        return STANDARD[spec.name]
    schema = act.get(Schema, name)
    if schema is None:
        bare = name.removeprefix(f"p{portal(act).portal_id}_").lower()
        schema = next(iter(act.all(Schema, "name", bare)), None)
    return None if schema is None or schema.archived else of_schema(schema)


def resolve(act: Act, name: str) -> Type:
    """The type with a name.

    Raises:
        HubSpotError: 400, there is none.
    """
    found = find(act, name)
    if found is None:
        raise invalid(f"Unable to infer object type from: {name}")
    return found


def every(act: Act) -> list[Type]:
    """Every standard type and every custom one."""
    return [*STANDARD.values(), *(of_schema(s) for s in act.all(Schema, "all") if not s.archived)]
