"""What the Gmail twin keeps, and how a world's author writes mail.

Ids are the vendor's: they are unique in the whole world, so a record's id is also its id in the
API. A letter that reaches three mailboxes is three records with one ``message_id``.
"""

import hashlib
from collections.abc import Callable, Iterable
from mimetypes import guess_type
from typing import Any

from pydantic import BaseModel, ConfigDict

from tenure.twins.gmail.text import emails, html_text, mailboxes, snippet, words
from tenure.world import Index, Record

HISTORY_START = 482_013
"""A mailbox's history id at the start of an attempt; changes count up from it."""
SYSTEM_LABELS = (
    "INBOX",
    "SENT",
    "DRAFT",
    "TRASH",
    "SPAM",
    "STARRED",
    "UNREAD",
    "IMPORTANT",
    "CHAT",
    "CATEGORY_PERSONAL",
    "CATEGORY_SOCIAL",
    "CATEGORY_PROMOTIONS",
    "CATEGORY_UPDATES",
    "CATEGORY_FORUMS",
)
HIDDEN = frozenset(("SPAM", "TRASH"))
"""Labels whose mail default listings leave out."""


ATTACHED = "hasattachment"
"""The word by which the text index finds messages with files; it decides nothing."""


def owner_token(account: str) -> str:
    """The word by which the text index tells mailboxes apart."""
    return f"q{hashlib.blake2b(account.encode(), digest_size=8).hexdigest()}"


class Attachment(BaseModel):
    """A file in a message.

    ``blob`` is the SHA-256 of its bytes, under which the store keeps them.
    """

    model_config = ConfigDict(extra="forbid")

    filename: str
    mime: str
    size: int
    blob: str
    content_id: str = ""
    """Set when the HTML body shows the file inline."""


def _shelves(message: "Message") -> list[str]:
    return [f"{message.account}/{label}" for label in message.label_ids]


class Message(
    Record,
    kind="gmail.message",
    indexes=(
        Index("mailbox", lambda m: (m.account,), lambda m: m.internal_date, counted=True),
        Index("visible", lambda m: () if m.hidden else (m.account,), lambda m: m.internal_date),
        Index("label", _shelves, lambda m: m.internal_date, counted=True),
        Index("unread", lambda m: _shelves(m) if m.unread else (), counted=True),
        Index("threads", lambda m: (m.account,), lambda m: m.thread),
        Index("thread", lambda m: (f"{m.account}/{m.thread}",), lambda m: m.internal_date),
        Index("rfc822", lambda m: (f"{m.account}/{m.message_id}",), lambda m: m.internal_date),
        Index("letter", lambda m: (m.message_id,), lambda m: m.internal_date),
    ),
    incidental=frozenset(("unread", "history")),
):
    """One mailbox's copy of a letter.

    Indexes: ``mailbox`` and ``visible`` (without spam and trash) by account id; ``label`` and
    ``unread`` by ``account/label``; ``thread`` by ``account/thread``; ``rfc822`` by
    ``account/message_id``; ``letter`` by Message-ID over all mailboxes. All but ``unread`` are
    ordered by ``internal_date``. ``threads`` by account id tells every message's thread.
    """

    account: str
    """Account id of the mailbox's owner."""
    thread: str
    labels: list[str] = []
    """Sorted label ids, UNREAD excepted."""
    unread: bool = False
    internal_date: int
    """World time, epoch milliseconds."""
    sender: str
    """``Name <address>``, as in the From header."""
    to: list[str] = []
    cc: list[str] = []
    bcc: list[str] = []
    """Only in the sender's copy."""
    subject: str = ""
    body: str = ""
    """The plain text; of an HTML-only letter, the HTML's text."""
    html: str = ""
    attachments: list[Attachment] = []
    message_id: str = ""
    """The RFC 822 Message-ID, with its angle brackets."""
    in_reply_to: str = ""
    references: list[str] = []
    headers: list[tuple[str, str]] = []
    """All top-level headers in order when ``mime`` is set, else only those beyond the fields above."""
    mime: str = ""
    """Blob of the MIME body after the header block; empty: rendered from the fields."""
    size: int = 0
    """Bytes of the whole letter, roughly."""
    history: int = 0
    """History id of the last change; 0: unchanged since the base."""

    @property
    def label_ids(self) -> list[str]:
        """The label ids as the API lists them."""
        return ["UNREAD", *self.labels] if self.unread else self.labels

    @property
    def hidden(self) -> bool:
        """Whether default listings leave the message out."""
        return not HIDDEN.isdisjoint(self.labels)

    @property
    def snippet(self) -> str:
        """The HTML-escaped beginning of the body."""
        return snippet(self.body)

    @property
    def recipients(self) -> list[str]:
        """Every address in To, Cc and Bcc, lower-case."""
        return emails([*self.to, *self.cc, *self.bcc])

    def text(self) -> str:
        """The owner's token, a token for files, then the words of subject, people, body and file names."""
        people = [self.sender, *self.to, *self.cc, *self.bcc]
        files = [attachment.filename for attachment in self.attachments]
        found = words("\n".join([self.subject, *people, self.body, *files]))
        return " ".join([owner_token(self.account), *([ATTACHED] if files else []), *found])


