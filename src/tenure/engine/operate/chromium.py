"""One attempt's browser: a Chromium in which the task's apps answer and no other address exists.

Apps are at ``http://<app>.localhost``. The browser's own resolver leads these names to the apps' ports
and every other name and address nowhere, whoever asks: a page, a redirect or the agent. Everything that
the browser writes lies below one folder.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import anyio
from playwright.async_api import BrowserContext, Dialog, Download, Error, Page, async_playwright
from playwright.async_api import TimeoutError as Late

from tenure.engine.operate.files import free
from tenure.engine.screen.backend import Refused
from tenure.engine.screen.waiting import Waiting
from tenure.schema.errors import BadInput, Fault
from tenure.workspace.browsing import PROGRAM
from tenure.world.browser import FLAGS

WIDTH, HEIGHT = 1280, 960
BLANK = "about:blank"
_OWN_FLAGS = (
    "--disable-breakpad",
    "--disable-smooth-scrolling",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_LOADED_MS = 20_000
_SETTLED, _OLD = 3.0, 5.0
"""Seconds that an action's answers are waited for, and after which an open request no longer counts."""
LAST_SETTLED, SAVED = 10.0, 3.0
"""The same at the end, and what pages that save by themselves take before they begin to."""
_DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_DRAWN_SECONDS = 2.0
_CLOSING, _MOMENT = 10.0, 0.1
# Pages tell nobody what they listen for clicks on; what is numbered depends on it.
_LISTENING = """(() => {
  const listening = new WeakSet(), add = EventTarget.prototype.addEventListener;
  const clicks = new Set(["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"]);
  Object.defineProperty(window, Symbol.for("listening"), { value: listening });
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    if (clicks.has(kind) && this instanceof Element) listening.add(this);
    return add.call(this, kind, ...rest);
  };
})();"""


def address(app: str) -> str:
    """Where an app is in the browser."""
    return f"http://{app}.localhost"


def closed(apps: Mapping[str, int]) -> list[str]:
    """The flags of a Chromium that finds the apps and nothing else.

    Args:
        apps: App → the port on loopback where it answers.
    """
    ways = ", ".join(f"MAP {app}.localhost:80 127.0.0.1:{port}" for app, port in apps.items())
    return [*FLAGS, *_OWN_FLAGS, f"--host-resolver-rules={ways}, MAP * ~NOTFOUND"]


