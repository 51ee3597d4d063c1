"""The standard object types: names, type ids, and which of their properties matter where.

Source: the vendor's object-type ids as its MCP package lists them (MIT); default and searchable
properties as its documentation names them.
"""

from typing import NamedTuple


class ObjectType(NamedTuple):
    """One type of CRM object.

    Attributes:
        name: Plural name, as in paths (``contacts``); the key of the type everywhere here.
        type_id: ``0-1``.
        singular: As in association names (``contact_to_company``).
        label: Singular label for messages and screens.
        defaults: Properties returned when a read names none.
        searchable: Properties that a search's ``query`` looks in.
        indexed: Properties that the store files records under, so that EQ and IN read no others.
        required: Properties that a create must give.
        modified: Name of the "last modified" property.
    """

    name: str
    type_id: str
    singular: str
    label: str
    defaults: tuple[str, ...] = ()
    searchable: tuple[str, ...] = ()
    indexed: tuple[str, ...] = ("hubspot_owner_id",)
    required: tuple[str, ...] = ()
    modified: str = "hs_lastmodifieddate"


def _named(
    name: str, type_id: str, singular: str, *own: str, indexed: tuple[str, ...] = (), required: str = ""
) -> ObjectType:
    return ObjectType(
        name,
        type_id,
        singular,
        singular.replace("_", " ").capitalize(),
        defaults=(*own, "hs_createdate", "hs_lastmodifieddate", "hs_object_id"),
        searchable=own,
        indexed=("hubspot_owner_id", *indexed),
        required=(required,) if required else (),
    )


def _activity(name: str, type_id: str, singular: str, *searchable: str, status: str = "") -> ObjectType:
    indexed = (status,) if status else ()
    made = _named(name, type_id, singular, indexed=indexed, required="hs_timestamp")
    return made._replace(searchable=searchable)


_CONTACTS = ObjectType(
    "contacts",
    "0-1",
    "contact",
    "Contact",
    defaults=("createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"),
    searchable=("firstname", "lastname", "email", "phone", "company", "hs_additional_emails"),
    indexed=("email", "hubspot_owner_id", "lifecyclestage", "hs_lead_status", "company", "lastname"),
    modified="lastmodifieddate",
)
_COMPANIES = ObjectType(
    "companies",
    "0-2",
    "company",
    "Company",
    defaults=("createdate", "domain", "hs_lastmodifieddate", "hs_object_id", "name"),
    searchable=("name", "domain", "website", "phone"),
    indexed=("domain", "name", "hubspot_owner_id", "lifecyclestage", "industry"),
)
_DEALS = ObjectType(
    "deals",
    "0-3",
    "deal",
    "Deal",
    defaults=(
        "amount",
        "closedate",
        "createdate",
        "dealname",
        "dealstage",
        "hs_lastmodifieddate",
        "hs_object_id",
        "pipeline",
    ),
    searchable=("dealname", "pipeline", "dealstage", "description", "dealtype"),
    indexed=("dealname", "dealstage", "pipeline", "hubspot_owner_id", "dealtype"),
)
_TICKETS = ObjectType(
    "tickets",
    "0-5",
    "ticket",
    "Ticket",
    defaults=(
        "content",
        "createdate",
        "hs_lastmodifieddate",
        "hs_object_id",
        "hs_pipeline",
        "hs_pipeline_stage",
        "hs_ticket_category",
        "hs_ticket_priority",
        "subject",
    ),
    searchable=("subject", "content", "hs_pipeline_stage", "hs_ticket_category", "hs_ticket_id"),
    indexed=("subject", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_priority", "hubspot_owner_id"),
    required=("hs_pipeline_stage",),
)

OBJECT_TYPES: dict[str, ObjectType] = {
    t.name: t
    for t in (
        _CONTACTS,
        _COMPANIES,
        _DEALS,
        _TICKETS,
        _named("products", "0-7", "product", "name", "description", "price", "hs_sku", indexed=("hs_sku",)),
        _named("line_items", "0-8", "line_item", "name", "quantity", "amount", "price"),
        _named("quotes", "0-14", "quote", "hs_title", "hs_status", "hs_expiration_date"),
        _activity("communications", "0-18", "communication", "hs_communication_body"),
        _activity(
            "tasks",
            "0-27",
            "task",
            "hs_task_subject",
            "hs_task_body",
            "hs_task_type",
            status="hs_task_status",
        ),
        _activity("notes", "0-46", "note", "hs_note_body"),
        _activity("meetings", "0-47", "meeting", "hs_meeting_title", "hs_meeting_body"),
        _activity("calls", "0-48", "call", "hs_call_title", "hs_call_body", status="hs_call_status"),
        _activity("emails", "0-49", "email", "hs_email_subject", "hs_email_text", status="hs_email_status"),
        _named("marketing_events", "0-54", "marketing_event", "hs_event_name"),
        _named("subscriptions", "0-69", "subscription", "hs_name", "hs_status"),
        _named("users", "0-115", "user", "hs_given_name", "hs_family_name", "hs_email"),
        _activity("postal_mail", "0-116", "postal_mail", "hs_postal_mail_body"),
        _named("orders", "0-123", "order", "hs_order_name", "hs_external_order_status"),
        _named("leads", "0-136", "lead", "hs_lead_name", "hs_pipeline_stage", indexed=("hs_pipeline_stage",)),
        _named("services", "0-162", "service", "hs_name", "hs_pipeline_stage"),
        _named("courses", "0-410", "course", "hs_course_name", "hs_course_id"),
        _named("listings", "0-420", "listing", "hs_name", "hs_address_1"),
        _named("appointments", "0-421", "appointment", "hs_appointment_name", "hs_appointment_start"),
    )
}
"""Every standard type by name."""

CUSTOM = ObjectType("custom", "2", "custom", "Custom object", indexed=())
"""What custom objects have in common; their schema record says the rest."""

_BY_ALIAS = {t.type_id: t.name for t in OBJECT_TYPES.values()} | {
    alias: t.name
    for t in OBJECT_TYPES.values()
    for alias in (t.name, t.singular, t.name.upper(), t.singular.upper())
}


def standard(name: str) -> ObjectType | None:
    """The standard type behind a plural or singular name or a type id; ``None`` for others."""
    found = _BY_ALIAS.get(name) or _BY_ALIAS.get(name.lower())
    return OBJECT_TYPES[found] if found else None
