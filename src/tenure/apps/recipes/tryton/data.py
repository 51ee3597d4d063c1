"""What the company's books hold: ten months of buying, making, storing and selling food.

A pure function of the seed. Customers and suppliers are the firms that every app knows; what is open on the
day that all data lead up to is open for a reason: not delivered yet, not due yet, or forgotten.
"""

import random
from datetime import date, timedelta
from typing import Any

from tenure.apps.data.company import COMPANY, CURRENCY, DOMAIN, TODAY, Firm, firms, staff

CUSTOMERS = 22
PURCHASES, SALES = 22, 34
BEGINS = date(2026, 1, 2)
VAT = {"food": "0.09", "drink": "0.21", "packaging": "0.21", "service": "0.21"}
PRODUCTS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("CID-075", "Dry cider 0.75 l", "drink", "Unit", "6.40", "2.90"),
    ("CID-033", "Dry cider 0.33 l", "drink", "Unit", "3.10", "1.35"),
    ("PER-075", "Perry 0.75 l", "drink", "Unit", "7.20", "3.30"),
    ("JUI-100", "Apple juice 1 l", "drink", "Unit", "2.95", "1.20"),
    ("JUI-500", "Apple juice 5 l, bag in box", "drink", "Unit", "11.80", "5.10"),
    ("JUI-PER", "Pear juice 1 l", "drink", "Unit", "3.35", "1.45"),
    ("VIN-050", "Cider vinegar 0.5 l", "food", "Unit", "4.25", "1.60"),
    ("BUT-250", "Salted butter 250 g", "food", "Unit", "3.60", "2.10"),
    ("CHE-YNG", "Young quay cheese", "food", "Kilogram", "13.50", "8.20"),
    ("CHE-OLD", "Old quay cheese", "food", "Kilogram", "19.80", "11.40"),
    ("CHE-SMK", "Smoked quay cheese", "food", "Kilogram", "17.20", "10.10"),
    ("YOG-500", "Yoghurt 500 g", "food", "Unit", "2.20", "1.05"),
    ("SYR-250", "Apple syrup 250 g", "food", "Unit", "3.95", "1.70"),
    ("CHU-190", "Pear chutney 190 g", "food", "Unit", "4.75", "2.15"),
    ("APP-CIDR", "Cider apples", "food", "Kilogram", "0.95", "0.42"),
    ("APP-TABL", "Table apples", "food", "Kilogram", "1.85", "0.88"),
    ("PEA-TABL", "Table pears", "food", "Kilogram", "2.10", "1.02"),
    ("MLK-BULK", "Milk, bulk", "food", "Liter", "0.78", "0.46"),
    ("BOT-075", "Bottle 0.75 l, brown", "packaging", "Unit", "0.62", "0.31"),
    ("BOT-033", "Bottle 0.33 l, brown", "packaging", "Unit", "0.44", "0.22"),
    ("CRK-NAT", "Natural corks, bag of 100", "packaging", "Unit", "18.50", "9.60"),
    ("LBL-ROL", "Labels, roll of 1,000", "packaging", "Unit", "41.00", "23.50"),
    ("BOX-06", "Carton for six bottles", "packaging", "Unit", "1.15", "0.54"),
    ("PAL-EUR", "Euro pallet", "packaging", "Unit", "14.90", "8.75"),
    ("SRV-STO", "Cold storage, a pallet and week", "service", "Unit", "9.50", "0"),
    ("SRV-CRN", "Crane, an hour", "service", "Hour", "86.00", "0"),
)
"""Code, name, kind, unit, list price, cost price."""
BOUGHT = tuple(
    row[0] for row in PRODUCTS if row[0][:3] in ("APP", "PEA", "MLK", "BOT", "CRK", "LBL", "BOX", "PAL")
)
SOLD = tuple(row[0] for row in PRODUCTS if row[0] not in BOUGHT)
PROJECTS = {
    "New bottling line": (
        "Compare three offers",
        "Draw the floor plan",
        "Order the filler",
        "Train the packers",
    ),
    "Organic certificate": ("List all suppliers", "Collect their papers", "Prepare the audit"),
    "Quay market 2027": ("Agree on the dates", "Invite the growers", "Book the stage"),
}


