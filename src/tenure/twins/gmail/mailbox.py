"""One account's mailbox: finding and changing its messages, and the history of that."""

import re
from collections.abc import Collection, Iterable

from tenure.twins.gmail.records import HISTORY_START, SYSTEM_LABELS, Change, Draft, Label, Message
from tenure.twins.gmail.screen_records import Scheduled
from tenure.twins.google.errors import invalid, not_found
from tenure.world import Act

_ID = re.compile(r"[0-9a-f]{1,16}")
_FIXED = frozenset(("SENT", "DRAFT", "CHAT"))
"""Labels that no one can add or remove by hand."""
MAX_LABELS = 100


def number(act: Act, account: str) -> int:
    """A mailbox's current history id."""
    return HISTORY_START + int(act.world.store.meta(f"sequence:gmail.history/{account}") or 0)


def _bump(act: Act, account: str) -> int:
    return HISTORY_START + act.next(f"gmail.history/{account}")


def history_of(message: Message) -> int:
    """The history id of a message's last change."""
    return message.history or HISTORY_START


def check_id(id: str) -> None:
    """Refuse what cannot be a message's or thread's id.

    Raises:
        GoogleError: 400.
    """
    if not _ID.fullmatch(id):
        raise invalid("Invalid id value")


def message(act: Act, account: str, id: str) -> Message:
    """A mailbox's message.

    Raises:
        GoogleError: 400 for a malformed id, 404 for one that the mailbox lacks.
    """
    check_id(id)
    found = act.get(Message, id)
    if found is None or found.account != account:
        raise not_found()
    return found


def thread(act: Act, account: str, id: str) -> list[Message]:
    """A thread's messages, oldest first.

    Raises:
        GoogleError: 400 for a malformed id, 404 for one that the mailbox lacks.
    """
    check_id(id)
    found = act.all(Message, "thread", f"{account}/{id}")
    if not found:
        raise not_found()
    return found


def label_exists(act: Act, account: str, id: str) -> bool:
    """Whether a label id is the system's or one of the account's."""
    if id in SYSTEM_LABELS:
        return True
    label = act.get(Label, id)
    return label is not None and label.account == account


def check_labels(act: Act, account: str, ids: Iterable[str]) -> None:
    """Refuse labels that the mailbox lacks.

    Raises:
        GoogleError: 400.
    """
    for id in ids:
        if not label_exists(act, account, id):
            raise invalid(f"Invalid label: {id}")


def check_relabel(act: Act, account: str, add: Collection[str], remove: Collection[str]) -> None:
    """Refuse a change of labels that the vendor refuses.

    Raises:
        GoogleError: 400.
    """
    if not add and not remove:
        raise invalid("No label add or removes specified")
    if max(len(add), len(remove)) > MAX_LABELS:
        raise invalid(f"Cannot add or remove more than {MAX_LABELS} labels at once")
    check_labels(act, account, [*add, *remove])
    for id in (*add, *remove):
        if id in _FIXED:
            raise invalid(f"Invalid label: {id}")
    if both := set(add) & set(remove):
        raise invalid(f"Cannot both add and remove the same label: {min(both)}")


def add_message(act: Act, record: Message) -> int:
    """Put a new message into its mailbox; returns the change's number in the journal."""
    n = _bump(act, record.account)
    record = record.model_copy(update={"history": n})
    seq = act.put(record)
    _note(act, record, "messageAdded", n, [])
    if seq is None:
        raise AssertionError(f"message {record.id} was there already")
    return seq


def delete_message(act: Act, record: Message) -> None:
    """Delete a message for good, with the draft that it is the text of."""
    for draft in act.all(Draft, "message", record.id):
        act.delete(draft)
        if (waiting := act.get(Scheduled, draft.id)) is not None:
            act.delete(waiting)
    act.delete(record)
    _note(act, record, "messageDeleted", _bump(act, record.account), [])


def relabel(act: Act, record: Message, add: Iterable[str], remove: Iterable[str]) -> Message:
    """Change a message's labels; trash and spam leave the inbox and exclude each other."""
    before = set(record.label_ids)
    gained, lost = set(add), set(remove)
    if gained & {"TRASH", "SPAM"}:
        lost |= {"INBOX", "TRASH", "SPAM"} - gained
    after = (before | gained) - lost
    if after == before:
        return record
    n = 0
    changed = record.model_copy(update={"labels": sorted(after - {"UNREAD"}), "unread": "UNREAD" in after})
    for kind, moved in (("labelAdded", after - before), ("labelRemoved", before - after)):
        if moved:
            n = _bump(act, record.account)
            _note(act, changed, kind, n, sorted(moved))
    changed = changed.model_copy(update={"history": n})
    act.put(changed)
    return changed


def _note(act: Act, record: Message, kind: str, n: int, moved: list[str]) -> None:
    act.put(
        Change(
            id=f"{record.account}/{n}",
            account=record.account,
            number=n,
            type=kind,
            message=record.id,
            thread=record.thread,
            labels=record.label_ids,
            moved=moved,
        )
    )
