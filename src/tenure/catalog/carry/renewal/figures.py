"""The numbers of a renewal."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company


@dataclass(frozen=True)
class Figures:
    """A renewal in numbers; amounts are in the office's currency and all different.

    Attributes:
        list_price: One seat for a year.
        old_seats: Seats of the running term.
        old_amount: A year of the running term: what the CRM still says.
        first_seats: Seats of the first quote.
        quoted: The first quote, at list price.
        revised: The second quote: six per cent off for the seats agreed in the end.
        seats: Seats agreed.
        discount: Per cent off list that was agreed; a whole number.
        amount: Agreed for the first twelve months, without tax.
        total: Agreed for the whole term.
        gross: ``amount`` with tax.
        limit: Per cent that a rep may give alone.
        old_limit: What the limit was before.
        months: Length of the agreed term.
        starts: First day of the new term.
    """

    list_price: int
    old_seats: int
    old_amount: int
    first_seats: int
    quoted: int
    revised: int
    seats: int
    discount: int
    amount: int
    total: int
    gross: float
    limit: int
    old_limit: int
    months: int
    starts: date


def figures(company: "Company") -> Figures:
    """Draw a renewal's numbers; drawn again until no two amounts are alike."""
    rng, price = company.rng, company.list_price
    starts = _month_after(company.clock.today + timedelta(days=25))
    while True:
        seats = rng.randrange(16, 46) * 5
        old_seats, first_seats = seats + rng.randrange(7, 12) * 5, seats + rng.randrange(1, 6) * 5
        limit = rng.choice((10, 12, 15))
        discount, months = limit + rng.randrange(3, 8), rng.choice((24, 36))
        # A seat's price is a multiple of 20 and seats come in fives: no division here leaves a rest.
        amount = seats * price * (100 - discount) // 100
        found = Figures(
            list_price=price,
            old_seats=old_seats,
            old_amount=old_seats * (price - 20),
            first_seats=first_seats,
            quoted=first_seats * price,
            revised=seats * price * 94 // 100,
            seats=seats,
            discount=discount,
            amount=amount,
            total=amount * months // 12,
            gross=round(amount * (100 + company.office.rate) / 100, 2),
            limit=limit,
            old_limit=25,
            months=months,
            starts=starts,
        )
        amounts = (found.old_amount, found.quoted, found.revised, found.amount, found.total, found.gross)
        numbers = (seats, old_seats, first_seats, discount, limit, months)
        if len(set(amounts)) == len(amounts) and len(set(numbers)) == len(numbers):
            return found


def _month_after(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
