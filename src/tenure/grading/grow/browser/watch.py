"""What the harness sees of a browser that a grader's scripts drive: the log of events, and each page's state.

Who caused what is read from DevTools alone. A page was loaded anew by the product when a page asked for
it (a link, a form, its own script), by the grader when nobody inside did, or when code did that bears the
mark of the script under way.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from tenure.grading.grow.events import Actor, Event, Navigated, Requested
from tenure.schema.errors import Fault
from tenure.schema.text import readable
from tenure.workspace.devtools import ANSWER, DevTools, Refused

BLANK = "about:blank"
WIDTH, HEIGHT = 1366, 768
_LASTING = ("EventSource", "WebSocket", "Ping", "Media")
"""Requests that a page need not have answered to be at rest."""
FILES = "/tmp/files"
"""Where the browser puts what pages give to download."""
_TOLD, _DIALOGS, _FILES = 2_000, 20, 20
"""Characters of a dialog's text, dialogs of a page, files of a page that are kept until it is looked at."""
_LOGGED = 50_000
"""Events after which requests of the product's own pages, which decide nothing, are no longer logged."""


@dataclass
class Tab:
    """One open page.

    Attributes:
        target: The browser's name for it, and for its main frame.
        session: What its commands are addressed to.
        user: Whose it is; nothing for a page outside of the users' sessions.
        url: What it shows.
        dialogs: What it asked or told in dialogs since it was last looked at.
        files: Files that it gave since then: the name in ``FILES`` → its own.
        crashed: Whether its process is gone.
    """

    target: str
    session: str
    user: str
    url: str = BLANK
    dialogs: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    crashed: bool = False
    _opened: bool = False
    _asked: bool = False
    _by_page: bool = False
    _marked: bool = False
    _kind: str = ""
    _loading: bool = False
    _flying: set[str] = field(default_factory=set)

    @property
    def at_rest(self) -> bool:
        """Whether it has loaded and waits for no answer."""
        return not self._loading and not self._flying