class Chromium:
    """The tabs of one attempt.

    Attributes:
        version: The browser's.
        files: The folder that downloads go to.
    """

    def __init__(self, context: BrowserContext, apps: Mapping[str, int], files: Path) -> None:
        self._context, self.files = context, files
        self._hosts = {f"{app}.localhost" for app in apps}
        self._tabs: dict[str, Page] = {}
        self._active, self._opened_so_far = "", 0
        self._waiting = Waiting()
        self._told: list[str] = []
        self._saving: set[asyncio.Task[None]] = set()
        self.version = f"Chromium {context.browser.version if context.browser else 'unknown'}"
        context.on("page", self._opened)
        for page in context.pages:
            self._opened(page)
        self._told.clear()

    # -- tabs -------------------------------------------------------------------------------

    @property
    def tabs(self) -> Mapping[str, Page]:
        """The tabs by their four-character ids, oldest first."""
        return self._tabs

    @property
    def active(self) -> str:
        """The id of the tab that is shown."""
        return self._active

    async def page(self) -> Page:
        """The tab that is shown; a blank one is opened when the last has closed.

        Raises:
            Fault: The browser has gone.
        """
        if not self._tabs:
            told = self._told
            try:
                await self._context.new_page()
            except Error as error:
                raise Fault(f"the browser has ended: {error.message.splitlines()[0]}") from error
            self._told = told
        return self._tabs[self._active]

    async def switch(self, tab: str) -> None:
        """Show another tab.

        Raises:
            Refused: There is no such tab.
        """
        self._known(tab)
        self._active = tab
        await self._tabs[tab].bring_to_front()

    async def close_tab(self, tab: str) -> None:
        """Close a tab.

        Raises:
            Refused: There is no such tab.
        """
        self._known(tab)
        await self._tabs[tab].close()

    def _known(self, tab: str) -> None:
        if tab not in self._tabs:
            raise Refused(f"There is no tab {tab}; tabs: {', '.join(self._tabs)}.")

    def _opened(self, page: Page) -> None:
        self._opened_so_far += 1
        tab = f"{self._opened_so_far:04}"
        self._tabs[tab], self._active = page, tab
        self._waiting.watch(page)
        page.set_default_timeout(_LOADED_MS)
        page.on("dialog", self._answer)
        page.on("download", self._save)
        page.on("close", lambda _: self._gone(tab))
        page.on("crash", lambda _: self._crashed(tab))
        self._told.append(f"Tab {tab} was opened and is shown.")

    def _gone(self, tab: str) -> None:
        if self._tabs.pop(tab, None) is not None and tab == self._active and self._tabs:
            self._active = next(reversed(self._tabs))

    def _crashed(self, tab: str) -> None:
        self._told.append(f"The page in tab {tab} crashed and was closed.")
        page = self._tabs.get(tab)
        self._gone(tab)
        if page is not None:
            self._later(page.close())

    # -- what happens by itself ---------------------------------------------------------------

    async def _answer(self, dialog: Dialog) -> None:
        """Answer a dialog as someone does who means what they did; what it asks to type stays as given."""
        if dialog.type != "beforeunload":
            done = "was closed" if dialog.type == "alert" else "was answered with OK"
            self._told.append(f'A message of the page, "{dialog.message}", {done}.')
        with suppress(Error):
            await (dialog.accept(dialog.default_value) if dialog.type == "prompt" else dialog.accept())

    def _save(self, download: Download) -> None:
        self._later(self._saved(download))

    async def _saved(self, download: Download) -> None:
        path = free(self.files, download.suggested_filename)
        path.touch()
        try:
            await download.save_as(path)
        except Error:
            path.unlink(missing_ok=True)
            self._told.append(f"The download of {path.name} failed.")
        else:
            self._told.append(f"{path.name} was downloaded; read_file and upload_file take it.")

    def _later(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(doing)
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    def told(self) -> list[str]:
        """What has happened by itself since this was last asked, a line each."""
        told, self._told = self._told, []
        return told

    # -- pages --------------------------------------------------------------------------------

    def checked(self, url: str) -> str:
        """An address that the agent may open, complete.

        Raises:
            Refused: It is none of the task's apps'.
        """
        typed = url.strip()
        whole = typed if "://" in typed or typed == BLANK else f"http://{typed}"
        try:
            parts = urlsplit(whole)
            ours = parts.scheme == "http" and parts.hostname in self._hosts and parts.port in (None, 80)
        except ValueError:
            ours = False
        if not ours and whole != BLANK:
            known = ", ".join(f"http://{host}" for host in sorted(self._hosts))
            raise Refused(f"{typed[:200]} cannot be opened; these addresses can: {known}.")
        return whole

    async def visit(self, url: str, *, new_tab: bool = False) -> None:
        """Open an address.

        Raises:
            Refused: It is none of the task's apps', or does not answer.
        """
        whole = self.checked(url)
        if new_tab:
            await self._context.new_page()
        page = await self.page()
        try:
            await page.goto(whole, wait_until="load")
        except Late:
            self._told.append(f"{whole} is still loading.")
        except Error as error:
            # What is downloaded leaves no page, and a page may lead elsewhere while it loads.
            if not any(
                word in error.message for word in ("ERR_ABORTED", "Download is starting", "interrupted")
            ):
                raise Refused(f"{whole} does not open: {error.message.splitlines()[0]}") from error

    async def settle(self, longest: float = _SETTLED) -> None:
        """Let what an action began show: answers, the next page, downloads."""
        page = await self.page()
        with suppress(Error):
            await page.wait_for_load_state("domcontentloaded", timeout=_LOADED_MS)
        await self._waiting.settle(longest, _OLD)
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_DRAWN_SECONDS):
                await page.evaluate(_DRAWN)
        if self._saving:
            await asyncio.wait(self._saving, timeout=_LOADED_MS / 1000)

    async def leave(self) -> None:
        """Close all tabs, once nothing that was begun in them is on its way any more."""
        await self.settle(LAST_SETTLED)
        await asyncio.sleep(SAVED)
        await self.settle(LAST_SETTLED)
        for page in list(self._tabs.values()):
            with suppress(Error):
                await page.close()


@asynccontextmanager
async def open_chromium(apps: Mapping[str, int], files: Path, home: Path) -> AsyncIterator[Chromium]:
    """Start a browser with one blank tab; it ends on leaving.

    Args:
        apps: App → the port on loopback where it answers.
        files: Folder that downloads go to.
        home: Folder for all that the browser writes itself; removed on leaving.

    Raises:
        BadInput: There is no browser.
    """
    try:
        async with async_playwright() as play:
            try:
                context = await play.chromium.launch_persistent_context(
                    home / "profile",
                    executable_path=shutil.which(PROGRAM),
                    headless=True,
                    args=closed(apps),
                    viewport={"width": WIDTH, "height": HEIGHT},
                    accept_downloads=True,
                    downloads_path=home / "downloads",
                    reduced_motion="reduce",
                    timezone_id="UTC",
                    locale="en-US",
                )
            except Error as error:
                text = " ".join(error.message.split())[:200]
                raise BadInput(
                    f"{PROGRAM} does not start ({text}); install it with apt or playwright"
                ) from error
            await context.add_init_script(_LISTENING)
            try:
                yield Chromium(context, apps, files)
            finally:
                with anyio.CancelScope(shield=True), suppress(Error, TimeoutError):
                    async with asyncio.timeout(_CLOSING):
                        await context.close()
    finally:
        with anyio.CancelScope(shield=True):
            await _remove(home)


async def _remove(home: Path) -> None:
    """Remove a browser's folder; the last of its processes may still write to it for a moment."""
    until = monotonic() + _CLOSING
    while home.exists() and monotonic() < until:
        shutil.rmtree(home, ignore_errors=True)
        await asyncio.sleep(_MOMENT if home.exists() else 0)
