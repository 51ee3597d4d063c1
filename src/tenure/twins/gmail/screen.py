"""The product's screen at mail.google.com: routes over the same service as the API."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from tenure.twins.gmail import conversations, drafts, mailbox, postpone, render, settings, writing
from tenure.twins.gmail.conversations import View
from tenure.twins.gmail.letterview import message_view, picture_or_file
from tenure.twins.gmail.records import HIDDEN, Label, Message
from tenure.twins.gmail.screen_records import Scheduled
from tenure.twins.gmail.screen_settings import ROUTES as SETTINGS_ROUTES
from tenure.twins.gmail.screen_settings import label_json
from tenure.twins.google.errors import GoogleError
from tenure.twins.wire.routes import Route
from tenure.twins.wire.screen import Refused, Screen, conflict, file_reply, read
from tenure.world import Act, Call, Reply

HOST = "mail.google.com"
HOME = "/mail/u/0/"


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Move(_Body):
    threads: list[str] = []
    messages: list[str] = []
    add: list[str] = []
    remove: list[str] = []


class _Places(_Body):
    messages: dict[str, list[str]]
    """Label ids by message id."""


class _Threads(_Body):
    threads: list[str]


class _Star(_Threads):
    on: bool


class _Until(_Threads):
    until: int


class _At(_Body):
    at: int


class _Empty(_Body):
    label: str


def _start(act: Act) -> dict[str, Any]:
    own = act.all(Label, "mailbox", act.actor)
    for label in own:
        act.show(label)
    alias = settings.list_send_as(act)["sendAs"][0]
    return {
        "labels": [label_json(label) for label in own],
        "counts": conversations.counts(act),
        "signature": alias["signature"],
        "vacation": settings.vacation(act)["enableAutoReply"],
    }


# -- reading -----------------------------------------------------------------------------------


def _list(call: Call) -> Reply:
    view = View(call.arg("view") or "inbox", call.arg("value") or "")
    number = call.arg("page") or "0"
    if not number.isdecimal():
        raise Refused(400, "There is no such page.")
    if view.name == "label" and not conversations.label_known(call.act, view.value):
        raise Refused(404, "There is no such label.")
    found = conversations.page(call.act, view, int(number))
    return Reply(
        200,
        {
            "rows": [conversations.row(call.act, thread) for thread in found.threads],
            "first": int(number) * conversations.PAGE,
            "total": found.total,
            "more": found.more,
            "counts": conversations.counts(call.act),
        },
    )


def _thread(call: Call) -> Reply:
    records = mailbox.thread(call.act, call.act.actor, call.params["id"])
    shown = {
        "id": records[0].thread,
        "subject": records[0].subject,
        "labels": sorted({label for record in records for label in record.label_ids}),
        "messages": [message_view(call.act, record) for record in records],
        "counts": conversations.counts(call.act),
    }
    return Reply(200, shown)


def _original(call: Call) -> Reply:
    record = mailbox.message(call.act, call.act.actor, call.params["id"])
    call.act.show(record)
    text = render.raw_of(call.act, record).decode("utf-8", "replace")
    return Reply(200, {"subject": record.subject, "messageId": record.message_id, "raw": text})


def _file(call: Call) -> Reply:
    record = mailbox.message(call.act, call.act.actor, call.params["id"])
    call.act.show(record)
    found = picture_or_file(call.act, record, call.params["n"])
    if found is None:
        raise Refused(404, "The message has no such file.")
    return file_reply(*found, shown=call.arg("show") is not None)


# -- moving ------------------------------------------------------------------------------------


def _move(call: Call) -> Reply:
    """Change labels of threads or single messages; says where the messages were, for undoing."""
    asked, act = read(call, _Move), call.act
    mailbox.check_relabel(act, act.actor, asked.add, asked.remove)
    records = [mailbox.message(act, act.actor, id) for id in asked.messages]
    for thread in asked.threads:
        records += mailbox.thread(act, act.actor, thread)
    before = {}
    for record in records:
        after = mailbox.relabel(act, record, asked.add, asked.remove)
        if after != record:
            before[record.id] = record.label_ids
    if {"INBOX", *HIDDEN} & {*asked.add, *asked.remove}:
        for thread in {record.thread for record in records}:
            postpone.forget(act, thread)
    return _moved(act, before)


def _moved(act: Act, before: dict[str, list[str]]) -> Reply:
    return Reply(200, {"before": before, "counts": conversations.counts(act)})


def _restore(call: Call) -> Reply:
    before = {}
    for id, wanted in read(call, _Places).messages.items():
        record = mailbox.message(call.act, call.act.actor, id)
        now = set(record.label_ids)
        add, remove = set(wanted) - now, now - set(wanted)
        if add or remove:
            mailbox.check_relabel(call.act, call.act.actor, add, remove)
            mailbox.relabel(call.act, record, add, remove)
            before[id] = sorted(now)
    return _moved(call.act, before)


def _star(call: Call) -> Reply:
    """Star threads as a list does: the newest message gets the star, every message loses it."""
    asked, act = read(call, _Star), call.act
    before = {}
    for thread in asked.threads:
        records = mailbox.thread(act, act.actor, thread)
        for record in records[-1:] if asked.on else records:
            before[record.id] = record.label_ids
            mailbox.relabel(act, record, ["STARRED"] * asked.on, ["STARRED"] * (not asked.on))
    return _moved(act, before)


def _snooze(call: Call) -> Reply:
    asked, act = read(call, _Until), call.act
    before: dict[str, list[str]] = {}
    for thread in asked.threads:
        before |= {record.id: record.label_ids for record in mailbox.thread(act, act.actor, thread)}
        postpone.snooze(act, thread, asked.until)
    return _moved(act, before)


def _unsnooze(call: Call) -> Reply:
    for thread in read(call, _Threads).threads:
        postpone.unsnooze(call.act, thread)
    return _moved(call.act, {})


def _delete(call: Call) -> Reply:
    """Delete threads in spam and trash for good, as only those lists offer it."""
    for thread in read(call, _Threads).threads:
        for record in mailbox.thread(call.act, call.act.actor, thread):
            if not record.hidden and "DRAFT" not in record.labels:
                raise Refused(409, "Only what is in Spam or Trash can be deleted forever.")
            mailbox.delete_message(call.act, record)
    return _moved(call.act, {})


def _empty(call: Call) -> Reply:
    label = read(call, _Empty).label
    if label not in HIDDEN:
        raise Refused(400, "Only Spam and Trash can be emptied.")
    for record in call.act.all(Message, "label", f"{call.act.actor}/{label}"):
        mailbox.delete_message(call.act, record)
    return _moved(call.act, {})


# -- writing -----------------------------------------------------------------------------------


def _people(call: Call) -> Reply:
    return Reply(200, {"people": writing.people(call.act)})


def _upload(call: Call) -> Reply:
    filename = call.arg("filename") or "noname"
    kind = call.headers.get("content-type", "application/octet-stream").partition(";")[0]
    blob = call.act.put_blob(call.body)
    return Reply(201, {"filename": filename, "mime": kind, "size": len(call.body), "blob": blob})


def _new_draft(call: Call) -> Reply:
    return Reply(201, writing.save(call.act, "", read(call, writing.Written)))


def _draft(call: Call) -> Reply:
    return Reply(200, writing.draft_json(call.act, *drafts.find(call.act, call.params["id"])))


def _save_draft(call: Call) -> Reply:
    written, id = read(call, writing.Written), call.params["id"]
    draft, record = drafts.find(call.act, id)
    if written.rev != draft.message:
        raise conflict(writing.draft_json(call.act, draft, record), "This draft")
    return Reply(200, writing.save(call.act, id, written))


def _discard(call: Call) -> Reply:
    drafts.delete(call.act, call.params["id"])
    return _moved(call.act, {})


def _send(call: Call) -> Reply:
    """Send a draft; it waits for as long as the send can be undone."""
    waiting = postpone.schedule(call.act, call.params["id"], call.act.now + postpone.UNDO_MS)
    return Reply(200, {"id": waiting.id, "at": waiting.at})


def _schedule(call: Call) -> Reply:
    waiting = postpone.schedule(call.act, call.params["id"], read(call, _At).at)
    return Reply(200, {"id": waiting.id, "at": waiting.at})


def _cancel(call: Call) -> Reply:
    draft = postpone.cancel(call.act, call.params["id"])
    return Reply(200, writing.draft_json(call.act, *drafts.find(call.act, draft.id)))


def _dispatch(call: Call) -> Reply:
    """Send a waiting draft now; one whose time had come in between has left by itself."""
    if call.act.get(Scheduled, call.params["id"]) is not None:
        postpone.dispatch(call.act, call.params["id"])
    return Reply(200, {})


def _refused(error: GoogleError) -> Refused:
    return Refused(error.code, error.message)


_ROUTES = (
    ("GET", "/threads", _list),
    ("GET", "/threads/{id}", _thread),
    ("GET", "/messages/{id}/original", _original),
    ("GET", "/messages/{id}/files/{n}", _file),
    ("POST", "/move", _move),
    ("POST", "/restore", _restore),
    ("POST", "/star", _star),
    ("POST", "/snooze", _snooze),
    ("POST", "/unsnooze", _unsnooze),
    ("POST", "/delete", _delete),
    ("POST", "/empty", _empty),
    ("GET", "/people", _people),
    ("POST", "/files", _upload),
    ("POST", "/drafts", _new_draft),
    ("GET", "/drafts/{id}", _draft),
    ("PUT", "/drafts/{id}", _save_draft),
    ("DELETE", "/drafts/{id}", _discard),
    ("POST", "/drafts/{id}/send", _send),
    ("POST", "/drafts/{id}/schedule", _schedule),
    ("POST", "/drafts/{id}/cancel", _cancel),
    ("POST", "/drafts/{id}/dispatch", _dispatch),
)
SCREEN = Screen(
    "gmail",
    HOST,
    [
        Route(f"{method} {template}", method, template, run)
        for method, template, run in (*_ROUTES, *SETTINGS_ROUTES)
    ],
    title="Mail",
    home=HOME,
    start=_start,
    errors={GoogleError: _refused},
)
