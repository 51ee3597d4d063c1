"""Runs a grader's scripts over Playwright, in a machine of its own; it imports nothing of Tenure.

Usage: ``worker.py HARNESS BROWSER``, two ports. It connects to the harness, which sends scripts and gets
an answer for each: JSON, after its length. The browser and its pages are the harness's and outlive this.
"""

import ast
import asyncio
import contextlib
import functools
import io
import json
import os
import re
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ElementHandle,
    Error,
    Frame,
    JSHandle,
    Locator,
    Page,
    async_playwright,
    expect,
)

PATIENCE = 5_000
"""Milliseconds that an action waits for its element, and ``expect`` for its condition."""
LOADING = 15_000
"""Milliseconds that a page may take to load."""
SHOWN, TOLD = 20_000, 4_000
"""Characters of what a script prints, and of an error, that are kept."""
_EVALUATING = ("evaluate", "evaluate_handle", "evaluate_all", "wait_for_function")
_BY_SELECTOR = ("eval_on_selector", "eval_on_selector_all")
_COUNTED = """
((source, mark) => {
  const seen = new MutationObserver(() => {});
  const what = { subtree: true, childList: true, attributes: true, characterData: true };
  const watched = (act) => {
    seen.observe(document, what);
    try { return act(); }
    finally {
      const edits = seen.takeRecords().length;
      seen.disconnect();
      if (edits) console.debug(mark, edits);
    }
  };
  const made = watched(() => (0, eval)(source));
  return typeof made === "function" ? (...given) => watched(() => made(...given)) : made;
})(SOURCE, MARK)
"""
"""An expression that says how often it changes the document, up to where it first waits."""


class Whose:
    """``page``: gives a user's page, and is that page itself where it is clear whose."""

    def __init__(self, hands: "Hands") -> None:
        """Ask these hands."""
        self._hands = hands

    def __call__(self, user: str = "") -> Page:
        """The page that a user opened last."""
        return self._hands.pages(user)[-1]

    def __getattr__(self, name: str) -> Any:
        """What the page has."""
        return getattr(self(), name)


