"""A scripted walk through each plan, on the pages of the reference."""

from tenure.oracle.grow import Walking

from .walks.booking import WALKS as BOOKING
from .walks.money import WALKS as MONEY
from .walks.people import WALKS as PEOPLE
from .walks.planning import WALKS as PLANNING
from .walks.programme import WALKS as PROGRAMME
from .walks.waiting import WALKS as WAITING

WALKS: dict[str, Walking] = {
    **PEOPLE,
    **BOOKING,
    **MONEY,
    **WAITING,
    **PLANNING,
    **PROGRAMME,
}
"""Plan → its walk."""