def books(seed: int) -> dict[str, Any]:
    """Everything that is loaded.

    Args:
        seed: Varies partners, prices of suppliers, orders and what became of them.
    """
    draw = random.Random(f"tryton {seed}")
    partners = firms(seed)
    customers, suppliers = partners[:CUSTOMERS], partners[CUSTOMERS:]
    offers = {code: draw.sample([firm.name for firm in suppliers], 2) for code in BOUGHT}
    costs = {row[0]: float(row[5]) for row in PRODUCTS}
    return {
        "company": COMPANY,
        "currency": CURRENCY,
        "domain": DOMAIN,
        "year": TODAY.year,
        "today": TODAY.isoformat(),
        "vat": sorted(set(VAT.values())),
        "partners": [_partner(firm, "customer", draw) for firm in customers]
        + [_partner(firm, "supplier", draw) for firm in suppliers],
        "products": [
            {
                "code": code,
                "name": name,
                "kind": kind,
                "unit": unit,
                "price": price,
                "cost": cost,
                "vat": VAT[kind],
                "bought": code in BOUGHT,
                "suppliers": [
                    {"name": firm, "price": f"{costs[code] * draw.uniform(0.94, 1.08):.2f}"}
                    for firm in offers.get(code, ())
                ],
            }
            for code, name, kind, unit, price, cost in PRODUCTS
        ],
        "stock": {row[0]: draw.randrange(120, 900, 10) for row in PRODUCTS if row[2] != "service"},
        "began": BEGINS.isoformat(),
        "purchases": _purchases(draw, offers),
        "sales": _sales(draw, customers),
        "employees": [
            {"name": c.person.name, "since": c.since.isoformat(), "role": c.role} for c in staff(seed)
        ],
        "projects": [
            {
                "name": name,
                "hours": [draw.randrange(4, 60) for _ in tasks],
                "tasks": list(tasks),
                "done": draw.randrange(len(tasks)),
            }
            for name, tasks in PROJECTS.items()
        ],
    }


def _partner(firm: Firm, kind: str, draw: random.Random) -> dict[str, Any]:
    return {
        "name": firm.name,
        "kind": kind,
        "code": f"{'C' if kind == 'customer' else 'S'}{draw.randrange(1000, 9999)}",
        "contact": firm.contact.name,
        "street": firm.street,
        "town": firm.town,
        "email": f"office@{firm.domain}",
        "phone": f"+31 20 555 {draw.randrange(1000, 9999)}",
        "terms": draw.choice(["30 days", "30 days", "14 days", "60 days"]),
    }


def _days(draw: random.Random, count: int) -> list[date]:
    """Working days in order; the last ones are close to the end."""
    span = (TODAY - BEGINS).days - 1
    found = sorted(BEGINS + timedelta(1 + draw.randrange(span)) for _ in range(count))
    return [day - timedelta(max(0, day.weekday() - 4)) if day.weekday() > 4 else day for day in found]


def _state(number: int, count: int) -> str:
    """How far an order has come: the younger, the less; a few older ones stand still."""
    young = count - number
    if young <= 2:
        return "draft"
    if young <= 5:
        return "quotation"
    if young <= 9 or number % 11 == 10:
        return "processing"
    return "cancelled" if number % 13 == 6 else "delivered"


def _settled(draw: random.Random, day: date, state: str) -> dict[str, Any]:
    """When it was delivered and paid, in so far as it was."""
    delivered = min(day + timedelta(draw.randrange(3, 12)), TODAY - timedelta(1))
    paid = delivered + timedelta(draw.randrange(10, 70))
    settled = state == "delivered" and paid < TODAY and draw.random() < 0.85
    return {
        "state": state,
        "delivered": delivered.isoformat() if state == "delivered" else None,
        "paid": paid.isoformat() if settled else None,
    }


def _purchases(draw: random.Random, offers: dict[str, list[str]]) -> list[dict[str, Any]]:
    found = []
    for number, day in enumerate(_days(draw, PURCHASES)):
        supplier = draw.choice(sorted({firm for firms_ in offers.values() for firm in firms_}))
        codes = [code for code in BOUGHT if supplier in offers[code]]
        chosen = draw.sample(codes, min(len(codes), draw.randint(1, 3)))
        found.append(
            {
                "partner": supplier,
                "date": day.isoformat(),
                "reference": f"PO-{draw.randrange(10000, 99999)}",
                "lines": [{"code": code, "quantity": draw.randrange(50, 600, 10)} for code in chosen],
                **_settled(draw, day, _state(number, PURCHASES)),
            }
        )
    return found


def _sales(draw: random.Random, customers: tuple[Firm, ...]) -> list[dict[str, Any]]:
    found = []
    for number, day in enumerate(_days(draw, SALES)):
        chosen = draw.sample(SOLD, draw.randint(1, 4))
        found.append(
            {
                "partner": draw.choice(customers).name,
                "date": day.isoformat(),
                "reference": f"{draw.choice('ABCDEFGH')}{draw.randrange(1000, 9999)}",
                "lines": [{"code": code, "quantity": draw.randrange(6, 97, 6)} for code in chosen],
                **_settled(draw, day, _state(number, SALES)),
            }
        )
    return found
