"""The REST API: what each method of the discovery document does."""

from typing import Any

from tenure.twins.gmail import drafts, history, labels, letters, render, service, settings
from tenure.twins.google import Api, Document, GoogleError, Operation, Request
from tenure.twins.google.errors import invalid
from tenure.world import Reply

DOCUMENT = Document("tenure.twins.gmail", "gmail.v1.json")
HOST = "gmail.googleapis.com"
_METADATA = "https://www.googleapis.com/auth/gmail.metadata"
_READING = (
    "https://mail.google.com/",
    "https://www.googleapis.com/auth/gmail.modify",
    "https://www.googleapis.com/auth/gmail.readonly",
)


def _guard(request: Request) -> None:
    """Refuse another's mailbox."""
    asked = request.params.get("userId", "me")
    own = request.act.account().email
    if asked != "me" and asked.lower() != own.lower():
        raise GoogleError(403, f"Delegation denied for {own}", "forbidden")


def _only_metadata(request: Request) -> bool:
    return _METADATA in request.scopes and request.scopes.isdisjoint(_READING)


def _listing(request: Request) -> dict[str, Any]:
    params = request.params
    if params.get("q") and _only_metadata(request):
        raise GoogleError(403, "Metadata scope does not support 'q' parameter", "forbidden")
    return {
        "q": params.get("q", ""),
        "limit": service.page_size(params.get("maxResults")),
        "token": params.get("pageToken", ""),
        "hidden": params.get("includeSpamTrash", False),
    }


def _format(request: Request) -> tuple[str, list[str]]:
    form = request.params.get("format") or "full"
    if form in ("full", "raw") and _only_metadata(request):
        raise GoogleError(403, f"Metadata scope doesn't allow format {form.upper()}", "forbidden")
    return form, request.params.get("metadataHeaders", [])


def _change(request: Request) -> tuple[list[str], list[str]]:
    return request.body.get("addLabelIds", []), request.body.get("removeLabelIds", [])


def _insert(request: Request, incoming: bool) -> dict[str, Any]:
    letter = letters.given(request.body, request.media)
    if request.params.get("deleted"):
        raise invalid("Messages marked as deleted need a Vault administrator, whom this copy has none of.")
    return service.insert(
        request.act,
        letter,
        request.body.get("labelIds", []),
        thread=request.body.get("threadId", ""),
        by_header=request.params.get("internalDateSource") == "dateHeader",
        incoming=incoming,
    )


def _attachment(request: Request) -> Any:
    kind, data = service.get_attachment(request.act, request.params["messageId"], request.params["id"])
    if request.download:
        return Reply(200, data, {"content-type": kind})
    return {"size": len(data), "data": render.b64(data)}


def _draft_letter(request: Request) -> tuple[Any, str]:
    message = request.body.get("message", {})
    return letters.given(message, request.media), message.get("threadId", "")


def _send_draft(request: Request) -> dict[str, Any]:
    message = request.body.get("message", {})
    new = request.media is not None or bool(message.get("raw"))
    letter = letters.given(message, request.media) if new else None
    return drafts.send(request.act, request.body.get("id", ""), letter, message.get("threadId", ""))


def _get_draft(request: Request) -> dict[str, Any]:
    return render.draft_json(
        request.act, *drafts.find(request.act, request.params["id"]), _format(request)[0]
    )


def _send(request: Request) -> dict[str, Any]:
    letter = letters.given(request.body, request.media)
    return service.send(request.act, letter, request.body.get("threadId", ""))


def _history(request: Request) -> dict[str, Any]:
    params = request.params
    return history.list_history(
        request.act,
        params.get("startHistoryId", ""),
        params.get("historyTypes", []),
        params.get("labelId", ""),
        limit=service.page_size(params.get("maxResults")),
        token=params.get("pageToken", ""),
    )


def _watch(request: Request) -> dict[str, Any]:
    body = request.body
    behavior = body.get("labelFilterBehavior") or body.get("labelFilterAction") or ""
    return history.watch(request.act, body.get("topicName", ""), body.get("labelIds", []), behavior)


def _list(request: Request) -> list[str]:
    found: list[str] = request.params.get("labelIds", [])
    return found


