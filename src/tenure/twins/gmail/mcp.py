"""Gmail's hosted MCP server: the tools of 4 October 2026, and two label tools of September's list.

Names and arguments are the captured ones; where they were not captured a tool is marked assumed.
There is no tool that sends. In this server's queries ``label:`` takes a label id.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any

from tenure.twins.gmail import drafts, labels, mailbox, render, tools
from tenure.twins.gmail.records import Label, Message
from tenure.twins.gmail.search import Search
from tenure.twins.gmail.service import following
from tenure.twins.google import GoogleError, page_token, place_of
from tenure.twins.google.errors import invalid
from tenure.world import Act, Tool, ToolError

URL = "https://gmailmcp.googleapis.com/mcp/v1"
SCOPES = (
    "https://www.googleapis.com/auth/gmail.readonly",
    "https://www.googleapis.com/auth/gmail.modify",
    "https://mail.google.com/",
)
SENSITIVE = ("TRASH", "SPAM")
Arguments = dict[str, Any]
_STRING: dict[str, Any] = {"type": "string"}
_STRINGS: dict[str, Any] = {"type": "array", "items": _STRING}
_BOOLEAN: dict[str, Any] = {"type": "boolean"}
_PAGE: dict[str, Any] = {
    "pageSize": {"type": "integer", "minimum": 1, "maximum": 50},
    "pageToken": _STRING,
}
_COLOR: dict[str, Any] = {
    "type": "object",
    "properties": {"textColor": _STRING, "backgroundColor": _STRING},
    "additionalProperties": False,
}
_FORMAT: dict[str, Any] = {"type": "string", "enum": ["MINIMAL", "FULL_CONTENT", "METADATA_ONLY"]}
_FILE: dict[str, Any] = {
    "type": "object",
    "properties": {"content": _STRING, "filename": _STRING, "mimeType": _STRING, "inline": _BOOLEAN},
    "required": ["content"],
    "additionalProperties": False,
}
_DEFAULT_PAGE = 20


def _search_threads(act: Act, given: Arguments) -> Any:
    q, hidden = given.get("query", ""), given.get("includeTrash", False)
    limit, question = int(given.get("pageSize", _DEFAULT_PAGE)), ["mcp", act.actor, q, hidden]
    search = Search(act, act.actor, q, hidden=hidden, label_ids=True)
    found = list(islice(search.threads(place_of(given.get("pageToken", ""), question)), limit + 1))
    form = "MINIMAL" if given.get("view") == "THREAD_VIEW_MINIMAL" else "METADATA_ONLY"
    result: dict[str, Any] = {"threads": [tools.thread(act, thread, form) for _, thread in found[:limit]]}
    more = following([head for head, _ in found], limit, question)
    return {**result, "nextPageToken": more} if more else result


def _get_thread(act: Act, given: Arguments) -> Any:
    records = mailbox.thread(act, act.actor, given["threadId"])
    return tools.thread(act, records, given.get("messageFormat", "FULL_CONTENT"))


def _get_message(act: Act, given: Arguments) -> Any:
    record = mailbox.message(act, act.actor, given["messageId"])
    return tools.message(act, record, given.get("messageFormat", "FULL_CONTENT"))


def _create_draft(act: Act, given: Arguments) -> Any:
    letter, thread = tools.compose(act, given)
    return tools.draft(act, *drafts.create(act, letter, thread), "METADATA_ONLY")


def _list_drafts(act: Act, given: Arguments) -> Any:
    found, more = drafts.page(
        act,
        given.get("query", ""),
        limit=int(given.get("pageSize", _DEFAULT_PAGE)),
        token=given.get("pageToken", ""),
        label_ids=True,
    )
    form = "FULL_CONTENT" if given.get("view") == "DRAFT_VIEW_FULL" else "METADATA_ONLY"
    result: dict[str, Any] = {"drafts": [tools.draft(act, draft, record, form) for draft, record in found]}
    return {**result, "nextPageToken": more} if more else result


def _get_draft(act: Act, given: Arguments) -> Any:
    return tools.draft(act, *drafts.find(act, given["draftId"]), "FULL_CONTENT")


def _list_labels(act: Act, given: Arguments) -> Any:
    question = ["mcp labels", act.actor]
    page = act.page(
        Label,
        "mailbox",
        act.actor,
        limit=int(given.get("pageSize", 50)),
        after=place_of(given.get("pageToken", ""), question),
    )
    result: dict[str, Any] = {"labels": [tools.label(act, label) for label in page.records]}
    return {**result, "nextPageToken": page_token(page.after, question)} if page.after else result


def _create_label(act: Act, given: Arguments) -> Any:
    name = given["displayName"]
    if given.get("autoCreateParentLabels"):
        parents = name.split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            parent = "/".join(parents[:depth])
            if not act.ids(Label, "name", f"{act.actor}/{parent.casefold()}"):
                labels.create(act, {"name": parent})
    return tools.label(act, labels.create(act, {"name": name, "color": given.get("color", {})}))


def _update_label(act: Act, given: Arguments) -> Any:
    body = {"color": given.get("color", {})}
    if "displayName" in given:
        body["name"] = given["displayName"]
    return tools.label(act, labels.change(act, given["labelId"], body, whole=False))


def _delete_label(act: Act, given: Arguments) -> Any:
    labels.delete(act, given["labelId"])
    return {}


Find = Callable[[Act, Arguments], list[Message]]


def _thread_of(act: Act, given: Arguments) -> list[Message]:
    return mailbox.thread(act, act.actor, given["threadId"])


def _message_of(act: Act, given: Arguments) -> list[Message]:
    return [mailbox.message(act, act.actor, given["messageId"])]


def _relabel(act: Act, records: list[Message], add: list[str], remove: list[str]) -> Any:
    mailbox.check_relabel(act, act.actor, add, remove)
    changed = [mailbox.relabel(act, record, add, remove) for record in records]
    return {"messages": [render.brief(record) for record in changed]}


def _plain(ids: list[str]) -> list[str]:
    for id in ids:
        if id in SENSITIVE:
            raise invalid(f"{id} is a sensitive label; use the apply_sensitive_*_label tools")
    return ids


def _fixed(find: Find, add: list[str], remove: list[str]) -> Callable[[Act, Arguments], Any]:
    return lambda act, given: _relabel(act, find(act, given), add, remove)


def _label(find: Find) -> Callable[[Act, Arguments], Any]:
    return lambda act, given: _relabel(act, find(act, given), _plain(given["labelIds"]), [])


def _unlabel(find: Find) -> Callable[[Act, Arguments], Any]:
    return lambda act, given: _relabel(act, find(act, given), [], given["labelIds"])


def _sensitive(find: Find) -> Callable[[Act, Arguments], Any]:
    return lambda act, given: _relabel(act, find(act, given), given["labelIds"], [])


def _update_message_labels(act: Act, given: Arguments) -> Any:
    add, remove = given.get("addLabelIds", []), given.get("removeLabelIds", [])
    return _relabel(act, _message_of(act, given), _plain(add), remove)


def _tool(
    name: str,
    description: str,
    properties: dict[str, Any],
    run: Callable[[Act, Arguments], Any],
    required: tuple[str, ...] = (),
    *,
    assumed: bool = False,
) -> Tool:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)

    def answer(act: Act, given: Arguments) -> Any:
        try:
            return run(act, given)
        except GoogleError as error:
            raise ToolError(error.message) from error

    return Tool(name, description, schema, answer, assumed)


def _label_tools() -> list[Tool]:
    """The tools that come once for threads and once for messages."""
    found = []
    sensitive = {"type": "array", "items": {"type": "string", "enum": list(SENSITIVE)}, "minItems": 1}
    for noun, find in (("thread", _thread_of), ("message", _message_of)):
        key = f"{noun}Id"
        one, whole = {key: _STRING}, "the thread's messages" if noun == "thread" else "the message"
        many = {**one, "labelIds": _STRINGS}
        need = (key, "labelIds")
        found += [
            _tool(f"label_{noun}", f"Add labels to {whole}.", many, _label(find), need),
            _tool(f"unlabel_{noun}", f"Remove labels from {whole}.", many, _unlabel(find), need),
            _tool(
                f"apply_sensitive_{noun}_label",
                f"Move {whole} to the trash or to spam.",
                {**one, "labelIds": sensitive},
                _sensitive(find),
                need,
            ),
            _tool(
                f"trash_{noun}",
                f"Move {whole} to the trash.",
                one,
                _fixed(find, ["TRASH"], []),
                (key,),
                assumed=True,
            ),
            _tool(
                f"untrash_{noun}",
                f"Take {whole} out of the trash.",
                one,
                _fixed(find, [], ["TRASH"]),
                (key,),
                assumed=True,
            ),
            _tool(
                f"mark_{noun}_spam",
                f"Mark {whole} as spam.",
                one,
                _fixed(find, ["SPAM"], []),
                (key,),
                assumed=True,
            ),
            _tool(
                f"unmark_{noun}_spam",
                f"Mark {whole} as not spam, back in the inbox.",
                one,
                _fixed(find, ["INBOX"], ["SPAM"]),
                (key,),
                assumed=True,
            ),
        ]
    return found


TOOLS: tuple[Tool, ...] = (
    _tool(
        "search_threads",
        "Search the mailbox's threads, newest first, with Gmail's operators; label: takes a label id.",
        {
            "query": _STRING,
            **_PAGE,
            "includeTrash": _BOOLEAN,
            "view": {"type": "string", "enum": ["THREAD_VIEW_METADATA_ONLY", "THREAD_VIEW_MINIMAL"]},
        },
        _search_threads,
    ),
    _tool(
        "get_thread",
        "Read a thread with its messages, oldest first.",
        {"threadId": _STRING, "messageFormat": _FORMAT},
        _get_thread,
        ("threadId",),
    ),
    _tool(
        "get_message",
        "Read a message.",
        {"messageId": _STRING, "messageFormat": _FORMAT},
        _get_message,
        ("messageId",),
        assumed=True,
    ),
    _tool(
        "create_draft",
        "Save a new draft, or a draft that answers a message. It is not sent.",
        {
            "to": _STRINGS,
            "cc": _STRINGS,
            "bcc": _STRINGS,
            "subject": _STRING,
            "body": _STRING,
            "htmlBody": _STRING,
            "replyToMessageId": _STRING,
            "attachments": {"type": "array", "items": _FILE},
        },
        _create_draft,
    ),
    _tool(
        "list_drafts",
        "List drafts, newest first.",
        {
            "query": _STRING,
            **_PAGE,
            "view": {"type": "string", "enum": ["DRAFT_VIEW_METADATA_ONLY", "DRAFT_VIEW_FULL"]},
        },
        _list_drafts,
    ),
    _tool("get_draft", "Read a draft.", {"draftId": _STRING}, _get_draft, ("draftId",), assumed=True),
    _tool("list_labels", "List the user's own labels with their ids.", _PAGE, _list_labels),
    _tool(
        "create_label",
        "Make a label; Parent/Child nests.",
        {"displayName": _STRING, "color": _COLOR, "autoCreateParentLabels": _BOOLEAN},
        _create_label,
        ("displayName",),
    ),
    _tool(
        "update_label",
        "Rename or recolour a label.",
        {"labelId": _STRING, "displayName": _STRING, "color": _COLOR},
        _update_label,
        ("labelId",),
    ),
    _tool(
        "delete_label",
        "Delete a label; its messages stay.",
        {"labelId": _STRING},
        _delete_label,
        ("labelId",),
    ),
    *_label_tools(),
    _tool(
        "update_message_labels",
        "Add and remove labels of a message at once.",
        {"messageId": _STRING, "addLabelIds": _STRINGS, "removeLabelIds": _STRINGS},
        _update_message_labels,
        ("messageId",),
        assumed=True,
    ),
)
