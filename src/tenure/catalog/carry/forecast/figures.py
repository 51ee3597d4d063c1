"""The deals and the rates of a forecast: what HubSpot holds today, and what the sheet says of it."""

from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company

COMMIT, BEST = "Commit", "Best case"
UPDATED_DAYS = 34
"""How long ago the sheet was last brought up to date."""
_IN_EUR = {"EUR": 1.0, "GBP": 1.17, "USD": 0.92}
_REGIONS = (
    ("Sweden", "SEK", 11.3),
    ("Norway", "NOK", 11.7),
    ("Poland", "PLN", 4.28),
    ("Czechia", "CZK", 25.1),
)
"""Region, its currency, and about how much of that one euro buys."""


class Line(NamedTuple):
    """One deal of the plot.

    Attributes:
        key: What the story calls it.
        customer: Deals with an equal one are of one customer.
        stage: Its stage in HubSpot, a key of ``story.STAGES``.
        was: Its stage in the sheet; empty when the sheet does not have it.
        left_was: What the sheet says under *Left out*.
        category: What it counts as today; empty when it does not count.
        left: The word that is due under *Left out*.
        home: It is in the company's own currency.
        contact: How long ago the last contact was: ``fresh``, ``edge`` (just within the limit), ``near``
            (beyond it, within the old one) or ``old``.
        entered: Days since it was entered in HubSpot.
    """

    key: str
    customer: str
    stage: str
    was: str = ""
    left_was: str = ""
    category: str = ""
    left: str = ""
    home: bool = False
    contact: str = "fresh"
    entered: int = 120


PLOT = (
    Line("kept", "a", "verbal", "verbal", category=COMMIT, entered=131),
    Line("grown", "b", "contract", "proposal", category=COMMIT, home=True, entered=127),
    Line("plain", "c", "proposal", "proposal", category=BEST, home=True, entered=122),
    Line("risen", "d", "proposal", "demo", "early", category=BEST, entered=118),
    Line("silent", "e", "verbal", "verbal", left="stale", contact="old", entered=116),
    Line("near", "f", "proposal", "proposal", left="stale", contact="near", entered=109),
    Line("overdue", "g", "contract", "contract", left="stale", entered=105),
    Line("signed", "h", "signed", "verbal", entered=101),
    Line("lost", "i", "lost", "proposal", entered=97),
    Line("early", "j", "demo", "qualified", "early", entered=92),
    Line("edge", "k", "verbal", "verbal", category=COMMIT, contact="edge", entered=88),
    Line("first", "l", "proposal", "proposal", category=BEST, entered=83),
    Line("woken", "m", "proposal", "proposal", "stale", category=BEST, entered=79),
    Line("mine", "n", "verbal", category=COMMIT, entered=30),
    Line("new", "o", "contract", category=COMMIT, entered=26),
    Line("again", "l", "verbal", left="twice", entered=22),
    Line("slip", "n", "verbal", left="twice", entered=19),
    Line("offer", "p", "proposal", category=BEST, entered=16),
    Line("second", "a", "proposal", category=BEST, entered=13),
    Line("fresh", "q", "qualified", entered=9),
)
"""In the order in which they were entered in HubSpot."""


@dataclass(frozen=True)
class Deal:
    """One deal in numbers.

    Attributes:
        line: Its part in the plot.
        amount: In its currency.
        amount_was: What the sheet says.
        currency: ISO code.
        contact: Last contact.
        contact_was: What the sheet says.
        close: Close date.
    """

    line: Line
    amount: int
    amount_was: int
    currency: str
    contact: date
    contact_was: date
    close: date