def _label(request: Request, whole: bool) -> dict[str, Any]:
    changed = labels.change(request.act, request.params["id"], request.body, whole=whole)
    return render.label_json(request.act, changed)


_MESSAGES: dict[str, Operation] = {
    "list": lambda r: service.list_messages(r.act, labels=_list(r), **_listing(r)),
    "get": lambda r: service.get_message(r.act, r.params["id"], *_format(r)),
    "send": _send,
    "insert": lambda r: _insert(r, incoming=False),
    "import": lambda r: _insert(r, incoming=True),
    "modify": lambda r: service.modify_message(r.act, r.params["id"], *_change(r)),
    "batchModify": lambda r: service.batch_modify(r.act, r.body.get("ids", []), *_change(r)),
    "batchDelete": lambda r: service.batch_delete(r.act, r.body.get("ids", [])),
    "trash": lambda r: service.trash_message(r.act, r.params["id"]),
    "untrash": lambda r: service.untrash_message(r.act, r.params["id"]),
    "delete": lambda r: service.delete_message(r.act, r.params["id"]),
    "attachments.get": _attachment,
}
_THREADS: dict[str, Operation] = {
    "list": lambda r: service.list_threads(r.act, labels=_list(r), **_listing(r)),
    "get": lambda r: service.get_thread(r.act, r.params["id"], *_format(r)),
    "modify": lambda r: service.modify_thread(r.act, r.params["id"], *_change(r)),
    "trash": lambda r: service.trash_thread(r.act, r.params["id"]),
    "untrash": lambda r: service.untrash_thread(r.act, r.params["id"]),
    "delete": lambda r: service.delete_thread(r.act, r.params["id"]),
}
_DRAFTS: dict[str, Operation] = {
    "list": lambda r: drafts.list_drafts(r.act, **_listing(r)),
    "get": _get_draft,
    "create": lambda r: render.draft_brief(*drafts.create(r.act, *_draft_letter(r))),
    "update": lambda r: render.draft_brief(*drafts.update(r.act, r.params["id"], *_draft_letter(r))),
    "delete": lambda r: drafts.delete(r.act, r.params["id"]),
    "send": _send_draft,
}
_LABELS: dict[str, Operation] = {
    "list": lambda r: labels.list_labels(r.act),
    "get": lambda r: labels.get(r.act, r.params["id"]),
    "create": lambda r: render.label_json(r.act, labels.create(r.act, r.body)),
    "update": lambda r: _label(r, whole=True),
    "patch": lambda r: _label(r, whole=False),
    "delete": lambda r: labels.delete(r.act, r.params["id"]),
}
_SETTINGS: dict[str, Operation] = {
    "getVacation": lambda r: settings.vacation(r.act),
    "updateVacation": lambda r: settings.set_vacation(r.act, r.body),
    "filters.list": lambda r: settings.list_filters(r.act),
    "filters.get": lambda r: settings.get_filter(r.act, r.params["id"]),
    "filters.create": lambda r: settings.create_filter(r.act, r.body),
    "filters.delete": lambda r: settings.delete_filter(r.act, r.params["id"]),
    "sendAs.list": lambda r: settings.list_send_as(r.act),
    "sendAs.get": lambda r: settings.get_send_as(r.act, r.params["sendAsEmail"]),
    "sendAs.patch": lambda r: settings.patch_send_as(r.act, r.params["sendAsEmail"], r.body),
}
OPERATIONS: dict[str, Operation] = {
    "gmail.users.getProfile": lambda r: service.profile(r.act),
    "gmail.users.history.list": _history,
    "gmail.users.watch": _watch,
    "gmail.users.stop": lambda r: history.stop(r.act),
    **{f"gmail.users.messages.{name}": run for name, run in _MESSAGES.items()},
    **{f"gmail.users.threads.{name}": run for name, run in _THREADS.items()},
    **{f"gmail.users.drafts.{name}": run for name, run in _DRAFTS.items()},
    **{f"gmail.users.labels.{name}": run for name, run in _LABELS.items()},
    **{f"gmail.users.settings.{name}": run for name, run in _SETTINGS.items()},
}
API = Api(DOCUMENT, HOST, OPERATIONS, _guard)
