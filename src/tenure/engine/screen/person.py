"""A person at a task's screens: the same browser, on the person's own display."""

import asyncio
import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Error, async_playwright

from tenure.engine.screen.browser import Enclosure, program
from tenure.engine.screen.desktop import BROWSERS, POLICY_FOLDER, open_window, policies
from tenure.schema import BadInput
from tenure.world.server import ServerSpec, hosts_of, load_twins


async def sit_down(
    spec: ServerSpec, urls: Sequence[str], end_state: Path, *, horizon_ms: int, hide: Iterable[Path] = ()
) -> None:
    """Show the screens until the window is closed or the command interrupted; then freeze the world.

    Args:
        spec: The world; its persona is signed in.
        urls: A tab for each.
        end_state: File to freeze the settled world into.
        horizon_ms: World time that passes before the freeze.
        hide: Folders that appear empty to the browser.

    Raises:
        BadInput: There is no display, or no browser.
        Fault: The system forbids private networks.
    """
    enclosure = await asyncio.to_thread(
        Enclosure,
        spec,
        program(BROWSERS, "chromium"),
        hide=hide,
        policies={POLICY_FOLDER: policies(hosts_of(load_twins(spec.twins)))},
        env={"DISPLAY": _display()},
    )
    try:
        if cookie := os.environ.get("XAUTHORITY"):
            # Where the display keeps its key is hidden inside; the browser's own folder is not.
            shutil.copyfile(cookie, enclosure.home / ".Xauthority")
        with suppress(asyncio.CancelledError, Error):
            await _show(enclosure, urls)
        enclosure.server.stop(end_state, horizon_ms=horizon_ms)
    finally:
        enclosure.close()


async def _show(enclosure: Enclosure, urls: Sequence[str]) -> None:
    async with async_playwright() as play:
        context = await open_window(play, enclosure, urls)
        closed = asyncio.Event()
        context.on("close", lambda _: closed.set())
        try:
            await closed.wait()
        finally:
            enclosure.end_browser()


def _display() -> str:
    display = os.environ.get("DISPLAY", "")
    if not display.startswith(":"):
        raise BadInput(
            "tenure open --screen needs a display of this machine ($DISPLAY is "
            f"{display or 'not set'}); run it in a desktop session"
        )
    return display
