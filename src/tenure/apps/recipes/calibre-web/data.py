"""The reading room: 240 books and papers about a harbour, its farms and its table, and 13 readers."""

import random
from datetime import date, timedelta
from typing import Any

from tenure.apps.data.company import COMPANY, DOMAIN, TODAY, TOWNS, public, staff
from tenure.schema.operate import Account

BOOKS = 240
_EDIT, _READ = 2 | 4 | 8 | 16 | 64 | 128 | 256, 2 | 16 | 256
"""What the desk may do, and what a reader may (the app's bits)."""
_SIDEBAR = (1 << 18) - 1
_FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Harbour": (
        (
            "Tides",
            "Pilots",
            "Breakwaters",
            "Cranes",
            "Moorings",
            "Dredging",
            "Customs",
            "Signals",
            "Lighthouses",
        ),
        ("A Handbook of {}", "{} of {town}", "{} and Their Keepers", "A Century of {}", "Notes on {}"),
    ),
    "Orchard": (
        ("Apples", "Grafting", "Pears", "Pruning", "Cider", "Perry", "Rootstocks", "Bees", "Frost"),
        ("{} for Growers", "The {} Year", "{} of {town}", "Understanding {}", "{}: A Field Guide"),
    ),
    "Dairy": (
        ("Curds", "Rind", "Butter", "Milk", "Whey", "Cultures", "Brine", "Cellars"),
        ("{}: Theory and Practice", "The Book of {}", "{} in Small Works", "{} After Dark", "Good {}"),
    ),
    "Cookery": (
        ("Herring", "Bread", "Broth", "Mussels", "Pickles", "Pies", "Puddings", "Samphire"),
        ("{} at Home", "{} and Other Suppers", "The {town} {} Book", "Forty Ways with {}", "Plain {}"),
    ),
    "Novels": (
        ("Salt", "Fog", "Lantern", "Ferry", "Winter", "Anchor", "Gull", "Rope", "Storm", "Bell"),
        ("The {} House", "A {} Inheritance", "{} Street", "The Last {} of {town}", "Where the {} Was"),
    ),
    "Local history": (
        (
            "Ropewalk",
            "Fish Hill",
            "Mill Lane",
            "The Old Quay",
            "The Cooperative",
            "The Regatta",
            "The Great Flood",
        ),
        ("{} Remembered", "{}: People and Papers", "{} in Pictures", "{} and {town}", "The Story of {}"),
    ),
}
_SERIES = {
    "Harbour": "Quayside Manuals",
    "Orchard": "The Grower's Shelf",
    "Dairy": "Works and Cellars",
    "Novels": "The Saltmere Novels",
    "Local history": "Parish Papers",
}
_KINDS = ("illustrated", "reference", "for beginners", "out of print", "with maps", "essays", "teaching")
_PRESSES = (
    "Ropewalk Press",
    "Great Ness Editions",
    "Feldhaven House",
    "Tolland & Daughters",
    f"{COMPANY} Papers",
)
_LANGUAGES = ("eng", "eng", "eng", "eng", "nld", "deu")
_ABOUT = (
    "Drawn from {n} years of records kept in {town}.",
    "Revised by the author after a season in {town}, with {n} plates.",
    "Read aloud at the {town} winter meeting; {n} pages of notes at the end.",
    "The standard work on its subject, in {n} short chapters.",
)
_SHELVES = (
    "To order again",
    "Winter reading",
    "Works library",
    "Lent to the clinic",
    "New arrivals",
    "Repairs",
)


def library(seed: int, desk: Account) -> dict[str, Any]:
    """Books and readers, as ``inside/load.py`` takes them.

    Args:
        seed: What they are made from.
        desk: The account of the agent, who keeps the desk.
    """
    draw = random.Random(f"calibre-web {seed}")
    books = _books(draw, seed)
    return {"books": books, "readers": _readers(draw, seed, desk, books)}


def _books(draw: random.Random, seed: int) -> list[dict[str, Any]]:
    authors = [person.name for person in public(seed)[:60]]
    wanted = [
        (field, form.format(subject, town=town))
        for field, (subjects, forms) in _FIELDS.items()
        for subject in subjects
        for form in forms
        for town in ([draw.choice(TOWNS)] if "{town}" in form else [""])
    ]
    volumes = dict.fromkeys(_SERIES, 0)
    books = []
    for number, (field, title) in enumerate(draw.sample(wanted, BOOKS - 6) + _logs(draw), 1):
        in_series = field in _SERIES and draw.random() < 0.3
        volumes[field] = volumes.get(field, 0) + in_series
        added = TODAY - timedelta(draw.randrange(1, 1400))
        held = {
            "id": number,
            "title": title,
            "sort": title.removeprefix("The ") + ", The" if title.startswith("The ") else title,
            "authors": draw.sample(authors, 2 if draw.random() < 0.15 else 1),
            "tags": sorted({field, *draw.sample(_KINDS, draw.randrange(3))}),
            "series": _SERIES[field] if in_series else "",
            "volume": float(volumes[field]) if in_series else 1.0,
            "rating": draw.choice((0, 0, 4, 6, 6, 8, 8, 10)),
            "language": draw.choice(_LANGUAGES),
            "publisher": draw.choice(_PRESSES),
            "published": str(date(draw.randrange(1961, 2025), draw.randrange(1, 13), draw.randrange(1, 28))),
            "added": str(added),
            "isbn": _isbn(draw),
            "about": draw.choice(_ABOUT).format(n=draw.randrange(8, 90), town=draw.choice(TOWNS)),
            "colours": [[draw.randrange(40, 230) for _ in range(3)] for _ in range(4)],
        }
        books.append(held)
    return books


def _logs(draw: random.Random) -> list[tuple[str, str]]:
    """The company's own yearbooks."""
    return [("Local history", f"{COMPANY} Yearbook {year}") for year in range(2019, 2025)]


def _isbn(draw: random.Random) -> str:
    digits = [9, 7, 8, *(draw.randrange(10) for _ in range(9))]
    check = -sum(digit * (3 if n % 2 else 1) for n, digit in enumerate(digits)) % 10
    return "".join(map(str, (*digits, check)))


def _readers(
    draw: random.Random, seed: int, desk: Account, books: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    numbers = [book["id"] for book in books]
    colleagues = draw.sample([one.person for one in staff(seed)], 12)
    readers = [_reader(draw, desk.username, "desk", desk.password, _EDIT, numbers, shelves=_SHELVES)]
    for person in colleagues:
        readers.append(
            _reader(
                draw,
                person.username,
                person.username,
                f"{person.last}-{person.born.year}-Reads",
                _READ,
                numbers,
            )
        )
    return readers


def _reader(
    draw: random.Random,
    username: str,
    mailbox: str,
    password: str,
    role: int,
    numbers: list[int],
    shelves: tuple[str, ...] = (),
) -> dict[str, Any]:
    own = shelves or (f"{username.split('.')[0].title()}'s list",)
    return {
        "username": username,
        "email": f"{mailbox}@{DOMAIN}",
        "password": password,
        "role": role,
        "sidebar": _SIDEBAR,
        "shelves": [
            {
                "name": name,
                "public": int(bool(shelves)),
                "books": draw.sample(numbers, draw.randrange(3, 12)),
                "made": str(TODAY - timedelta(draw.randrange(20, 600))),
            }
            for name in own
        ],
        "read": [
            (number, str(TODAY - timedelta(draw.randrange(1, 700))))
            for number in draw.sample(numbers, draw.randrange(4, 25))
        ],
    }
