"""Loads what standard input says (JSON of ``data.py``) through the app's own models.

Arguments: the agent's password and the administrator's.
"""

import hashlib
import json
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pretix.wsgi  # noqa: F401  (sets the app up)
from django.db import transaction
from django_scopes import scopes_disabled
from pretix.base.models import (
    Checkin,
    CheckinList,
    Event,
    InvoiceAddress,
    Item,
    Order,
    OrderPayment,
    OrderPosition,
    Organizer,
    Quota,
    User,
    Voucher,
)


def at(text: str) -> datetime:
    """A moment."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def secret(*parts: object) -> str:
    """A ticket's secret, the same each time."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def open_event(organizer: Organizer, told: dict) -> tuple:
    """An event with its tickets, their quota, its vouchers and its list for the gate."""
    begins = at(told["from"])
    event = Event.objects.create(
        organizer=organizer,
        name=told["name"],
        slug=told["slug"],
        currency="EUR",
        date_from=begins,
        date_to=at(told["to"]),
        presale_end=begins,
        location=told["place"],
        live=True,
        is_public=True,
    )
    event.set_defaults()
    event.plugins = ",".join(settings_plugins)
    event.save()
    for key, value in (
        ("timezone", "UTC"),
        ("locales", ["en"]),
        ("attendee_names_asked", True),
        ("payment_banktransfer__enabled", True),
        ("payment_banktransfer_bank_details_type", "other"),
        ("payment_banktransfer_bank_details", "NL00 HARB 0000 0000 00"),
        ("payment_manual__enabled", True),
        ("max_items_per_order", 10),
        ("invoice_address_asked", True),
    ):
        event.settings.set(key, value)
    category = event.categories.create(name="Tickets")
    items = [
        Item.objects.create(
            event=event,
            category=category,
            name=one["name"],
            default_price=Decimal(one["price"]),
            admission=True,
            personalized=True,
            position=position,
        )
        for position, one in enumerate(told["items"])
    ]
    quota = Quota.objects.create(event=event, name="All places", size=told["size"])
    quota.items.add(*items)
    for one in told["vouchers"]:
        Voucher.objects.create(
            event=event,
            code=one["code"],
            tag=one["tag"],
            price_mode="percent",
            value=Decimal(one["percent"]),
            max_usages=1,
            quota=quota,
        )
    gate = event.checkin_lists.first() or CheckinList.objects.create(
        event=event, name="Gate", all_products=True
    )
    return event, items, gate


def sell(event: Event, items: list, gate: CheckinList, told: dict) -> None:
    """An order with its tickets, its payment and, where they came, the guests' check-ins."""
    when = at(told["at"])
    order = Order.objects.create(
        event=event,
        code=told["code"],
        email=told["email"],
        status=told["state"],
        datetime=when,
        expires=when + timedelta(days=14),
        cancellation_date=when + timedelta(days=2) if told["state"] == "c" else None,
        total=Decimal(told["total"]),
        comment=told["note"],
        locale="en",
        sales_channel=event.organizer.sales_channels.get(identifier="web"),
        secret=secret(event.slug, told["code"])[:16],
    )
    given, family = told["name"].rsplit(" ", 1)
    names = {"_scheme": "given_family", "given_name": given, "family_name": family}
    InvoiceAddress.objects.create(
        order=order, name_parts=names, street=told["street"], city=told["town"], country="NL"
    )
    paid = told["state"] == "p"
    OrderPayment.objects.create(
        order=order,
        local_id=1,
        state="confirmed" if paid else "canceled" if told["state"] == "c" else "created",
        amount=order.total,
        provider=told["provider"],
        payment_date=when + timedelta(days=1) if paid else None,
    )
    for number, one in enumerate(told["tickets"], 1):
        given, family = one["guest"].rsplit(" ", 1)
        position = OrderPosition.objects.create(
            order=order,
            positionid=number,
            item=items[one["item"]],
            price=Decimal(one["price"]),
            attendee_name_parts={"_scheme": "given_family", "given_name": given, "family_name": family},
            secret=secret(event.slug, told["code"], number),
            canceled=told["state"] == "c",
            tax_rate=Decimal(0),
            tax_value=Decimal(0),
        )
        if paid and told["came"]:
            Checkin.objects.create(position=position, list=gate, datetime=event.date_from)
    order.create_transactions(is_new=True, dt_now=when)


told = json.load(sys.stdin)
settings_plugins = [
    f"pretix.plugins.{name}"
    for name in ("banktransfer", "checkinlists", "manualpayment", "sendmail", "statistics", "ticketoutputpdf")
]
with scopes_disabled(), transaction.atomic():
    organizer = Organizer.objects.create(name=told["organizer"], slug=told["organizer"].lower())
    organizer.settings.set("name_scheme", "given_family")
    organizer.settings.set("timezone", "UTC")
    User.objects.create_superuser(told["admin"], sys.argv[2])
    agent = User.objects.create_user(
        told["agent"], sys.argv[1], fullname="Ines Brandt", locale="en", timezone="UTC"
    )
    team = organizer.teams.create(
        name="Box office", all_events=True, all_event_permissions=True, all_organizer_permissions=True
    )
    team.members.add(agent)
    for one in told["events"]:
        event, items, gate = open_event(organizer, one)
        for order in one["orders"]:
            sell(event, items, gate, order)
