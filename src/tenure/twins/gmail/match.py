"""Whether a message matches a query, exactly."""

import re
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from tenure.twins.gmail.query import All, Around, Node, Not, Some, Term, Text
from tenure.twins.gmail.records import SYSTEM_LABELS, Label, Message
from tenure.twins.gmail.screen_records import Snoozed
from tenure.twins.gmail.text import words
from tenure.world import Act

PACIFIC = ZoneInfo("America/Los_Angeles")
"""Dates in queries are midnights here, whatever the account's zone (fact page)."""
_CATEGORIES = {
    "primary": "CATEGORY_PERSONAL",
    "personal": "CATEGORY_PERSONAL",
    "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS",
    "updates": "CATEGORY_UPDATES",
    "forums": "CATEGORY_FORUMS",
}
_PLACES = {"drafts": "DRAFT", "chats": "CHAT"} | {name.lower(): name for name in SYSTEM_LABELS}
_STATES = {"unread": "UNREAD", "starred": "STARRED", "important": "IMPORTANT", "chat": "CHAT"}
_LINKS = {
    "drive": ("drive.google.com/", "docs.google.com/"),
    "document": ("docs.google.com/document/",),
    "spreadsheet": ("docs.google.com/spreadsheets/",),
    "presentation": ("docs.google.com/presentation/",),
    "youtube": ("youtube.com/", "youtu.be/"),
}
_UNITS = {"": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1024**2, "mb": 1024**2}
_SIZE = re.compile(r"(\d+)([a-z]*)")
_AGE = re.compile(r"(\d+)([hdwmy])")
_DAY = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})")
_US_DAY = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_SPANS = {"h": "hours", "d": "days", "w": "weeks", "m": "months", "y": "years"}
_ARCHIVE = frozenset(("INBOX", "SENT", "DRAFT", "TRASH", "SPAM", "CHAT"))


def moment(value: str) -> int | None:
    """A query's date as epoch milliseconds; ``None`` when it is no date."""
    if value.isdecimal() and len(value) > 4:
        return int(value) * 1000
    if match := _DAY.fullmatch(value):
        year, month, day = (int(part) for part in match.groups())
    elif match := _US_DAY.fullmatch(value):
        month, day, year = (int(part) for part in match.groups())
    else:
        return None
    try:
        return int(datetime(year, month, day, tzinfo=PACIFIC).timestamp() * 1000)
    except ValueError:
        return None


