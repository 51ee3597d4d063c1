"""HubSpot's kinds, and how a world's author makes them.

One kind per object type (``hubspot.contacts``), all alike; one record per associated pair. What the
vendor computes is never stored: ``hs_object_id``, ``createdate``, the "last modified" property, a
deal's ``hs_is_closed`` and its like are derived on read, so that they are no noise in a difference.
Standard property definitions and pipelines are module data; a record exists only for what an
account added or changed.
"""

import uuid

from tenure.twins.hubspot.records.account import (
    PORTAL,
    Flow,
    Group,
    Membership,
    Option,
    Owner,
    Pipeline,
    Portal,
    Property,
    Schema,
    Segment,
    Stage,
    Team,
)
from tenure.twins.hubspot.records.associations import (
    FIRST_LABEL,
    Association,
    AssociationLabel,
    End,
    associate,
    pair,
    pair_id,
)
from tenure.twins.hubspot.records.objects import (
    ARCHIVED,
    LIVE,
    OBJECTS,
    Appointment,
    CallLog,
    Change,
    Communication,
    Company,
    Contact,
    Course,
    CrmObject,
    CustomObject,
    Deal,
    EmailLog,
    Lead,
    LineItem,
    Listing,
    MarketingEvent,
    Meeting,
    Note,
    Order,
    PostalMail,
    Product,
    Quote,
    ServiceItem,
    Subscription,
    Task,
    Ticket,
    User,
)
from tenure.twins.hubspot.records.part import TIMES
from tenure.twins.hubspot.records.screen import Comment, View
from tenure.world import Record, Token
from tenure.world.ids import digest

__all__ = [
    "ARCHIVED",
    "AUDIENCE",
    "FIRST_LABEL",
    "KINDS",
    "LIVE",
    "OBJECTS",
    "PORTAL",
    "PRIVATE_APP",
    "SCOPES",
    "TIMES",
    "Appointment",
    "Association",
    "AssociationLabel",
    "CallLog",
    "Change",
    "Comment",
    "Communication",
    "Company",
    "Contact",
    "Course",
    "CrmObject",
    "CustomObject",
    "Deal",
    "EmailLog",
    "End",
    "Flow",
    "Group",
    "Lead",
    "LineItem",
    "Listing",
    "MarketingEvent",
    "Meeting",
    "Membership",
    "Note",
    "Option",
    "Order",
    "Owner",
    "Pipeline",
    "Portal",
    "PostalMail",
    "Product",
    "Property",
    "Quote",
    "Schema",
    "Segment",
    "ServiceItem",
    "Stage",
    "Subscription",
    "Task",
    "Team",
    "Ticket",
    "User",
    "View",
    "associate",
    "hubspot_token",
    "pair",
    "pair_id",
]

AUDIENCE = "hubspot"
PRIVATE_APP = "pat-na1-"
"""How a private app's token begins."""
KINDS: tuple[type[Record], ...] = (
    *OBJECTS.values(),
    CustomObject,
    Association,
    AssociationLabel,
    Owner,
    Pipeline,
    Property,
    Group,
    Schema,
    Segment,
    Membership,
    Flow,
    Portal,
    View,
    Comment,
)
_SCOPED = ("companies", "contacts", "custom", "deals")
_WAYS = ("read", "write")
SCOPES = (
    "oauth",
    *(
        f"crm.{what}.{name}.{way}"
        for what in ("objects", "schemas")
        for name in _SCOPED
        for way in ("read", "write")
    ),
    "crm.lists.read",
    "crm.lists.write",
    "crm.objects.owners.read",
    "tickets",
    "automation",
)
"""What a private app's token may do; nothing here narrows it."""


def hubspot_token(seed: int, account: str) -> Token:
    """The private-app token of an account, in the vendor's form; add it to the base."""
    secret = uuid.UUID(bytes=digest(seed, f"hubspot.token/{account}", 1, 16), version=4)
    return Token(id=PRIVATE_APP + str(secret), account=account, audience=AUDIENCE, scopes=list(SCOPES))
