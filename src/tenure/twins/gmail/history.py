"""What changed in a mailbox since a client last looked, and push subscriptions."""

from collections.abc import Collection
from typing import Any

from tenure.twins.gmail import mailbox
from tenure.twins.gmail.records import HISTORY_START, Change, Watch
from tenure.twins.google.errors import invalid, not_found
from tenure.twins.google.paging import page_token, place_of
from tenure.world import Act

WATCH_MS = 7 * 24 * 3_600_000
_LISTS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}


def list_history(
    act: Act, start: str, types: Collection[str] = (), label: str = "", *, limit: int = 100, token: str = ""
) -> dict[str, Any]:
    """``ListHistoryResponse``: changes after a history id, oldest first.

    Args:
        act: The act.
        start: The history id.
        types: Kinds of changes; all by default.
        label: Only changes of messages with this label.
        limit: Page size.
        token: Page token.

    Raises:
        GoogleError: 400 without a start; 404 when it is older than the mailbox's history.
    """
    if not start:
        raise invalid("Missing required parameter: startHistoryId")
    if int(start) < HISTORY_START:
        raise not_found()
    current = mailbox.number(act, act.actor)
    if int(start) >= current:
        return {"historyId": str(current)}
    question = ["history", act.actor, start, sorted(types), label]
    place = place_of(token, question)
    low = int(start if place is None else place[0]) + 1
    changes = act.page(Change, "mailbox", act.actor, low=low).records
    wanted = [change for change in changes if _wanted(change, types, label)]
    result: dict[str, Any] = {}
    if wanted:
        result["history"] = [_record(change) for change in wanted[:limit]]
    if len(wanted) > limit:
        result["nextPageToken"] = page_token((wanted[limit - 1].number, ""), question)
    result["historyId"] = str(current)
    return result


def _wanted(change: Change, types: Collection[str], label: str) -> bool:
    return (not types or change.type in types) and (not label or label in {*change.labels, *change.moved})


def _record(change: Change) -> dict[str, Any]:
    brief = {"id": change.message, "threadId": change.thread}
    entry: dict[str, Any] = {"message": {**brief, "labelIds": change.labels}}
    if change.moved:
        entry["labelIds"] = change.moved
    return {"id": str(change.number), "messages": [brief], _LISTS[change.type]: [entry]}


def watch(act: Act, topic: str, labels: Collection[str] = (), behavior: str = "") -> dict[str, Any]:
    """Subscribe to the mailbox's changes; nothing is pushed, as no topic lives in a world.

    Raises:
        GoogleError: 400 for a topic that cannot be one, or an unknown label.
    """
    parts = topic.split("/")
    if len(parts) != 4 or parts[0] != "projects" or parts[2] != "topics" or not all(parts):
        raise invalid(f"Invalid topicName does not match projects/*/topics/*: {topic}")
    mailbox.check_labels(act, act.actor, labels)
    expiration = act.now + WATCH_MS
    act.put(Watch(id=act.actor, topic=topic, labels=sorted(labels), behavior=behavior, expiration=expiration))
    return {"historyId": str(mailbox.number(act, act.actor)), "expiration": str(expiration)}


def stop(act: Act) -> None:
    """End the subscription, if there is one."""
    found = act.get(Watch, act.actor)
    if found is not None:
        act.delete(found)
