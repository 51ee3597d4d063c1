"""The hosted MCP server's tools, through its own endpoint and through the door."""

import base64
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.twins.gmail.mcp import TOOLS
from tenure.twins.gmail.records import Draft, Message
from tenure.world import Door, Gateway, World

from .make import ADA, PDF, Client, inbox, token

FIRST, REPLY, DIGEST, TRASHED, FOREIGN = (f"{i:016x}" for i in (0xA1, 0xA2, 0xA3, 0xA4, 0xB1))
NAMES = {
    "search_threads",
    "get_thread",
    "get_message",
    "create_draft",
    "list_drafts",
    "get_draft",
    "list_labels",
    "label_thread",
    "unlabel_thread",
    "label_message",
    "unlabel_message",
    "create_label",
    "apply_sensitive_thread_label",
    "apply_sensitive_message_label",
    "trash_thread",
    "untrash_thread",
    "trash_message",
    "untrash_message",
    "mark_thread_spam",
    "unmark_thread_spam",
    "mark_message_spam",
    "unmark_message_spam",
    "update_message_labels",
    "update_label",
    "delete_label",
}


class Tools:
    def __init__(self, gateway: Gateway) -> None:
        self.gateway, self.door = gateway, Door(gateway, ADA)

    def __call__(self, name: str, **arguments: Any) -> Any:
        response = self.door.call(f"gmail_{name}", arguments)
        assert response.status == 200, response.text
        assert not self.gateway.log[-1].fault
        return response.json()

    def refused(self, name: str, **arguments: Any) -> str:
        response = self.door.call(f"gmail_{name}", arguments)
        assert response.status == 400 and not self.gateway.log[-1].fault
        return response.text


@pytest.fixture
def tools(gateway: Gateway) -> Tools:
    return Tools(gateway)


def test_the_tools_are_the_vendors() -> None:
    assert {tool.name for tool in TOOLS} == NAMES and len(TOOLS) == 25
    assert not any("send" in tool.name for tool in TOOLS)
    assumed = {tool.name for tool in TOOLS if tool.assumed}
    assert {"get_message", "get_draft", "trash_thread", "update_message_labels"} <= assumed
    assert "create_draft" not in assumed


def test_threads_are_searched_and_read(tools: Tools) -> None:
    found = tools("search_threads", query="invoice")
    (thread,) = found["threads"]
    assert [message["id"] for message in thread["messages"]] == [FIRST, REPLY]
    assert thread["messages"][0]["sender"] == "Vera Vendor <vera@vendor.test>"
    assert "plaintextBody" not in thread["messages"][0]
    assert len(tools("search_threads", query="invoice in:anywhere")["threads"]) == 2
    assert len(tools("search_threads", query="invoice", includeTrash=True)["threads"]) == 2
    minimal = tools("search_threads", query="invoice", view="THREAD_VIEW_MINIMAL")["threads"][0]["messages"][
        0
    ]
    assert set(minimal) == {"id", "threadId", "labelIds", "snippet"}
    whole = tools("get_thread", threadId=FIRST)
    assert whole["messages"][0]["plaintextBody"].endswith("Total: 1,700.00 EUR")
    assert whole["messages"][0]["date"] == "2026-09-18T14:13:20Z"
    assert "subject" not in tools("get_thread", threadId=FIRST, messageFormat="MINIMAL")["messages"][0]


def test_the_query_takes_label_ids(tools: Tools) -> None:
    assert len(tools("search_threads", query="label:Label_1")["threads"]) == 1
    assert tools("search_threads", query="label:clients-acme-corp")["threads"] == []


def test_search_pages(tools: Tools) -> None:
    first = tools("search_threads", pageSize=1)
    rest = tools("search_threads", pageSize=1, pageToken=first["nextPageToken"])
    assert [thread["id"] for thread in first["threads"] + rest["threads"]] == [DIGEST, FIRST]
    assert "nextPageToken" not in rest
    assert (
        tools.refused("search_threads", query="other", pageToken=first["nextPageToken"])
        == "Invalid pageToken"
    )
    assert "pageSize" in tools.refused("search_threads", pageSize=51)


def test_a_message_shows_its_files(tools: Tools, ada: Client) -> None:
    message = tools("get_message", messageId=FIRST)
    assert message["attachments"] == [
        {"filename": "invoice-0042.pdf", "mimeType": "application/pdf", "size": len(PDF)}
    ]
    (id,) = message["attachmentIds"]
    assert ada.ok("GET", f"/messages/{FIRST}/attachments/{id}")["size"] == len(PDF)
    assert tools("get_message", messageId=DIGEST)["htmlBody"].startswith("<p>")
    assert tools.refused("get_message", messageId=FOREIGN) == "Requested entity was not found."
    assert "messageId" in tools.refused("get_message")


