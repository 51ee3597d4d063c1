"""Messages and threads: formats, labels, trash, deletion, and their refusals."""

import email
import email.policy

import pytest

from tenure.twins.gmail.records import Message
from tenure.world import World

from .make import ADA, PDF, Client, letter, raw, unraw

FIRST, REPLY, DIGEST, TRASHED, FOREIGN = (f"{i:016x}" for i in (0xA1, 0xA2, 0xA3, 0xA4, 0xB1))
MISSING = "00000000000000ff"


def headers(message: dict) -> dict[str, str]:
    return {item["name"]: item["value"] for item in message["payload"]["headers"]}


def ids(answer: dict) -> list[str]:
    return [item["id"] for item in answer.get("messages", [])]


def test_the_profile_counts_messages_and_threads(ada: Client) -> None:
    profile = ada.ok("GET", "/profile")
    assert (profile["emailAddress"], profile["messagesTotal"], profile["threadsTotal"]) == (
        "ada@acme.test",
        4,
        3,
    )


def test_a_list_is_newest_first_without_spam_and_trash(ada: Client) -> None:
    assert ids(ada.ok("GET", "/messages")) == [DIGEST, REPLY, FIRST]
    assert ids(ada.ok("GET", "/messages", includeSpamTrash="true")) == [DIGEST, REPLY, FIRST, TRASHED]
    assert ids(ada.ok("GET", "/messages", labelIds="TRASH")) == [TRASHED]
    assert ids(ada.ok("GET", "/messages", labelIds=["INBOX", "UNREAD"])) == [DIGEST]
    assert set(ada.ok("GET", "/messages")["messages"][0]) == {"id", "threadId"}


def test_an_empty_list_has_no_messages_key(cy: Client) -> None:
    assert cy.ok("GET", "/messages") == {"resultSizeEstimate": 0}
    assert cy.ok("GET", "/threads") == {"resultSizeEstimate": 0}


def test_a_seeded_message_reads_alike_in_every_format(ada: Client) -> None:
    full = ada.ok("GET", f"/messages/{FIRST}")
    assert full["payload"]["mimeType"] == "multipart/mixed"
    text, file = full["payload"]["parts"]
    assert unraw(text["body"]["data"]).decode().startswith("Dear Ada,\r\nplease find the café invoice")
    assert file["filename"] == "invoice-0042.pdf" and "data" not in file["body"]
    assert full["snippet"].startswith("Dear Ada, please find the café invoice")
    metadata = ada.ok("GET", f"/messages/{FIRST}", format="metadata", metadataHeaders=["subject", "From"])
    assert headers(metadata) == {
        "Subject": "Invoice 0042 for September",
        "From": "Vera Vendor <vera@vendor.test>",
    }
    assert "parts" not in metadata["payload"] and "body" not in metadata["payload"]
    minimal = ada.ok("GET", f"/messages/{FIRST}", format="minimal")
    assert "payload" not in minimal and "raw" not in minimal
    whole = ada.ok("GET", f"/messages/{FIRST}", format="raw")
    assert "payload" not in whole
    parsed = email.message_from_bytes(unraw(whole["raw"]), policy=email.policy.default)
    assert parsed["Subject"] == "Invoice 0042 for September"
    assert [part.get_content() for part in parsed.iter_attachments()] == [PDF]
    assert parsed["To"] == headers(full)["To"]


def test_an_html_only_letter_keeps_its_html_and_reads_as_text(ada: Client, world: World) -> None:
    payload = ada.ok("GET", f"/messages/{DIGEST}")["payload"]
    assert payload["mimeType"] == "text/html"
    record = world.store.get(Message, DIGEST)
    assert record is not None and record.body == "Nine stories & a quiz"
    assert ada.ok("GET", f"/messages/{DIGEST}")["snippet"] == "Nine stories &amp; a quiz"


def test_attachments_come_by_id_as_json_and_as_media(ada: Client) -> None:
    part = ada.ok("GET", f"/messages/{FIRST}")["payload"]["parts"][1]["body"]
    path = f"/messages/{FIRST}/attachments/{part['attachmentId']}"
    got = ada.ok("GET", path)
    assert unraw(got["data"]) == PDF and got["size"] == part["size"] == len(PDF)
    status, sent, data = ada.exchange("GET", f"/gmail/v1/users/me{path}", alt="media")
    assert (status, sent["content-type"], data) == (200, "application/pdf", PDF)
    assert ada.refused("GET", f"/messages/{FIRST}/attachments/nothing")[:2] == (400, "invalidArgument")


def test_labels_change_and_reading_is_a_label(ada: Client, world: World) -> None:
    changed = ada.ok(
        "POST", f"/messages/{DIGEST}/modify", {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]}
    )
    assert changed == {
        "id": DIGEST,
        "threadId": DIGEST,
        "labelIds": ["CATEGORY_PROMOTIONS", "INBOX", "STARRED"],
    }
    ada.ok("POST", f"/messages/{DIGEST}/modify", {"addLabelIds": ["UNREAD"], "removeLabelIds": ["INBOX"]})
    record = world.store.get(Message, DIGEST)
    assert record is not None and record.unread and record.labels == ["CATEGORY_PROMOTIONS", "STARRED"]
    assert world.store.count(Message, "label", f"{ADA}/INBOX") == 1


