"""What the ledger holds: a year of the money of Harbourline's events, account by account.

A pure function of the seed. Amounts are in cents, negative for what is spent. A few things are left as they
are in life: entries without a category, one entered twice, and none of the last week's cleared.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from tenure.apps.data.company import COMPANY, TODAY, firms, public

BUDGET = f"{COMPANY} Events"
BEGINS = date(2025, 11, 3)
ACCOUNTS = {"Current account": 1_840_000, "Savings": 2_500_000, "Cash box": 60_000, "Card": 0}
"""Name → what was there at the beginning."""
INCOME = ("Ticket sales", "Bar", "Memberships", "Grants", "Hall hire", "Starting balances")
GROUPS: dict[str, dict[str, int]] = {
    "Premises": {"Rent": 240_000, "Energy": 60_000, "Water": 9_000, "Insurance": 21_000, "Cleaning": 45_000},
    "Programme": {"Artists": 420_000, "Technique": 90_000, "Travel": 55_000, "Licences": 38_000},
    "House": {"Bar purchases": 180_000, "Catering": 60_000, "Decoration": 15_000, "Repairs": 40_000},
    "Office": {"Print and posters": 48_000, "Software": 16_000, "Telephone": 7_500, "Bank charges": 2_500},
}
"""Group → category → what is planned for it each month."""
REGULAR: tuple[tuple[int, str, str, int, str], ...] = (
    (1, "Quay Estates", "Rent", -240_000, "Hall and cellar"),
    (3, "Tidewater Energy", "Energy", -58_400, ""),
    (5, "Orrby Waterworks", "Water", -8_650, ""),
    (8, "Harbour Mutual", "Insurance", -20_900, "Liability and contents"),
    (12, "Kestrel Telecom", "Telephone", -7_260, ""),
    (15, "Brightside Cleaning", "Cleaning", -43_500, "Two evenings a week"),
    (20, "Boxline", "Software", -14_900, "Ticket shop"),
    (28, "Saltmere Savings Bank", "Bank charges", -2_350, ""),
)
"""Day, payee, category, amount, note; energy varies."""
EVENTS: tuple[str, ...] = (
    "Harbour Quartet",
    "The Long Ebb",
    "Quay Slam",
    "Film by the Water",
    "Winter Market",
    "Open Stage",
)
EVENTS += ("Brass in the Hall", "Children's Theatre", "Storytellers", "Silent Disco", "Folk Evening")


def ledger(seed: int) -> dict[str, Any]:
    """Everything that is loaded.

    Args:
        seed: Varies payees, amounts, days and slips.
    """
    draw = random.Random(f"actual {seed}")
    entries = sorted(
        [*_regular(draw), *_evenings(draw, seed), *_members(draw, seed)], key=lambda one: str(one["date"])
    )
    for one in draw.sample([e for e in entries if e["category"] in ("Repairs", "Decoration", "Travel")], 6):
        one["category"] = ""
    twice = dict(draw.choice([e for e in entries[-160:] if e["category"] == "Print and posters"]))
    entries.append(twice)
    for number, one in enumerate(sorted(entries, key=lambda one: str(one["date"]))):
        one["cleared"] = one["date"] < (TODAY - timedelta(7)).isoformat()
        one["imported"] = f"entry-{number + 1:04}"
    return {
        "budget": BUDGET,
        "accounts": ACCOUNTS,
        "income": INCOME,
        "groups": {group: list(held) for group, held in GROUPS.items()},
        "planned": {name: amount for held in GROUPS.values() for name, amount in held.items()},
        "months": [str(month)[:7] for month in _months()],
        "entries": entries,
        "transfers": [*_put_by(draw), *_settled(entries)],
    }


def _months() -> list[date]:
    first = BEGINS.replace(day=1)
    return [
        date(first.year + (first.month - 1 + n) // 12, (first.month - 1 + n) % 12 + 1, 1) for n in range(13)
    ]


def _entry(
    day: date, account: str, payee: str, category: str, amount: int, notes: str = ""
) -> dict[str, Any]:
    return {
        "date": day.isoformat(),
        "account": account,
        "payee": payee,
        "category": category,
        "amount": amount,
        "notes": notes,
    }


def _transfer(day: date, source: str, target: str, amount: int, notes: str) -> dict[str, Any]:
    return {"date": day.isoformat(), "from": source, "to": target, "amount": amount, "notes": notes}


def _put_by(draw: random.Random) -> Iterator[dict[str, Any]]:
    for month in _months()[:-1]:
        yield _transfer(
            month.replace(day=27), "Current account", "Savings", draw.randrange(20, 90) * 1000, "Put by"
        )


def _settled(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The card is paid and the cash box emptied for each month, early in the next."""
    for month, following in pairwise(_months()):
        held = [one for one in entries if one["date"][:7] == f"{month:%Y-%m}"]
        card, cash = (sum(o["amount"] for o in held if o["account"] == name) for name in ("Card", "Cash box"))
        if card < 0:
            yield _transfer(following.replace(day=2), "Current account", "Card", -card, f"Card, {month:%B}")
        if cash > 0:
            yield _transfer(
                following.replace(day=2), "Cash box", "Current account", cash, f"Takings, {month:%B}"
            )


