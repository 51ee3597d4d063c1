"""The hands of a scripted agent in Tryton's web client, whatever app is made of it.

A list and a form are two views of one tab: a record is opened by its box and the button Switch. Scripts name
fields as the form does ("Health Prof"), without the colon behind it.
"""

from tenure.oracle.acts import ScriptError
from tenure.oracle.operate.hands import OperateHands, Target, button, css, link, words
from tenure.twins.wire.pilot import Spot

PANE = css("#tabcontent > .tab-pane.active")
"""The tab that is shown."""
_DIALOGS = css(".modal.in")
DIALOG = _DIALOGS.number(-1)
"""The dialog on top."""
_TABS = css("#tablist li")
_TRIES = 3
_MENU = Target(placeholder="Action")
_FILTER = Target(placeholder="Search").inside(PANE)
_FORM = css(".screen-container .form").inside(PANE)


async def sign_in(
    hands: OperateHands, address: str, username: str, password: str, *, new_tab: bool = False
) -> None:
    """Open the client and sign in. Whoever leaves its page has to sign in again."""
    await hands.open(address, new_tab=new_tab)
    await hands.linger(css("input[name=login]"))
    await hands.fill(css("input[name=login]"), username)
    await hands.press("Enter")
    await hands.fill(css("input[type=password]"), password)
    await hands.press("Enter")
    await hands.linger(_MENU)


async def open_menu(hands: OperateHands, path: str, nth: int = 0) -> None:
    """Open a menu's entry in a tab of its own.

    Args:
        hands: The hands.
        path: As the client writes it: ``Health / Appointments``.
        nth: Which one, where the client writes several alike, as a calendar and a list.
    """
    await hands.fill(_MENU, path.rpartition(" / ")[2])
    await hands.click(link(path, exact=True).number(nth))
    await hands.linger(css(".toolbar .title", having=path.rpartition(" / ")[2]).inside(PANE))
    await hands.linger(css(".toolbar .badge", having="/").inside(PANE))


async def close_tab(hands: OperateHands) -> None:
    """Close the tab that is shown."""
    last = len(await hands.texts(_TABS)) - 1
    await hands.click(css("#tablist li.active button.close"))
    await hands.wait(_TABS.number(last), gone=True)


async def search(hands: OperateHands, query: str, *shows: str) -> None:
    """Filter the list, and wait for its first line.

    Args:
        hands: The hands.
        query: As the client takes it: ``Patient: Weir``; words alone look for a record's name. The client
            writes it anew in its own way.
        shows: Texts that the line must show, lest the list as it was before is taken for the answer.
    """
    await _type(hands, _FILTER, query, query)
    await hands.press("Enter")
    await hands.wait(line(*shows))


async def show_part(hands: OperateHands, name: str) -> None:
    """Show another part of a list, such as ``All``."""
    await hands.click(css(".tab-domain a", having=name).inside(PANE))
    await hands.wait(css(".tab-domain li.active", having=name).inside(PANE))


def line(*shows: str) -> Target:
    """A line of the list that is shown, by all of the texts that it must show."""
    found = css("".join([".treeview tbody tr", *(f":has-text('{text}')" for text in shows)]))
    return found.inside(PANE)


async def open_line(hands: OperateHands, *shows: str) -> None:
    """Open a line's record as a form."""
    await hands.click(css("td.selection-state input").inside(line(*shows)))
    await switch(hands)
    await hands.linger(_FORM)


async def switch(hands: OperateHands) -> None:
    """Go from the list to the form, or back."""
    await tool(hands, "Switch")


async def tool(hands: OperateHands, name: str) -> None:
    """Press a button of the tab's toolbar: ``New``, ``Save``, ``Switch``."""
    await hands.click(css(f".toolbar button[title='{name}']").inside(PANE))


async def new(hands: OperateHands) -> None:
    """Begin another record as a form; from a list whose lines can be edited, open one of them before."""
    await tool(hands, "New")
    await hands.linger(_FORM)


def labelled(label: str, inside: Spot = PANE) -> Target:
    """A field of a form by its label, without the colon."""
    return Target(label=f"{label}:", exact=True).inside(inside)


async def fill(hands: OperateHands, target: Target, text: str, shows: str = "") -> None:
    """Fill a field of text, numbers or dates, and leave it.

    What the client works out from another field may come back while this one is typed into, and put back what
    stood there: then it is typed again.

    Args:
        hands: The hands.
        target: The field.
        text: As the client writes it: ``11/10/2026 11:30:00``.
        shows: What the field shows once it is left, where that is not what is typed: ``1,120.00``.
    """
    await _type(hands, target, text, shows or text, "Tab")


async def _type(hands: OperateHands, target: Target, text: str, shows: str, *keys: str) -> None:
    for _ in range(_TRIES):
        await hands.fill(target, text)
        for key in keys:
            await hands.press(key)
        if await hands.text(target) == shows:
            return
    raise ScriptError(f"{target} does not keep {text!r}")


async def complete(hands: OperateHands, target: Spot, text: str, whole: str = "") -> None:
    """Fill a field that names another record, by choosing from what the client offers.

    What the client offers goes away when it draws the form anew meanwhile: then it is typed again.

    Args:
        hands: The hands.
        target: The field.
        text: What is typed.
        whole: The record's whole name, where that is more than what is typed.
    """
    offered = words(whole or text, exact=True).inside(css(".dropdown.open ul[role=listbox]"))
    for last in (False, False, True):
        await hands.fill(target, text)
        try:
            return await hands.click(offered)
        except ScriptError:
            if last:
                raise


async def act(hands: OperateHands, name: str, inside: Spot = PANE) -> None:
    """Press a button of a form, such as one that moves a record to its next state."""
    await hands.click(button(name, exact=True).inside(inside))


async def save(hands: OperateHands) -> None:
    """Save the record, and wait until nothing is left to be saved."""
    await tool(hands, "Save")
    await hands.wait(css(".toolbar button[title='Save'][disabled]").inside(PANE))


async def answer(hands: OperateHands, name: str) -> None:
    """Press a button of the dialog on top, and wait until it has gone."""
    last = len(await hands.texts(_DIALOGS)) - 1
    await hands.click(button(name, exact=True).inside(DIALOG))
    await hands.wait(_DIALOGS.number(last), gone=True)