def test_a_draft_is_made_and_read_but_never_sent(tools: Tools, world: World) -> None:
    file = {"content": base64.b64encode(b"data").decode(), "filename": "d.txt", "mimeType": "text/plain"}
    made = tools(
        "create_draft",
        to=["bo@acme.test"],
        cc=["cy@acme.test"],
        bcc=["x@y.test"],
        subject="Plan für Q4",
        body="plain",
        htmlBody="<p>rich</p>",
        attachments=[file, {**file, "filename": "i.png", "inline": True}],
    )
    assert made["message"]["labelIds"] == ["DRAFT"] and made["message"]["bccRecipients"] == ["x@y.test"]
    got = tools("get_draft", draftId=made["id"])["message"]
    assert (got["plaintextBody"], got["htmlBody"], got["subject"]) == ("plain", "<p>rich</p>", "Plan für Q4")
    record = world.store.get(Message, got["id"])
    assert record is not None
    assert [(a.filename, bool(a.content_id)) for a in record.attachments] == [
        ("i.png", True),
        ("d.txt", False),
    ]
    assert world.store.blob(record.attachments[1].blob) == b"data"
    assert [message.subject for message in inbox(world, "bo")] == ["Private"]
    listed = tools("list_drafts")["drafts"]
    assert [draft["id"] for draft in listed] == [made["id"]] and "plaintextBody" not in listed[0]["message"]
    assert (
        "plaintextBody"
        in tools("list_drafts", view="DRAFT_VIEW_FULL", query="subject:plan")["drafts"][0]["message"]
    )
    assert tools("list_drafts", query="nothing")["drafts"] == []


def test_a_reply_is_drafted_into_its_thread(tools: Tools, world: World) -> None:
    made = tools("create_draft", replyToMessageId=FIRST, body="Paid.")["message"]
    assert made["threadId"] == FIRST
    assert made["subject"] == "Re: Invoice 0042 for September"
    assert made["toRecipients"] == ["vera@vendor.test"]
    answered, record = world.store.get(Message, FIRST), world.store.get(Message, made["id"])
    assert answered and record and record.in_reply_to == answered.message_id
    other = tools("create_draft", replyToMessageId=FIRST, subject="Something else")["message"]
    assert other["threadId"] != FIRST and other["subject"] == "Something else"


def test_drafts_that_are_refused(tools: Tools, world: World) -> None:
    assert "plain addresses only" in tools.refused("create_draft", to=["Bo <bo@acme.test>"])
    assert "base64" in tools.refused("create_draft", attachments=[{"content": "%%%"}])
    assert tools.refused("create_draft", replyToMessageId=FOREIGN) == "Requested entity was not found."
    assert tools.refused("get_draft", draftId="r1") == "Requested entity was not found."
    assert "Additional properties" in tools.refused("create_draft", recipient="x")
    assert world.store.count(Draft) == 0


def test_labels(tools: Tools) -> None:
    assert [label["displayName"] for label in tools("list_labels")["labels"]] == ["Clients/Acme Corp", "Todo"]
    first = tools("list_labels", pageSize=1)
    rest = tools("list_labels", pageSize=1, pageToken=first["nextPageToken"])
    assert [label["labelId"] for label in first["labels"] + rest["labels"]] == ["Label_1", "Label_2"]
    color = {"textColor": "#000000", "backgroundColor": "#ffffff"}
    made = tools("create_label", displayName="A/B/C", autoCreateParentLabels=True, color=color)
    assert made["color"] == color
    assert {"A", "A/B", "A/B/C"} <= {label["displayName"] for label in tools("list_labels")["labels"]}
    renamed = tools("update_label", labelId=made["labelId"], displayName="D")
    assert renamed == {"labelId": made["labelId"], "displayName": "D", "color": color}
    assert tools("delete_label", labelId=made["labelId"]) == {}
    assert tools.refused("delete_label", labelId=made["labelId"]) == "Requested entity was not found."
    assert tools.refused("create_label", displayName="todo") == "Label name exists or conflicts"


