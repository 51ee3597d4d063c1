"""What Gmail does with messages and threads. Refusals are ``GoogleError``."""

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from tenure.twins.gmail import delivery, letters, mailbox, mime, render
from tenure.twins.gmail.records import Message
from tenure.twins.gmail.search import Search
from tenure.twins.google.errors import invalid
from tenure.twins.google.paging import page_token, place_of
from tenure.world import Act

MAX_PAGE = 500
MAX_BATCH = 1000
ROUGH_ESTIMATE = 201
"""What ``resultSizeEstimate`` says when there are more pages."""


def page_size(asked: int | None, default: int = 100, largest: int = MAX_PAGE) -> int:
    """A page's size: the default for 0 and nothing, the largest for more."""
    return min(asked or default, largest)


def following(found: Sequence[Message], limit: int, question: object) -> str:
    """The next page's token when more than a page was found, else empty."""
    if len(found) <= limit:
        return ""
    return page_token((found[limit - 1].internal_date, found[limit - 1].id), question)


def paged(name: str, rows: list[dict[str, Any]], token: str, following: str) -> dict[str, Any]:
    """A list response: no key for no rows, and the vendor's rough estimate."""
    result: dict[str, Any] = {name: rows} if rows else {}
    if following:
        result["nextPageToken"] = following
    return {**result, "resultSizeEstimate": ROUGH_ESTIMATE if token or following else len(rows)}


def profile(act: Act) -> dict[str, Any]:
    """``Profile`` of the actor's mailbox."""
    account = act.account()
    return {
        "emailAddress": account.email,
        "messagesTotal": act.count(Message, "mailbox", account.id),
        "threadsTotal": len({record.thread for record in act.all(Message, "mailbox", account.id)}),
        "historyId": str(mailbox.number(act, account.id)),
    }


def list_messages(
    act: Act,
    q: str = "",
    labels: Collection[str] = (),
    *,
    limit: int = 100,
    token: str = "",
    hidden: bool = False,
) -> dict[str, Any]:
    """Ids of messages, newest first: ``ListMessagesResponse``.

    Args:
        act: The act.
        q: The query.
        labels: Label ids, all of which a message must have.
        limit: Page size.
        token: Page token.
        hidden: Spam and trash too.
    """
    question = ["messages", act.actor, q, sorted(labels), hidden]
    search = Search(act, act.actor, q, labels, hidden=hidden)
    found = list(islice(search.messages(place_of(token, question)), limit + 1))
    rows = [{"id": record.id, "threadId": record.thread} for record in found[:limit]]
    return paged("messages", rows, token, following(found, limit, question))


def list_threads(
    act: Act,
    q: str = "",
    labels: Collection[str] = (),
    *,
    limit: int = 100,
    token: str = "",
    hidden: bool = False,
) -> dict[str, Any]:
    """Threads with an answer in them: ``ListThreadsResponse``; arguments as ``list_messages``."""
    question = ["threads", act.actor, q, sorted(labels), hidden]
    search = Search(act, act.actor, q, labels, hidden=hidden)
    found = list(islice(search.threads(place_of(token, question)), limit + 1))
    rows = [_thread_row(act, thread) for _, thread in found[:limit]]
    return paged("threads", rows, token, following([head for head, _ in found], limit, question))


def _thread_row(act: Act, thread: list[Message]) -> dict[str, Any]:
    act.show(thread[-1])
    history = max(map(mailbox.history_of, thread))
    return {"id": thread[0].thread, "snippet": thread[-1].snippet, "historyId": str(history)}


def get_message(act: Act, id: str, form: str = "full", headers: Collection[str] = ()) -> dict[str, Any]:
    """A ``Message`` in a format."""
    return render.message_json(act, mailbox.message(act, act.actor, id), form, headers)


def get_thread(act: Act, id: str, form: str = "full", headers: Collection[str] = ()) -> dict[str, Any]:
    """A ``Thread`` with its messages in a format."""
    return render.thread_json(act, mailbox.thread(act, act.actor, id), form, headers)


def get_attachment(act: Act, message: str, id: str) -> tuple[str, bytes]:
    """(MIME type, bytes) of an attachment.

    Raises:
        GoogleError: 400, the message has no such attachment.
    """
    record = mailbox.message(act, act.actor, message)
    found = render.attachments(act, record).get(id)
    if found is None:
        raise invalid("Invalid attachment token")
    act.show(record)
    return found


