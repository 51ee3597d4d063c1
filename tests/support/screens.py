"""A twin's screen in a real Chromium: a world server, a signed-in page, and moves on it."""

import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, async_playwright

from tenure.schema import Connection
from tenure.twins.wire.pilot import Spot
from tenure.world import EndState, cookies, reopen
from tenure.world.browser import chromium_flags
from tenure.world.server import ServerSpec, WorldServer, load_twins

ROOT = Path(__file__).parents[2]
_BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), None)
LAPTOP, DESKTOP = (1366, 768), (1920, 1080)
WAIT_MS = 8_000
_AXE = ROOT / "web/node_modules/axe-core/axe.min.js"


def require() -> None:
    """Skip the test, with one line that says why, where there is no browser or the screens are not built."""
    if CHROMIUM is None:
        pytest.skip("no Chromium found; install chromium-headless-shell")
    if "TENURE_SCREENS" in os.environ:
        return
    built = subprocess.run([ROOT / "scripts/web"], capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"the screens cannot be built here: {(built.stderr or built.stdout).strip()[-200:]}")


class PlaywrightScreen:
    """The moves of ``tenure.twins.wire.pilot.Screen`` on a Playwright page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def find(self, spot: Spot) -> Locator:
        found = self._all(spot)
        return found.nth(spot.nth)

    def _all(self, spot: Spot) -> Locator:
        root = self.find(spot.within) if spot.within else self.page
        if spot.name:
            return root.get_by_role(spot.role, name=spot.name, exact=spot.exact)  # type: ignore[arg-type]
        return root.get_by_role(spot.role)  # type: ignore[arg-type]

    async def goto(self, url: str) -> None:
        await self.page.goto(url)

    async def click(self, spot: Spot) -> None:
        await self.find(spot).click()

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def press(self, keys: str) -> None:
        await self.page.keyboard.press(keys)

    async def text(self, spot: Spot) -> str:
        found = self.find(spot)
        if await found.evaluate("e => e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement"):
            return await found.input_value()
        return await found.inner_text()

    async def texts(self, spot: Spot) -> list[str]:
        return await self._all(spot).all_inner_texts()

    async def scroll(self, spot: Spot, pixels: int) -> None:
        await self.find(spot).hover()
        await self.page.mouse.wheel(0, pixels)

    async def wait(self, spot: Spot, *, gone: bool = False) -> None:
        await self.find(spot).wait_for(state="hidden" if gone else "visible")

    async def upload(self, spot: Spot, filename: str, data: bytes) -> None:
        async with self.page.expect_file_chooser() as chooser:
            await self.click(spot)
        kind = "application/octet-stream"
        await (await chooser.value).set_files({"name": filename, "mimeType": kind, "buffer": data})


@dataclass
class Shown:
    """An open screen.

    Attributes:
        page: Its page.
        screen: The moves on it.
        server: The world server behind it.
        complaints: Errors on the page, and requests that were refused.
    """

    page: Page
    screen: PlaywrightScreen
    server: WorldServer
    folder: Path
    base: Path
    twins: tuple[str, ...]
    complaints: list[str] = field(default_factory=list)

    def hear(self, complaint: str) -> None:
        """Keep what the page complains of; a refused request is known by its address."""
        if not complaint.startswith("Failed to load resource"):
            self.complaints.append(complaint)

    async def second(self) -> "Shown":
        """Another window of the same person."""
        page = await self.page.context.new_page()
        return Shown(page, PlaywrightScreen(page), self.server, self.folder, self.base, self.twins)

    def end(self, horizon_ms: int = 1) -> EndState:
        """Stop the server and open the world that it leaves."""
        path = self.server.stop(self.folder / "end.zip", horizon_ms=horizon_ms)
        assert path is not None
        return reopen(path, load_twins(self.twins), self.base, scratch=self.folder / "end")

    def log(self) -> list[Connection]:
        """The connections so far."""
        lines = (self.folder / "gateway.jsonl").read_bytes().splitlines()
        return [Connection.model_validate_json(line) for line in lines]

    async def axe(self) -> list[str]:
        """What axe finds on the page that is serious or critical, one line each."""
        if not await self.page.evaluate("() => 'axe' in window"):
            await self.page.evaluate(_AXE.read_text())
        found = await self.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{rule['id']}: {node['target']} {' '.join(node['failureSummary'].split())}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]


@asynccontextmanager
async def shown(
    base: Path,
    folder: Path,
    twins: tuple[str, ...],
    persona: str,
    url: str,
    *,
    size: tuple[int, int] = LAPTOP,
) -> AsyncIterator[Shown]:
    """A persona's browser at a page of a fresh world.

    Args:
        base: The seeded base.
        folder: Where the log, the journal and the end state go.
        twins: ``module:attribute`` names.
        persona: Account id.
        url: The first page.
        size: Width and height of the window.
    """
    spec = ServerSpec(
        base=base,
        twins=twins,
        persona=persona,
        log=folder / "gateway.jsonl",
        journal=folder / "journal.jsonl",
    )
    with WorldServer(spec) as server:
        async with async_playwright() as play:
            chromium = await play.chromium.launch(executable_path=CHROMIUM, args=chromium_flags(server))
            context = await chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
            )
            context.set_default_timeout(WAIT_MS)
            await context.add_cookies(cookies(server.session, server.hosts))  # type: ignore[arg-type]
            page = await context.new_page()
            opened = Shown(page, PlaywrightScreen(page), server, folder, base, twins)
            page.on("console", lambda m: opened.hear(m.text) if m.type == "error" else None)
            page.on("response", lambda r: opened.hear(f"{r.status} {r.url}") if r.status >= 400 else None)
            page.on("pageerror", lambda e: opened.complaints.append(str(e)))
            await page.goto(url)
            try:
                yield opened
            finally:
                await chromium.close()
