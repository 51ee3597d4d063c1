"""Every view of Gmail's screen, with a full, an empty and an overlong mailbox: axe, fit and speed.

With ``TENURE_PICTURES=folder`` each view is also kept as a PNG, in two sizes.
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from support.screens import DESKTOP, LAPTOP, Shown, Spot
from tenure.twins.gmail.pilot import URL, Gmail, button

from . import mailboxes
from .screens import play

Step = Callable[[Shown, Gmail], Awaitable[None]]
FIRST_PAINT_MS = 300
# Text that is wider than its window must wrap or end in an ellipsis.
OVERFLOW = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
PAINT = """() => new Promise((done) => {
  const last = () => performance.getEntriesByName('first-contentful-paint')[0];
  const look = () => last() ? done(last().startTime) : setTimeout(look, 10);
  look();
})"""


async def _inbox(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()


async def _thread(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.click(Spot("link", within=Spot("list", "Inbox")))
    await shown.screen.wait(Spot("list", "Messages"))


async def _reply(shown: Shown, gmail: Gmail) -> None:
    await _thread(shown, gmail)
    await gmail.reply("Thank you, I will look at it today.")


async def _compose(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    letter = await gmail.compose(["noor@brightline.test"], "Offer for phase two", "Dear Noor,\n\n")
    await letter.attach("offer-phase-two.pdf", b"%PDF-1.4 " * 4000)
    await letter.saved()


async def _search(shown: Shown, gmail: Gmail) -> None:
    await gmail.search("invoice has:attachment")


async def _panel(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.click(button("Show search options"))
    await shown.screen.wait(Spot("form", "Search options"))


async def _selection(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.click(Spot("checkbox", "Select ", nth=1, within=Spot("list", "Inbox")))
    await shown.screen.click(button("Labels"))
    await shown.screen.wait(Spot("menu"))


async def _snooze(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.click(Spot("checkbox", "Select ", nth=1, within=Spot("list", "Inbox")))
    await shown.screen.click(button("Snooze"))
    await shown.screen.wait(Spot("menu"))


async def _new_label(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.click(button("Create new label"))
    await shown.screen.wait(Spot("dialog", "New label"))


async def _filter(shown: Shown, gmail: Gmail) -> None:
    await gmail.settings("filters")
    await shown.screen.click(button("Create a new filter"))
    await shown.screen.wait(Spot("dialog", "Create a filter"))


def _place(name: str) -> Step:
    async def step(shown: Shown, gmail: Gmail) -> None:
        await gmail.open(name)

    return step


def _settings(tab: str) -> Step:
    async def step(shown: Shown, gmail: Gmail) -> None:
        await gmail.settings(tab)
        await shown.page.wait_for_timeout(150)

    return step


async def _shortcuts(shown: Shown, gmail: Gmail) -> None:
    await gmail.open()
    await shown.screen.press("?")
    await shown.screen.wait(Spot("dialog", "Keyboard shortcuts"))


PLACES = {
    name: _place(name) for name in ("sent", "drafts", "spam", "trash", "starred", "category/promotions")
}
SETTINGS = {f"settings-{tab}": _settings(tab) for tab in ("general", "labels", "filters", "forwarding")}
VIEWS: dict[str, Step] = {
    "inbox": _inbox,
    "thread": _thread,
    "reply": _reply,
    "compose": _compose,
    "search": _search,
    "search-options": _panel,
    "labels-menu": _selection,
    "snooze-menu": _snooze,
    "new-label": _new_label,
    "new-filter": _filter,
    "shortcuts": _shortcuts,
    **PLACES,
    **SETTINGS,
}
EMPTY: dict[str, Step] = {"inbox": _inbox, "search": _search, "panel": _panel, **PLACES, **SETTINGS}
LONG = {
    name: VIEWS[name] for name in ("inbox", "thread", "reply", "labels-menu", "starred", "settings-labels")
}


async def _keep(shown: Shown, name: str) -> None:
    folder = os.environ.get("TENURE_PICTURES")
    if folder:
        await shown.page.mouse.move(760, 2)
        await shown.page.wait_for_timeout(250)
        for size in (LAPTOP, DESKTOP):
            await shown.page.set_viewport_size({"width": size[0], "height": size[1]})
            await shown.page.screenshot(path=Path(folder) / f"gmail-{name}-{size[0]}.png")
        await shown.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})


@pytest.mark.parametrize(
    ("data", "views"),
    [("full", VIEWS), ("empty", EMPTY), ("overlong", LONG)],
    ids=["full", "empty", "overlong"],
)
def test_every_view_is_accessible_and_fits(data: str, views: dict[str, Step], tmp_path: Path) -> None:
    base = getattr(mailboxes, data)(tmp_path / "base.db")
    found: list[str] = []

    async def story(shown: Shown, gmail: Gmail) -> None:
        for name, step in views.items():
            await shown.page.goto("about:blank")
            await shown.page.goto(f"{URL}#inbox")
            await step(shown, gmail)
            found.extend(f"{name}: {line}" for line in await shown.axe())
            if await shown.page.evaluate(OVERFLOW):
                found.append(f"{name}: wider than the window")
            await _keep(shown, f"{name.replace('/', '-')}-{data}")

    play(base, tmp_path, story)
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.full
def test_five_thousand_conversations_paint_at_once(tmp_path: Path) -> None:
    base = mailboxes.full(tmp_path / "base.db", threads=5_000)

    async def story(shown: Shown, gmail: Gmail) -> None:
        for place in ("inbox", "all", "starred", "search/invoice", "settings/general"):
            times = []
            for _ in range(3):
                await shown.page.goto("about:blank")
                await shown.page.goto(f"{URL}#{place}")
                times.append(await shown.page.evaluate(PAINT))
                await shown.screen.wait(Spot("heading", within=Spot("main")))
            assert min(times) <= FIRST_PAINT_MS, (place, times)

    play(base, tmp_path, story)