class Watch:
    """Follows one browser.

    Attributes:
        events: What happened, in order.
        step: The plan's step under way.
        mark: The name of the code that the script under way puts into pages.
        edits: Changes that this code made.
    """

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.events: list[Event] = []
        self.step = ""
        self.mark = token_hex(8)
        self.edits = 0
        self._tools: DevTools | None = None
        self._tabs: dict[str, Tab] = {}
        self._users: dict[str, str] = {}
        self._begun: dict[str, tuple[str, str]] = {}
        self._preparing: set[asyncio.Task[None]] = set()

    async def follow(self, tools: DevTools, users: dict[str, str]) -> None:
        """Attach to every page that is there or will be.

        Args:
            tools: The connection, whose events come to ``on_event``.
            users: Browser context → user.
        """
        self._tools, self._users = tools, users
        await tools.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        for context in users:
            await tools.send(
                "Browser.setDownloadBehavior",
                browserContextId=context,
                behavior="allowAndName",
                downloadPath=FILES,
                eventsEnabled=True,
            )

    async def open(self, context: str) -> None:
        """Open an empty page in a browser context, and wait until it is followed.

        Raises:
            Refused: The browser does not open it.
        """
        assert self._tools is not None
        made = await self._tools.send(
            "Target.createTarget", url=BLANK, browserContextId=context, width=WIDTH, height=HEIGHT
        )
        async with asyncio.timeout(ANSWER):
            while not any(tab.target == made["targetId"] for tab in self._tabs.values()):
                await asyncio.sleep(0.01)
            await asyncio.gather(*self._preparing)

    def begin(self, step: str) -> None:
        """A script begins, with a mark that no page knows from an earlier one."""
        self.step, self.mark, self.edits = step, token_hex(8), 0

    def tab(self, user: str) -> Tab | None:
        """The page that a user opened last, if one is open."""
        return next((tab for tab in reversed(self._tabs.values()) if tab.user == user), None)

    def log(self, kind: type[Any], **fields: Any) -> None:
        """Add an event."""
        self.events.append(kind(number=len(self.events) + 1, step=self.step, **fields))

    async def settle(self, seconds: float) -> None:
        """Wait until every page is at rest, at most some seconds."""
        loop = asyncio.get_running_loop()
        end, quiet = loop.time() + seconds, 0
        while quiet < 2 and loop.time() < end:
            rests = not self._begun and all(tab.at_rest for tab in self._tabs.values())
            quiet = quiet + 1 if rests else 0
            await asyncio.sleep(0.02)

    def on_event(self, method: str, told: dict[str, Any], session: str) -> None:
        """Take a DevTools event."""
        if method == "Target.attachedToTarget":
            self._attached(told)
        elif method == "Target.detachedFromTarget":
            self._tabs.pop(told["sessionId"], None)
        elif method == "Browser.downloadWillBegin":
            self._begun[told["guid"]] = (told["frameId"], readable(told["suggestedFilename"]))
        elif method == "Browser.downloadProgress":
            self._loaded(told)
        elif (tab := self._tabs.get(session)) is not None:
            self._happened(tab, method, told)

    def _loaded(self, told: dict[str, Any]) -> None:
        if told["state"] == "inProgress":
            return
        frame, name = self._begun.pop(told["guid"], ("", ""))
        tab = next((tab for tab in self._tabs.values() if tab.target == frame), None)
        if tab is not None and told["state"] == "completed" and len(tab.files) < _FILES:
            tab.files[told["guid"]] = name

    def _attached(self, told: dict[str, Any]) -> None:
        info, session = told["targetInfo"], told["sessionId"]
        if info["type"] == "page":
            user = self._users.get(info.get("browserContextId", ""), "")
            self._tabs[session] = Tab(info["targetId"], session, user, _opened="openerId" in info)
        task = asyncio.create_task(self._prepare(session, info["type"] == "page"))
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)

    async def _prepare(self, session: str, page: bool) -> None:
        assert self._tools is not None
        # In order, and none waits for the last: the page stands still until it is let run.
        commands = ("Page.enable", "Network.enable", "Runtime.enable") if page else ()
        with suppress(Refused, Fault):  # It closes as it opens, or the browser does.
            await asyncio.gather(
                *(self._tools.send(one, session) for one in (*commands, "Runtime.runIfWaitingForDebugger"))
            )

    def _happened(self, tab: Tab, method: str, told: dict[str, Any]) -> None:
        own = told.get("frameId") == tab.target
        match method:
            case "Network.requestWillBeSent":
                self._requested(tab, told)
            case "Network.loadingFinished" | "Network.loadingFailed":
                tab._flying.discard(told["requestId"])
            case "Network.webSocketCreated":
                by = self._by(told.get("initiator", {}))
                self.log(Requested, by=by, method="GET", url=told["url"], user=tab.user)
            case "Page.frameRequestedNavigation" if own:
                tab._asked = True
            case "Page.frameStartedNavigating" if own:
                self._started(tab, told)
            case "Page.frameStartedLoading" if own:
                tab._loading = True
            case "Page.frameStoppedLoading" if own:
                tab._loading = False
            case "Page.navigatedWithinDocument" if own:
                tab.url = told["url"]
            case "Page.frameNavigated" if told["frame"]["id"] == tab.target:
                self._navigated(tab, told["frame"])
            case "Page.javascriptDialogOpening" if len(tab.dialogs) < _DIALOGS:
                tab.dialogs.append(readable(f"{told['type']}: {told['message'][:_TOLD]}"))
            case "Runtime.consoleAPICalled" if told["type"] == "debug":
                self._counted([argument.get("value") for argument in told["args"]])
            case "Inspector.targetCrashed":
                tab.crashed = True

    def _requested(self, tab: Tab, told: dict[str, Any]) -> None:
        request, by = told["request"], self._by(told["initiator"])
        if told["type"] == "Document" and told.get("frameId") == tab.target:
            # A page that is loaded anew is judged when it is there.
            tab._marked, by = tab._marked or by is Actor.GRADER, Actor.PAGE
        elif told["type"] not in _LASTING:
            tab._flying.add(told["requestId"])
        counts = by is Actor.GRADER or len(self.events) < _LOGGED
        if counts and request["url"].startswith(("http:", "https:")):
            self.log(Requested, by=by, method=request["method"], url=request["url"], user=tab.user)

    def _started(self, tab: Tab, told: dict[str, Any]) -> None:
        tab._by_page, tab._asked, tab._marked = tab._asked, False, False
        tab._kind = told["navigationType"]
        if not tab._by_page and told["url"].startswith(("data:", "file:")):
            # It may become a download, and no page that is loaded anew.
            self.log(Navigated, by=Actor.GRADER, user=tab.user, url=told["url"][:_TOLD])

    def _navigated(self, tab: Tab, frame: dict[str, Any]) -> None:
        url = frame["url"] + frame.get("urlFragment", "")
        before = "" if tab.url == BLANK else tab.url
        by_page = (tab._by_page or (tab._opened and not before)) and not tab._marked
        if url != BLANK:
            by = Actor.PAGE if by_page else Actor.GRADER
            reload = tab._kind.startswith("reload")
            self.log(Navigated, by=by, user=tab.user, url=url, before=before, reload=reload)
        tab.url, tab._kind, tab._by_page, tab._marked = url, "", False, False
        tab._flying.clear()

    def _by(self, initiator: dict[str, Any]) -> Actor:
        return Actor.GRADER if self.mark in _sources(initiator.get("stack")) else Actor.PAGE

    def _counted(self, values: list[Any]) -> None:
        if len(values) == 2 and values[0] == self.mark and isinstance(values[1], int):
            self.edits += values[1]


def _sources(stack: dict[str, Any] | None) -> Iterator[str]:
    """The names of the code that a stack is of."""
    while stack is not None:
        for frame in stack["callFrames"]:
            yield frame["url"]
        stack = stack.get("parent")
