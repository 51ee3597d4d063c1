"""The reference agent."""

import re

from tenure.oracle import ScriptError
from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, Target, button, css, field, link, words

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
NEW, TABLE = "[data-testid=new-transaction]", "[data-testid=transaction-table]"


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
    await hands.open(LEDGER)
    await hands.fill(css("input[type=password]"), PASSWORD)
    await hands.press("Enter")
    await hands.click(words("Harbourline Events"))
    await hands.click(button("Close"))


def _cell(row: int, name: str) -> Target:
    return css(f"[data-testid={name}]").inside(css(f"{NEW} [data-testid=row]").number(row))


async def _book(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("Card"))
    await hands.click(button("Add New"))
    await hands.wait(css(f"{NEW} input"))
    await hands.press("Control+a")
    await hands.press("10/29/2026")
    await hands.press("Tab")
    await hands.press(notes.shop)
    await hands.click(words("Create payee"))
    await hands.click(_cell(0, "notes"))
    await hands.press(f"Receipt {notes.number}")
    await hands.press("Tab")
    await hands.click(words("Split Transaction"))
    await hands.wait(css(f"{NEW} [data-testid=row]").number(2))
    await hands.press(notes.total)
    for row, category, amount in ((1, notes.first, notes.printer), (2, "Print and posters", notes.rolls)):
        await hands.click(_cell(row, "category"))
        await hands.press(category)
        await hands.press("Tab")
        await hands.press(amount)
        await hands.press("Tab")
    await hands.click(css("[data-testid=add-button]"))
    await hands.click(css("[data-testid=cancel-button]"))
    await hands.tick("Book the receipt in Actual, split by its two positions")


async def _categories(hands: OperateHands, notes: Notes) -> None:
    await hands.click(words("uncategorized transactions"))
    for day, category in notes.bare.items():
        row = css(f"{TABLE} [data-testid=row]", having=day)
        await hands.click(css("[data-testid=category]").inside(row))
        await hands.press(category)
        await hands.press("Enter")
    await hands.click(link("Card"))
    await hands.tick("Give the entries without a category theirs")


async def _twice(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("Card"))
    await hands.fill(Target(placeholder="Search"), "94.30")
    await hands.wait(css(f"{TABLE} [data-testid=row]", having="09/10/2026"), gone=True)
    row = css(f"{TABLE} [data-testid=row]", having="07/23/2026")
    await hands.click(css("[data-testid=select]").inside(row))
    await hands.click(button("1 transaction"))
    await hands.click(words("Delete", exact=True))
    await hands.click(button("Delete", exact=True))
    await hands.wait(row.number(1), gone=True)
    await hands.tick("Delete the print bill that is there twice")


async def _open_tracker(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{TRACKER}/", new_tab=True)
    await hands.fill(css("input[name=__login_name]"), "ines.brandt")
    await hands.fill(css("input[name=__login_password]"), PASSWORD)
    await hands.press("Enter")
    await hands.click(link("User List"))
    await hands.wait(css("tr", having="228"))


async def _task(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("Create New").number(1))
    await hands.fill(field("Title"), f"Label printer {notes.model} in service")
    await hands.choose(css("select[name=type]"), notes.type)
    await hands.choose(css("select[name=components]"), "stock")
    await hands.choose(css("select[name=assignee]"), notes.assignee)
    await hands.choose(css("select[name=priority]"), "high")
    await hands.fill(css("textarea"), f"Receipt {notes.number}, {notes.total} EUR.")
    await hands.upload(css("input[type=file]"), notes.file)
    await hands.click(css("input[name=submit_button]"))
    heading = await hands.text(css("h1, h2, h3", having="Editing"))
    if not (found := re.search(r"task\s*(\d+)", heading, re.IGNORECASE)):
        raise ScriptError(f"the task was not made: {heading}")
    notes.task = f"task{found[1]}"
    await hands.tick("Create the task in the tracker, with the receipt")


async def _bugs(hands: OperateHands, notes: Notes) -> None:
    for lot in ("NA-963", "BR-270"):
        await hands.click(link("Search"))
        await hands.fill(css("input[name=title]"), "without its date")
        await hands.choose(css("select[name=status]"), "pending")
        await hands.click(css("input[type=submit][value=Search]"))
        await hands.click(link(f"The label of lot {lot}"))
        await hands.choose(css("select[name=status]"), "closed")
        await hands.choose(css("select[name=resolution]"), notes.resolution)
        await hands.fill(css("textarea"), f"The new printer prints the date; see {notes.task}.")
        await hands.click(css("input[name=submit_button]"))
    await hands.tick("Close the bugs about labels without a date")
