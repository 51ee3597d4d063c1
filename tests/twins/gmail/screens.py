"""Ada at her screen: what the tests of Gmail's screen share."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from support import screens
from support.screens import Shown
from tenure.twins.gmail.pilot import URL, Gmail
from tenure.twins.gmail.records import Message
from tenure.world import EndState

from .make import ADA

TWINS = ("tenure.twins.gmail:TWIN",)
Story = Callable[[Shown, Gmail], Awaitable[None]]


def play(
    base: Path, folder: Path, story: Story, *, horizon_ms: int = 1, size: tuple[int, int] = screens.LAPTOP
) -> EndState:
    """Play a story in a fresh world; the world that it leaves. Errors on the page fail it."""
    screens.require()

    async def whole() -> EndState:
        async with screens.shown(base, folder, TWINS, ADA, f"{URL}#inbox", size=size) as shown:
            await shown.screen.wait(screens.Spot("toolbar", "Conversations"))
            await story(shown, Gmail(shown.screen))
            await asyncio.sleep(0.2)
            faults = [line.fault for line in shown.log() if line.fault]
            assert not faults, faults[0]
            assert not shown.complaints, shown.complaints
            return shown.end(horizon_ms)

    return asyncio.run(whole())


def mailbox(end: EndState, account: str = ADA) -> list[Message]:
    """An account's messages, oldest first."""
    return sorted(
        (m for m in end.every(Message) if m.account == account), key=lambda m: (m.internal_date, m.id)
    )


def labelled(end: EndState, label: str, account: str = ADA) -> list[str]:
    """The subjects of an account's messages under a label, oldest first."""
    return [m.subject for m in mailbox(end, account) if label in m.label_ids]
