"""The hands of a scripted agent in Roundup."""

import re

from tenure.oracle.acts import ScriptError
from tenure.oracle.operate.hands import OperateHands, css, field, link

ANY = "don't care"
"""The option of a search that takes every value."""


async def sign_in(hands: OperateHands, address: str, username: str, password: str) -> None:
    """Open the tracker in a new tab and sign in."""
    await hands.open(address, new_tab=True)
    await hands.fill(css("input[name=__login_name]"), username)
    await hands.fill(css("input[name=__login_password]"), password)
    await hands.press("Enter")
    await hands.wait(link("User List"))


async def find_bugs(hands: OperateHands, title: str, status: str = ANY) -> None:
    """List the bugs with some words in their titles."""
    await hands.click(link("Search").number(0))
    await hands.fill(css("input[name=title]"), title)
    await hands.choose(css("select[name=status]"), status)
    await hands.click(css("input[type=submit][value=Search]"))
    await hands.wait(css("h1, h2", having="List of bugs"))


async def new_task(hands: OperateHands, title: str) -> None:
    """Begin a task."""
    await hands.click(link("Create New").number(1))
    await hands.fill(field("Title"), title)


async def choose(hands: OperateHands, **options: str) -> None:
    """Choose an option in some of a form's lists, by the lists' names."""
    for name, option in options.items():
        await hands.choose(css(f"select[name={name}]"), option)


async def comment(hands: OperateHands, text: str) -> None:
    """Write a form's comment."""
    await hands.fill(css("textarea"), text)


async def submit(hands: OperateHands) -> str:
    """Send the form of a bug or a task; gives its name, such as ``task12``.

    Raises:
        ScriptError: It was not taken.
    """
    await hands.click(css("input[name=submit_button]"))
    said = await hands.text(css(".alert"))
    if not (found := re.search(r"\b(bug|task) (\d+)\b", said)):
        raise ScriptError(f"it was not taken: {said}")
    return f"{found[1]}{found[2]}"
