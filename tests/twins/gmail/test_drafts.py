"""Drafts: versions, sending, listing, refusals."""

import pytest

from tenure.twins.gmail.records import Draft, Message
from tenure.world import World

from .make import ADA, BO, Client, inbox, letter, raw


def create(client: Client, text: str, **body: str) -> dict:
    return client.ok("POST", "/drafts", {"message": {"raw": raw(text), **body}})


def test_a_draft_keeps_its_id_while_its_message_is_replaced(ada: Client, world: World) -> None:
    draft = create(ada, letter("bo@acme.test", "Plan", "one"))
    assert draft["id"].lstrip("r-").isdecimal() and draft["message"]["labelIds"] == ["DRAFT"]
    body = {"message": {"raw": raw(letter("bo@acme.test", "Plan", "two"))}}
    again = ada.ok("PUT", f"/drafts/{draft['id']}", body)
    assert again["id"] == draft["id"]
    assert again["message"]["id"] != draft["message"]["id"]
    assert again["message"]["threadId"] == draft["message"]["threadId"]
    assert ada.refused("GET", f"/messages/{draft['message']['id']}")[0] == 404
    shown = ada.ok("GET", f"/drafts/{draft['id']}", format="full")
    assert shown["message"]["snippet"] == "two"
    assert world.store.count(Draft) == 1 and world.store.count(Message) == 6


def test_formats_of_a_draft(ada: Client) -> None:
    id = create(ada, letter("bo@acme.test"))["id"]
    assert "raw" in ada.ok("GET", f"/drafts/{id}", format="raw")["message"]
    assert "payload" not in ada.ok("GET", f"/drafts/{id}", format="minimal")["message"]


def test_sending_a_draft_delivers_it_and_ends_it(ada: Client, world: World) -> None:
    draft = create(ada, letter("bo@acme.test", "Plan", Bcc="cy@acme.test"))
    sent = ada.ok("POST", "/drafts/send", {"id": draft["id"]})
    assert sent["labelIds"] == ["SENT"] and sent["threadId"] == draft["message"]["threadId"]
    assert sent["id"] != draft["message"]["id"]
    assert ada.ok("GET", "/drafts") == {"resultSizeEstimate": 0}
    assert [message.subject for message in inbox(world, BO)] == ["Private", "Plan"]
    assert ada.refused("POST", "/drafts/send", {"id": draft["id"]})[0] == 404


def test_sending_with_a_last_change(ada: Client, world: World) -> None:
    draft = create(ada, letter("bo@acme.test", "Old"))
    body = {"id": draft["id"], "message": {"raw": raw(letter("bo@acme.test", "New"))}}
    ada.ok("POST", "/drafts/send", body)
    assert inbox(world, BO)[-1].subject == "New"


def test_a_draft_that_cannot_be_sent_stays(ada: Client, world: World) -> None:
    draft = create(ada, "Subject: no one\r\n\r\nhello")
    assert ada.refused("POST", "/drafts/send", {"id": draft["id"]})[2] == "Recipient address required"
    assert ada.ok("GET", f"/drafts/{draft['id']}")["id"] == draft["id"]
    assert ada.refused("POST", "/drafts/send", {})[:2] == (400, "invalidArgument")


def test_a_reply_is_drafted_in_its_thread(ada: Client, world: World) -> None:
    first = world.store.get(Message, f"{0xA1:016x}")
    assert first is not None
    reply = letter("vera@vendor.test", "Re: Invoice 0042 for September", In_Reply_To=first.message_id)
    draft = create(ada, reply, threadId=first.thread)
    assert draft["message"]["threadId"] == first.thread
    assert (
        create(ada, letter("v@w.test", "Else"), threadId=first.thread)["message"]["threadId"] != first.thread
    )
    sent = ada.ok("POST", "/drafts/send", {"id": draft["id"]})
    assert sent["threadId"] == first.thread


def test_listing_and_searching_drafts(ada: Client) -> None:
    made = [create(ada, letter("bo@acme.test", f"Plan {n}"))["id"] for n in range(3)]
    first = ada.ok("GET", "/drafts", maxResults=2)
    assert [draft["id"] for draft in first["drafts"]] == [made[2], made[1]]
    rest = ada.ok("GET", "/drafts", maxResults=2, pageToken=first["nextPageToken"])
    assert [draft["id"] for draft in rest["drafts"]] == [made[0]] and "nextPageToken" not in rest
    found = ada.ok("GET", "/drafts", q="subject:1")["drafts"]
    assert [draft["id"] for draft in found] == [made[1]]


def test_drafts_are_found_by_their_owner_only(ada: Client, bo: Client) -> None:
    id = create(ada, letter("bo@acme.test"))["id"]
    for method, path, body in (
        ("GET", f"/drafts/{id}", None),
        ("PUT", f"/drafts/{id}", {"message": {"raw": raw(letter("x@y.test"))}}),
        ("DELETE", f"/drafts/{id}", None),
        ("POST", "/drafts/send", {"id": id}),
    ):
        assert bo.refused(method, path, body) == (404, "notFound", "Requested entity was not found.")
    assert ada.ok("DELETE", f"/drafts/{id}") is None
    assert ada.refused("DELETE", f"/drafts/{id}")[0] == 404


@pytest.mark.parametrize("body", [{}, {"message": {}}, {"message": {"raw": ""}}])
def test_a_draft_needs_a_letter(ada: Client, body: dict) -> None:
    assert ada.refused("POST", "/drafts", body)[2].startswith("'raw' RFC822 payload")


def test_deleting_a_drafts_message_deletes_the_draft(ada: Client, world: World) -> None:
    draft = create(ada, letter("bo@acme.test"))
    ada.ok("DELETE", f"/messages/{draft['message']['id']}")
    assert world.store.all(Draft, "mailbox", ADA) == []


def test_a_reply_that_changes_its_subject_leaves_the_thread(ada: Client, world: World) -> None:
    first = world.store.get(Message, f"{0xA1:016x}")
    assert first is not None
    reply = letter("vera@vendor.test", "Re: Invoice 0042 for September", In_Reply_To=first.message_id)
    draft = create(ada, reply, threadId=first.thread)
    again = ada.ok("PUT", f"/drafts/{draft['id']}", {"message": {"raw": raw(reply)}})
    assert again["message"]["threadId"] == first.thread
    other = letter("vera@vendor.test", "A new matter", In_Reply_To=first.message_id)
    moved = ada.ok("PUT", f"/drafts/{draft['id']}", {"message": {"raw": raw(other)}})
    assert moved["message"]["threadId"] == moved["message"]["id"]
