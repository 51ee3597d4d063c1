"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, actual, css, link, roundup

_LEDGER = ("booked", "note", "printer", "rolls", "categories-current", "categories-card", "twice")
_TRACKER = ("task", "assigned", "attached", "told", "closed", "because")


def _misread(notes: Notes) -> None:
    """Take other figures and lists from everything that was read."""
    setting(
        number=lambda notes: "20413",
        total=lambda notes: "330.40",
        printer=lambda notes: "288.90",
        rolls=lambda notes: "41.50",
        model=lambda notes: "LP-210",
        assignee=lambda notes: "carin.jepsen",
        file=lambda notes: "todo.md",
        resolution=lambda notes: "works for me",
        bare=lambda notes: {"02/26/2026": "Repairs", "02/12/2026": "Decoration"},
    )(notes)


MUTANTS = [
    Mutant(
        "does the tracker's part alone",
        (*_LEDGER,),
        skip=("open the ledger", "book", "categories", "twice"),
    ),
    Mutant(
        "does the ledger's part alone, and swaps the parts",
        ("printer", *_TRACKER),
        after={"read": setting(first=lambda notes: "Repairs")},
        skip=("open the tracker", "task", "bugs"),
    ),
    Mutant(
        "reads everything a little wrong",
        ("booked", "note", "printer", "rolls", "categories-current", "categories-card", *_TRACKER[:-1]),
        after={"read": _misread},
        skip="twice",
    ),
    Mutant(
        "names no task",
        ("because",),
        after={"task": setting(task=lambda notes: "the new task")},
        skip=("open the ledger", "book", "categories", "twice"),
    ),
]


async def _elsewhere(hands: OperateHands) -> None:
    await hands.click(link("Show Open").number(0))
    await hands.click(css("table.list td a, td a", having="The").number(0))
    await roundup.comment(hands, "It may be the printer.")
    await hands.click(css("input[name=submit_button]"))
    await hands.switch("0001")
    await actual.open_account(hands, "Current account")
    await actual.begin_entry(hands, "10/29/2026", "Zinnober Tools")
    for text in ("Receipt 20418", "Technique", "330.60"):
        await hands.press("Tab")
        await hands.press(text)
    await hands.press("Tab")
    await actual.add_entry(hands)
    await hands.pause(2)


VANDALS = [Vandal("comments on another bug and books the receipt again", ("ledger", "tracker"), _elsewhere)]
