"""The company's mail: conversations, with a copy of each letter in every mailbox that it reached."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tenure.twins.gmail.records import Attachment, Label, Message, attach, mail
from tenure.world.ids import hex_id

from .clock import DAY, HOUR
from .people import Colleague, Person

if TYPE_CHECKING:
    from tenure.world import BaseBuilder


@dataclass(frozen=True)
class Letter:
    """A written letter.

    Attributes:
        sender: Who wrote it.
        at: When it arrived, epoch milliseconds.
        text: Its plain body.
        copies: Account id → that mailbox's copy.
    """

    sender: Person
    at: int
    text: str
    copies: dict[str, Message] = field(default_factory=dict)

    def ref(self, reader: Colleague) -> str:
        """``kind/id`` of someone's copy, as facts name records."""
        return f"{Message.kind}/{self.copies[reader.account].id}"


class Mailroom:
    """Writes mail into the mailboxes of everyone who has one."""

    def __init__(self, base: "BaseBuilder", rng: random.Random, now: int) -> None:
        """Start with no mailboxes; letters are written as seen at ``now``."""
        self._base, self._rng, self.now = base, rng, now
        self.boxes: dict[str, Colleague] = {}
        """Address → the colleague who reads it."""

    def label(self, reader: Colleague, name: str) -> str:
        """A label of someone's own; returns its id."""
        made = Label(id=f"Label_{self._base.next('gmail.label')}", account=reader.account, name=name)
        self._base.add(made)
        return made.id

    def file(self, name: str, content: str) -> Attachment:
        """An attachment."""
        return attach(self._base.blob, name, content.encode())

    def thread(self, subject: str) -> "Thread":
        """Start a conversation."""
        return Thread(self, subject)

    def keeps(self) -> bool:
        """Whether a reader leaves a conversation in the inbox when it is over."""
        return self._rng.random() < 0.35

    def shelf(self, at: int, kept: bool) -> list[str]:
        """Where a reader who keeps up has a letter of that age."""
        return ["INBOX"] if kept or self.now - at < 5 * DAY else []

    def deliver(self, letter: Letter, reader: Colleague, message: Message) -> None:
        """File one copy."""
        self._base.add(message)
        letter.copies[reader.account] = message

    def fresh_id(self) -> str:
        """The next message id."""
        return hex_id(self._base.seed, "gmail.message", self._base.next("gmail.message"))

    def unread(self, at: int) -> bool:
        """Whether a letter of that age still waits to be read."""
        return self._rng.random() < (0.6 if self.now - at < 14 * HOUR else 0.03)


class Thread:
    """One conversation, with an own id in each mailbox."""

    def __init__(self, room: Mailroom, subject: str) -> None:
        """Start empty; ``Mailroom.thread`` makes these."""
        self._room, self.subject = room, subject
        self._ids: dict[str, str] = {}
        self._kept: dict[str, bool] = {}
        self._references: list[str] = []
        self.letters: list[Letter] = []

    def write(
        self,
        sender: Person,
        to: Sequence[Person],
        at: int,
        text: str,
        *,
        cc: Iterable[Person] = (),
        labels: Mapping[str, Sequence[str]] | None = None,
        extra: Sequence[str] = (),
        subject: str = "",
        html: str = "",
        headers: Iterable[tuple[str, str]] = (),
        files: Mapping[str, str] | None = None,
    ) -> Letter:
        """Write the next letter and file its copies.

        Args:
            sender: Who writes.
            to: To whom.
            at: When, epoch milliseconds.
            text: The plain body.
            cc: Who gets a copy.
            labels: Account id → label ids, where the usual shelf is not meant; ``UNREAD`` counts.
            extra: Label ids that every received copy has besides (``CATEGORY_UPDATES``).
            subject: Where it is not the conversation's, with ``Re:`` for an answer.
            html: An HTML body.
            headers: Further headers.
            files: File name → text of an attachment.
        """
        room, copied = self._room, list(cc)
        attached = [room.file(name, content) for name, content in (files or {}).items()]
        title = subject or (f"Re: {self.subject}" if self.letters else self.subject)
        letter = Letter(sender, at, text)
        message_id = ""
        readers = {p.email: room.boxes[p.email] for p in (sender, *to, *copied) if p.email in room.boxes}
        for address, reader in readers.items():
            own = address == sender.email
            given = (labels or {}).get(reader.account)
            kept = self._kept.setdefault(reader.account, room.keeps())
            shelf = list(given) if given is not None else ["SENT"] if own else [*room.shelf(at, kept), *extra]
            message = mail(
                account=reader.account,
                id=room.fresh_id(),
                sender=sender.header,
                to=[person.header for person in to],
                cc=[person.header for person in copied],
                at=at,
                subject=title,
                text=text,
                html=html,
                thread=self._ids.get(reader.account, ""),
                labels=shelf,
                unread=given is None and not own and room.unread(at),
                in_reply_to=self._references[-1] if self._references else "",
                references=self._references,
                attachments=attached,
                headers=headers,
            )
            self._ids.setdefault(reader.account, message.thread)
            message_id = message.message_id
            room.deliver(letter, reader, message)
        self._references.append(message_id)
        self.letters.append(letter)
        return letter