class Hands:
    """What scripts work with: the users' pages, and one namespace for all of them."""

    def __init__(self, browser: Browser, ask: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        """Take the browser; ``ask`` sends the harness a message."""
        self.mark = ""
        self.used: list[str] = []
        self._browser, self._ask = browser, ask
        self._users: dict[str, str] = {}
        self._default = ""
        self._pages: dict[str, list[Page]] = {}
        self._known: dict[Page, str] = {}
        self._names: dict[str, Any] = {"__name__": "script"}
        self._given: dict[str, Any] = {
            "asyncio": asyncio,
            "expect": expect,
            "re": re,
            "time": time,
            "page": Whose(self),
            "pages": self.pages,
            "new_page": self.new_page,
        }

    def pages(self, user: str = "") -> list[Page]:
        """A user's open pages, oldest first."""
        user = self._named(user)
        if user not in self.used:
            self.used.append(user)
        found = [page for page in self._pages.get(user, []) if not page.is_closed()]
        if not found:
            raise LookupError(f"{user} has no open page; await new_page({user!r}) opens one")
        return found

    async def new_page(self, user: str = "") -> Page:
        """Open another page for a user, who stays signed in there."""
        user = self._named(user)
        before = len(self._pages.get(user, []))
        await self._ask({"open": user})
        async with asyncio.timeout(PATIENCE / 1000):
            while len(self._pages.get(user, [])) == before:
                await asyncio.sleep(0.02)
                await self.learn(self._users)
        return self.pages(user)[-1]

    def _named(self, user: str) -> str:
        user = user or self._default
        if user not in self._users:
            said = f"there is no user {user!r}" if user else "say whose page it is"
            raise LookupError(f"{said}; users: {', '.join(self._users)}")
        return user

    async def learn(self, users: dict[str, str]) -> None:
        """Find out whose the pages are.

        Args:
            users: User → browser context.
        """
        self._users = users
        names = {context: user for user, context in users.items()}
        for context in self._browser.contexts:
            for page in context.pages:
                if page not in self._known:
                    self._known[page] = names.get(await _context_of(context, page), "")
                    page.set_default_timeout(PATIENCE)
                    page.set_default_navigation_timeout(LOADING)
                    page.on("popup", lambda _: asyncio.ensure_future(self.learn(self._users)))
        self._pages = {user: [p for p, owner in self._known.items() if owner == user] for user in users}

    async def perform(self, script: str, default: str, seconds: float, mark: str) -> str:
        """Run a script; returns what went wrong, if something did.

        Args:
            script: Its source.
            default: Whose page ``page()`` is.
            seconds: When it is ended.
            mark: Names the code that it puts into pages, in the stacks of whatever that causes.
        """
        self.mark, self.used, self._default = mark, [], default
        self._names |= self._given  # Whatever an earlier script has called by these names.
        try:
            code = compile(script, "script", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            async with asyncio.timeout(seconds):
                waits = eval(code, self._names)  # The grader's own code: this machine is made for it.
                if asyncio.iscoroutine(waits):
                    await waits
        except TimeoutError as error:
            return str(error) or f"the script took more than {seconds:g} seconds and was ended"
        except Error as error:
            return _where(error) + error.message
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            return _where(error) + f"{type(error).__name__}: {error}"
        return ""


async def _context_of(context: BrowserContext, page: Page) -> str:
    with contextlib.suppress(Error):  # It may close meanwhile.
        session = await context.new_cdp_session(page)
        info = (await session.send("Target.getTargetInfo"))["targetInfo"]
        await session.detach()
        return str(info.get("browserContextId", ""))
    return ""


def _where(error: BaseException) -> str:
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "script"
    ]
    return f"line {lines[-1]}: " if lines else ""


def _watch(hands: Hands) -> None:
    """See to it that code which scripts put into pages bears its mark and tells of its edits."""

    def watched(plain: Callable[..., Any], place: int) -> Callable[..., Any]:
        @functools.wraps(plain)
        async def evaluate(self: Any, *given: Any, **named: Any) -> Any:
            words = list(given)
            if "expression" in named:
                named["expression"] = _counted(named["expression"], hands.mark)
            elif len(words) > place:
                words[place] = _counted(words[place], hands.mark)
            return await plain(self, *words, **named)

        return evaluate

    for kind in (Page, Frame, Locator, JSHandle, ElementHandle):
        for place, names in enumerate((_EVALUATING, _BY_SELECTOR)):
            for name in names:
                if plain := getattr(kind, name, None):
                    setattr(kind, name, watched(plain, place))


def _counted(expression: str, mark: str) -> str:
    source = json.dumps(f"{expression}\n//# sourceURL={mark}")
    return _COUNTED.strip().replace("MARK", json.dumps(mark)).replace("SOURCE", source)


class Printed(io.StringIO):
    """What a script prints, up to a length."""

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        if (room := SHOWN - self.tell()) > 0:
            super().write(text[:room] + ("\n[more is left out]" if len(text) > room else ""))
        return len(text)


async def main(harness: int, browser: int) -> None:
    """Serve scripts until the harness hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", harness)

    async def say(message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        writer.write(len(data).to_bytes(4) + data)
        await writer.drain()

    async with async_playwright() as play:
        opened = await play.chromium.connect_over_cdp(f"http://127.0.0.1:{browser}")
        hands = Hands(opened, say)
        _watch(hands)
        expect.set_options(timeout=PATIENCE)
        await say({"ready": True})
        while True:
            try:
                given = json.loads(await reader.readexactly(int.from_bytes(await reader.readexactly(4))))
            except asyncio.IncompleteReadError:
                os._exit(0)  # There is nothing to tidy up: the pages stay, the machine goes.
            await hands.learn(given["users"])
            printed = Printed()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                error = await hands.perform(*(given[key] for key in ("script", "user", "seconds", "mark")))
            await say({"printed": printed.getvalue(), "error": error[:TOLD], "used": hands.used})


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
