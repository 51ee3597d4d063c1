"""Figures of a step at the screen: an action and a screenshot, beside bare Playwright doing the same."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, async_playwright

from bench.bases import ADA
from bench.figure import Figure, timed_async
from tenure.engine.screen import desktop, page
from tenure.engine.screen.acts import Hand
from tenure.engine.screen.backend import HEIGHT, WIDTH
from tenure.engine.screen.place import open_browser
from tenure.schema import Backend
from tenure.twins.gmail.pilot import URL
from tenure.twins.wire.built import FOLDER
from tenure.world import cookies
from tenure.world.browser import chromium_flags
from tenure.world.server import ServerSpec, WorldServer

STEPS = 60
SEARCH, BLANK = (490, 110), (900, 700)
"""Two places to click in turn: the search field and nothing."""
GOALS = {Backend.PAGE: 2.0, Backend.DESKTOP: 3.0}
Step = Callable[[int], Awaitable[None]]


def missing(backend: Backend) -> str:
    """What a backend lacks here, or nothing."""
    needed = [page.BROWSERS] if backend is Backend.PAGE else [desktop.BROWSERS, ("Xvfb",), ("xdotool",)]
    for names in needed:
        if not any(map(shutil.which, names)):
            return names[-1]
    return "" if (FOLDER / "manifest.json").is_file() else "the built screens (scripts/web)"


async def _ours(stack: AsyncExitStack, spec: ServerSpec, backend: Backend) -> Step:
    screen, _ = await stack.enter_async_context(open_browser(spec, backend, [URL]))
    hand = Hand(screen)

    async def step(n: int) -> None:
        await hand.act({"action": "left_click", "coordinate": list((SEARCH, BLANK)[n % 2])})
        await screen.screenshot()

    return step


@asynccontextmanager
async def _bare_page(spec: ServerSpec, backend: Backend) -> AsyncIterator[Page]:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(WorldServer(spec))
        env, names = None, page.BROWSERS
        if backend is Backend.DESKTOP:
            display = desktop.Display()
            stack.callback(display.close)
            env, names = {"DISPLAY": display.name}, desktop.BROWSERS
        play = await stack.enter_async_context(async_playwright())
        browser = await play.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, names))),
            headless=backend is Backend.PAGE,
            args=chromium_flags(server, spec.authority),
            env=env,
        )
        stack.push_async_callback(browser.close)
        context = await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        await context.add_cookies(cookies(server.session, server.hosts))  # type: ignore[arg-type]
        bare = await context.new_page()
        await bare.goto(URL)
        yield bare


async def _bare(stack: AsyncExitStack, spec: ServerSpec, backend: Backend) -> Step:
    bare = await stack.enter_async_context(_bare_page(spec, backend))

    async def step(n: int) -> None:
        await bare.mouse.click(*(SEARCH, BLANK)[n % 2])
        await bare.screenshot()

    return step


async def _figures(spec: ServerSpec, backend: Backend) -> list[Figure]:
    async with AsyncExitStack() as stack:
        before = _memory()
        ours = await _ours(stack, spec, backend)
        await ours(0)
        own = _memory() - before
        bare = await _bare(stack, spec, backend)
        await bare(0)
        floor = _memory() - before - own
        goal = GOALS[backend]
        return [
            await timed_async(f"screen step, {backend}", ours, bare, goal=goal, times=STEPS),
            Figure(f"memory of a screen attempt, {backend}", own, "KiB", floor, 2),
        ]


def _memory() -> float:
    """Memory of the processes below this one, in KiB: what is shared counts by share."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    known, found = {os.getpid()}, 0.0
    while grown := {pid for pid, parent in parents.items() if parent in known} - known:
        known |= grown
        for pid in grown:
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            found += float(rollup.partition("\nPss:")[2].split()[0])
    return found


def screens(mailbox: Path, folder: Path) -> list[Figure]:
    """A step and the memory of an attempt, on both backends where they can be had.

    Args:
        mailbox: A base with a mailbox.
        folder: For the authority.
    """
    spec = ServerSpec(base=mailbox, twins=("tenure.twins.gmail:TWIN",), persona=ADA, authority=folder / "tls")
    found = []
    for backend in Backend:
        if lacks := missing(backend):
            print(f"no figures of the {backend} backend: {lacks} is missing", file=sys.stderr)
            continue
        found += asyncio.run(_figures(spec, backend))
    return found
