"""Drafts. Each update replaces the draft's message; the draft's own id stays."""

from itertools import islice
from typing import Any

from tenure.twins.gmail import delivery, letters, mailbox, mime, render
from tenure.twins.gmail.records import Draft, Message
from tenure.twins.gmail.search import Search
from tenure.twins.gmail.service import following, paged
from tenure.twins.google.errors import invalid, not_found
from tenure.twins.google.paging import place_of
from tenure.world import Act
from tenure.world.ids import digest


def find(act: Act, id: str) -> tuple[Draft, Message]:
    """A draft of the actor's and its text.

    Raises:
        GoogleError: 404.
    """
    draft = act.get(Draft, id)
    if draft is None or draft.account != act.actor:
        raise not_found()
    return draft, mailbox.message(act, act.actor, draft.message)


def create(act: Act, letter: mime.Letter, thread: str = "") -> tuple[Draft, Message]:
    """Start a draft."""
    record = _version(act, letter, letters.joined(act, act.actor, letter, thread))
    unique = int.from_bytes(
        digest(act.world.seed, "gmail.draft", act.next("gmail.draft")), "big", signed=True
    )
    draft = Draft(id=f"r{unique}", account=act.actor, message=record.id, updated=act.now)
    act.put(draft)
    return draft, record


def update(act: Act, id: str, letter: mime.Letter, thread: str = "") -> tuple[Draft, Message]:
    """Replace a draft's text."""
    draft, old = find(act, id)
    record = _version(act, letter, _thread(act, letter, thread, old))
    draft = draft.model_copy(update={"message": record.id, "updated": act.now})
    act.put(draft)
    mailbox.delete_message(act, old)
    return draft, record


def _thread(act: Act, letter: mime.Letter, asked: str, old: Message) -> str:
    """The thread of a draft's next version: its own stays its own; in others the letter must belong."""
    alone = act.ids(Message, "thread", f"{act.actor}/{old.thread}") == [old.id]
    if alone and asked in ("", old.thread):
        return old.thread
    return letters.joined(act, act.actor, letter, asked or old.thread)


def _version(act: Act, letter: mime.Letter, thread: str) -> Message:
    letters.sign(act, act.actor, letter)
    record = letters.record_of(act, act.actor, letter, thread=thread, labels={"DRAFT"}, at=act.now)
    mailbox.add_message(act, record)
    return record


def delete(act: Act, id: str) -> None:
    """Delete a draft for good."""
    mailbox.delete_message(act, find(act, id)[1])


def send(act: Act, id: str, letter: mime.Letter | None = None, thread: str = "") -> dict[str, Any]:
    """Send a draft, as it is or with a new text; the sent copy, without content.

    Args:
        act: The act.
        id: The draft; empty sends the letter as it is.
        letter: A new text, if any.
        thread: The thread asked for with it.

    Raises:
        GoogleError: 400, neither a draft nor a letter; or the recipients are missing.
    """
    if not id:
        if letter is None:
            raise invalid("Invalid draft")
        return render.brief(
            delivery.send(act, act.actor, letter, letters.joined(act, act.actor, letter, thread))
        )
    _, old = find(act, id)
    if letter is None:
        letter = mime.read(render.raw_of(act, old))
    joined = _thread(act, letter, thread, old)
    mailbox.delete_message(act, old)
    return render.brief(delivery.send(act, act.actor, letter, joined))


def page(
    act: Act, q: str = "", *, limit: int = 100, token: str = "", hidden: bool = False, label_ids: bool = False
) -> tuple[list[tuple[Draft, Message]], str]:
    """Drafts, newest first, and the next page's token (empty at the end).

    Args:
        act: The act.
        q: The query.
        limit: Page size.
        token: Page token.
        hidden: Trashed ones too.
        label_ids: ``label:`` in the query takes ids.
    """
    question = ["drafts", act.actor, q, hidden]
    search = Search(act, act.actor, q, ["DRAFT"], hidden=hidden, label_ids=label_ids)
    pairs = (
        (draft, record)
        for record in search.messages(place_of(token, question))
        for draft in act.all(Draft, "message", record.id)
    )
    found = list(islice(pairs, limit + 1))
    return found[:limit], following([record for _, record in found], limit, question)


def list_drafts(
    act: Act, q: str = "", *, limit: int = 100, token: str = "", hidden: bool = False
) -> dict[str, Any]:
    """``ListDraftsResponse``: ids only; arguments as ``page``."""
    found, more = page(act, q, limit=limit, token=token, hidden=hidden)
    rows = [
        {"id": draft.id, "message": {"id": record.id, "threadId": record.thread}} for draft, record in found
    ]
    return paged("drafts", rows, token, more)