class Draft(
    Record,
    kind="gmail.draft",
    indexes=(
        Index("mailbox", lambda d: (d.account,), lambda d: d.updated),
        Index("message", lambda d: (d.message,)),
    ),
    incidental=frozenset(("updated",)),
):
    """A letter being written. Its text is the message that it points to, labelled DRAFT."""

    account: str
    message: str
    """The current version: every update makes a new message."""
    updated: int


class Label(
    Record,
    kind="gmail.label",
    indexes=(
        Index("mailbox", lambda r: (r.account,), lambda r: r.name.casefold()),
        Index("name", lambda r: (f"{r.account}/{r.name.casefold()}",)),
    ),
):
    """A user's label. System labels are no records: see ``SYSTEM_LABELS``."""

    account: str
    name: str
    """``Parent/Child`` nests."""
    label_list_visibility: str = "labelShow"
    message_list_visibility: str = "show"
    text_color: str = ""
    background_color: str = ""


class Filter(
    Record, kind="gmail.filter", indexes=(Index("mailbox", lambda f: (f.account,), lambda f: f.created),)
):
    """A rule that incoming mail meets."""

    account: str
    criteria: dict[str, Any] = {}
    """The vendor's ``FilterCriteria``."""
    action: dict[str, Any] = {}
    """The vendor's ``FilterAction``."""
    created: int = 0


class Vacation(Record, kind="gmail.vacation"):
    """A mailbox's automatic reply. Its id is the account's."""

    enabled: bool = False
    subject: str = ""
    body: str = ""
    html: str = ""
    contacts_only: bool = False
    domain_only: bool = False
    start: int | None = None
    """World time, epoch milliseconds."""
    end: int | None = None


class SendAs(
    Record,
    kind="gmail.sendas",
    indexes=(
        Index("mailbox", lambda s: (s.account,), lambda s: s.address),
        Index("address", lambda s: (s.address.lower(),)),
    ),
):
    """An address that a mailbox writes from and receives at. Its id is ``account/address``."""

    account: str
    address: str
    name: str = ""
    signature: str = ""
    reply_to: str = ""
    primary: bool = True
    treat_as_alias: bool = False


class Change(
    Record,
    kind="gmail.change",
    indexes=(Index("mailbox", lambda c: (c.account,), lambda c: c.number),),
    incidental=True,
):
    """One entry of a mailbox's history. Its id is ``account/number``."""

    account: str
    number: int
    type: str
    """``messageAdded`` | ``messageDeleted`` | ``labelAdded`` | ``labelRemoved``."""
    message: str
    thread: str
    labels: list[str] = []
    """The message's labels after the change."""
    moved: list[str] = []
    """The labels added or removed."""


