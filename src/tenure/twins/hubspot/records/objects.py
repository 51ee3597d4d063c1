"""Objects: one kind per object type, all alike."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from tenure.twins.hubspot.objecttypes import CUSTOM, OBJECT_TYPES, ObjectType
from tenure.twins.hubspot.propertylines import property_lines
from tenure.twins.hubspot.records.part import TIMES, Part
from tenure.twins.hubspot.valuetext import as_text, typed_text
from tenure.world import Index, Record

Plain = str | int | float | bool | None
"""What a seeded property value may be."""
LIVE, ARCHIVED = "live", "archived"
"""Values of the ``state`` index; a merged-away record is in neither."""


class Change(Part):
    """One earlier or present value of one property."""

    name: str
    value: str
    at: int
    source: str = "INTEGRATION"
    """``CRM_UI`` | ``INTEGRATION`` | ``IMPORT`` …: how the value came."""
    by: str = ""
    """The account that set it."""


def _state(record: "CrmObject") -> tuple[str, ...]:
    if record.merged_into:
        return ()
    return (f"{record.type_key}/{ARCHIVED if record.archived else LIVE}",)


def _indexed_values(record: "CrmObject") -> Iterable[str]:
    if record.archived or record.merged_into:
        return
    for name in record.type.indexed:
        if value := record.properties.get(name):
            yield f"{name}={value.strip().lower()}"
    if record.type.name == "contacts" and (further := record.properties.get("hs_additional_emails")):
        yield from (f"email={address}" for address in further.lower().split(";"))


class CrmObject(Record):
    """Anything with properties: the base of every object kind.

    Attributes:
        properties: Internal name → value, as the vendor writes values: always text. Absent is null.
        created_at: Epoch milliseconds, as all times here.
        history: Earlier values, only of properties that changed after the record was made.
        merged_into: The record that this one became part of.
        merged: Ids of the records that became part of this one.
    """

    type: ClassVar[ObjectType] = CUSTOM

    properties: dict[str, str] = {}
    created_at: int
    updated_at: int
    archived: bool = False
    archived_at: int | None = None
    history: list[Change] = []
    merged_into: str = ""
    merged: list[str] = []

    def __init_subclass__(cls, object_type: str = "", **rest: Any) -> None:
        if object_type:
            rest |= {
                "kind": f"hubspot.{object_type}",
                "indexes": (
                    Index("state", _state, lambda r: int(r.id), counted=True),
                    Index("created", _state, lambda r: r.created_at),
                    Index("value", _indexed_values, lambda r: int(r.id)),
                ),
                "incidental": TIMES | {"history"},
            }
            cls.type = OBJECT_TYPES.get(object_type, CUSTOM)
        super().__init_subclass__(**rest)

    @property
    def type_key(self) -> str:
        """Plural name of a standard type, type id of a custom one."""
        return self.type.name

    def text(self) -> str:
        """The values that the vendor's ``query`` looks in."""
        if self.archived or self.merged_into:
            return ""
        return "\n".join(v for name in self.type.searchable if (v := self.properties.get(name)))

    @classmethod
    def of(
        cls,
        id: str | int,
        *,
        at: int,
        updated: int | None = None,
        **properties: Plain,
    ) -> Self:
        """A record for a base.

        Args:
            id: Decimal digits, unique within the kind (activities: among all activities); below
                2·10¹⁰, where an attempt's ids begin.
            at: When it was created, epoch milliseconds.
            updated: When it last changed; ``at`` by default.
            properties: By internal name; values are stored in their one text (``valuetext``), empty
                ones are left out.

        Raises:
            ValueError: A standard property's value is not of its type.
        """
        return cls(**cls._fields(id, at, updated, properties))

    @classmethod
    def _fields(
        cls,
        id: str | int,
        at: int,
        updated: int | None,
        properties: Mapping[str, Plain],
    ) -> dict[str, Any]:
        lines = property_lines().get(cls.type.name, {})
        kinds = {name: lines[name].type if name in lines else "" for name in properties}
        return {
            "id": str(id),
            "created_at": at,
            "updated_at": at if updated is None else updated,
            "properties": {n: t for n, v in properties.items() if (t := typed_text(kinds[n], as_text(v)))},
        }


class Contact(CrmObject, object_type="contacts"):
    """A person."""


class Company(CrmObject, object_type="companies"):
    """A company."""


class Deal(CrmObject, object_type="deals"):
    """A deal."""


class Ticket(CrmObject, object_type="tickets"):
    """A support ticket."""


class Product(CrmObject, object_type="products"):
    """Something in the product library."""


class LineItem(CrmObject, object_type="line_items"):
    """A product's line on a deal or quote."""


class Quote(CrmObject, object_type="quotes"):
    """A quote."""


class Communication(CrmObject, object_type="communications"):
    """A logged message (SMS, WhatsApp, LinkedIn)."""


class Task(CrmObject, object_type="tasks"):
    """A task."""


class Note(CrmObject, object_type="notes"):
    """A note."""


class Meeting(CrmObject, object_type="meetings"):
    """A meeting."""


class CallLog(CrmObject, object_type="calls"):
    """A logged phone call."""


class EmailLog(CrmObject, object_type="emails"):
    """A logged e-mail."""


class MarketingEvent(CrmObject, object_type="marketing_events"):
    """A marketing event."""


class Subscription(CrmObject, object_type="subscriptions"):
    """A commerce subscription."""


class User(CrmObject, object_type="users"):
    """A portal user as a CRM object."""


class PostalMail(CrmObject, object_type="postal_mail"):
    """A logged letter."""


class Order(CrmObject, object_type="orders"):
    """An order."""


class Lead(CrmObject, object_type="leads"):
    """A lead."""


class ServiceItem(CrmObject, object_type="services"):
    """A service delivered to a customer."""


class Course(CrmObject, object_type="courses"):
    """A course."""


class Listing(CrmObject, object_type="listings"):
    """A listing."""


class Appointment(CrmObject, object_type="appointments"):
    """An appointment."""


class CustomObject(CrmObject, object_type="custom"):
    """An object of a type that the account defined; ids are unique over all custom types."""

    type_id: str
    """The schema's id: ``2-3141``."""

    @classmethod
    def of_type(
        cls,
        type_id: str,
        id: str | int,
        *,
        at: int,
        updated: int | None = None,
        **properties: Plain,
    ) -> Self:
        """A record of a custom type for a base; otherwise as ``of``."""
        return cls(type_id=type_id, **cls._fields(id, at, updated, properties))

    @property
    def type_key(self) -> str:
        """The schema's id."""
        return self.type_id


OBJECTS: dict[str, type[CrmObject]] = {
    kind.type.name: kind for kind in CrmObject.__subclasses__() if kind is not CustomObject
}
"""Standard type name → kind."""