def age(value: str, now: int) -> int | None:
    """The world time that lies ``2d``, ``3m``, ``1y`` before now; ``None`` when it is no span."""
    match = _AGE.fullmatch(value.lower())
    if match is None:
        return None
    try:
        span: dict[str, Any] = {_SPANS[match[2]]: int(match[1])}
        return int((datetime.fromtimestamp(now / 1000, UTC) - relativedelta(**span)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def size(value: str) -> int | None:
    """``10M`` as bytes; ``None`` when it is no size."""
    match = _SIZE.fullmatch(value.lower())
    return int(match[1]) * _UNITS[match[2]] if match and match[2] in _UNITS else None


def slug(name: str) -> str:
    """A label's name as queries write it."""
    return re.sub(r"[\s/&()]+", "-", name.strip()).casefold()


class Matcher:
    """Decides queries for one mailbox at one world time."""

    def __init__(self, act: Act, account: str, label_ids: bool = False) -> None:
        """Look at a mailbox.

        Args:
            act: The act.
            account: Account id.
            label_ids: ``label:`` takes ids (the MCP server) and not names (REST).
        """
        self.act, self.account, self._by_id = act, account, label_ids
        self.email = act.account(account).email.lower()

    @cached_property
    def _labels(self) -> dict[str, str]:
        known = {slug(label.name): label.id for label in self.act.all(Label, "mailbox", self.account)}
        return known | _PLACES

    def label(self, term: Term) -> str | None:
        """The label id that a term asks for; empty when there is no such label, ``None`` for others."""
        value = term.value.casefold()
        if term.op == "label" and self._by_id:
            return term.value
        if term.op == "label" or (term.op == "in" and value not in ("anywhere", "archive", "snoozed")):
            return self._labels.get(slug(term.value), "")
        if term.op == "category":
            return _CATEGORIES.get(value, "")
        if term.op == "is":
            return _STATES.get(value)
        return None

    def text_of(self, term: Term) -> list[str]:
        """The words of an operator that searches text; ``me`` is the mailbox's own address."""
        own = term.op in ("from", "to", "cc", "bcc", "deliveredto") and term.value.lower() == "me"
        return words(self.email if own else term.value)

    def bounds(self, term: Term) -> tuple[int | None, int | None] | None:
        """(first, last) internal date that a term allows, inclusive; ``None`` for other terms.

        A date that cannot be read allows nothing.
        """
        if term.op in ("after", "newer", "before", "older"):
            at = moment(term.value)
        elif term.op in ("newer_than", "older_than"):
            at = age(term.value, self.act.now)
        else:
            return None
        if at is None:
            return 1, 0
        return (at, None) if term.op in ("after", "newer", "newer_than") else (None, at - 1)

    def matches(self, record: Message, node: Node) -> bool:
        """Whether a message matches."""
        match node:
            case All(parts):
                return all(self.matches(record, part) for part in parts)
            case Some(parts):
                return any(self.matches(record, part) for part in parts)
            case Not(part):
                return not self.matches(record, part)
            case Text(found):
                return any(_holds(words(field), found) for field in _fields(record))
            case Around(left, distance, right):
                fields = (record.subject, record.body)
                return any(_near(words(field), left, distance, right) for field in fields)
            case Term():
                return self._term(record, node)

    def _term(self, record: Message, term: Term) -> bool:
        label = self.label(term)
        if label is not None:
            return label in record.label_ids
        span = self.bounds(term)
        if span is not None:
            first, last = span
            at = record.internal_date
            return (first is None or at >= first) and (last is None or at <= last)
        value = term.value.casefold()
        match term.op:
            case "from":
                return _holds(words(record.sender), self.text_of(term))
            case "to":
                return self._addressed(term, [*record.to, *record.cc, *record.bcc])
            case "cc":
                return self._addressed(term, record.cc)
            case "bcc":
                return self._addressed(term, record.bcc)
            case "deliveredto":
                return "SENT" not in record.labels and _holds(words(self.email), self.text_of(term))
            case "list":
                ids = [v for n, v in record.headers if n.lower() == "list-id"]
                return self._addressed(term, [*ids, *record.to, *record.cc])
            case "subject":
                return _holds(words(record.subject), self.text_of(term))
            case "filename":
                return any(_holds(words(file.filename), self.text_of(term)) for file in record.attachments)
            case "rfc822msgid":
                return record.message_id.strip("<>") == term.value.strip("<>")
            case "in" | "is" if value == "snoozed":
                return self.act.get(Snoozed, f"{self.account}/{record.thread}") is not None
            case "in":
                return value == "anywhere" or (value == "archive" and _ARCHIVE.isdisjoint(record.labels))
            case "is":
                return value == "read" and not record.unread
            case "has":
                return self._has(record, value)
        limit = size(term.value)
        if limit is None:
            return False
        return record.size < limit if term.op == "smaller" else record.size > limit

    def _addressed(self, term: Term, people: list[str]) -> bool:
        wanted = self.text_of(term)
        return any(_holds(words(person), wanted) for person in people)

    def _has(self, record: Message, value: str) -> bool:
        own = [label for label in record.labels if label not in SYSTEM_LABELS]
        if value in _LINKS:
            return any(link in source for link in _LINKS[value] for source in (record.body, record.html))
        if value == "attachment":
            return any(not file.content_id for file in record.attachments)
        return bool(own) if value == "userlabels" else value == "nouserlabels" and not own


def _fields(record: Message) -> list[str]:
    files = [file.filename for file in record.attachments]
    return [record.subject, record.sender, *record.to, *record.cc, *record.bcc, record.body, *files]


def _places(text: list[str], wanted: tuple[str, ...] | list[str]) -> list[int]:
    """Where the wanted words stand in a row."""
    n, first = len(wanted), wanted[0]
    return [i for i, word in enumerate(text) if word == first and text[i : i + n] == list(wanted)]


def _holds(text: list[str], wanted: tuple[str, ...] | list[str]) -> bool:
    return bool(wanted) and bool(_places(text, wanted))


def _near(text: list[str], left: tuple[str, ...], distance: int, right: tuple[str, ...]) -> bool:
    here, there = _places(text, left), _places(text, right)
    return any(
        0 <= j - (i + len(left)) <= distance or 0 <= i - (j + len(right)) <= distance
        for i in here
        for j in there
    )
