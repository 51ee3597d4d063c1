"""What an account is made of besides its objects: owners, pipelines, properties, schemas, lists, flows."""

from typing import Any

from tenure.twins.hubspot.records.part import TIMES, Part
from tenure.world import Index, Record, everything


class Team(Part):
    """A team of users."""

    id: str
    name: str
    primary: bool = True


class Owner(
    Record,
    kind="hubspot.owner",
    indexes=(
        Index("all", lambda r: (r.archived,), lambda r: int(r.id)),
        Index("email", lambda r: (r.email.lower(),)),
        Index("user", lambda r: (r.user_id,)),
    ),
    incidental=TIMES,
):
    """Someone who can own records. ``id`` is the owner id, which is not the user id."""

    email: str
    first_name: str = ""
    last_name: str = ""
    user_id: int
    teams: list[Team] = []
    archived: bool = False
    created_at: int
    updated_at: int


class Stage(Part):
    """One stage of a pipeline."""

    id: str
    label: str
    display_order: int = 0
    metadata: dict[str, str] = {}
    """Deals: ``probability`` ("0.4") and ``isClosed``; tickets: ``ticketState`` and ``isClosed``."""
    archived: bool = False
    created_at: int = 0
    updated_at: int = 0


class Pipeline(
    Record,
    kind="hubspot.pipeline",
    indexes=(Index("type", lambda r: (r.object_type,), lambda r: r.display_order),),
    incidental=TIMES,
):
    """A pipeline that the account added or changed. ``id`` is ``deals/<pipeline id>``."""

    object_type: str
    pipeline_id: str
    label: str
    display_order: int = 0
    stages: list[Stage] = []
    archived: bool = False
    """An archived record also hides the standard pipeline of its id."""
    created_at: int = 0
    updated_at: int = 0


class Option(Part):
    """One choice of an enumeration property."""

    label: str
    value: str
    display_order: int = -1
    hidden: bool = False
    description: str = ""


class Property(
    Record,
    kind="hubspot.property",
    indexes=(Index("type", lambda r: (r.object_type,), lambda r: r.name),),
    incidental=TIMES,
):
    """A property that the account added or changed. ``id`` is ``contacts/<name>``."""

    object_type: str
    name: str
    label: str
    type: str = "string"
    """``string`` | ``number`` | ``date`` | ``datetime`` | ``enumeration`` | ``bool``."""
    field_type: str = "text"
    group_name: str = ""
    description: str = ""
    options: list[Option] = []
    display_order: int = -1
    has_unique_value: bool = False
    hidden: bool = False
    form_field: bool = False
    calculation_formula: str = ""
    external_options: bool = False
    referenced_object_type: str = ""
    read_only: bool = False
    hubspot_defined: bool = False
    archived: bool = False
    archived_at: int | None = None
    created_at: int = 0
    updated_at: int = 0


class Group(
    Record, kind="hubspot.group", indexes=(Index("type", lambda r: (r.object_type,), lambda r: r.name),)
):
    """A property group that the account added or changed. ``id`` is ``contacts/<name>``."""

    object_type: str
    name: str
    label: str
    display_order: int = -1
    archived: bool = False


class Schema(
    Record,
    kind="hubspot.schema",
    indexes=(Index("all", everything, lambda r: r.id), Index("name", lambda r: (r.name,))),
    incidental=TIMES,
):
    """A custom object type. ``id`` is its type id, ``2-3141``; its properties are ``Property`` records."""

    name: str
    singular: str
    plural: str
    primary_display_property: str
    secondary_display_properties: list[str] = []
    required_properties: list[str] = []
    searchable_properties: list[str] = []
    associated_objects: list[str] = []
    """Type keys that its objects may be associated with."""
    description: str = ""
    archived: bool = False
    created_at: int
    updated_at: int


class Segment(
    Record,
    kind="hubspot.list",
    indexes=(
        Index("all", lambda r: (r.deleted_at is not None,), lambda r: int(r.id)),
        Index("name", lambda r: (f"{r.object_type}/{r.name.lower()}",)),
    ),
    incidental=TIMES,
):
    """A list of records."""

    name: str
    object_type: str
    processing_type: str = "MANUAL"
    """``MANUAL`` | ``DYNAMIC`` | ``SNAPSHOT``."""
    filter_branch: dict[str, Any] | None = None
    version: int = 1
    created_by: str = ""
    deleted_at: int | None = None
    created_at: int
    updated_at: int


class Membership(
    Record,
    kind="hubspot.membership",
    indexes=(
        Index("list", lambda r: (r.list_id,), lambda r: int(r.record_id), counted=True),
        Index("record", lambda r: (f"{r.object_type}/{r.record_id}",)),
    ),
    incidental=frozenset({"added_at"}),
):
    """A record in a manual list. ``id`` is ``<list id>/<record id>``."""

    list_id: str
    object_type: str
    record_id: str
    added_at: int


class Flow(Record, kind="hubspot.flow", indexes=(Index("all", everything, lambda r: int(r.id)),)):
    """A workflow. It is data only: nothing runs it."""

    name: str
    enabled: bool = True
    object_type: str = "contacts"
    description: str = ""
    actions: list[dict[str, Any]] = []
    enrollment: dict[str, Any] = {}
    revision: int = 1
    created_at: int
    updated_at: int


class Portal(Record, kind="hubspot.portal"):
    """The account as a whole; its one record has the id ``portal``."""

    portal_id: int = 8_134_207
    time_zone: str = "UTC"
    currency: str = "USD"
    ui_domain: str = "app.hubspot.com"
    search_delay_ms: int = 0
    """How far search lags behind writes, world milliseconds."""
    calls_per_interval: int = 0
    """Calls that REST answers in ten seconds of world time; 0 for any number."""


PORTAL = Portal(id="portal")
"""The portal of a world whose author set none."""
