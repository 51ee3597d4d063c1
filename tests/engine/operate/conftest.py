"""A browser on sites of the tests' own, and the smallest app in a cache of its own."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.build.conftest import machines
from support.command import tenure
from support.operating import APPS
from support.site import Site
from tenure.engine.operate.acts import Acts, Said
from tenure.engine.operate.chromium import Chromium, open_chromium
from tenure.engine.operate.files import Files
from tenure.engine.operate.view import Eye, View

__all__ = ["machines", "tenure"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest app is known."""
    monkeypatch.setenv("TENURE_APPS", str(APPS))


@dataclass
class Bench:
    """A browser on a site, with hands and eyes."""

    site: Site
    browser: Chromium
    eye: Eye
    acts: Acts
    files: Files

    async def do(self, action: str, **arguments: Any) -> Said:
        """Do an action on the page as it is, and look again."""
        said = await self.acts.do(action, arguments)
        await self.eye.look()
        return said

    async def open(self, path: str = "/") -> View:
        """Open a page and look at it."""
        await self.do("navigate", url=f"http://desk.localhost{path}")
        return self.eye.view

    def number(self, *words: str) -> int:
        """The number of the one line that holds all of these words, or of the line above it."""
        lines = self.eye.view.text.splitlines()
        (found,) = [n for n, line in enumerate(lines) if all(word in line for word in words)]
        while "[" not in lines[found]:
            found -= 1
        return int(lines[found].split("[")[1].split("]")[0])


Opening = Callable[[Mapping[str, str | bytes]], Any]


@pytest.fixture
def bench(tmp_path: Path) -> Opening:
    """Opens a browser on a site that is called ``desk``."""

    @asynccontextmanager
    async def opened(pages: Mapping[str, str | bytes]) -> AsyncIterator[Bench]:
        folder = tmp_path / "files"
        folder.mkdir()
        files = Files(folder)
        files.start(["First", "Second"], [])

        async def answer(query: str, text: str) -> str:
            return f"{query}\n{text}"

        with Site(pages) as site:
            async with open_chromium({"desk": site.port}, folder, tmp_path / "browser") as browser:
                eye = Eye(browser)
                yield Bench(site, browser, eye, Acts(browser, eye, files, answer), files)
        assert not (tmp_path / "browser").exists()

    return opened
