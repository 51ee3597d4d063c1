"""Sending and arriving: copies, threading, filters, automatic replies."""

import pytest

from tenure.schema import Via
from tenure.twins.gmail.delivery import REPLY_DELAY_MS, REPLY_PERIOD_MS
from tenure.twins.gmail.records import Message, SendAs
from tenure.world import World

from .make import ADA, BO, CY, DAY, Client, inbox, letter, raw

FIRST = f"{0xA1:016x}"


def send(client: Client, text: str, **body: str) -> dict:
    return client.ok("POST", "/messages/send", {"raw": raw(text), **body})


def record(world: World, id: str) -> Message:
    found = world.store.get(Message, id)
    assert found is not None
    return found


def newest(world: World, account: str) -> Message:
    return inbox(world, account)[-1]


def test_a_letter_reaches_every_account_it_is_addressed_to(ada: Client, world: World) -> None:
    text = letter(
        "Bo <BO@acme.test>, out@else.test", Cc="cy@acme.test, bo@acme.test", From="forged <x@y.test>"
    )
    sent = send(ada, text)
    assert set(sent) == {"id", "threadId", "labelIds"} and sent["labelIds"] == ["SENT"]
    own = record(world, sent["id"])
    assert own.sender == "Ada Example <ada@acme.test>" and own.message_id.endswith("@mail.gmail.com>")
    assert own.internal_date == world.now
    for account in (BO, CY):
        copies = world.store.all(Message, "rfc822", f"{account}/{own.message_id}")
        (copy,) = copies
        assert copy.unread and copy.labels == ["INBOX"] and copy.body == "Hi there" and copy.thread == copy.id
    assert world.store.count(Message) == 5 + 3


def test_arrivals_are_consequences_of_the_senders_deed(ada: Client, world: World) -> None:
    sent = send(ada, letter("bo@acme.test"))
    changes = {change.id: change for change in world.store.changes() if change.kind == "gmail.message"}
    arrived = changes[newest(world, BO).id]
    assert changes[sent["id"]].via is Via.REST and changes[sent["id"]].actor == ADA
    assert arrived.via is Via.WORLD and arrived.actor == "" and arrived.cause == changes[sent["id"]].seq


def test_bcc_shows_only_to_the_sender(ada: Client, cy: Client, world: World) -> None:
    sent = send(ada, letter("bo@acme.test", Bcc="cy@acme.test"))
    got = ada.ok("GET", f"/messages/{sent['id']}", format="metadata", metadataHeaders="Bcc")
    assert got["payload"]["headers"] == [{"name": "Bcc", "value": "cy@acme.test"}]
    for account in (BO, CY):
        copy = newest(world, account)
        assert copy.bcc == [] and not any(name.lower() == "bcc" for name, _ in copy.headers)
    whole = cy.ok("GET", f"/messages/{newest(world, CY).id}", format="raw")["raw"]
    assert b"cy@acme.test" in _bytes(whole) and b"Bcc" not in _bytes(whole)


def _bytes(data: str) -> bytes:
    import base64

    return base64.urlsafe_b64decode(data + "==")


def test_a_letter_to_oneself_is_one_message(ada: Client) -> None:
    sent = send(ada, letter("ada@acme.test"))
    assert sorted(sent["labelIds"]) == ["INBOX", "SENT", "UNREAD"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Subject: x\r\n\r\nbody", "Recipient address required"),
        ("To: \r\nSubject: x\r\n\r\nbody", "Recipient address required"),
        ("To: undisclosed-recipients:;\r\n\r\nbody", "Recipient address required"),
        ("To: nobody\r\n\r\nbody", "Invalid To header"),
        ("To: a@b.test\r\nCc: not an address\r\n\r\nbody", "Invalid Cc header"),
    ],
)
def test_letters_that_cannot_be_sent(ada: Client, world: World, text: str, message: str) -> None:
    assert ada.refused("POST", "/messages/send", {"raw": raw(text)}) == (400, "invalidArgument", message)
    assert world.store.count(Message) == 5


def test_a_reply_needs_thread_reference_and_subject(ada: Client, bo: Client, world: World) -> None:
    first = record(world, send(ada, letter("bo@acme.test", "Plan for Q4"))["id"])
    reference = {"In_Reply_To": first.message_id}
    good = send(ada, letter("bo@acme.test", "RE: plan  for Q4", **reference), threadId=first.thread)
    assert good["threadId"] == first.thread
    for text, body in (
        (letter("bo@acme.test", "Re: Plan for Q4", **reference), {}),
        (letter("bo@acme.test", "Re: Plan for Q4"), {"threadId": first.thread}),
        (letter("bo@acme.test", "Re: Plan for Q5", **reference), {"threadId": first.thread}),
    ):
        assert send(ada, text, **body)["threadId"] != first.thread
    assert ada.refused("POST", "/messages/send", {"raw": raw(letter("b@c.test")), "threadId": "ff"})[0] == 404