@dataclass(frozen=True)
class Figures:
    """A forecast in numbers.

    Attributes:
        region: What the pipeline is called.
        foreign: The currency of most deals.
        home: The company's own.
        quarters: This quarter, and the three before it, newest first (``Q3 2026``).
        rates: ``foreign`` for one ``home`` in each of them.
        bank: What a bank says today.
        limit: A deal is stale after more days than this without contact.
        old_limit: What the limit was before.
        updated: The day of the sheet's last update.
        deals: All deals of the pipeline.
    """

    region: str
    foreign: str
    home: str
    quarters: tuple[str, ...]
    rates: tuple[float, ...]
    bank: float
    limit: int
    old_limit: int
    updated: date
    deals: tuple[Deal, ...]

    def deal(self, key: str) -> Deal:
        """A deal by its name in the plot."""
        return next(deal for deal in self.deals if deal.line.key == key)

    def total(self, category: str) -> float:
        """The sum of a category in the company's currency, at this quarter's rate."""
        by = {self.home: 1.0, self.foreign: self.rates[0]}
        return sum(deal.amount / by[deal.currency] for deal in self.deals if deal.line.category == category)


def figures(company: "Company") -> Figures:
    """Draw a forecast's numbers; drawn again until no mistakes together give a right total."""
    rng, today, home = company.rng, company.clock.today, company.office.currency
    region, foreign, per_euro = rng.choice(_REGIONS)
    while True:
        rates = [round(per_euro * _IN_EUR[home] * rng.uniform(0.96, 1.04), 2)]
        for _ in range(3):
            rates.append(round(rates[-1] * (1 + rng.choice((-1, 1)) * rng.uniform(0.03, 0.06)), 2))
        # Whole weeks: the last day of the limit is a working day.
        limit = rng.choice((28, 35))
        updated = company.clock.workday(-UPDATED_DAYS)
        found = Figures(
            region,
            foreign,
            home,
            _quarters(today),
            tuple(rates),
            round(rates[0] * (1 + rng.choice((-1, 1)) * rng.uniform(0.012, 0.02)), 2),
            limit,
            limit + 14,
            updated,
            tuple(_deal(company, line, home if line.home else foreign, rates[0], limit) for line in PLOT),
        )
        if _apart(found):
            return found


def _deal(company: "Company", line: Line, currency: str, rate: float, limit: int) -> Deal:
    rng, workday = company.rng, company.clock.workday
    home = rng.randrange(16, 90) * 500
    amount = home if line.home else round(home * rate / 1000) * 1000
    ago = {
        "fresh": rng.randrange(2, 9),
        "edge": limit,
        "near": limit + rng.randrange(3, 8),
        "old": limit + rng.randrange(14, 30),
    }[line.contact]
    contact, close = workday(-ago), workday(rng.randrange(15, 110))
    before = limit + 9 if line.left_was == "stale" else rng.randrange(3, 12)
    earlier = workday(-UPDATED_DAYS - before)
    if line.key == "overdue":
        close = workday(-rng.randrange(3, 9))
    elif line.stage in {"signed", "lost"}:
        close = workday(-rng.randrange(6, 25))
    was = amount * 4 // 5 if line.key == "grown" else amount
    return Deal(line, amount, was, currency, contact, min(contact, earlier), close)


_TEMPTATIONS = (
    {"silent": 1, "overdue": 1, "edge": -1, "signed": 1, "slip": 1, "mine": -1, "again": 1, "kept": 0.5},
    {"near": 1, "first": -1, "second": -1, "woken": -1, "lost": 1, "early": 1},
)
"""What mistakes add to a total: to Commit, to Best case."""
_APART = 50.0
"""Wrong totals differ from the right one by at least this, in the company's currency."""


def _apart(f: Figures) -> bool:
    """Whether every combination of mistakes gives a wrong total, and no two amounts or rates are equal."""
    amounts, rates = {(deal.amount, deal.currency) for deal in f.deals}, {*f.rates, f.bank}
    if len(amounts) < len(f.deals) or len(rates) <= len(f.rates):
        return False
    by = {f.home: 1.0, f.foreign: f.rates[0]}
    for mistakes in _TEMPTATIONS:
        steps = [n * f.deal(key).amount / by[f.deal(key).currency] for key, n in mistakes.items()]
        for size in range(1, len(steps) + 1):
            if any(abs(sum(some)) < _APART for some in combinations(steps, size)):
                return False
    return True


def _quarters(today: date) -> tuple[str, ...]:
    count = today.year * 4 + (today.month - 1) // 3
    return tuple(f"Q{n % 4 + 1} {n // 4}" for n in range(count, count - 4, -1))
