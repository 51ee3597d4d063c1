"""A person at the Sheets screen: what its tests share."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from support import screens
from support.screens import Shown
from tenure.twins.sheets.pilot import GRID, SheetsPilot
from tenure.world import EndState

from .make import ADA, build

TWINS = ("tenure.twins.sheets:TWIN",)
Story = Callable[[Shown, SheetsPilot], Awaitable[None]]
HOME = "https://docs.google.com/spreadsheets/"


def address(id: str, tail: str = "") -> str:
    return f"https://docs.google.com/spreadsheets/d/{id}/edit{tail}"


def play_on(
    base: Path, folder: Path, url: str, story: Story, *, account: str = ADA, expect: Any = GRID
) -> EndState:
    """Play a story in a fresh world; the world that it leaves. Errors on the page fail it."""
    screens.require()

    async def whole() -> EndState:
        async with screens.shown(base, folder, TWINS, account, url) as shown:
            await shown.screen.wait(expect)
            await story(shown, SheetsPilot(shown.screen))
            await asyncio.sleep(0.2)
            faults = [line.fault for line in shown.log() if line.fault]
            assert not faults, faults[0]
            assert not shown.complaints, shown.complaints
            return shown.end()

    return asyncio.run(whole())


def play(
    folder: Path, story: Story, sheets: Any = None, *, account: str = ADA, **more: Any
) -> tuple[EndState, str]:
    """Play a story on Ada's spreadsheet; the world that it leaves, and the spreadsheet's id."""
    base, id = build(folder / "base.db", sheets, **more)
    return play_on(base, folder, address(id), story, account=account), id