def test_the_readers_side_threads_by_headers(ada: Client, bo: Client, world: World) -> None:
    first = record(world, send(ada, letter("bo@acme.test", "Plan"))["id"])
    arrived = newest(world, BO)
    answer = send(
        bo,
        letter("ada@acme.test", "Re: Plan", In_Reply_To=arrived.message_id, References=arrived.message_id),
        threadId=arrived.thread,
    )
    assert answer["threadId"] == arrived.thread
    assert newest(world, ADA).thread == first.thread
    other = send(bo, letter("ada@acme.test", "Another matter", In_Reply_To=arrived.message_id))
    assert newest(world, ADA).thread == newest(world, ADA).id and other["threadId"] != arrived.thread


def test_a_reply_without_headers_finds_its_thread_by_subject_for_a_week(
    ada: Client, bo: Client, cy: Client, world: World
) -> None:
    first = record(world, send(ada, letter("bo@acme.test", "Lunch"))["id"])
    send(bo, letter("ada@acme.test", "Re: lunch"))
    assert newest(world, ADA).thread == first.thread
    send(cy, letter("ada@acme.test", "Re: lunch"))
    assert newest(world, ADA).thread != first.thread, "Cy is no part of that conversation"
    send(bo, letter("ada@acme.test", "Lunch"))
    assert newest(world, ADA).thread != first.thread, "a new letter starts a new thread"
    world.settle(8 * DAY)
    send(bo, letter("ada@acme.test", "Re: Lunch"))
    assert newest(world, ADA).thread != first.thread


@pytest.mark.parametrize(
    ("criteria", "meets"),
    [
        ({"from": "bo@acme.test"}, True),
        ({"from": "cy@acme.test OR bo@acme.test"}, True),
        ({"from": "cy@acme.test"}, False),
        ({"to": "ada@acme.test", "subject": "status report"}, True),
        ({"subject": "report status"}, False),
        ({"query": "quarterly -draft"}, True),
        ({"query": "quarterly", "negatedQuery": "numbers"}, False),
        ({"hasAttachment": True}, False),
        ({"size": 100000, "sizeComparison": "smaller"}, True),
        ({"size": 100000, "sizeComparison": "larger"}, False),
    ],
)
def test_filters_meet_arriving_mail(
    ada: Client, bo: Client, world: World, criteria: dict, meets: bool
) -> None:
    action = {"addLabelIds": ["Label_2", "STARRED"], "removeLabelIds": ["INBOX", "UNREAD"]}
    ada.ok("POST", "/settings/filters", {"criteria": criteria, "action": action})
    send(bo, letter("ada@acme.test", "Status report", "The quarterly numbers"))
    arrived = world.store.page(Message, "mailbox", ADA, limit=1, descending=True).records[0]
    assert (arrived.labels == ["Label_2", "STARRED"] and not arrived.unread) == meets
    assert ("INBOX" in arrived.labels) != meets


def test_a_filter_leaves_other_mailboxes_alone(ada: Client, bo: Client, world: World) -> None:
    ada.ok(
        "POST", "/settings/filters", {"criteria": {"query": "report"}, "action": {"addLabelIds": ["TRASH"]}}
    )
    send(bo, letter("ada@acme.test, cy@acme.test", "report"))
    assert newest(world, CY).subject == "report"
    arrived = world.store.page(Message, "mailbox", ADA, limit=1, descending=True).records[0]
    assert arrived.labels == ["TRASH"]


VACATION = {"enableAutoReply": True, "responseSubject": "Away", "responseBodyPlainText": "Back on Monday."}


def replies(world: World, account: str) -> list[Message]:
    return [message for message in inbox(world, account) if message.subject == "Away"]


def test_an_automatic_reply_comes_later_and_once(ada: Client, bo: Client, world: World) -> None:
    ada.ok("PUT", "/settings/vacation", VACATION)
    asked = record(world, send(bo, letter("ada@acme.test", "Question"))["id"])
    assert replies(world, BO) == []
    world.settle(REPLY_DELAY_MS)
    (reply,) = replies(world, BO)
    assert reply.body == "Back on Monday." and reply.in_reply_to == asked.message_id
    send(bo, letter("ada@acme.test", "Another"))
    world.settle(REPLY_DELAY_MS)
    assert len(replies(world, BO)) == 1
    world.settle(REPLY_PERIOD_MS)
    send(bo, letter("ada@acme.test", "Much later"))
    world.settle(REPLY_DELAY_MS)
    assert len(replies(world, BO)) == 2