class Watch(Record, kind="gmail.watch", incidental=True):
    """A mailbox's push subscription. Its id is the account's."""

    topic: str
    labels: list[str] = []
    behavior: str = ""
    expiration: int


class Answered(
    Record, kind="gmail.answered", indexes=(Index("mailbox", lambda a: (a.account,)),), incidental=True
):
    """That a sender has had a mailbox's automatic reply. Its id is ``account/address``."""

    account: str
    at: int


KINDS: tuple[type[Record], ...] = (
    Message,
    Draft,
    Label,
    Filter,
    Vacation,
    SendAs,
    Change,
    Watch,
    Answered,
)


def letter_id(sender: str, subject: str, at: int) -> str:
    """The Message-ID of a seeded letter: equal for every copy of it."""
    address = (emails([sender]) or ["nobody@example.com"])[0]
    digest = hashlib.blake2b(f"{address}/{subject}/{at}".encode(), digest_size=12).hexdigest()
    return f"<{digest}@{address.rpartition('@')[2]}>"


def attach(store: Callable[[bytes], str], filename: str, data: bytes, mime: str = "") -> Attachment:
    """A file for ``mail``.

    Args:
        store: Keeps bytes and gives their hash: ``builder.blob`` or ``act.put_blob``.
        filename: As the recipient sees it.
        data: The file.
        mime: Guessed from the name by default.
    """
    kind = mime or guess_type(filename)[0] or "application/octet-stream"
    return Attachment(filename=filename, mime=kind, size=len(data), blob=store(data))


def mail(
    *,
    account: str,
    id: str,
    sender: str,
    to: Iterable[str],
    at: int,
    subject: str = "",
    text: str = "",
    html: str = "",
    thread: str = "",
    cc: Iterable[str] = (),
    bcc: Iterable[str] = (),
    labels: Iterable[str] = ("INBOX",),
    unread: bool = False,
    attachments: Iterable[Attachment] = (),
    message_id: str = "",
    in_reply_to: str = "",
    references: Iterable[str] = (),
    headers: Iterable[tuple[str, str]] = (),
) -> Message:
    """One mailbox's copy of a seeded letter.

    Args:
        account: Account id of the mailbox's owner.
        id: 16 lower-case hex digits, unique in the world.
        sender: ``Name <address>``.
        to: The same, each.
        at: World time of arrival, epoch milliseconds.
        subject: Without encoding.
        text: The plain body; taken from ``html`` when empty.
        html: The HTML body, if any.
        thread: Id of the thread's first message in this mailbox; the message's own by default.
        cc: As ``to``.
        bcc: As ``to``; only for the sender's copy.
        labels: System label ids and ids of ``Label`` records. ``SENT`` for the sender's copy.
        unread: Whether it has yet to be read; also taken from an ``UNREAD`` label.
        attachments: Made by ``attach``.
        message_id: Equal for all copies; derived from sender, subject and time by default.
        in_reply_to: Message-ID of the letter that this one answers.
        references: Message-IDs of the conversation so far; ``in_reply_to`` alone by default.
        headers: Further headers.
    """
    given, files = set(labels), list(attachments)
    body = text or html_text(html)
    return Message(
        id=id,
        account=account,
        thread=thread or id,
        labels=sorted(given - {"UNREAD"}),
        unread=unread or "UNREAD" in given,
        internal_date=at,
        sender=sender,
        to=mailboxes(to),
        cc=mailboxes(cc),
        bcc=mailboxes(bcc),
        subject=subject,
        body=body,
        html=html,
        attachments=files,
        message_id=message_id or letter_id(sender, subject, at),
        in_reply_to=in_reply_to,
        references=list(references) or ([in_reply_to] if in_reply_to else []),
        headers=list(headers),
        size=600 + len(text.encode()) + len(html.encode()) + sum(file.size * 4 // 3 for file in files),
    )