def _regular(draw: random.Random) -> Iterator[dict[str, Any]]:
    for month in _months():
        for day, payee, category, amount, notes in REGULAR:
            due = month.replace(day=day)
            if category == "Energy":
                amount = int(amount * draw.uniform(0.7, 1.5)) // 10 * 10
            if BEGINS <= due <= TODAY:
                yield _entry(due, "Current account", payee, category, amount, notes)


def _evenings(draw: random.Random, seed: int) -> Iterator[dict[str, Any]]:
    """Each week an evening: what came in at the door and the bar, and what it cost."""
    houses = [firm.name for firm in firms(seed)]
    artists = [person.name for person in public(seed)[:40]]
    day = BEGINS + timedelta(4)
    while day < TODAY:
        event, guests = draw.choice(EVENTS), draw.randrange(35, 210)
        notes = f"{event}, {day.day} {day:%B}"
        yield _entry(
            day + timedelta(3),
            "Current account",
            "Boxline",
            "Ticket sales",
            guests * 1250,
            f"{notes}: {guests} tickets",
        )
        yield _entry(day, "Cash box", "Bar", "Bar", guests * draw.randrange(480, 890), notes)
        yield _entry(
            day + timedelta(1),
            "Current account",
            draw.choice(artists),
            "Artists",
            -draw.randrange(400, 1400) * 100,
            notes,
        )
        yield _entry(
            day - timedelta(2),
            "Card",
            draw.choice(houses[:12]),
            "Bar purchases",
            -draw.randrange(180, 620) * 95,
            notes,
        )
        for chance, payees, category, low, high in (
            (0.6, houses[12:18], "Technique", 90, 420),
            (0.5, houses[18:24], "Print and posters", 45, 260),
            (0.4, houses[24:30], "Catering", 60, 330),
            (0.3, houses[30:34], "Repairs", 40, 480),
            (0.3, houses[34:37], "Decoration", 20, 140),
            (0.35, houses[37:], "Travel", 30, 310),
            (0.25, ["Rights Office"], "Licences", 60, 240),
            (0.2, artists, "Hall hire", -900, -300),
        ):
            if draw.random() < chance and day - timedelta(1) >= BEGINS:
                amount = -draw.randrange(low * 100, high * 100, 5)
                account = draw.choice(["Card", "Current account"]) if amount < 0 else "Current account"
                yield _entry(day - timedelta(1), account, draw.choice(payees), category, amount, notes)
        day += timedelta(7)


def _members(draw: random.Random, seed: int) -> Iterator[dict[str, Any]]:
    for person in public(seed)[40:100]:
        day = BEGINS + timedelta(draw.randrange((TODAY - BEGINS).days))
        yield _entry(
            day,
            "Current account",
            person.name,
            "Memberships",
            draw.choice([3600, 3600, 6000]),
            "A year's fee",
        )
    for month in _months()[2::3]:
        yield _entry(
            month.replace(day=18), "Current account", "Town of Saltmere", "Grants", 450_000, "Culture fund"
        )
