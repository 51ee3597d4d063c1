"""The reference agent."""

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, actual, css, link, roundup, words

LEDGER, TRACKER = "http://actual.localhost", "http://roundup.localhost/tracker"
PASSWORD = "harbour-light-7"
BARE = (
    ("10/08/2026", "Repairs"),
    ("04/16/2026", "Travel"),
    ("02/26/2026", "Decoration"),
    ("02/19/2026", "Travel"),
    ("02/12/2026", "Repairs"),
    ("01/15/2026", "Decoration"),
)
"""Day of each entry without a category → the category of its payee's others."""


async def solve(hands: OperateHands) -> None:
    notes = Notes(number="20418", total="330.60", printer="289.00", rolls="41.60", shop="Zinnober Tools")
    notes.model, notes.type, notes.assignee, notes.file = (
        "LP-270",
        "operations",
        "yorick.crane",
        "receipt.png",
    )
    notes.first, notes.resolution, notes.task = "Technique", "fixed", "task"
    notes.bare = dict(BARE)
    await hands.step("read", _read, notes)
    await hands.step("open the ledger", _open_ledger, notes)
    await hands.step("book", _book, notes)
    await hands.step("categories", _categories, notes)
    await hands.step("twice", _twice, notes)
    await hands.step("open the tracker", _open_tracker, notes)
    await hands.step("task", _task, notes)
    await hands.step("bugs", _bugs, notes)


async def _read(hands: OperateHands, notes: Notes) -> None:
    await hands.read("receipt.png")


async def _open_ledger(hands: OperateHands, notes: Notes) -> None:
    await actual.open_budget(hands, LEDGER, PASSWORD, "Harbourline Events")


def _cell(row: int, name: str) -> Target:
    return css(f"[data-testid={name}]").inside(css(f"{actual.NEW} [data-testid=row]").number(row))


async def _book(hands: OperateHands, notes: Notes) -> None:
    await actual.open_account(hands, "Card")
    await actual.begin_entry(hands, "10/29/2026", notes.shop)
    await hands.click(words("Create payee"))
    await hands.click(_cell(0, "notes"))
    await hands.press(f"Receipt {notes.number}")
    await hands.press("Tab")
    await hands.click(words("Split Transaction"))
    await hands.wait(css(f"{actual.NEW} [data-testid=row]").number(2))
    await hands.press(notes.total)
    for row, category, amount in ((1, notes.first, notes.printer), (2, "Print and posters", notes.rolls)):
        await hands.click(_cell(row, "category"))
        await hands.press(category)
        await hands.press("Tab")
        await hands.press(amount)
        await hands.press("Tab")
    await actual.add_entry(hands)
    await hands.tick("Book the receipt in Actual, split by its two positions")


async def _categories(hands: OperateHands, notes: Notes) -> None:
    await hands.click(words("uncategorized transactions"))
    for day, category in notes.bare.items():
        await actual.put(hands, actual.entry(day), "category", category)
    await actual.open_account(hands, "Card")
    await hands.tick("Give the entries without a category theirs")


async def _twice(hands: OperateHands, notes: Notes) -> None:
    await actual.open_account(hands, "Card")
    await actual.search(hands, "94.30", rows=2)
    row = actual.entry("07/23/2026")
    await actual.delete(hands, row)
    await hands.wait(row.number(1), gone=True)
    await hands.tick("Delete the print bill that is there twice")


async def _open_tracker(hands: OperateHands, notes: Notes) -> None:
    await roundup.sign_in(hands, f"{TRACKER}/", "ines.brandt", PASSWORD)
    await hands.click(link("User List"))
    await hands.wait(css("tr", having="228"))


async def _task(hands: OperateHands, notes: Notes) -> None:
    await roundup.new_task(hands, f"Label printer {notes.model} in service")
    await roundup.choose(hands, type=notes.type, components="stock", assignee=notes.assignee, priority="high")
    await roundup.comment(hands, f"Receipt {notes.number}, {notes.total} EUR.")
    await hands.upload(css("input[type=file]"), notes.file)
    notes.task = await roundup.submit(hands)
    await hands.tick("Create the task in the tracker, with the receipt")


async def _bugs(hands: OperateHands, notes: Notes) -> None:
    for lot in ("NA-963", "BR-270"):
        await roundup.find_bugs(hands, "without its date", "pending")
        await hands.click(link(f"The label of lot {lot}"))
        await roundup.choose(hands, status="closed", resolution=notes.resolution)
        await roundup.comment(hands, f"The new printer prints the date; see {notes.task}.")
        await roundup.submit(hands)
    await hands.tick("Close the bugs about labels without a date")
