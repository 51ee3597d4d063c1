"""Shapes of the hosted MCP server: messages, threads, drafts and labels, and letters from arguments."""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from tenure.twins.gmail import mailbox, mime, render
from tenure.twins.gmail.records import Attachment, Draft, Label, Message, attach
from tenure.twins.gmail.text import bare_subject, emails
from tenure.twins.google.errors import invalid
from tenure.world import Act
from tenure.world.ids import digest


def message(act: Act, record: Message, form: str) -> dict[str, Any]:
    """A message; ``form`` is MINIMAL, METADATA_ONLY or FULL_CONTENT."""
    act.show(record)
    shown: dict[str, Any] = {**render.brief(record), "snippet": record.snippet}
    if form == "MINIMAL":
        return shown
    at = datetime.fromtimestamp(record.internal_date / 1000, UTC)
    shown |= {
        "subject": record.subject,
        "sender": record.sender,
        "toRecipients": record.to,
        "ccRecipients": record.cc,
        "date": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if record.bcc:
        shown["bccRecipients"] = record.bcc
    if form == "FULL_CONTENT":
        shown["plaintextBody"] = record.body
        if record.html:
            shown["htmlBody"] = record.html
        shown["attachmentIds"] = list(render.attachments(act, record)) if record.attachments else []
        shown["attachments"] = [
            {"filename": file.filename, "mimeType": file.mime, "size": file.size}
            for file in record.attachments
        ]
    return shown


def thread(act: Act, records: Sequence[Message], form: str) -> dict[str, Any]:
    """A thread with its messages, oldest first."""
    return {"id": records[0].thread, "messages": [message(act, record, form) for record in records]}


def draft(act: Act, record: Draft, version: Message, form: str) -> dict[str, Any]:
    """A draft with its text."""
    act.show(record)
    return {"id": record.id, "message": message(act, version, form)}


def label(act: Act, record: Label) -> dict[str, Any]:
    """A user's label."""
    act.show(record)
    shown: dict[str, Any] = {"labelId": record.id, "displayName": record.name}
    if record.text_color or record.background_color:
        shown["color"] = {"textColor": record.text_color, "backgroundColor": record.background_color}
    return shown


def _addresses(given: dict[str, Any], name: str) -> list[str]:
    for person in given.get(name, ()):
        if emails([person]) != [person.lower()]:
            raise invalid(f"Invalid address in {name}: {person}. Give plain addresses only.")
    return list(given.get(name, ()))


def _file(act: Act, given: dict[str, Any], number: int) -> Attachment:
    try:
        data = base64.b64decode(given["content"], validate=True)
    except (binascii.Error, ValueError):
        raise invalid(f"Attachment {number} is not base64") from None
    name = " ".join(given.get("filename", "").split()) or "attachment"
    file = attach(act.put_blob, name, data, given.get("mimeType", ""))
    return file.model_copy(update={"content_id": f"file{number}"}) if given.get("inline") else file


def compose(act: Act, given: dict[str, Any]) -> tuple[mime.Letter, str]:
    """The letter that ``create_draft``'s arguments describe, and the thread it answers in.

    Raises:
        GoogleError: 400 for a bad address or attachment, 404 for an unknown message to answer.
    """
    people = {name: _addresses(given, name) for name in ("to", "cc", "bcc")}
    subject, thread, headers = given.get("subject", ""), "", []
    if given.get("replyToMessageId"):
        answered = mailbox.message(act, act.actor, given["replyToMessageId"])
        thread = answered.thread
        reply_to = [value for name, value in answered.headers if name.lower() == "reply-to"]
        people["to"] = people["to"] or emails(reply_to or [answered.sender])
        if not subject or bare_subject(subject) == bare_subject(answered.subject):
            prefixed = answered.subject.lower().startswith("re:")
            subject = answered.subject if prefixed else f"Re: {answered.subject}"
        references = " ".join([*answered.references, answered.message_id])
        headers = [("In-Reply-To", answered.message_id), ("References", references)]
    files = [_file(act, file, i) for i, file in enumerate(given.get("attachments", ()), 1)]
    mark = digest(act.world.seed, "gmail.boundary", act.next("gmail.boundary")).hex()
    content, body = mime.compose(given.get("body", ""), given.get("htmlBody", ""), files, act.blob, mark)
    for name, line in (("To", people["to"]), ("Cc", people["cc"]), ("Bcc", people["bcc"])):
        if line:
            headers.append((name, ", ".join(line)))
    return mime.read(mime.assemble([*headers, ("Subject", subject), *content], body)), thread
