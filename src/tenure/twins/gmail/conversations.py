"""Lists of conversations as the product's screen shows them: views, pages, counts.

A page shows threads, newest first, by their newest message in the view. The thread of a message
never changes, so it is remembered per world: counting a view then reads no records.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tenure.twins.gmail.records import HIDDEN, SYSTEM_LABELS, Draft, Label, Message
from tenure.twins.gmail.screen_records import Scheduled, Snoozed
from tenure.twins.gmail.search import Search
from tenure.twins.gmail.text import addresses
from tenure.world import Act, World

PAGE = 50
TABS = {
    "primary": "CATEGORY_PERSONAL",
    "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS",
    "updates": "CATEGORY_UPDATES",
    "forums": "CATEGORY_FORUMS",
}
"""The inbox's tabs; mail of no category is primary."""
SHELVES = {
    "starred": "STARRED",
    "important": "IMPORTANT",
    "sent": "SENT",
    "spam": "SPAM",
    "trash": "TRASH",
}
_threads: WeakKeyDictionary[World, dict[str, dict[str, str]]] = WeakKeyDictionary()
"""The threads of messages by account, by world."""


class View(NamedTuple):
    """What a list shows.

    Attributes:
        name: ``inbox``, a key of ``SHELVES``, ``drafts``, ``scheduled``, ``snoozed``, ``all``,
            ``label`` or ``search``.
        value: The inbox's tab, the label's id, or the query.
    """

    name: str
    value: str = ""


class Found(NamedTuple):
    """One page of a view.

    Attributes:
        threads: Thread ids, in order.
        total: How many there are, or ``None`` when that would take reading them all.
        more: Whether another page follows.
    """

    threads: list[str]
    total: int | None
    more: bool


def page(act: Act, view: View, number: int) -> Found:
    """A page of a view, counted from 0.

    Raises:
        GoogleError: 400, an unknown label.
    """
    first = number * PAGE
    if view.name == "search":
        found = [
            records[0].thread
            for _, records in islice(Search(act, act.actor, view.value).threads(), first + PAGE + 1)
        ]
        total = len(found) if len(found) <= first + PAGE else None
        return Found(found[first : first + PAGE], total, total is None)
    threads = list(_ordered(act, view))
    return Found(threads[first : first + PAGE], len(threads), len(threads) > first + PAGE)


def _ordered(act: Act, view: View) -> Iterable[str]:
    me = act.actor
    if view.name == "snoozed":
        return [record.thread for record in act.all(Snoozed, "mailbox", me)]
    if view.name == "scheduled":
        waiting = act.all(Scheduled, "mailbox", me)
        return dict.fromkeys(thread_of(act, _text_of(act, record.id)) for record in waiting)
    return dict.fromkeys(thread_of(act, id) for id in _messages(act, view))


def _messages(act: Act, view: View) -> Iterator[str]:
    """Ids of a view's messages, newest first."""
    me = act.actor
    shelf = view.value if view.name == "label" else SHELVES.get(view.name, "")
    if view.name == "all":
        yield from act.ids(Message, "visible", me, descending=True)
        return
    if view.name == "drafts":
        waiting = {_text_of(act, record.id) for record in act.all(Scheduled, "mailbox", me)}
        yield from (id for id in _shelf(act, "DRAFT") if id not in waiting)
        return
    if view.name == "inbox":
        tab = view.value or "primary"
        others = {id for name, label in TABS.items() if name != "primary" for id in _shelf(act, label)}
        chosen = None if tab == "primary" else set(_shelf(act, TABS[tab]))
        for id in _shelf(act, "INBOX"):
            if (id in chosen) if chosen is not None else (id not in others):
                yield id
        return
    hidden = set[str]() if shelf in HIDDEN else {id for label in HIDDEN for id in _shelf(act, label)}
    yield from (id for id in _shelf(act, shelf) if id not in hidden)


def _shelf(act: Act, label: str) -> list[str]:
    return act.ids(Message, "label", f"{act.actor}/{label}", descending=True)


