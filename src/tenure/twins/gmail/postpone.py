"""What the product does with mail later: snoozed threads and sends that wait.

Neither has an operation in the vendor's REST API: screens alone start them. A letter that waits is
a draft until its time; a send that may still be undone is one that waits for seconds.
"""

from typing import Any

from tenure.twins.gmail import drafts, letters, mailbox, mime, render
from tenure.twins.gmail.records import Draft, Message
from tenure.twins.gmail.screen_records import Scheduled, Snoozed
from tenure.twins.google.errors import invalid, not_found
from tenure.world import Act

SEND_EVENT = "gmail.send"
WAKE_EVENT = "gmail.wake"
UNDO_MS = 30_000
"""World time in which a send can be undone."""


def snooze(act: Act, thread: str, until: int) -> None:
    """Take a thread out of the inbox until a time.

    Raises:
        GoogleError: 400 for a time that has passed, 404 for no such thread.
    """
    records = mailbox.thread(act, act.actor, thread)
    if until <= act.now:
        raise invalid("Choose a time that has not passed.")
    id = f"{act.actor}/{thread}"
    act.put(Snoozed(id=id, account=act.actor, thread=thread, until=until))
    for record in records:
        mailbox.relabel(act, record, [], ["INBOX"])
    act.later(until - act.now, WAKE_EVENT, {"snoozed": id, "until": until})


def unsnooze(act: Act, thread: str) -> None:
    """Put a snoozed thread back into the inbox now.

    Raises:
        GoogleError: 404, the thread is not snoozed.
    """
    found = act.get(Snoozed, f"{act.actor}/{thread}")
    if found is None:
        raise not_found()
    _back(act, found)


def forget(act: Act, thread: str) -> None:
    """Let go of a thread's snooze, as every other change of its place does."""
    found = act.get(Snoozed, f"{act.actor}/{thread}")
    if found is not None:
        act.delete(found)


def wake(act: Act, payload: dict[str, Any]) -> None:
    """Bring a thread back at its time, unless it was moved or snoozed anew."""
    found = act.get(Snoozed, payload["snoozed"])
    if found is not None and found.until == payload["until"]:
        _back(act, found)


def _back(act: Act, found: Snoozed) -> None:
    act.delete(found)
    records = act.all(Message, "thread", f"{found.account}/{found.thread}")
    if records:
        mailbox.relabel(act, records[-1], ["INBOX", "UNREAD"], [])


def schedule(act: Act, id: str, at: int) -> Scheduled:
    """Let a draft be sent at a time.

    Raises:
        GoogleError: 404; 400 for a time that has passed or recipients that are missing.
    """
    draft, record = drafts.find(act, id)
    if at <= act.now:
        raise invalid("Choose a time that has not passed.")
    letters.check_recipients(mime.read(render.raw_of(act, record)))
    scheduled = Scheduled(id=draft.id, account=act.actor, at=at)
    act.put(scheduled)
    act.later(at - act.now, SEND_EVENT, {"draft": draft.id, "at": at, "account": act.actor})
    return scheduled


def cancel(act: Act, id: str) -> Draft:
    """Call a waiting send off; it is a plain draft again.

    Raises:
        GoogleError: 404, it does not wait (any more).
    """
    found = act.get(Scheduled, id)
    if found is None or found.account != act.actor:
        raise not_found()
    act.delete(found)
    return drafts.find(act, id)[0]


def dispatch(act: Act, id: str) -> dict[str, Any]:
    """Send a waiting draft now; the sent copy, without content.

    Raises:
        GoogleError: 404, it does not wait (any more).
    """
    cancel(act, id)
    return drafts.send(act, id)


def send_due(act: Act, payload: dict[str, Any]) -> None:
    """Send a draft whose time has come, unless it was called off or scheduled anew."""
    found = act.get(Scheduled, payload["draft"])
    if found is not None and found.at == payload["at"]:
        dispatch(act.consequence(act.cause, found.account), found.id)
