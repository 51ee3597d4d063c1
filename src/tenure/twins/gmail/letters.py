"""Turning what a client sends into a message of a mailbox: decoding, checking, signing, threading."""

import base64
import binascii
import re
from email.utils import getaddresses
from typing import Any

from tenure.twins.gmail import mailbox, mime
from tenure.twins.gmail.records import Attachment, Message, SendAs, owner_token
from tenure.twins.gmail.text import bare_subject, emails, words
from tenure.twins.gmail.text import mailbox as address
from tenure.twins.google.errors import bad_request, invalid
from tenure.world import Act
from tenure.world.ids import digest

NO_RAW = "'raw' RFC822 payload message string or uploading message via /upload/* URL required"
SUBJECT_MS = 7 * 24 * 3_600_000
"""World time in which a reply without headers still finds its thread by subject."""
_ADDRESS = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+")
_RECIPIENTS = ("To", "Cc", "Bcc")


def given(body: dict[str, Any], media: bytes | None) -> mime.Letter:
    """The letter of a request: uploaded, or base64url in ``raw`` (padding and alphabet forgiven).

    Args:
        body: The ``Message`` of the request.
        media: Uploaded bytes, if any.

    Raises:
        GoogleError: 400, there is none or it is not base64.
    """
    if media is not None:
        raw = media
    else:
        text = "".join(str(body.get("raw", "")).split()).replace("+", "-").replace("/", "_").rstrip("=")
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            text = f"Invalid value at 'raw' (TYPE_BYTES), Base64 decoding failed for \"{text[:60]}\""
            raise bad_request([("raw", text)]) from None
    if not raw.strip():
        raise invalid(NO_RAW)
    return mime.read(raw)


def check_recipients(letter: mime.Letter) -> None:
    """Refuse a letter that cannot be sent.

    Raises:
        GoogleError: 400, no recipient, or one that is no address.
    """
    found = 0
    for name in _RECIPIENTS:
        for line in letter.every(name):
            people = [person for _, person in getaddresses([line]) if person]
            if line.strip() and not line.strip().endswith(";"):
                if not people or not all(_ADDRESS.fullmatch(person) for person in people):
                    raise invalid(f"Invalid {name} header")
                found += len(people)
    if not found:
        raise invalid("Recipient address required")


def sender_of(act: Act, account: str, wanted: str = "") -> str:
    """The From header of a mailbox's letters: the alias asked for where it is one, else its own."""
    owner = act.account(account)
    asked = (emails([wanted]) or [owner.email.lower()])[0]
    alias = act.get(SendAs, f"{account}/{asked}") or act.get(SendAs, f"{account}/{owner.email.lower()}")
    if alias is None:
        return address(owner.name, owner.email)
    return address(alias.name or owner.name, alias.address)


def sign(act: Act, account: str, letter: mime.Letter) -> None:
    """What the server does to a letter of its own user: From, Date and Message-ID."""
    letter.put("From", sender_of(act, account, letter.get("From")))
    letter.put("Date", mime.date_header(act.now))
    if not letter.message_id:
        number = act.next("gmail.letter")
        unique = base64.urlsafe_b64encode(digest(act.world.seed, "gmail.letter", number, 30)).decode()
        letter.put("Message-ID", f"<CA{unique}@mail.gmail.com>")


def joined(act: Act, account: str, letter: mime.Letter, asked: str) -> str:
    """The thread that a letter of the mailbox's own joins, or empty for a new one.

    It joins the thread asked for only when its In-Reply-To or References name a letter there and
    the subjects agree.

    Raises:
        GoogleError: 404, there is no such thread.
    """
    if not asked:
        return ""
    thread = mailbox.thread(act, account, asked)
    named = {letter.in_reply_to, *letter.references} & {record.message_id for record in thread}
    subject = bare_subject(letter.get("Subject"))
    same = any(bare_subject(record.subject) == subject for record in thread)
    return asked if named and same else ""


def received_thread(act: Act, account: str, letter: mime.Letter) -> str:
    """The thread that an arriving letter joins, or empty for a new one.

    By its headers first. A reply without usable headers joins the newest thread of a week that has
    its subject and its writer in it.
    """
    subject = bare_subject(letter.get("Subject"))
    for id in [letter.in_reply_to, *reversed(letter.references)]:
        for record in act.all(Message, "rfc822", f"{account}/{id}") if id else ():
            if bare_subject(record.subject) == subject:
                return record.thread
    writer = emails(letter.every("From"))
    if not subject or not writer or subject == letter.get("Subject").casefold():
        return ""
    phrases = [owner_token(account), " ".join(words(subject)), " ".join(words(writer[0]))]
    found = [act.get(Message, id) for id in act.matching(Message, phrases)] if all(phrases) else []
    alike = [
        (record.internal_date, record.id, record.thread)
        for record in found
        if record is not None
        and bare_subject(record.subject) == subject
        and writer[0] in {*record.recipients, *emails([record.sender])}
        and record.internal_date >= act.now - SUBJECT_MS
    ]
    return max(alike)[2] if alike else ""


def record_of(
    act: Act,
    account: str,
    letter: mime.Letter,
    *,
    thread: str,
    labels: set[str],
    at: int,
) -> Message:
    """A new message of a mailbox, not yet put into it.

    Args:
        act: The act.
        account: Account id of the mailbox.
        letter: What it says.
        thread: The thread it joins; empty for a new one.
        labels: Label ids, UNREAD among them for an unread message.
        at: Its internal date.
    """
    id = act.hex_id("gmail.message")
    files = [
        Attachment(filename=name, mime=kind, size=len(data), blob=act.put_blob(data), content_id=content_id)
        for name, kind, data, content_id in letter.files
    ]
    return Message(
        id=id,
        account=account,
        thread=thread or id,
        labels=sorted(labels - {"UNREAD"}),
        unread="UNREAD" in labels,
        internal_date=at,
        sender=(letter.people("From") or [letter.get("From")])[0],
        to=letter.people("To"),
        cc=letter.people("Cc"),
        bcc=letter.people("Bcc"),
        subject=letter.get("Subject"),
        body=letter.body,
        html=letter.html,
        attachments=files,
        message_id=letter.message_id,
        in_reply_to=letter.in_reply_to,
        references=letter.references,
        headers=letter.headers,
        mime=act.put_blob(letter.mime),
        size=sum(len(name) + len(value) + 4 for name, value in letter.headers) + len(letter.mime) + 2,
    )
