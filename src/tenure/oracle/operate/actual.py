"""The hands of a scripted agent in Actual.

A cell of a table becomes a field when it is clicked; Enter or Tab keeps what was typed.
"""

from tenure.oracle.operate.hands import OperateHands, Target, button, css, link, words

NEW, TABLE = "[data-testid=new-transaction]", "[data-testid=transaction-table]"
"""The lines of the entry that is being added, and those of all entries."""


async def open_budget(
    hands: OperateHands, address: str, password: str, budget: str, *, new_tab: bool = False
) -> None:
    """Open a budget."""
    await hands.open(address, new_tab=new_tab)
    await hands.linger(css("input[type=password]"))
    await hands.fill(css("input[type=password]"), password)
    await hands.press("Enter")
    await hands.click(words(budget))
    await hands.linger(button("Close"))
    await hands.click(button("Close"))


async def open_account(hands: OperateHands, name: str) -> None:
    """Show an account."""
    await hands.click(link(name))
    await hands.wait(css("[data-testid=account-name]", having=name))


async def begin_entry(hands: OperateHands, day: str, payee: str) -> None:
    """Begin an entry on the account that is shown; the cursor stands in the payee's field."""
    await hands.click(button("Add New"))
    await hands.wait(css(f"{NEW} input"))
    await hands.press("Control+a")
    await hands.press(day)
    await hands.press("Tab")
    await hands.press(payee)


async def add_entry(hands: OperateHands) -> None:
    """Add the entry that was begun, and begin no other."""
    await hands.click(css("[data-testid=add-button]"))
    await hands.click(css("[data-testid=cancel-button]"))


async def search(hands: OperateHands, text: str, rows: int) -> None:
    """Show only entries with a text, and wait until no more than so many rows are left."""
    await hands.fill(Target(placeholder="Search"), text)
    await hands.wait(css(f"{TABLE} [data-testid=row]").number(rows), gone=True)


def entry(having: str) -> Target:
    """An entry's row by a text in it, such as its day."""
    return css(f"{TABLE} [data-testid=row]", having=having)


async def put(hands: OperateHands, row: Target, cell: str, text: str) -> None:
    """Change a cell of an entry: ``category``, ``notes``, ``debit``, ``credit``."""
    await hands.click(css(f"[data-testid={cell}]").inside(row))
    await hands.press("Control+a")
    await hands.press(text)
    await hands.press("Enter")


async def delete(hands: OperateHands, row: Target) -> None:
    """Delete an entry."""
    await hands.click(css("[data-testid=select]").inside(row))
    await hands.click(button("1 transaction"))
    await hands.click(words("Delete", exact=True))
    await hands.click(button("Delete", exact=True))
