"""What was logged while a grader walked a plan, and which of its rules that broke (protocols, Grow 10, 11).

A grader acts as a person at a screen does: no call of the product's API, no write to its database, no
edit of a page, no reload that the plan does not allow, no repair of the product. The harness finds
breaches in its own logs; what a grader says of itself decides nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Literal
from urllib.parse import urldefrag, urlsplit

from pydantic import Field, TypeAdapter

from tenure.schema.grow import Plan
from tenure.schema.shape import Shape


class Rule(StrEnum):
    """The rules that throw a grade out when it breaks one."""

    API_CALL = "api_call"
    DATABASE_WRITE = "database_write"
    PAGE_EDIT = "page_edit"
    RELOAD = "reload"
    REPAIR = "repair"


class Actor(StrEnum):
    """Who caused an event."""

    PAGE = "page"
    """The product's own page, in the browser."""
    PRODUCT = "product"
    """The product's server side."""
    GRADER = "grader"
    """The grader's scripts or commands, past the screen."""


class _Event(Shape):
    number: int
    """1 is the grade's first."""
    step: str = ""
    """The step of the plan under way."""
    by: Actor


class Requested(_Event):
    """An HTTP request to the product, as the gateway or the browser saw it."""

    kind: Literal["requested"] = "requested"
    method: str
    url: str
    user: str = ""
    """Whose session, where there is one."""


class Navigated(_Event):
    """A page loaded a document anew."""

    kind: Literal["navigated"] = "navigated"
    user: str
    url: str
    before: str = ""
    """The address that the page showed until then; nothing for a fresh page."""
    reload: bool = False
    """The browser's reload, by whatever key or script."""


class Scripted(_Event):
    """A script of the grader's ran in the browser's harness."""

    kind: Literal["scripted"] = "scripted"
    user: str = ""
    source: str
    edits: int = 0
    """Changes of the page's document that came from the script itself, not from the page's own code."""


class Queried(_Event):
    """A statement reached the product's database."""

    kind: Literal["queried"] = "queried"
    statement: str


class Touched(_Event):
    """A file of the product's changed, or a process of its was started, stopped or signalled."""

    kind: Literal["touched"] = "touched"
    what: str
    """The file or process."""


Event = Annotated[Requested | Navigated | Scripted | Queried | Touched, Field(discriminator="kind")]
EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[Event, ...])
"""Reads and writes a stored log."""


class Breach(Shape):
    """One broken rule."""

    rule: Rule
    event: int
    """The event's number."""
    says: str
    """What happened, in one line."""


_READS = re.compile(r"^\s*(?:select|show|explain|table|values|begin|commit|rollback|fetch|set)\b", re.I)
_WRITES = re.compile(r"\b(?:insert\s+into|update|delete\s+from|merge\s+into|into|nextval|setval)\b", re.I)
_TEXTS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\"(?:[^\"]|\"\")*\"", re.S)
_SHOWN = ("http", "https", "about", "chrome", "chrome-error")
"""Schemes of what a browser shows of a product, or where there is nothing of it to show."""
_SCRIPT_RULES: tuple[tuple[Rule, re.Pattern[str]], ...] = (
    (
        Rule.API_CALL,
        re.compile(
            r"(?<![\w$])fetch\s*\(|XMLHttpRequest|sendBeacon|new\s+(?:WebSocket|EventSource)\b"
            r"|\brequest\s*\.\s*(?:get|post|put|patch|delete|head|fetch|newContext|new_context)\s*\("
            r"|\baxios\b"
        ),
    ),
    (
        Rule.PAGE_EDIT,
        re.compile(
            r"\.(?:innerHTML|outerHTML|innerText|textContent|className|disabled|hidden)\s*=(?!=)"
            r"|\.(?:setAttribute|removeAttribute|appendChild|removeChild|replaceWith|insertAdjacentHTML)\s*\("
            r"|\.(?:setContent|set_content|addScriptTag|add_script_tag|addStyleTag|add_style_tag)\s*\("
            r"|\.(?:addInitScript|add_init_script|route|addCookies|add_cookies|clearCookies|clear_cookies)\s*\("
            r"|\b(?:localStorage|sessionStorage)\s*\.\s*(?:setItem|removeItem|clear)\s*\("
            r"|\bdocument\s*\.\s*(?:write|cookie\s*=(?!=))"
            r"|\.clock\s*\.\s*\w+\s*\("
            r"|\.(?:newCDPSession|new_cdp_session)\s*\("
        ),
    ),
)


