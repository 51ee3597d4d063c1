"""Fresh browser pages that reach one product and nothing else, from one browser that starts on demand."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from playwright.async_api import Browser, Error, Page, Playwright, Route, async_playwright

from tenure.schema.errors import BadInput
from tenure.world.browser import FLAGS

WIDTH, HEIGHT = 1366, 768
PROGRAM = "chromium-headless-shell"
LOOPBACK = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
_CLOSING = 5.0
"""Seconds that a page has to close; then the whole browser goes."""


async def try_browser() -> None:
    """Start a browser and end it: grading must not be where it turns out that there is none.

    Raises:
        BadInput: It does not start; the text says what to install.
    """
    pages = Pages("http://127.0.0.1:9")
    try:
        async with pages.page():
            pass
    finally:
        await pages.close()


class Chromium:
    """A browser that starts on demand. ``close`` ends it."""

    def __init__(self, ways: str = LOOPBACK) -> None:
        """Nothing starts yet.

        Args:
            ways: Where names lead, as rules of Chromium's resolver; by default this machine's own alone do.
        """
        self._ways = ways
        self._starting = asyncio.Lock()
        self._play: Playwright | None = None
        self._browser: Browser | None = None

    async def open(self) -> Browser:
        """The browser; a new one where there is none, or none any more.

        Raises:
            BadInput: It does not start; the text says what to install.
        """
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self.close()
                self._play = await async_playwright().start()
                self._browser = await self._launch(self._play)
            return self._browser

    async def close(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        play, self._play = self._play, None
        with suppress(TimeoutError, Error):
            async with asyncio.timeout(_CLOSING):
                if browser:
                    await browser.close()
        if play:
            await play.stop()

    async def _launch(self, play: Playwright) -> Browser:
        try:
            # Where the machine has its own (apt), that one; else what playwright installed.
            return await play.chromium.launch(
                executable_path=shutil.which(PROGRAM),
                headless=True,
                args=[*FLAGS, f"--host-resolver-rules={self._ways}"],
            )
        except Error as error:
            text = " ".join(error.message.split())[:200]
            raise BadInput(f"{PROGRAM} does not start ({text}); install it with apt or playwright") from error


class Pages:
    """Pages of one product. ``close`` ends their browser, if it is their own."""

    def __init__(self, base_url: str, inside_url: str = "", shared: Chromium | None = None) -> None:
        """Pages reach ``base_url`` alone; links to ``inside_url`` lead there too.

        Args:
            base_url: Where the product answers.
            inside_url: Where it believes that it answers.
            shared: A browser for products that are trusted: its pages reach each other, and links to
                ``inside_url`` lead nowhere. One that knows this product's addresses alone by default.
        """
        self._base = urlsplit(base_url)
        self._hosts = (self._base.hostname, "localhost")
        self._ports = {self._base.port, urlsplit(inside_url or base_url).port}
        self._own = shared is None
        self._browser = shared or Chromium(self._ways())

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Page]:
        """A page without cookies, 1366×768, closed at the end whatever it does.

        Raises:
            BadInput: There is no browser.
        """
        browser = await self._browser.open()
        context = await browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            accept_downloads=False,
            reduced_motion="reduce",
            service_workers="block",
            timezone_id="UTC",
            locale="en-US",
        )
        try:
            if self._own:
                await context.route("**/*", self._route)
                await context.route_web_socket(lambda url: not self._ours(url), lambda socket: socket.close())
            yield await context.new_page()
        finally:
            try:
                async with asyncio.timeout(_CLOSING):
                    await context.close()
            except (TimeoutError, Error):
                await self.close()

    async def close(self) -> None:
        """End the browser, unless it is shared."""
        if self._own:
            await self._browser.close()

    def _ways(self) -> str:
        """Where addresses lead: the product's own to where it answers, all others nowhere.

        Routes are not asked where a redirect leads; this is.
        """
        own = [f"{host}:{port}" for host in self._hosts for port in self._ports]
        return ", ".join([*(f"MAP {one} {self._base.netloc}" for one in own), "MAP * ~NOTFOUND"])

    def _ours(self, url: str) -> bool:
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return True
        return parts.hostname in self._hosts and parts.port in self._ports

    async def _route(self, route: Route) -> None:
        parts = urlsplit(route.request.url)
        if not self._ours(route.request.url):
            await route.abort("blockedbyclient")
        elif parts.port == self._base.port or parts.scheme in ("data", "blob", "about"):
            await route.continue_()
        else:
            url = parts._replace(netloc=self._base.netloc).geturl()
            await route.fulfill(status=307, headers={"location": url})
