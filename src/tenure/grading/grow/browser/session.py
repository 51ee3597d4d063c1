"""The users' browser sessions of one grade, and what a script brings back from them."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from tenure.grading.grow.browser.looking import LARGEST, Shown, picture, shown
from tenure.grading.grow.browser.scripts import Scripts
from tenure.grading.grow.browser.watch import BLANK, FILES, Tab, Watch
from tenure.grading.grow.events import Actor, Event, Scripted
from tenure.grading.grow.evidence import Look
from tenure.workspace import Machine
from tenure.workspace.devtools import DevTools, Late, Refused
from tenure.workspace.machine import TooMuch

SECONDS = 30.0
"""What a script may take."""
REST = 2.0
"""Seconds that pages have, after a script, to come to rest before they are looked at."""
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
            user: Whose page ``page`` is; needless where the plan has one user.
            seconds: When it is ended; its variables are lost then, the pages stay.

        Raises:
            Fault: The browser or the machines are gone.
        """
        self._watch.begin(step)
        only = self._users[0] if len(self._users) == 1 else ""
        reply = await self._scripts.run(script, user or only, seconds)
        await self._watch.settle(REST)
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
            await self._watch.settle(REST)  # It was on its way to another page.
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
