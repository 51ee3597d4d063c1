"""Whether pages wait for answers: when a screenshot shows what an action led to."""

import asyncio
from math import inf
from time import monotonic

from playwright.async_api import Page, Request

LONGEST = 1.0
"""Seconds that a screenshot waits for answers at most."""
_MOMENT = 0.02


class Waiting:
    """The requests of some pages that have no answer yet."""

    def __init__(self) -> None:
        """Nothing is watched yet."""
        self._open: dict[Request, tuple[Page, float]] = {}

    def watch(self, page: Page) -> None:
        """Follow a page's requests."""

        def asked(request: Request) -> None:
            self._open[request] = (page, monotonic())

        def answered(request: Request) -> None:
            self._open.pop(request, None)

        def closed(page: Page) -> None:
            self._open = {request: held for request, held in self._open.items() if held[0] is not page}

        page.on("request", asked)
        page.on("requestfinished", answered)
        page.on("requestfailed", answered)
        page.on("close", closed)

    async def settle(self, longest: float = LONGEST, oldest: float = inf) -> None:
        """Let what was begun show: until nothing waits for an answer, or for some time at most.

        Args:
            longest: Seconds that this takes at most.
            oldest: Seconds after which an answer is not waited for: some products keep requests open.
        """
        until = monotonic() + longest
        await asyncio.sleep(_MOMENT)
        while monotonic() < until and any(monotonic() - begun < oldest for _, begun in self._open.values()):
            await asyncio.sleep(_MOMENT)
