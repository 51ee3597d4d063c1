"""Whether pages wait for answers: when a screenshot shows what an action led to."""

import asyncio
from time import monotonic

from playwright.async_api import Page, Request

LONGEST = 1.0
"""Seconds that a screenshot waits for answers at most."""
_MOMENT = 0.02


class Waiting:
    """The requests of some pages that have no answer yet."""

    def __init__(self) -> None:
        """Nothing is watched yet."""
        self._open: dict[Request, Page] = {}

    def watch(self, page: Page) -> None:
        """Follow a page's requests."""

        def asked(request: Request) -> None:
            self._open[request] = page

        def answered(request: Request) -> None:
            self._open.pop(request, None)

        def closed(page: Page) -> None:
            self._open = {request: asker for request, asker in self._open.items() if asker is not page}

        page.on("request", asked)
        page.on("requestfinished", answered)
        page.on("requestfailed", answered)
        page.on("close", closed)

    async def settle(self) -> None:
        """Let what was begun show: until nothing waits for an answer, a second at most."""
        until = monotonic() + LONGEST
        await asyncio.sleep(_MOMENT)
        while self._open and monotonic() < until:
            await asyncio.sleep(_MOMENT)