def test_a_read_mark_alone_is_incidental(ada: Client, world: World) -> None:
    from tenure.world.difference import difference

    ada.ok("POST", f"/messages/{DIGEST}/modify", {"removeLabelIds": ["UNREAD"]})
    assert difference(world.store) == []
    ada.ok("POST", f"/messages/{DIGEST}/modify", {"addLabelIds": ["STARRED"]})
    (found,) = difference(world.store)
    assert set(found.fields) == {"labels"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "No label add or removes specified"),
        ({"addLabelIds": ["Label_99"]}, "Invalid label: Label_99"),
        ({"addLabelIds": ["SENT"]}, "Invalid label: SENT"),
        ({"removeLabelIds": ["DRAFT"]}, "Invalid label: DRAFT"),
        (
            {"addLabelIds": ["INBOX"], "removeLabelIds": ["INBOX"]},
            "Cannot both add and remove the same label: INBOX",
        ),
        ({"addLabelIds": ["STARRED"] * 101}, "Cannot add or remove more than 100 labels at once"),
    ],
)
def test_label_changes_that_are_refused(ada: Client, body: dict, message: str) -> None:
    for path in (f"/messages/{FIRST}/modify", f"/threads/{FIRST}/modify"):
        assert ada.refused("POST", path, body) == (400, "invalidArgument", message)
    assert ada.refused("POST", "/messages/batchModify", {"ids": [FIRST], **body})[0] == 400


def test_another_mailboxs_label_is_no_label_here(ada: Client, bo: Client) -> None:
    theirs = bo.ok("POST", "/labels", {"name": "Mine"})["id"]
    assert ada.refused("POST", f"/messages/{FIRST}/modify", {"addLabelIds": [theirs]})[0] == 400
    assert ada.refused("GET", "/messages", labelIds=theirs)[0] == 400


def test_trash_leaves_the_inbox_and_untrash_brings_no_inbox_back(ada: Client) -> None:
    assert ada.ok("POST", f"/messages/{FIRST}/trash")["labelIds"] == ["IMPORTANT", "Label_1", "TRASH"]
    assert FIRST not in ids(ada.ok("GET", "/messages"))
    assert ada.ok("POST", f"/messages/{FIRST}/untrash")["labelIds"] == ["IMPORTANT", "Label_1"]
    assert FIRST in ids(ada.ok("GET", "/messages"))


def test_spam_and_trash_exclude_each_other(ada: Client) -> None:
    ada.ok("POST", f"/messages/{FIRST}/modify", {"addLabelIds": ["SPAM"]})
    assert "SPAM" not in ada.ok("POST", f"/messages/{FIRST}/trash")["labelIds"]


def test_deletion_is_for_good(ada: Client) -> None:
    assert ada.ok("DELETE", f"/messages/{FIRST}") is None
    assert ada.refused("GET", f"/messages/{FIRST}")[:2] == (404, "notFound")
    assert ada.refused("DELETE", f"/messages/{FIRST}")[:2] == (404, "notFound")
    thread = ada.ok("GET", f"/threads/{FIRST}")
    assert [message["id"] for message in thread["messages"]] == [REPLY]


def test_batches_pass_over_unknown_ids_and_touch_no_other_mailbox(ada: Client, world: World) -> None:
    body = {"ids": [FIRST, MISSING, FOREIGN, DIGEST], "addLabelIds": ["STARRED"]}
    assert ada.ok("POST", "/messages/batchModify", body) is None
    assert ids(ada.ok("GET", "/messages", labelIds="STARRED")) == [DIGEST, FIRST]
    assert ada.ok("POST", "/messages/batchDelete", {"ids": [FIRST, FOREIGN]}) is None
    assert world.store.get(Message, FIRST) is None
    untouched = world.store.get(Message, FOREIGN)
    assert untouched is not None and untouched.labels == ["INBOX"]


def test_batches_are_refused_when_empty_or_too_large(ada: Client) -> None:
    many = [f"{n:016x}" for n in range(1001)]
    for path in ("/messages/batchModify", "/messages/batchDelete"):
        change = {"addLabelIds": ["STARRED"]} if path.endswith("Modify") else {}
        assert ada.refused("POST", path, {"ids": [], **change})[0] == 400
        assert ada.refused("POST", path, {"ids": many, **change})[0] == 400
        assert ada.refused("POST", path, {"ids": ["nope!"], **change})[2] == "Invalid id value"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/messages/{}"),
        ("POST", "/messages/{}/trash"),
        ("POST", "/messages/{}/untrash"),
        ("DELETE", "/messages/{}"),
        ("GET", "/messages/{}/attachments/x"),
        ("GET", "/threads/{}"),
        ("POST", "/threads/{}/trash"),
        ("POST", "/threads/{}/untrash"),
        ("DELETE", "/threads/{}"),
        ("POST", "/messages/{}/modify"),
        ("POST", "/threads/{}/modify"),
    ],
)
def test_malformed_unknown_and_foreign_ids(ada: Client, method: str, path: str) -> None:
    body = {"addLabelIds": ["STARRED"]} if path.endswith("modify") else None
    malformed = ada.refused(method, path.format("not-an-id"), body)
    assert malformed == (400, "invalidArgument", "Invalid id value")
    for id in (MISSING, FOREIGN):
        missing = ada.refused(method, path.format(id), body)
        assert missing == (404, "notFound", "Requested entity was not found.")


