"""Playing a story on HubSpot's screen and looking at the world that it leaves."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from support.screens import LAPTOP, Shown, require, shown
from tenure.twins.hubspot.pilot import ORIGIN, HubSpotPages
from tenure.twins.hubspot.records import CrmObject
from tenure.world import EndState
from twins.hubspot.make import ADA

PORTAL_ID = 4242
Story = Callable[[Shown, HubSpotPages], Awaitable[None]]


def play(
    base: Path,
    folder: Path,
    story: Story,
    *,
    persona: str = ADA,
    size: tuple[int, int] = LAPTOP,
    clean: bool = True,
) -> EndState:
    """Act on a fresh world; the page must not have complained, unless ``clean`` is off."""
    require()

    async def run() -> EndState:
        twins = ("tenure.twins.hubspot:TWIN",)
        async with shown(base, folder, twins, persona, f"{ORIGIN}/", size=size) as seen:
            await story(seen, HubSpotPages(seen.screen, PORTAL_ID))
            assert not clean or not seen.complaints, seen.complaints
            return seen.end()

    return asyncio.run(run())


def changed(end: EndState, record: CrmObject) -> dict[str, str]:
    """A record's values now."""
    found = end.get(type(record), record.id)
    assert found is not None
    return found.properties