@pytest.mark.parametrize(("noun", "id"), [("thread", FIRST), ("message", FIRST)])
def test_each_label_tool(tools: Tools, world: World, noun: str, id: str) -> None:
    key = {f"{noun}Id": id}

    def labels() -> list[str]:
        record = world.store.get(Message, id)
        assert record is not None
        return record.labels

    tools(f"label_{noun}", **key, labelIds=["Label_2", "STARRED"])
    assert {"Label_2", "STARRED"} <= set(labels())
    tools(f"unlabel_{noun}", **key, labelIds=["Label_2", "STARRED", "IMPORTANT"])
    assert labels() == ["INBOX", "Label_1"]
    assert "sensitive" in tools.refused(f"label_{noun}", **key, labelIds=["TRASH"])
    tools(f"apply_sensitive_{noun}_label", **key, labelIds=["TRASH"])
    assert labels() == ["Label_1", "TRASH"]
    assert "is not one of" in tools.refused(f"apply_sensitive_{noun}_label", **key, labelIds=["INBOX"])
    tools(f"untrash_{noun}", **key)
    assert labels() == ["Label_1"]
    tools(f"mark_{noun}_spam", **key)
    assert labels() == ["Label_1", "SPAM"]
    tools(f"unmark_{noun}_spam", **key)
    assert labels() == ["INBOX", "Label_1"]
    tools(f"trash_{noun}", **key)
    assert labels() == ["Label_1", "TRASH"]
    for name in (f"label_{noun}", f"trash_{noun}", f"mark_{noun}_spam"):
        more = {"labelIds": ["STARRED"]} if name.startswith("label") else {}
        assert tools.refused(name, **{f"{noun}Id": FOREIGN}, **more) == "Requested entity was not found."


def test_labels_of_a_message_change_at_once(tools: Tools) -> None:
    changed = tools(
        "update_message_labels", messageId=DIGEST, addLabelIds=["STARRED"], removeLabelIds=["UNREAD"]
    )
    assert changed["messages"][0]["labelIds"] == ["CATEGORY_PROMOTIONS", "INBOX", "STARRED"]
    assert tools.refused("update_message_labels", messageId=DIGEST) == "No label add or removes specified"


def test_tool_calls_are_logged_with_what_they_showed(tools: Tools, gateway: Gateway, world: World) -> None:
    tools("get_thread", threadId=FIRST)
    line = gateway.log[-1]
    assert (line.tool, line.via, line.actor) == ("get_thread", Via.MCP, ADA)
    assert set(line.records) == {("gmail.message", FIRST), ("gmail.message", REPLY)}
    tools("label_message", messageId=FIRST, labelIds=["STARRED"])
    assert gateway.log[-1].records == ()
    assert [change.via for change in world.store.changes() if change.kind == "gmail.message"] == [Via.MCP]


def ask(gateway: Gateway, method: str, secret: str = "", **params: Any) -> tuple[int, dict[str, str], Any]:
    headers = {"authorization": f"Bearer {secret}"} if secret else {}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    reply = gateway.answer("POST", "gmailmcp.googleapis.com", "/mcp/v1", "", headers, body)
    sent, raw = reply.encoded()
    return reply.status, sent, orjson.loads(raw)


def test_the_list_is_open_and_calls_are_not(gateway: Gateway) -> None:
    status, _, body = ask(gateway, "tools/list")
    assert status == 200 and {tool["name"] for tool in body["result"]["tools"]} == NAMES
    status, headers, _ = ask(gateway, "tools/call", name="list_labels", arguments={})
    assert status == 401
    pointer = (
        headers["www-authenticate"]
        .partition('resource_metadata="https://gmailmcp.googleapis.com')[2]
        .rstrip('"')
    )
    described = gateway.answer("GET", "gmailmcp.googleapis.com", pointer)
    assert described.status == 200 and described.body["resource"] == "https://gmailmcp.googleapis.com/mcp/v1"
    assert (
        gateway.answer("GET", "gmailmcp.googleapis.com", "/.well-known/oauth-protected-resource/x").status
        == 404
    )
    assert ask(gateway, "tools/call", token(ADA), name="list_labels", arguments={})[0] == 200
    assert ask(gateway, "tools/call", "ya29.wrong", name="list_labels", arguments={})[0] == 401


def test_a_reply_goes_where_the_letter_asks(tools: Tools, ada: Client) -> None:
    from .make import letter, raw

    text = letter("ada@acme.test", From="robot@else.test", Reply_To="Desk <desk@else.test>")
    id = ada.ok("POST", "/messages", {"raw": raw(text), "labelIds": ["INBOX"]})["id"]
    made = tools("create_draft", replyToMessageId=id, body="Hello")["message"]
    assert made["toRecipients"] == ["desk@else.test"]
