"""A browser for one grade: the users' sessions in one machine, the grader's scripts in another.

The browser's machine reaches the product and nothing else. The scripts' machine reaches the browser and
nothing else: no product, no database, no file of either. Where the product and its database would be, it
finds a tripwire. Everything that a grade is derived from is observed from outside of both.
"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tenure.grading.grow.browser.devtools import DevTools, Late, Refused, open_devtools
from tenure.grading.grow.browser.looking import LARGEST, Shown, picture, shown
from tenure.grading.grow.browser.scripts import BROWSER, Scripts
from tenure.grading.grow.browser.watch import BLANK, FILES, HEIGHT, WIDTH, Tab, Watch
from tenure.grading.grow.events import Actor, Event, Queried, Requested, Scripted
from tenure.grading.grow.evidence import Look
from tenure.schema.errors import BadInput, Fault
from tenure.schema.grow import Plan
from tenure.workspace import Limits, Machine, MachineSpec, open_machine
from tenure.workspace.base import PATH
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.machine import Handler, TooMuch
from tenure.workspace.relay import Dial, leading_to
from tenure.world.browser import FLAGS

PROGRAM = "chromium-headless-shell"
SECONDS = 30.0
"""What a script may take."""
DATABASE = 5432
_REST = 2.0
"""Seconds that pages have, after a script, to come to rest before they are looked at."""
_FONTS = "/opt/fonts"
_LIMITS = Limits(memory=3 << 30, disk=1 << 30, processes=768)
"""What each of the two machines may use."""
_NEEDS = "grading grown products needs"
_HUNG, _CRASHED = "(the page does not answer)", "(the page has crashed)"


class Seen(NamedTuple):
    """What one script brought back.

    Attributes:
        printed: What it printed.
        error: What went wrong, if something did.
        looks: A look at the page of each user whose page it used or that changed.
        trees: User → the page's accessibility tree.
        pictures: User → the page's picture, as PNG; each look names its file.
        events: What happened since the script before.
    """

    printed: str
    error: str
    looks: tuple[Look, ...]
    trees: Mapping[str, str]
    pictures: Mapping[str, bytes]
    events: tuple[Event, ...]


class Browser:
    """The users' sessions, and the scripts that drive them. Made by ``open_browser``.

    Attributes:
        looks: All that was seen, in order.
        version: Of the browser.
    """

    def __init__(
        self, machine: Machine, tools: DevTools, watch: Watch, scripts: Scripts, users: tuple[str, ...]
    ) -> None:
        """See ``open_browser``."""
        self.looks: list[Look] = []
        self.version = ""
        self._machine, self._tools, self._watch, self._scripts = machine, tools, watch, scripts
        self._users = users
        self._shown: dict[str, str] = {}
        self._told = 0

    @property
    def events(self) -> list[Event]:
        """All that happened, in order."""
        return self._watch.events

    async def run(self, script: str, *, step: str = "", user: str = "", seconds: float = SECONDS) -> Seen:
        """Run a script of the grader's, then look at the pages.

        Args:
            script: Python; ``page("ann")`` is a user's page, and what it assigns is there for the next.
            step: The plan's step under way.
            user: Whose page ``page()`` is; the plan's first user by default.
            seconds: When it is ended; its variables are lost then, the pages stay.

        Raises:
            Fault: The browser or the machines are gone.
        """
        self._watch.begin(step)
        reply = await self._scripts.run(script, user or self._users[0], seconds)
        await self._watch.settle(_REST)
        # Logged when its edits are known; nothing of the browser's is logged before they are.
        self._watch.log(Scripted, by=Actor.GRADER, user=user, source=script, edits=self._watch.edits)
        sights = [
            sight
            for one in self._users
            if (sight := await self._look(one, one in reply.used, script, reply.printed)) is not None
        ]
        looks = tuple(sight.look for sight in sights)
        if not looks and reply.printed:
            looks = (self._note(user, "", "", script, reply.printed, b""),)
        events, self._told = tuple(self.events[self._told :]), len(self.events)
        trees = {sight.look.user: sight.tree for sight in sights}
        pictures = {sight.look.user: sight.picture for sight in sights if sight.picture}
        return Seen(reply.printed, reply.error, looks, trees, pictures, events)

    async def _look(self, user: str, used: bool, script: str, printed: str) -> "_Sight | None":
        """A look at a user's page; nothing where it was not used and shows what it showed."""
        tab = self._watch.tab(user)
        if tab is None or (tab.url == BLANK and not used):
            return None
        told = "".join(f"dialog, {text}\n" for text in tab.dialogs) + await self._files(tab)
        seen = await self._shows(tab)
        # A tree of one line names the document alone.
        empty = not told and not seen.text.strip() and "\n" not in seen.tree
        page = "" if empty else f"{told}{seen.tree}\n\n{seen.text}"
        mark = hashlib.sha256(f"{tab.target} {tab.url} {page}".encode()).hexdigest()
        if not used and self._shown.get(user) == mark:
            return None
        self._shown[user] = mark
        tab.dialogs.clear()
        tab.files.clear()
        image = b""
        if seen.tree != _HUNG:
            with suppress(Refused):
                image = await picture(self._tools, tab)
        return _Sight(self._note(user, tab.url, page, script, printed, image), told + seen.tree, image)

    async def _files(self, tab: Tab) -> str:
        """What is in the files that a page gave to download, as their reader sees it."""
        told = []
        for name, title in tab.files.items():
            try:
                content = (await self._machine.read(f"{FILES}/{name}", limit=LARGEST)).decode("utf-8")
            except (OSError, TooMuch, UnicodeDecodeError):
                content = "(no short text)"
            told.append(f"file {title}:\n{content}\n")
        return "".join(told)

    async def _shows(self, tab: Tab) -> Shown:
        if tab.crashed:
            return Shown(_HUNG, _CRASHED)
        try:
            return await shown(self._tools, tab)
        except Late:
            return Shown(_HUNG, _HUNG)
        except Refused:
            await self._watch.settle(_REST)  # It was on its way to another page.
        try:
            return await shown(self._tools, tab)
        except Refused:
            return Shown(_HUNG, _HUNG)

    def _note(self, user: str, url: str, page: str, script: str, printed: str, image: bytes) -> Look:
        look = Look(
            number=len(self.looks) + 1,
            step=self._watch.step,
            user=user,
            url=url,
            page=page,
            printed=printed,
            script=script,
            picture=f"{hashlib.sha256(image).hexdigest()[:32]}.png" if image else "",
        )
        self.looks.append(look)
        return look


