"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.operate import OperateHands, button, row

MUTANTS = [
    Mutant("books nothing", ("booked",), skip="book"),
    Mutant("books it twice", ("booked",), repeat="book"),
    Mutant("another amount", ("booked",), after={"sign in": setting(amount=lambda notes: "28.30")}),
    Mutant("another category", ("corrected",), after={"book": setting(category=lambda notes: "Office")}),
    Mutant("leaves both", ("twice",), skip="remove"),
]


async def _another(hands: OperateHands) -> None:
    await hands.open("http://cashbook.localhost/entries")
    await hands.click(button("Delete").inside(row("2026-01-03")))


VANDALS = [Vandal("deletes another entry", ("others",), _another)]
