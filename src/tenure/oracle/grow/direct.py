"""Hands that do a walk's acts on the spot, in one browser page per user, for proofs and tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from playwright.async_api import Locator, Page

from tenure.grading.dag.pages import Chromium, Pages
from tenure.oracle.grow.walk import Act
from tenure.schema.folder import GrowFolder
from tenure.workspace.ready import Workspace

PATIENCE = 30.0
"""Seconds that an element may take to be there."""


class Direct:
    """Hands over pages. Made by ``direct``."""

    def __init__(
        self, pages: Pages, address: str, assets: Path, stack: AsyncExitStack, patience: float
    ) -> None:
        """Act at an address; files are taken from ``assets``, and pages close with the stack."""
        self._pages, self._address, self._assets, self._stack = pages, address, assets, stack
        self._patience = patience
        self._open: dict[str, Page] = {}

    async def act(self, *acts: Act) -> str:
        """See ``Hands.act``."""
        for user in dict.fromkeys(act.user for act in acts):
            if user not in self._open:
                self._open[user] = page = await self._stack.enter_async_context(self._pages.page())
                page.set_default_timeout(self._patience * 1000)
        return (await asyncio.gather(*(self._one(act, self._open[act.user]) for act in acts)))[-1]

    async def _one(self, act: Act, page: Page) -> str:
        if act.verb == "open":
            await page.goto(self._address + act.value)
            return ""
        if act.verb == "address":
            return page.url.removeprefix(self._address)
        target = _target(act, page)
        match act.verb:
            case "click":
                await target.click()
                await page.wait_for_load_state()
            case "double":
                await target.dblclick()
                await page.wait_for_load_state()
            case "fill":
                await target.fill(act.value)
            case "select":
                await target.select_option(label=act.value)
            case "tick":
                await target.check()
            case "attach":
                await target.set_input_files(self._assets / act.value)
            case "value":
                if await target.get_attribute("type") == "checkbox":
                    return "checked" if await target.is_checked() else "unchecked"
                return await target.input_value()
            case "read":
                return await target.inner_text() if await target.count() else ""
        return ""


@asynccontextmanager
async def direct(
    folder: GrowFolder, place: Workspace, *, patience: float = PATIENCE, browser: Chromium | None = None
) -> AsyncIterator[Direct]:
    """Hands at a standing product.

    Args:
        folder: The product; names the port and has the files.
        place: Where it stands.
        patience: Seconds that an element may take to be there.
        browser: One that other products share; one of its own by default.

    Raises:
        BadInput: There is no browser.
    """
    address = f"http://127.0.0.1:{await place.machine.publish(folder.task.port)}"
    pages = Pages(address, shared=browser)
    try:
        async with AsyncExitStack() as stack:
            yield Direct(pages, address, folder.assets, stack, patience)
    finally:
        await pages.close()


def _target(act: Act, page: Page) -> Locator:
    place: Page | Locator = page
    if act.inside is not None:
        role, name = act.inside
        place = _by_role(page, role, name)
    if not act.role:
        return place.get_by_label(act.name, exact=True).first
    return _by_role(place, act.role, act.name, whole=act.role in ("button", "link"))


def _by_role(place: Page | Locator, role: str, name: str, whole: bool = False) -> Locator:
    # An ARIA role is any text here; Playwright's own type lists them.
    found = place.get_by_role(role, name=name, exact=whole) if name else place.get_by_role(role)  # type: ignore[arg-type]
    return found.first