class _Sight(NamedTuple):
    look: Look
    tree: str
    picture: bytes


def missing() -> str:
    """Why no browser can be opened here, and what to do; empty when one can."""
    if why := Bubblewrap.missing():
        return f"{_NEEDS} machines that isolate: {why}"
    if shutil.which(PROGRAM, path=PATH) is None:
        return f"{_NEEDS} {PROGRAM}; install the package of that name"
    return ""


@asynccontextmanager
async def open_browser(
    plan: Plan,
    dial: Dial,
    *,
    port: int,
    kind: str | None = None,
    assets: Mapping[str, bytes] | None = None,
) -> AsyncIterator[Browser]:
    """Open a browser for a grade, with a session for each user; nothing of it outlives the block.

    Args:
        plan: What will be walked.
        dial: Connects to the product.
        port: Where the product answers: ``http://127.0.0.1:<port>``, as in its own machine.
        kind: The machines' kind; it must isolate.
        assets: The plan's files, which scripts find by name.

    Raises:
        BadInput: There is no isolated machine, or no browser, to be had here.
        Fault: Something does not start.
    """
    if lacks := missing():
        raise BadInput(lacks)
    async with AsyncExitStack() as stack:
        browsing = MachineSpec(
            system=(PROGRAM, "fonts-*"),
            binds=_fonts(),
            environment={"FONTCONFIG_PATH": _FONTS, "TZ": "UTC"},
            limits=_LIMITS,
        )
        scripting = MachineSpec(packages=("playwright",), environment={"TZ": "UTC"}, limits=_LIMITS)
        shows = await stack.enter_async_context(open_machine(kind, browsing))
        acts = await stack.enter_async_context(open_machine(kind, scripting))
        if "process" in (shows.kind, acts.kind):
            raise BadInput(f"{_NEEDS} machines that isolate; choose bubblewrap")
        watch = Watch()
        await shows.offer(port, leading_to(dial))
        await acts.offer(BROWSER, leading_to(lambda: shows.connect(BROWSER)))
        await acts.offer(port, _tripwire(watch, f"http://127.0.0.1:{port}"))
        if port != DATABASE:
            await acts.offer(DATABASE, _database(watch))
        for machine in (shows, acts):
            for name, content in (assets or {}).items():
                await machine.write(name, content)
        running = asyncio.create_task(shows.run(_command()))
        stack.push_async_callback(_ended, running)
        tools = await stack.enter_async_context(open_devtools(shows, BROWSER, watch.on_event))
        stack.push_async_callback(_ending, tools)
        users = {(await tools.send("Target.createBrowserContext"))["browserContextId"]: u for u in plan.users}
        await watch.follow(tools, users)
        contexts = {user: context for context, user in users.items()}
        scripts = Scripts(acts, watch, contexts)
        stack.push_async_callback(scripts.close)
        await asyncio.gather(scripts.open(), *(watch.open(context) for context in users))
        browser = Browser(shows, tools, watch, scripts, plan.users)
        browser.version = (await tools.send("Browser.getVersion"))["product"]
        yield browser


def _fonts() -> tuple[tuple[Path, str], ...]:
    """The host's settings of fonts; without them a page has boxes for letters."""
    folder = Path("/etc/fonts")
    return ((folder, _FONTS),) if folder.is_dir() else ()


def _command() -> list[str]:
    return [
        PROGRAM,
        *FLAGS,
        f"--remote-debugging-port={BROWSER}",
        "--user-data-dir=/tmp/browser",
        f"--window-size={WIDTH},{HEIGHT}",
        "--lang=en-US",
        "--force-prefers-reduced-motion",
    ]


async def _ending(tools: DevTools) -> None:
    with suppress(Refused, Fault):
        await tools.send("Browser.close")


async def _ended(running: "asyncio.Task[Any]") -> None:
    await asyncio.wait([running], timeout=_REST)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def _tripwire(watch: Watch, address: str) -> Handler:
    """What stands where a script would look for the product: it notes the request and refuses it."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path = "CONNECT", "/"
        with suppress(TimeoutError, EOFError, ValueError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_REST):
                line = (await reader.readuntil(b"\r\n")).decode("latin-1")
            method, path, _ = line.split(" ", 2)
        watch.log(Requested, by=Actor.GRADER, method=method[:20], url=address + path[:2_000])
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()

    return handle


def _database(watch: Watch) -> Handler:
    """Likewise for the product's database."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        watch.log(Queried, by=Actor.GRADER, statement="a connection to the database")

    return handle