def breaches(plan: Plan, events: Iterable[Event]) -> list[Breach]:
    """Every broken rule in a grade's log, in its order.

    * ``api_call``: a request that no page made, or a script that would make one.
    * ``database_write``: a statement of the grader's that is not plainly a read.
    * ``page_edit``: a script that changed the document, the page's storage or its clock, or answered
      its requests; a page of the grader's own (``data:``, ``file:``) in the product's place. Browser
      actions (click, type, drag, upload, wait) are none.
    * ``reload``: a page that was loaded anew at the address it showed, by reload or by address, where the
      step under way does not allow it for that user. A fragment is no other address. A page that the
      product itself loads anew is not the grader's doing.
    * ``repair``: a file or process of the product's that the grader touched.

    Args:
        plan: What was walked: it says which reloads are allowed.
        events: The log.
    """
    allowed = {step.name: step.reloads for step in plan.steps}
    found = []
    for event in events:
        if event.by is Actor.GRADER:
            found += [Breach(rule=r, event=event.number, says=says) for r, says in _broken(event, allowed)]
    return found


def _broken(event: Event, allowed: dict[str, tuple[str, ...]]) -> Iterator[tuple[Rule, str]]:
    match event:
        case Requested():
            yield Rule.API_CALL, f"{event.method} {event.url} was not made by a page"
        case Queried() if not is_read(event.statement):
            yield Rule.DATABASE_WRITE, f"a statement that is no read: {_short(event.statement)}"
        case Touched():
            yield Rule.REPAIR, f"{event.what} was changed"
        case Navigated() if urlsplit(event.url).scheme not in _SHOWN:
            yield Rule.PAGE_EDIT, f"{_short(event.url)} is no page of the product's"
        case Navigated() if _is_reload(event) and event.user not in allowed.get(event.step, ()):
            yield Rule.RELOAD, f"{event.user or 'the page'} loaded {event.url} anew, which the step forbids"
        case Scripted():
            yield from _script(event)


def _script(event: Scripted) -> Iterator[tuple[Rule, str]]:
    for rule, pattern in _SCRIPT_RULES:
        if (found := pattern.search(event.source)) is not None:
            yield rule, f"the script holds {_short(found.group())}"
        elif rule is Rule.PAGE_EDIT and event.edits:
            yield rule, f"the script changed the document {event.edits} times"


def _is_reload(event: Navigated) -> bool:
    return event.reload or (bool(event.before) and _same_page(event.before, event.url))


def _same_page(one: str, other: str) -> bool:
    return urldefrag(one).url.rstrip("/") == urldefrag(other).url.rstrip("/")


def is_read(statement: str) -> bool:
    """Whether a text of SQL holds nothing but reads; several statements are judged one by one.

    A common table expression that writes, ``SELECT … INTO`` and sequences that move are no reads.
    """
    parts: Sequence[str] = [part for part in _TEXTS.sub(" ", statement).split(";") if part.strip()]
    return all(_is_read(part) for part in parts)


def _is_read(statement: str) -> bool:
    bare = re.sub(r"\bfor\s+(?:no\s+key\s+)?update\b", " ", statement, flags=re.I)
    reads = _READS.match(bare) or re.match(r"\s*with\b", bare, re.I)
    return reads is not None and _WRITES.search(bare) is None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
