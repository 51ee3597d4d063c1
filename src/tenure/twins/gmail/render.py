"""Messages, threads, drafts and labels as the REST API shows them."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from email.message import Message as Part
from typing import Any

from tenure.twins.gmail import mime
from tenure.twins.gmail.mailbox import history_of
from tenure.twins.gmail.records import Draft, Label, Message
from tenure.twins.gmail.text import html_text
from tenure.world import Act

INLINE_LIMIT = 1024 * 1024
"""Bytes of a body above which it comes as an attachment id."""
FORMATS = ("full", "metadata", "minimal", "raw")


def b64(data: bytes) -> str:
    """Bytes as the API's base64url."""
    return base64.urlsafe_b64encode(data).decode()


def headers_of(act: Act, record: Message) -> mime.Headers:
    """A message's top-level headers in order."""
    return record.headers if record.mime else _seeded(act, record)[0]


def raw_of(act: Act, record: Message) -> bytes:
    """A message's RFC 822 bytes."""
    if record.mime:
        return mime.assemble(record.headers, act.blob(record.mime))
    return mime.assemble(*_seeded(act, record))


def _seeded(act: Act, record: Message) -> tuple[mime.Headers, bytes]:
    """Headers and MIME body of a message that was seeded by its fields."""
    text = "" if record.html and record.body == html_text(record.html) else record.body
    content, body = mime.compose(text, record.html, record.attachments, act.blob, record.message_id)
    headers: mime.Headers = []
    if "SENT" not in record.labels and "DRAFT" not in record.labels:
        headers.append(("Delivered-To", act.account(record.account).email))
    headers += [
        ("MIME-Version", "1.0"),
        ("Date", mime.date_header(record.internal_date)),
        ("Message-ID", record.message_id),
        ("In-Reply-To", record.in_reply_to),
        ("References", " ".join(record.references)),
        ("Subject", record.subject),
        ("From", record.sender),
        ("To", ", ".join(record.to)),
        ("Cc", ", ".join(record.cc)),
        ("Bcc", ", ".join(record.bcc)),
        *record.headers,
    ]
    kept = [(name, value) for name, value in headers if value or name == "Subject"]
    return [*kept, *content[1:]], body


def attachment_id(message: str, part: str) -> str:
    """The opaque id of a part's bytes."""
    return f"ANGjdJ{b64(hashlib.blake2b(f'{message}/{part}'.encode(), digest_size=60).digest())}"


def message_json(
    act: Act,
    record: Message,
    form: str = "full",
    metadata_headers: Iterable[str] = (),
) -> dict[str, Any]:
    """A ``Message`` with its content; notes that it was shown.

    Args:
        act: The act that shows it.
        record: The message.
        form: One of ``FORMATS``.
        metadata_headers: With ``metadata``: only these headers; all by default.
    """
    act.show(record)
    shown: dict[str, Any] = {
        **brief(record),
        "snippet": record.snippet,
        "historyId": str(history_of(record)),
        "internalDate": str(record.internal_date),
        "sizeEstimate": record.size,
    }
    if form == "raw":
        shown["raw"] = b64(raw_of(act, record))
    elif form == "metadata":
        wanted = {name.lower() for name in metadata_headers}
        headers = [pair for pair in headers_of(act, record) if not wanted or pair[0].lower() in wanted]
        kind = next((v for n, v in headers_of(act, record) if n.lower() == "content-type"), "text/plain")
        shown["payload"] = {"mimeType": kind.partition(";")[0].strip().lower(), "headers": _pairs(headers)}
    elif form == "full":
        shown["payload"] = payload(act, record)
    return shown


def brief(record: Message) -> dict[str, Any]:
    """A message without its content: ids and labels."""
    return {"id": record.id, "threadId": record.thread, "labelIds": record.label_ids}


def payload(act: Act, record: Message) -> dict[str, Any]:
    """A message's tree of parts."""
    tree = _part(record.id, mime.parse(raw_of(act, record)), "")
    tree["headers"] = _pairs(headers_of(act, record))
    return tree


def _pairs(headers: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _part(message: str, part: Part, id: str) -> dict[str, Any]:
    headers = [(mime.clean(name), mime.header_value(value)) for name, value in part.raw_items()] if id else []
    shown: dict[str, Any] = {
        "partId": id,
        "mimeType": mime.clean(part.get_content_type()),
        "filename": mime.filename(part),
        "headers": _pairs(headers),
    }
    inside = mime.children(part)
    if inside:
        prefix = f"{id}." if id else ""
        shown["body"] = {"size": 0}
        shown["parts"] = [_part(message, inner, f"{prefix}{i}") for i, inner in enumerate(inside)]
        return shown
    data = mime.content(part)
    shown["body"] = {"size": len(data)}
    if shown["filename"] or len(data) > INLINE_LIMIT:
        shown["body"]["attachmentId"] = attachment_id(message, id)
    else:
        shown["body"]["data"] = b64(data)
    return shown


def attachments(act: Act, record: Message) -> dict[str, tuple[str, bytes]]:
    """(MIME type, bytes) of every part that comes by id, by attachment id."""
    found: dict[str, tuple[str, bytes]] = {}

    def walk(part: Part, id: str) -> None:
        prefix = f"{id}." if id else ""
        inside = mime.children(part)
        for i, inner in enumerate(inside):
            walk(inner, f"{prefix}{i}")
        data = b"" if inside else mime.content(part)
        if mime.filename(part) or len(data) > INLINE_LIMIT:
            found[attachment_id(record.id, id)] = (mime.clean(part.get_content_type()), data)

    walk(mime.parse(raw_of(act, record)), "")
    return found


def thread_json(
    act: Act, records: Sequence[Message], form: str = "full", metadata_headers: Iterable[str] = ()
) -> dict[str, Any]:
    """A ``Thread`` with the content of its messages."""
    wanted = list(metadata_headers)
    return {
        "id": records[0].thread,
        "historyId": str(max(map(history_of, records))),
        "messages": [message_json(act, record, form, wanted) for record in records],
    }


def thread_brief(records: Sequence[Message]) -> dict[str, Any]:
    """A ``Thread`` without content, as changes return it."""
    return {"id": records[0].thread, "messages": [brief(record) for record in records]}


def draft_json(act: Act, draft: Draft, record: Message, form: str = "full") -> dict[str, Any]:
    """A ``Draft`` with its text."""
    act.show(draft)
    return {"id": draft.id, "message": message_json(act, record, form)}


def draft_brief(draft: Draft, record: Message) -> dict[str, Any]:
    """A ``Draft`` without its text, as changes return it."""
    return {"id": draft.id, "message": brief(record)}


def label_json(act: Act, label: Label) -> dict[str, Any]:
    """A user's ``Label``, without counts."""
    act.show(label)
    shown: dict[str, Any] = {
        "id": label.id,
        "name": label.name,
        "messageListVisibility": label.message_list_visibility,
        "labelListVisibility": label.label_list_visibility,
        "type": "user",
    }
    if label.text_color or label.background_color:
        shown["color"] = {"textColor": label.text_color, "backgroundColor": label.background_color}
    return shown


def system_label_json(id: str) -> dict[str, Any]:
    """A system ``Label``, without counts."""
    shown = {"id": id, "name": id, "type": "system"}
    if id.startswith("CATEGORY_") or id in ("IMPORTANT", "CHAT", "SPAM", "TRASH"):
        shown |= {"messageListVisibility": "hide", "labelListVisibility": "labelHide"}
    return shown