def _text_of(act: Act, draft: str) -> str:
    found = act.get(Draft, draft)
    return found.message if found else ""


def thread_of(act: Act, message: str) -> str:
    """The thread of a message of the actor's."""
    mailboxes = _threads.setdefault(act.world, {})
    known = mailboxes.get(act.actor)
    if known is None:
        places = act.world.store.places(Message, "threads", act.actor)
        known = mailboxes[act.actor] = {id: str(thread) for thread, id in places}
    thread = known.get(message)
    if thread is None:
        record = act.get(Message, message)
        thread = known[message] = record.thread if record else ""
    return thread


def counts(act: Act) -> dict[str, int]:
    """What the navigation counts: unread conversations by label id, and all drafts and waiting sends.

    Tabs of the inbox are under ``tab:<name>``.
    """
    me = act.actor
    own = [label.id for label in act.all(Label, "mailbox", me)]
    unread = {label: set(act.ids(Message, "unread", f"{me}/{label}")) for label in ("INBOX", "SPAM", *own)}
    found = {label: len({thread_of(act, id) for id in ids}) for label, ids in unread.items()}
    rest = set(unread["INBOX"])
    for tab, label in TABS.items():
        if tab != "primary":
            inside = set(act.ids(Message, "unread", f"{me}/{label}")) & unread["INBOX"]
            found[f"tab:{tab}"] = len({thread_of(act, id) for id in inside})
            rest -= inside
    found["tab:primary"] = len({thread_of(act, id) for id in rest})
    waiting = len(act.ids(Scheduled, "mailbox", me))
    found["DRAFT"] = act.count(Message, "label", f"{me}/DRAFT") - waiting
    found["SCHEDULED"] = waiting
    return found


def row(act: Act, thread: str) -> dict[str, Any]:
    """One line of a list; notes that the thread's newest message was shown."""
    records = act.all(Message, "thread", f"{act.actor}/{thread}")
    last = records[-1]
    act.show(last)
    me = act.account().email.lower()
    labels = sorted({label for record in records for label in record.label_ids})
    snoozed = act.get(Snoozed, f"{act.actor}/{thread}")
    draft = next(iter(act.all(Draft, "message", last.id)), None) if "DRAFT" in last.labels else None
    waiting = act.get(Scheduled, draft.id) if draft else None
    return {
        "id": thread,
        "subject": records[0].subject,
        "snippet": " ".join(last.body[:800].split())[:200],
        "at": last.internal_date,
        "messages": len(records),
        "people": _people(records, me),
        "recipients": _names([*last.to, *last.cc, *last.bcc]),
        "unread": any(record.unread for record in records),
        "labels": labels,
        "files": [
            {"filename": file.filename, "mime": file.mime}
            for record in records
            for file in record.attachments
            if not file.content_id
        ],
        "draft": draft.id if draft else None,
        "alone": len(records) == 1,
        "snoozed": snoozed.until if snoozed else None,
        "scheduled": waiting.at if waiting else None,
    }


def _people(records: Iterable[Message], me: str) -> list[dict[str, Any]]:
    """Who wrote in a thread, in order of their newest unread or first message."""
    found: dict[str, dict[str, Any]] = {}
    for record in records:
        name, email = (addresses([record.sender]) or [(record.sender, "")])[0]
        if "DRAFT" in record.labels:
            name, email = "Draft", "draft"
        elif email == me:
            name = "me"
        entry = found.setdefault(
            email, {"name": name or email.partition("@")[0], "email": email, "unread": False}
        )
        entry["unread"] = entry["unread"] or record.unread
    return list(found.values())


def _names(people: Iterable[str]) -> list[str]:
    return [name or email for name, email in addresses(people)]


def label_known(act: Act, id: str) -> bool:
    """Whether the mailbox has a label, the system's included."""
    label = act.get(Label, id)
    return id in SYSTEM_LABELS or (label is not None and label.account == act.actor)
