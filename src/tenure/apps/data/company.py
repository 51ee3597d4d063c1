"""The company whose apps these are: its people, and the firms and households that it deals with.

Harbourline is a cooperative in an invented harbour town: it moves goods for the farms around, makes food
of what they bring, and runs the quay's clinic, events and reading room. Everything here is a pure function
of the seed, and every app that names somebody takes the name from here.
"""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

COMPANY = "Harbourline"
DOMAIN = "harbourline.example"
CURRENCY = "EUR"
TODAY = date(2026, 11, 2)
"""The day that all data lead up to; apps' own clocks are later."""
TOWNS = ("Saltmere", "Dunwick", "Orrby", "Feldhaven", "Kestrel Bay", "Marrow Hill", "Tolland", "Great Ness")
STREETS = (
    "Quay Road",
    "Chandlers Row",
    "Mill Lane",
    "Orchard Way",
    "Lighthouse Street",
    "Ropewalk",
    "Fish Hill",
)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST = _words("""
    Abel Alma Arno Beate Benno Carin Cosmo Dalia Dirk Edwin Elke Esra Faye Florian Gesa Gwen Henk Hilde Ilan
    Irma Jaap Jorun Karim Katja Leif Lidia Magnus Marta Nico Nora Olaf Otto Pia Ravi Renate Rik Saskia Selim
    Signe Stijn Tara Thijs Ulla Vera Viktor Wanda Wim Yasmin Yorick Zora
""")
_LAST = _words("""
    Aarden Ackroyd Bassett Bekkering Brodersen Calder Crane Dekker Eklund Falk Gale Harrow Haverkamp Holt
    Ibsen Jepsen Kade Keller Lamb Lindgren Lowe Marsh Mercer Nijland Norrby Oakes Overton Pike Quist Raven
    Rijnders Rudd Sandberg Shore Solberg Stroud Tanner Thorne Usher Vance Vink Wade Weir Winter Wolters Young
""")
_TRADES = _words("Orchards Dairy Farm Bakery Provisions Inn Grocers Packaging Haulage Mill")
_TEAMS = {
    "Quay": ("Foreman", "Crane operator", "Stevedore", "Stevedore", "Checker", "Checker"),
    "Sales": ("Head of sales", "Account manager", "Account manager", "Sales clerk"),
    "Purchasing": ("Buyer", "Buyer", "Purchasing clerk"),
    "Works": ("Works manager", "Cellar master", "Dairy technician", "Quality controller", "Packer", "Packer"),
    "Finance": ("Controller", "Bookkeeper", "Payroll clerk"),
    "Events": ("Events manager", "Box office clerk", "Guide", "Guide"),
    "Systems": ("Systems lead", "Developer", "Developer", "Support engineer"),
}


@dataclass(frozen=True)
class Person:
    """Somebody.

    Attributes:
        first: First name.
        last: Family name; first and last together are nobody else's.
        born: Date of birth.
        street: Street and number.
        town: Town.
    """

    first: str
    last: str
    born: date
    street: str
    town: str

    @property
    def name(self) -> str:
        """First and family name."""
        return f"{self.first} {self.last}"

    @property
    def username(self) -> str:
        """How the person signs in to apps."""
        return f"{self.first}.{self.last}".lower()

    def email(self, domain: str = DOMAIN) -> str:
        """The person's address at a domain."""
        return f"{self.username}@{domain}"


@dataclass(frozen=True)
class Colleague:
    """Somebody who works at the company.

    Attributes:
        person: Who.
        team: Where.
        role: As what.
        since: First day.
    """

    person: Person
    team: str
    role: str
    since: date


@dataclass(frozen=True)
class Firm:
    """A firm that the company deals with.

    Attributes:
        name: Its name, nobody else's.
        trade: What it does, the name's last word.
        contact: Whom one speaks to.
        street: Street and number.
        town: Town.
        domain: Of its addresses.
    """

    name: str
    trade: str
    contact: Person
    street: str
    town: str
    domain: str


@cache
def people(seed: int) -> tuple[Person, ...]:
    """Everybody there is: 400 people, in an order of no meaning. The first 30 are ``staff``."""
    draw = random.Random(f"people {seed}")
    names = draw.sample([(first, last) for first in _FIRST for last in _LAST], 400)
    return tuple(
        Person(
            first,
            last,
            date(1942, 1, 1) + timedelta(draw.randrange(62 * 365)),
            _street(draw),
            draw.choice(TOWNS),
        )
        for first, last in names
    )


@cache
def staff(seed: int) -> tuple[Colleague, ...]:
    """The 30 who work at the company, team by team, each team's head first."""
    draw = random.Random(f"staff {seed}")
    posts = [(team, role) for team, roles in _TEAMS.items() for role in roles]
    return tuple(
        Colleague(person, team, role, TODAY - timedelta(draw.randrange(200, 5000)))
        for person, (team, role) in zip(people(seed), posts, strict=False)
    )


@cache
def public(seed: int) -> tuple[Person, ...]:
    """The people who do not work at the company: guests, patients, readers, contacts."""
    return people(seed)[len(staff(seed)) :]


@cache
def firms(seed: int) -> tuple[Firm, ...]:
    """The 40 firms that the company buys from and sells to."""
    draw = random.Random(f"firms {seed}")
    heads = draw.sample(_LAST, 40)
    contacts = public(seed)[-40:]
    found = []
    for head, contact in zip(heads, contacts, strict=True):
        trade = draw.choice(_TRADES)
        name = f"{head} {trade}"
        found.append(
            Firm(
                name,
                trade,
                contact,
                _street(draw),
                draw.choice(TOWNS),
                f"{name.lower().replace(' ', '-')}.example",
            )
        )
    return tuple(found)


def _street(draw: random.Random) -> str:
    return f"{draw.choice(STREETS)} {draw.randrange(1, 140)}"
