"""Labels."""

from typing import Any

from tenure.twins.gmail import mailbox, render
from tenure.twins.gmail.records import SYSTEM_LABELS, Label, Message
from tenure.twins.google.errors import GoogleError, invalid, not_found
from tenure.world import Act

MAX_NAME = 225
_LIST_VISIBILITY, _MESSAGE_VISIBILITY = "labelListVisibility", "messageListVisibility"


def find(act: Act, id: str) -> Label:
    """A label of the actor's.

    Raises:
        GoogleError: 404; 400 for a system label, which cannot be changed.
    """
    if id in SYSTEM_LABELS:
        raise invalid(f"Invalid label: {id}")
    label = act.get(Label, id)
    if label is None or label.account != act.actor:
        raise not_found()
    return label


def list_labels(act: Act) -> dict[str, Any]:
    """``ListLabelsResponse``: system labels, then the user's by name, without counts."""
    own = act.all(Label, "mailbox", act.actor)
    shown = [*map(render.system_label_json, SYSTEM_LABELS), *(render.label_json(act, label) for label in own)]
    return {"labels": shown}


def get(act: Act, id: str) -> dict[str, Any]:
    """A ``Label`` with its counts."""
    shown = render.system_label_json(id) if id in SYSTEM_LABELS else render.label_json(act, find(act, id))
    shelf = f"{act.actor}/{id}"
    shown["messagesTotal"] = act.count(Message, "label", shelf)
    shown["messagesUnread"] = act.count(Message, "unread", shelf)
    shown["threadsTotal"] = len({record.thread for record in act.all(Message, "label", shelf)})
    shown["threadsUnread"] = len({record.thread for record in act.all(Message, "unread", shelf)})
    return shown


def _check_name(act: Act, name: str, id: str = "") -> None:
    if not name.strip("/ ") or len(name) > MAX_NAME or name.upper() in SYSTEM_LABELS:
        raise invalid("Invalid label name")
    taken = act.all(Label, "name", f"{act.actor}/{name.casefold()}")
    if any(label.id != id for label in taken):
        raise GoogleError(409, "Label name exists or conflicts", "aborted")


def create(act: Act, body: dict[str, Any]) -> Label:
    """Make a label from a ``Label`` body.

    Raises:
        GoogleError: 400 without a usable name, 409 when the name is taken.
    """
    _check_name(act, body.get("name", ""))
    label = Label(id=f"Label_{act.next('gmail.label')}", account=act.actor, name=body["name"])
    label = _with(label, body)
    act.put(label)
    return label


def change(act: Act, id: str, body: dict[str, Any], *, whole: bool) -> Label:
    """Change a label.

    Args:
        act: The act.
        id: The label.
        body: A ``Label`` body.
        whole: It replaces the label (PUT); else what it lacks stays (PATCH).

    Raises:
        GoogleError: 404, 400 or 409.
    """
    label = find(act, id)
    if whole or "name" in body:
        _check_name(act, body.get("name", ""), id)
    start = Label(id=id, account=label.account, name=body["name"]) if whole else label
    changed = _with(start, body)
    act.put(changed)
    return changed


def _with(label: Label, body: dict[str, Any]) -> Label:
    color = body.get("color", {})
    given = {
        "name": body.get("name"),
        "label_list_visibility": body.get(_LIST_VISIBILITY),
        "message_list_visibility": body.get(_MESSAGE_VISIBILITY),
        "text_color": color.get("textColor"),
        "background_color": color.get("backgroundColor"),
    }
    return label.model_copy(update={name: value for name, value in given.items() if value is not None})


def delete(act: Act, id: str) -> None:
    """Delete a label for good; its messages stay and lose it."""
    label = find(act, id)
    for record in act.all(Message, "label", f"{act.actor}/{id}"):
        mailbox.relabel(act, record, [], [id])
    act.delete(label)