def test_threads_list_read_change_and_go(ada: Client) -> None:
    listed = ada.ok("GET", "/threads")["threads"]
    assert [thread["id"] for thread in listed] == [DIGEST, FIRST]
    assert listed[1]["snippet"] == "Thanks, received."
    thread = ada.ok("GET", f"/threads/{FIRST}", format="metadata", metadataHeaders="Subject")
    assert [message["id"] for message in thread["messages"]] == [FIRST, REPLY]
    assert headers(thread["messages"][1]) == {"Subject": "Re: Invoice 0042 for September"}
    changed = ada.ok("POST", f"/threads/{FIRST}/modify", {"addLabelIds": ["Label_2"]})
    assert all("Label_2" in message["labelIds"] for message in changed["messages"])
    assert all("TRASH" in m["labelIds"] for m in ada.ok("POST", f"/threads/{FIRST}/trash")["messages"])
    assert [thread["id"] for thread in ada.ok("GET", "/threads")["threads"]] == [DIGEST]
    ada.ok("POST", f"/threads/{FIRST}/untrash")
    assert ada.ok("DELETE", f"/threads/{FIRST}") is None
    assert ada.refused("GET", f"/threads/{FIRST}")[0] == 404


def test_insert_keeps_the_letter_as_it_is(ada: Client) -> None:
    text = letter(
        "ada@acme.test", From="Zoë <zoe@else.test>", Date="Tue, 1 Sep 2026 08:00:00 +0200", Message_ID="<m@x>"
    )
    body = {"raw": raw(text), "labelIds": ["INBOX", "UNREAD", "Label_2"]}
    inserted = ada.ok("POST", "/messages", body, internalDateSource="dateHeader")
    assert inserted["labelIds"] == ["UNREAD", "INBOX", "Label_2"]
    got = ada.ok("GET", f"/messages/{inserted['id']}")
    assert got["internalDate"] == "1788242400000"
    assert headers(got)["From"] == "Zoë <zoe@else.test>" and headers(got)["Message-ID"] == "<m@x>"
    now = ada.ok("POST", "/messages", {"raw": raw(text)})
    assert int(ada.ok("GET", f"/messages/{now['id']}", format="minimal")["internalDate"]) > 1_790_000_000_000


def test_insert_refusals(ada: Client) -> None:
    assert ada.refused("POST", "/messages", {})[2].startswith("'raw' RFC822 payload message string")
    assert ada.refused("POST", "/messages", {"raw": "%%%"})[1] == "badRequest"
    assert ada.refused("POST", "/messages", {"raw": raw("x: y\n\nz"), "labelIds": ["Label_77"]})[0] == 400
    assert ada.refused("POST", "/messages", {"raw": raw("x: y\n\nz")}, internalDateSource="later")[0] == 400
    assert ada.refused("POST", "/messages/import", {"raw": raw("x: y\n\nz")}, deleted="true")[0] == 400
    assert ada.refused("POST", "/messages", {"raw": raw("x: y\n\nz"), "threadId": MISSING})[0] == 404


def test_import_threads_like_arriving_mail(ada: Client) -> None:
    parent = headers(ada.ok("GET", f"/messages/{FIRST}"))["Message-ID"]
    answer = letter(
        "ada@acme.test", "Re: Invoice 0042 for September", From="vera@vendor.test", References=parent
    )
    imported = ada.ok("POST", "/messages/import", {"raw": raw(answer), "labelIds": ["INBOX"]})
    assert imported["threadId"] == FIRST


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("urlsafe", [True, False])
def test_raw_is_forgiving_about_base64(ada: Client, padding: bool, urlsafe: bool) -> None:
    text = raw(letter("ada@acme.test", "subject ÿþ?>~", "ÿÿÿ>>>???"))
    text = text if urlsafe else text.replace("-", "+").replace("_", "/")
    text += "=" * (-len(text) % 4) if padding else ""
    id = ada.ok("POST", "/messages", {"raw": text})["id"]
    assert ada.ok("GET", f"/messages/{id}")["snippet"] == "ÿÿÿ&gt;&gt;&gt;???"


def test_what_is_read_is_noted_and_what_is_listed_is_not(ada: Client) -> None:
    ada.ok("GET", "/messages")
    ada.ok("GET", f"/messages/{FIRST}", format="minimal")
    ada.ok("POST", f"/messages/{FIRST}/modify", {"addLabelIds": ["STARRED"]})
    listing, reading, changing = ada.gateway.log[-3:]
    assert listing.records == () and changing.records == ()
    assert reading.records == (("gmail.message", FIRST),)
