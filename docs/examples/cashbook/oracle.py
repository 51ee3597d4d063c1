"""The reference agent."""

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, button, field, link, row

HOME = "http://cashbook.localhost"


async def solve(hands: OperateHands) -> None:
    notes = Notes(amount="23.80", category="Travel")
    await hands.step("sign in", _sign_in, notes)
    await hands.step("book", _book, notes)
    await hands.step("correct", _correct, notes)
    await hands.step("remove", _remove, notes)


async def _sign_in(hands: OperateHands, notes: Notes) -> None:
    await hands.open(HOME)
    await hands.fill(field("User"), "mara")
    await hands.fill(field("Password"), "till-and-drawer")
    await hands.click(button("Sign in"))
    await hands.wait(link("New entry"))


async def _book(hands: OperateHands, notes: Notes) -> None:
    await hands.click(link("New entry"))
    await hands.fill(field("Day"), "2026-04-14")
    await hands.fill(field("Shop"), "Lantern Café")
    await hands.choose(field("Category"), "Food")
    await hands.fill(field("Amount"), notes.amount)
    await hands.click(button("Save"))
    await hands.tick("Book the new receipt")


async def _correct(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{HOME}/entries")
    await hands.click(link("Edit").inside(row("2026-01-09")))
    await hands.choose(field("Category"), notes.category)
    await hands.click(button("Save"))
    await hands.tick("Correct the taxi ride")


async def _remove(hands: OperateHands, notes: Notes) -> None:
    await hands.open(f"{HOME}/entries")
    await hands.click(button("Delete").inside(row("2026-01-05").number(1)))
    await hands.tick("Remove the entry that is there twice")
