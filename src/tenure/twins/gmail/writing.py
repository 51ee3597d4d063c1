"""Letters as the product's compose window writes and reads them."""

import hashlib
from typing import Any

from pydantic import BaseModel, ConfigDict

from tenure.twins.gmail import drafts, mailbox, mime
from tenure.twins.gmail.records import Attachment, Draft, Message
from tenure.twins.gmail.screen_records import Scheduled
from tenure.twins.gmail.text import addresses
from tenure.twins.google.errors import invalid
from tenure.world import Act

KNOWN_PEOPLE = 400
"""How many of the newest messages the compose window's suggestions come from."""


class File(BaseModel):
    """A file that was uploaded before, or is in the letter already."""

    model_config = ConfigDict(extra="forbid")

    filename: str
    mime: str
    blob: str


class Written(BaseModel):
    """What a compose window holds.

    ``rev`` is the version that the window knows; empty for a letter that was never saved.
    """

    model_config = ConfigDict(extra="forbid")

    to: list[str] = []
    cc: list[str] = []
    bcc: list[str] = []
    subject: str = ""
    text: str = ""
    html: str = ""
    files: list[File] = []
    answers: str = ""
    """Id of the message that the letter replies to, in its thread."""
    rev: str = ""


def letter_of(act: Act, written: Written) -> tuple[mime.Letter, str]:
    """The letter, and the thread that it is meant for.

    Raises:
        GoogleError: 400 for a file that was never uploaded, 404 for an unknown message.
    """
    thread, answered = "", None
    if written.answers:
        answered = mailbox.message(act, act.actor, written.answers)
        thread = answered.thread
    files = [_attachment(act, file) for file in written.files]
    mark = hashlib.blake2b(f"{written.subject}/{written.text}".encode(), digest_size=12).hexdigest()
    content, body = mime.compose(written.text, written.html, files, act.blob, mark)
    headers = [
        ("To", ", ".join(written.to)),
        ("Cc", ", ".join(written.cc)),
        ("Bcc", ", ".join(written.bcc)),
        ("In-Reply-To", answered.message_id if answered else ""),
        ("References", " ".join([*answered.references, answered.message_id]) if answered else ""),
    ]
    kept = [(name, value) for name, value in headers if value]
    return mime.read(mime.assemble([*kept, ("Subject", written.subject), *content], body)), thread


def _attachment(act: Act, file: File) -> Attachment:
    try:
        size = len(act.blob(file.blob))
    except KeyError:
        raise invalid(f"{file.filename} is not here any more. Attach it again.") from None
    return Attachment(filename=file.filename, mime=file.mime, size=size, blob=file.blob)


def draft_json(act: Act, draft: Draft, record: Message) -> dict[str, Any]:
    """A draft as the compose window opens it; notes that it was shown."""
    act.show(record)
    answered = act.all(Message, "rfc822", f"{act.actor}/{record.in_reply_to}") if record.in_reply_to else []
    waiting = act.get(Scheduled, draft.id)
    return {
        "id": draft.id,
        "rev": draft.message,
        "thread": record.thread,
        "to": record.to,
        "cc": record.cc,
        "bcc": record.bcc,
        "subject": record.subject,
        "text": record.body,
        "html": record.html,
        "files": [
            file.model_dump(include={"filename", "mime", "size", "blob"}) for file in record.attachments
        ],
        "answers": answered[0].id if answered else "",
        "at": record.internal_date,
        "scheduled": waiting.at if waiting else None,
    }


def save(act: Act, id: str, written: Written) -> dict[str, Any]:
    """Save a draft (a new one without ``id``) as the window holds it."""
    letter, thread = letter_of(act, written)
    draft, record = drafts.update(act, id, letter, thread) if id else drafts.create(act, letter, thread)
    return draft_json(act, draft, record)


def people(act: Act) -> list[dict[str, str]]:
    """Everyone in the newest mail, most frequent first: what the window suggests."""
    me = act.account().email.lower()
    found: dict[str, tuple[int, str]] = {}
    for record in act.page(Message, "visible", act.actor, limit=KNOWN_PEOPLE, descending=True).records:
        for name, email in addresses([record.sender, *record.to, *record.cc, *record.bcc]):
            if email != me:
                times, known = found.get(email, (0, ""))
                found[email] = (times + 1, known or name)
    ordered = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    return [{"name": name, "email": email} for email, (_, name) in ordered]
