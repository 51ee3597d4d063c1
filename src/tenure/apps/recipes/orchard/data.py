"""The press house: ten growers, two seasons of deliveries, pressings and bottlings, and their inspections."""

import random
from datetime import date, timedelta
from typing import Any

from tenure.apps.data.company import COMPANY, TODAY, firms, staff

_VARIETIES = (
    ("Saltmere Russet", "A-01"),
    ("Orrby Pippin", "A-02"),
    ("Great Ness Bittersweet", "A-03"),
    ("Tolland Sharp", "A-04"),
    ("Marrow Hill Red", "A-05"),
    ("Feldhaven Perry Pear", "A-06"),
)
_PACKING = (("Bottle 0.75 l", "P-01", 30000), ("Crown cap", "P-02", 40000), ("Label", "P-03", 36000))
_MUSTS = (
    ("Dry must", "M-01", (("A-03", 90.0), ("A-04", 60.0))),
    ("Sweet must", "M-02", (("A-01", 70.0), ("A-05", 80.0))),
    ("Perry must", "M-03", (("A-06", 120.0), ("A-02", 30.0))),
)
"""What 100 litres are pressed of, in kilograms."""
_BOTTLED = (
    ("Dry cider 0.75 l", "B-01", "M-01", 730),
    ("Farmhouse cider 0.75 l", "B-02", "M-02", 540),
    ("Perry 0.75 l", "B-03", "M-03", 540),
    ("Apple juice 0.75 l", "B-04", "M-02", 270),
)
"""Name, code, what it is bottled of, and days until it is past its best."""
_SEASONS = ((date(2025, 9, 22), 4), (date(2026, 8, 31), 9))
"""Their first Mondays, and their weeks."""


def press_house(seed: int) -> dict[str, Any]:
    """All that ``inside/load.py`` loads, in the order in which it happened."""
    draw = random.Random(f"orchard {seed}")
    growers = draw.sample(firms(seed), 10)
    works = [one for one in staff(seed) if one.team == "Works"]
    deliveries: list[dict[str, Any]] = []
    runs: list[dict[str, Any]] = []
    for begins, weeks in _SEASONS:
        _season(draw, begins, weeks, [one.name for one in growers], deliveries, runs)
    return {
        "company": f"{COMPANY} Press House",
        "growers": [
            {"name": one.name, "street": one.street, "town": one.town, "contact": one.contact.name}
            for one in growers
        ],
        "employees": [{"name": one.person.name, "since": str(one.since)} for one in works],
        "apples": [{"name": name, "code": code} for name, code in _VARIETIES],
        "packing": [{"name": name, "code": code, "stock": stock} for name, code, stock in _PACKING],
        "musts": [{"name": name, "code": code, "of": list(parts)} for name, code, parts in _MUSTS],
        "bottled": [
            {"name": name, "code": code, "of": must, "keeps": days} for name, code, must, days in _BOTTLED
        ],
        "deliveries": deliveries,
        "runs": runs,
    }


def _season(
    draw: random.Random,
    begins: date,
    weeks: int,
    growers: list[str],
    deliveries: list[dict[str, Any]],
    runs: list[dict[str, Any]],
) -> None:
    """Some weeks: apples come on three days, are pressed at the week's end, and bottled a month later."""
    year = begins.year % 100
    for week in range(weeks):
        monday = begins + timedelta(7 * week)
        here: dict[str, list[str]] = {}
        for offset in (0, 1, 3):
            day = monday + timedelta(offset)
            lines = []
            for _, code in draw.sample(_VARIETIES, 3 if offset else 4):
                lot = f"{code}-{year}{week + 1:02}{offset + 1}"
                lines.append({"code": code, "lot": lot, "kilograms": draw.randrange(40, 160) * 10})
                here.setdefault(code, []).append(lot)
            deliveries.append({"day": str(day), "grower": draw.choice(growers), "lines": lines})
        for _, code, parts in _MUSTS:
            if any(part not in here for part, _ in parts):
                continue
            litres = draw.randrange(3, 9) * 100
            lot = f"{code}-{year}{week + 1:02}"
            pressed = monday + timedelta(4)
            inputs = [{"code": part, "lot": draw.choice(here[part])} for part, _ in parts]
            runs.append(
                {
                    "day": str(pressed),
                    "code": code,
                    "lot": lot,
                    "quantity": litres,
                    "inputs": inputs,
                    "state": "done" if pressed < TODAY else "draft",
                    "check": "Must check",
                    "found": {
                        "sugar": draw.randrange(98, 148) / 10,
                        "acidity": draw.randrange(33, 41) / 10,
                        "clean": draw.random() < 0.93,
                    },
                }
            )
            runs.append(_bottling(draw, pressed + timedelta(28), code, lot, litres, f"{year}{week + 1:02}"))


def _bottling(draw: random.Random, day: date, must: str, lot: str, litres: int, label: str) -> dict[str, Any]:
    _, code, _, keeps = draw.choice([one for one in _BOTTLED if one[2] == must])
    return {
        "day": str(day),
        "code": code,
        "lot": f"{code}-{label}",
        "quantity": int(litres / 0.75 * 0.96) // 12 * 12,
        "inputs": [{"code": must, "lot": lot}],
        "best_before": str(day + timedelta(keeps)),
        "state": "done" if day < TODAY else "draft",
        "check": "Bottling check",
        "found": {
            "alcohol": draw.randrange(52, 79) / 10 if code != "B-04" else 0.0,
            "pressure": draw.randrange(18, 31) / 10,
            "label": draw.random() < 0.95,
        },
    }
