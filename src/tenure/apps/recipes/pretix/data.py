"""The box office: 8 events, their tickets and vouchers, and some 260 orders with payments."""

import random
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from tenure.apps.data.company import COMPANY, TODAY, public

_CODES = "ABCDEFGHJKLMNPQRSTUVWXYZ3789"
"""Letters of an order's code."""
_EVENTS = (
    (
        "Spring Orchard Walk",
        "orchard-walk",
        date(2026, 4, 25),
        10,
        "Feldhaven",
        80,
        ("Walk", "Walk and lunch"),
    ),
    (
        "Crane Operators' Open Day",
        "open-day",
        date(2026, 6, 13),
        11,
        "Saltmere Quay",
        150,
        ("Child", "Adult"),
    ),
    (
        "Midsummer Cider Evening",
        "cider-evening",
        date(2026, 6, 20),
        18,
        "The Press House",
        120,
        ("Tasting", "Supper"),
    ),
    (
        "Cheese Makers' Workshop",
        "cheese-workshop",
        date(2026, 9, 12),
        9,
        "The Works",
        24,
        ("Half day", "Full day"),
    ),
    (
        "Harvest Supper",
        "harvest-supper",
        date(2026, 10, 10),
        19,
        "The Long Shed",
        140,
        ("Child", "Adult", "Patron"),
    ),
    (
        "Winter Market Dinner",
        "market-dinner",
        date(2027, 12, 4),
        18,
        "The Long Shed",
        110,
        ("Child", "Adult", "Patron"),
    ),
    ("Lantern Boat Tour", "lantern-tour", date(2027, 12, 18), 17, "Saltmere Quay", 60, ("Deck", "Cabin")),
    (
        "Grafting Course",
        "grafting-course",
        date(2028, 2, 19),
        9,
        "Feldhaven",
        30,
        ("Course", "Course and tools"),
    ),
)
_PRICES = (
    Decimal("12.00"),
    Decimal("18.50"),
    Decimal("24.00"),
    Decimal("32.00"),
    Decimal("45.00"),
    Decimal("58.00"),
)
_NOTES = ("Arrives late", "Allergic to nuts", "Needs a seat near the door", "Pays at the gate", "Vegetarian")
_CAMPAIGNS = ("GROWERS", "NEIGHBOUR", "CREW")


def box_office(seed: int, agent: str, admin: str) -> dict[str, Any]:
    """All that ``inside/load.py`` loads.

    Args:
        seed: What it is made from.
        agent: Address of the user who keeps the box office.
        admin: Address of the administrator.
    """
    draw = random.Random(f"pretix {seed}")
    codes = iter(["".join(one) for one in {tuple(draw.choices(_CODES, k=5)): None for _ in range(900)}])
    events = [_event(draw, seed, codes, *one) for one in _EVENTS]
    return {"organizer": COMPANY, "agent": agent, "admin": admin, "events": events}


def _event(
    draw: random.Random,
    seed: int,
    codes: Any,
    name: str,
    slug: str,
    day: date,
    hour: int,
    place: str,
    size: int,
    kinds: tuple[str, ...],
) -> dict[str, Any]:
    prices = sorted(draw.sample(_PRICES, len(kinds)))
    items = [{"name": kind, "price": str(price)} for kind, price in zip(kinds, prices, strict=True)]
    past = day <= TODAY
    sold_from, sold_to = day - timedelta(120), min(day, TODAY)
    if not past:
        sold_from = TODAY - timedelta(60)
    orders: list[dict[str, Any]] = []
    free = int(size * (draw.uniform(0.7, 1) if past else draw.uniform(0.25, 0.6)))
    while free > 0:
        order = _order(draw, seed, next(codes), prices, past, sold_from, (sold_to - sold_from).days)
        free -= len(order["tickets"])
        orders.append(order)
    return {
        "name": name,
        "slug": slug,
        "from": f"{datetime.combine(day, time(hour)):%Y-%m-%d %H:%M}",
        "to": f"{datetime.combine(day, time(min(hour + 4, 23))):%Y-%m-%d %H:%M}",
        "place": place,
        "size": size,
        "items": items,
        "orders": sorted(orders, key=lambda one: (one["at"], one["code"])),
        "vouchers": [
            {"code": f"{campaign}-{draw.randrange(1000, 9999)}", "tag": campaign.title(), "percent": percent}
            for campaign, percent in zip(_CAMPAIGNS, draw.sample((10, 15, 20, 25, 50), 3), strict=True)
            for _ in range(4)
        ],
    }


def _order(
    draw: random.Random, seed: int, code: str, prices: list[Decimal], past: bool, sold_from: date, days: int
) -> dict[str, Any]:
    buyer = draw.choice(public(seed)[:300])
    at = datetime.combine(
        sold_from + timedelta(draw.randrange(days)), time(draw.randrange(7, 22), draw.randrange(60))
    )
    guests = [buyer, *draw.sample(public(seed)[:300], draw.choice((0, 0, 1, 1, 2, 3)))]
    states = ("p",) * 16 + (("c", "c", "e", "p") if past else ("n", "n", "n", "c"))
    tickets: list[dict[str, Any]] = []
    for guest in guests:
        item = draw.randrange(len(prices))
        tickets.append({"guest": guest.name, "item": item, "price": str(prices[item])})
    return {
        "code": code,
        "email": buyer.email("post.example"),
        "name": buyer.name,
        "street": buyer.street,
        "town": buyer.town,
        "at": f"{at:%Y-%m-%d %H:%M}",
        "state": draw.choice(states),
        "provider": draw.choice(("banktransfer", "banktransfer", "manual")),
        "note": draw.choice(_NOTES) if draw.random() < 0.12 else "",
        "tickets": tickets,
        "total": str(sum((Decimal(one["price"]) for one in tickets), Decimal())),
        "came": past and draw.random() < 0.9,
    }
