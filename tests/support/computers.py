"""Real computers for tests: the toy product's screen on either backend."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import board, outside
from tenure.engine.screen import desktop, page
from tenure.engine.screen.acts import Hand
from tenure.engine.screen.backend import Screen
from tenure.engine.screen.place import open_browser
from tenure.schema import Backend
from tenure.world import EndState, reopen
from tenure.world.server import ServerSpec, WorldServer, load_twins


def require(backend: Backend) -> None:
    """Skip the test, with one line that says why, where a backend cannot be had."""
    outside.require()
    needed = [page.BROWSERS] if backend is Backend.PAGE else [desktop.BROWSERS, ("Xvfb",), ("xdotool",)]
    for names in needed:
        if not any(map(shutil.which, names)):
            pytest.skip(f"no {names[-1]} here")


@dataclass
class Sat:
    """A computer with the toy product on its screen.

    Attributes:
        screen: The screen.
        hand: Its mouse and keyboard.
        server: The world behind it.
        base: What the world began as.
    """

    screen: Screen
    hand: Hand
    server: WorldServer
    base: Path

    async def act(self, action: str, **arguments: object) -> None:
        await self.hand.act({"action": action, **arguments})

    async def end(self) -> EndState:
        """Close the browser and open the world that it leaves."""
        await self.screen.close()
        path = self.server.stop(self.base.parent / "end.zip", horizon_ms=1)
        assert path is not None
        return reopen(path, load_twins([board.SPEC]), self.base, scratch=self.base.parent / "end")


@asynccontextmanager
async def computer(backend: Backend, folder: Path, *urls: str) -> AsyncIterator[Sat]:
    """A computer whose browser shows the toy product.

    Args:
        backend: How its screen is made.
        folder: For the base and the end state.
        urls: The tabs; one with the product by default.
    """
    require(backend)
    base = board.build(folder / "base.db")
    spec = ServerSpec(base=base, twins=(board.SPEC,), persona="ann", authority=folder / "tls")
    async with open_browser(spec, backend, urls or (board.URL,)) as (screen, server):
        yield Sat(screen, Hand(screen), server, base)
