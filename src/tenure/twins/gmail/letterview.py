"""One message as the product's reading pane shows it."""

import re
from typing import Any

from tenure.twins.gmail.records import Draft, Message
from tenure.twins.gmail.text import addresses
from tenure.world import Act

_CID = re.compile(r"""(\bsrc\s*=\s*["']?)cid:([^"'\s>]+)""", re.IGNORECASE)


def message_view(act: Act, record: Message) -> dict[str, Any]:
    """A message with its content; notes that it was shown. The page cleans ``html`` before it shows it."""
    act.show(record)
    draft = next(iter(act.all(Draft, "message", record.id)), None)
    inline = {file.content_id: n for n, file in enumerate(record.attachments) if file.content_id}

    def local(match: re.Match[str]) -> str:
        n = inline.get(match[2])
        return match[0] if n is None else f"{match[1]}/_screen/gmail/messages/{record.id}/files/{n}?show"

    return {
        "id": record.id,
        "from": _person(record.sender),
        "to": [_person(one) for one in record.to],
        "cc": [_person(one) for one in record.cc],
        "bcc": [_person(one) for one in record.bcc],
        "at": record.internal_date,
        "labels": record.label_ids,
        "subject": record.subject,
        "text": record.body,
        "html": _CID.sub(local, record.html),
        "files": [
            {"n": n, "filename": file.filename, "mime": file.mime, "size": file.size, "blob": file.blob}
            for n, file in enumerate(record.attachments)
            if not file.content_id
        ],
        "messageId": record.message_id,
        "draft": draft.id if draft else None,
    }


def _person(line: str) -> dict[str, str]:
    name, email = (addresses([line]) or [(line, "")])[0]
    return {"name": name or email, "email": email}


def picture_or_file(act: Act, record: Message, number: str) -> tuple[str, str, bytes] | None:
    """(name, MIME type, bytes) of a message's file by its place, or ``None``."""
    if not number.isdecimal() or int(number) >= len(record.attachments):
        return None
    file = record.attachments[int(number)]
    return file.filename, file.mime, act.blob(file.blob)
