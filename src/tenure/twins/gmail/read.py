"""Reading mail in checks: new drafts, what was sent, and what a reader sees of a letter."""

import html
import re

from tenure.twins.gmail.records import Draft, Message
from tenure.world import EndState


def drafts(end: EndState, account: str) -> list[Message]:
    """An account's drafts that were not there at the start, thrown away ones left out."""
    found = [end.get(Message, draft.message) for draft in end.created(Draft) if draft.account == account]
    return [message for message in found if message is not None and not message.hidden]


def sent(end: EndState) -> list[str]:
    """Ids of the messages that were sent, also of those that are gone again: the journal knows."""
    return [
        entry.id
        for entry in end.journal
        if entry.kind == Message.kind and "SENT" in (entry.fields.get("labels", (None, None))[1] or ())
    ]


def text_of(message: Message) -> str:
    """All that a reader sees: subject, plain body, HTML body; cells of a table stay apart."""
    shown = html.unescape(re.sub(r"<[^>]*>", " ", message.html))
    return f"{message.subject}\n{message.body}\n{shown}"