def test_an_automatic_reply_is_the_worlds_deed_with_its_cause(ada: Client, bo: Client, world: World) -> None:
    ada.ok("PUT", "/settings/vacation", VACATION)
    send(bo, letter("ada@acme.test", "Question"))
    world.settle(REPLY_DELAY_MS)
    changes = [change for change in world.store.changes() if change.kind == "gmail.message"]
    _, arrived, sent, answered = changes
    assert sent.via is Via.WORLD and sent.actor == ADA and sent.cause == arrived.seq
    assert answered.cause == sent.seq


def test_two_automatic_replies_do_not_answer_each_other(ada: Client, bo: Client, world: World) -> None:
    ada.ok("PUT", "/settings/vacation", VACATION)
    bo.ok("PUT", "/settings/vacation", VACATION)
    send(bo, letter("ada@acme.test", "Question"))
    world.settle(DAY)
    assert len(replies(world, BO)) == 1 and replies(world, ADA) == []


def test_no_reply_outside_the_period_or_to_strangers(
    ada: Client, bo: Client, cy: Client, world: World
) -> None:
    start = str(world.now + DAY)
    ada.ok("PUT", "/settings/vacation", {**VACATION, "startTime": start})
    send(bo, letter("ada@acme.test", "Early"))
    world.settle(REPLY_DELAY_MS)
    ada.ok("PUT", "/settings/vacation", {**VACATION, "restrictToContacts": True})
    send(bo, letter("ada@acme.test", "Stranger"))
    world.settle(REPLY_DELAY_MS)
    assert replies(world, BO) == []
    send(ada, letter("cy@acme.test", "Hello"))
    send(cy, letter("ada@acme.test", "Known"))
    world.settle(REPLY_DELAY_MS)
    assert len(replies(world, CY)) == 1


def test_changing_the_reply_lets_everyone_have_it_anew(ada: Client, bo: Client, world: World) -> None:
    for text in ("Back on Monday.", "Back on Tuesday."):
        ada.ok("PUT", "/settings/vacation", {**VACATION, "responseBodyPlainText": text})
        send(bo, letter("ada@acme.test", "Question"))
        world.settle(REPLY_DELAY_MS)
    assert [reply.body for reply in replies(world, BO)] == ["Back on Monday.", "Back on Tuesday."]


def test_attachments_travel_and_their_bytes_are_kept(ada: Client, bo: Client, world: World) -> None:
    from email.message import EmailMessage

    message = EmailMessage()
    message["To"], message["Subject"] = "bo@acme.test", "Files"
    message.set_content("See files")
    message.add_alternative("<p>See <b>files</b></p>", subtype="html")
    message.add_attachment(
        b"\x00\x01\x02" * 99, maintype="application", subtype="zip", filename="Übersicht.zip"
    )
    sent = send(ada, message.as_string())
    copy = newest(world, BO)
    (file,) = copy.attachments
    assert (file.filename, file.mime, file.size) == ("Übersicht.zip", "application/zip", 297)
    assert world.store.blob(file.blob) == b"\x00\x01\x02" * 99
    assert copy.body == "See files" and "<b>files</b>" in copy.html
    tree = bo.ok("GET", f"/messages/{copy.id}")["payload"]
    assert tree["mimeType"] == "multipart/mixed"
    assert [part["partId"] for part in tree["parts"]] == ["0", "1"]
    assert [part["mimeType"] for part in tree["parts"][0]["parts"]] == ["text/plain", "text/html"]
    assert sent["id"] != copy.id


def test_plus_addresses_and_aliases_reach_their_mailbox_once(ada: Client, world: World) -> None:
    with world.act(Via.WORLD) as act:
        act.put(SendAs(id="cy/office@acme.test", account=CY, address="office@acme.test", primary=False))
    sent = send(ada, letter("bo+news@acme.test, bo@acme.test, office@acme.test, ada+me@acme.test"))
    assert sorted(sent["labelIds"]) == ["INBOX", "SENT", "UNREAD"]
    assert [message.subject for message in inbox(world, BO)] == ["Private", "Hello"]
    assert [message.subject for message in inbox(world, CY)] == ["Hello"]


def test_an_alias_may_be_written_from(cy: Client, world: World) -> None:
    with world.act(Via.WORLD) as act:
        act.put(
            SendAs(
                id="cy/office@acme.test", account=CY, address="office@acme.test", name="Office", primary=False
            )
        )
    sent = send(cy, letter("bo@acme.test", From="office@acme.test"))
    assert record(world, sent["id"]).sender == "Office <office@acme.test>"