def send(act: Act, letter: mime.Letter, thread: str = "") -> dict[str, Any]:
    """Send a letter; the sender's copy, without content."""
    joined = letters.joined(act, act.actor, letter, thread)
    return render.brief(delivery.send(act, act.actor, letter, joined))


def insert(
    act: Act,
    letter: mime.Letter,
    labels: Collection[str] = (),
    *,
    thread: str = "",
    by_header: bool = False,
    incoming: bool = False,
) -> dict[str, Any]:
    """Put a letter into the mailbox without sending it.

    Args:
        act: The act.
        letter: The letter; it is kept as it is.
        labels: Label ids; UNREAD among them for an unread message.
        thread: The thread asked for.
        by_header: The internal date is the Date header's, where that can be read.
        incoming: As if it had arrived (import): threads by headers, meets filters.
    """
    mailbox.check_labels(act, act.actor, labels)
    if "DRAFT" in labels:
        raise invalid("Invalid label: DRAFT")
    joined = letters.joined(act, act.actor, letter, thread)
    if incoming and not joined:
        joined = letters.received_thread(act, act.actor, letter)
    at = letter.date if by_header and letter.date is not None else act.now
    record = letters.record_of(act, act.actor, letter, thread=joined, labels=set(labels), at=at)
    if incoming:
        record = delivery.filtered(act, record)
    mailbox.add_message(act, record)
    return render.brief(record)


def modify_message(act: Act, id: str, add: Collection[str], remove: Collection[str]) -> dict[str, Any]:
    """Change a message's labels."""
    record = mailbox.message(act, act.actor, id)
    mailbox.check_relabel(act, act.actor, add, remove)
    return render.brief(mailbox.relabel(act, record, add, remove))


def modify_thread(act: Act, id: str, add: Collection[str], remove: Collection[str]) -> dict[str, Any]:
    """Change the labels of all of a thread's messages."""
    records = mailbox.thread(act, act.actor, id)
    mailbox.check_relabel(act, act.actor, add, remove)
    return render.thread_brief([mailbox.relabel(act, record, add, remove) for record in records])


def batch_modify(act: Act, ids: Collection[str], add: Collection[str], remove: Collection[str]) -> None:
    """Change the labels of up to 1000 messages; ids that the mailbox lacks are passed over."""
    mailbox.check_relabel(act, act.actor, add, remove)
    for record in _batch(act, ids):
        mailbox.relabel(act, record, add, remove)


def batch_delete(act: Act, ids: Collection[str]) -> None:
    """Delete up to 1000 messages for good; ids that the mailbox lacks are passed over."""
    for record in _batch(act, ids):
        mailbox.delete_message(act, record)


def _batch(act: Act, ids: Collection[str]) -> list[Message]:
    if not ids:
        raise invalid("No message ids specified")
    if len(ids) > MAX_BATCH:
        raise invalid(f"Too many message ids: {len(ids)}. At most {MAX_BATCH} are allowed.")
    for id in ids:
        mailbox.check_id(id)
    found = [act.get(Message, id) for id in dict.fromkeys(ids)]
    return [record for record in found if record is not None and record.account == act.actor]


def trash_message(act: Act, id: str) -> dict[str, Any]:
    """Move a message to the trash."""
    return render.brief(mailbox.relabel(act, mailbox.message(act, act.actor, id), ["TRASH"], []))


def untrash_message(act: Act, id: str) -> dict[str, Any]:
    """Take a message out of the trash."""
    return render.brief(mailbox.relabel(act, mailbox.message(act, act.actor, id), [], ["TRASH"]))


def trash_thread(act: Act, id: str) -> dict[str, Any]:
    """Move a thread's messages to the trash."""
    records = mailbox.thread(act, act.actor, id)
    return render.thread_brief([mailbox.relabel(act, record, ["TRASH"], []) for record in records])


def untrash_thread(act: Act, id: str) -> dict[str, Any]:
    """Take a thread's messages out of the trash."""
    records = mailbox.thread(act, act.actor, id)
    return render.thread_brief([mailbox.relabel(act, record, [], ["TRASH"]) for record in records])


def delete_message(act: Act, id: str) -> None:
    """Delete a message for good."""
    mailbox.delete_message(act, mailbox.message(act, act.actor, id))


def delete_thread(act: Act, id: str) -> None:
    """Delete a thread's messages for good."""
    for record in mailbox.thread(act, act.actor, id):
        mailbox.delete_message(act, record)
