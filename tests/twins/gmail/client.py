"""The unmodified google-api-python-client against the real hostnames; prints what it got, as JSON lines.

Run by ``test_client.py``. Every line is ``[method id, status, response]``.
"""

import base64
import io
import json
import os
import sys
from email.message import EmailMessage
from typing import Any

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaInMemoryUpload, MediaIoBaseUpload, build_http

ACCESS, REFRESH = os.environ["ACCESS"], os.environ["REFRESH"]
CLIENT_ID, CLIENT_SECRET = os.environ["CLIENT"].split(":", 1)


def note(method: str, status: int, response: Any) -> None:
    json.dump([method, status, response], sys.stdout)
    sys.stdout.write("\n")


def do(request: Any) -> Any:
    """Execute a request and note its response."""
    response = request.execute()
    note(request.methodId, 200, response)
    return response


def fails(request: Any, status: int, reason: str) -> None:
    """Execute a request that must be refused."""
    try:
        request.execute()
    except HttpError as error:
        details = error.error_details
        assert error.resp.status == status, (request.methodId, error)
        assert error.reason and any(reason == item.get("reason") for item in details), (error, details)
        note("error", status, json.loads(error.content))
    else:
        raise AssertionError(f"{request.methodId} did not fail")


def letter(to: str, subject: str, text: str, **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["To"], message["Subject"] = to, subject
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def raw(message: EmailMessage) -> dict[str, str]:
    return {"raw": base64.urlsafe_b64encode(message.as_bytes()).decode()}


def header(message: dict[str, Any], name: str) -> str:
    return next(h["value"] for h in message["payload"]["headers"] if h["name"] == name)


def reading(users: Any) -> None:
    profile = do(users.getProfile(userId="me"))
    assert do(users.getProfile(userId=profile["emailAddress"])) == profile
    names = {label["name"] for label in do(users.labels().list(userId="me"))["labels"]}
    assert {"INBOX", "Todo", "Clients/Acme Corp"} <= names
    for id in ("INBOX", "Label_1"):
        counted = do(users.labels().get(userId="me", id=id))
        assert counted["messagesTotal"] >= 1
    first = do(users.messages().list(userId="me", maxResults=2))
    more = do(users.messages().list_next(users.messages().list(userId="me", maxResults=2), first))
    assert [m["id"][-2:] for m in first["messages"] + more["messages"]] == ["a3", "a2", "a1"]
    assert "nextPageToken" not in more
    assert [
        m["id"][-2:] for m in do(users.messages().list(userId="me", q="from:vera has:attachment"))["messages"]
    ] == ["a1"]
    assert "messages" not in do(users.messages().list(userId="me", q="subject:nowhere"))
    listed = do(users.messages().list(userId="me", labelIds=["INBOX", "Label_1"]))
    assert len(listed["messages"]) == 1
    id = listed["messages"][0]["id"]
    for form in ("full", "metadata", "minimal", "raw"):
        do(users.messages().get(userId="me", id=id, format=form))
    full = do(users.messages().get(userId="me", id=id))
    file = full["payload"]["parts"][1]
    assert file["filename"] == "invoice-0042.pdf"
    got = do(users.messages().attachments().get(userId="me", messageId=id, id=file["body"]["attachmentId"]))
    assert base64.urlsafe_b64decode(got["data"]).startswith(b"%PDF") and got["size"] == file["body"]["size"]
    threads = do(users.threads().list(userId="me", q="invoice"))["threads"]
    thread = do(users.threads().get(userId="me", id=threads[0]["id"]))
    assert [m["id"][-2:] for m in thread["messages"]] == ["a1", "a2"]
    partial = do(users.messages().get(userId="me", id=id, fields="id,payload/headers"))
    assert set(partial) == {"id", "payload"} and set(partial["payload"]) == {"headers"}


def writing(users: Any) -> None:
    messages, drafts, labels = users.messages(), users.drafts(), users.labels()
    mark = do(users.getProfile(userId="me"))["historyId"]

    def since(kind: str) -> list[Any]:
        nonlocal mark
        answer = do(users.history().list(userId="me", startHistoryId=mark))
        mark = answer["historyId"]
        return [entry for record in answer.get("history", []) for entry in record.get(kind, [])]

    label = do(labels.create(userId="me", body={"name": "Receipts", "labelListVisibility": "labelShow"}))
    do(labels.update(userId="me", id=label["id"], body={"id": label["id"], "name": "Receipts 2026"}))
    do(labels.patch(userId="me", id=label["id"], body={"messageListVisibility": "hide"}))
    ids = []
    for n in range(3):
        body = raw(letter("ada@acme.test", f"Note {n}", f"Text {n}", From="me@else.test")) | {
            "labelIds": ["INBOX"]
        }
        ids.append(do(messages.insert(userId="me", body=body))["id"])
    assert [entry["message"]["id"] for entry in since("messagesAdded")] == ids
    assert do(users.history().list(userId="me", startHistoryId=mark)).keys() == {"historyId"}
    changed = do(messages.modify(userId="me", id=ids[0], body={"addLabelIds": [label["id"], "STARRED"]}))
    assert {label["id"], "STARRED"} <= set(changed["labelIds"])
    assert since("labelsAdded")[0]["labelIds"] == sorted([label["id"], "STARRED"])
    do(messages.batchModify(userId="me", body={"ids": ids, "removeLabelIds": ["INBOX"]}))
    assert len(since("labelsRemoved")) == 3
    do(messages.trash(userId="me", id=ids[0]))
    do(messages.untrash(userId="me", id=ids[0]))
    do(messages.delete(userId="me", id=ids[0]))
    assert since("messagesDeleted")[0]["message"]["id"] == ids[0]
    do(messages.batchDelete(userId="me", body={"ids": ids[1:]}))
    imported = do(
        messages.import_(userId="me", body=raw(letter("ada@acme.test", "In", "x", From="i@else.test")))
    )
    do(users.threads().modify(userId="me", id=imported["threadId"], body={"addLabelIds": ["STARRED"]}))
    do(users.threads().trash(userId="me", id=imported["threadId"]))
    do(users.threads().untrash(userId="me", id=imported["threadId"]))
    do(users.threads().delete(userId="me", id=imported["threadId"]))
    do(labels.delete(userId="me", id=label["id"]))

    draft = do(drafts.create(userId="me", body={"message": raw(letter("bo@acme.test", "Plan", "one"))}))
    again = do(
        drafts.update(
            userId="me", id=draft["id"], body={"message": raw(letter("bo@acme.test", "Plan", "two"))}
        )
    )
    assert again["id"] == draft["id"] and again["message"]["id"] != draft["message"]["id"]
    shown = do(drafts.get(userId="me", id=draft["id"]))
    assert shown["message"]["snippet"] == "two"
    assert do(drafts.list(userId="me"))["drafts"][0]["id"] == draft["id"]
    sent = do(drafts.send(userId="me", body={"id": draft["id"]}))
    assert sent["labelIds"] == ["SENT"]
    other = do(drafts.create(userId="me", body={"message": raw(letter("bo@acme.test", "Drop", "x"))}))
    do(drafts.delete(userId="me", id=other["id"]))

    first = do(messages.get(userId="me", id=sent["id"]))
    reply = letter("bo@acme.test", "Re: Plan", "and more", In_Reply_To=header(first, "Message-ID"))
    answer = do(messages.send(userId="me", body=raw(reply) | {"threadId": sent["threadId"]}))
    assert answer["threadId"] == sent["threadId"]
    assert len(do(users.threads().get(userId="me", id=sent["threadId"], format="minimal"))["messages"]) == 2


def settings(users: Any) -> None:
    own = users.settings()
    do(own.getVacation(userId="me"))
    body = {"enableAutoReply": True, "responseSubject": "Away", "responseBodyPlainText": "Back on Monday"}
    assert do(own.updateVacation(userId="me", body=body))["enableAutoReply"] is True
    rule = {"criteria": {"from": "news@letters.test"}, "action": {"addLabelIds": ["STARRED"]}}
    made = do(own.filters().create(userId="me", body=rule))
    assert do(own.filters().get(userId="me", id=made["id"])) == made
    assert do(own.filters().list(userId="me"))["filter"] == [made]
    do(own.filters().delete(userId="me", id=made["id"]))
    do(own.filters().list(userId="me"))
    (alias,) = do(own.sendAs().list(userId="me"))["sendAs"]
    do(own.sendAs().patch(userId="me", sendAsEmail=alias["sendAsEmail"], body={"signature": "<b>Ada</b>"}))
    assert do(own.sendAs().get(userId="me", sendAsEmail=alias["sendAsEmail"]))["signature"] == "<b>Ada</b>"
    do(users.watch(userId="me", body={"topicName": "projects/p/topics/t", "labelIds": ["INBOX"]}))
    do(users.stop(userId="me"))


def uploads(users: Any) -> None:
    data = letter("bo@acme.test", "Uploaded", "by media", From="ada@acme.test").as_bytes()
    simple = MediaInMemoryUpload(data, mimetype="message/rfc822")
    sent = do(users.messages().send(userId="me", media_body=simple))
    assert do(users.messages().get(userId="me", id=sent["id"]))["snippet"] == "by media"
    both = MediaInMemoryUpload(data, mimetype="message/rfc822")
    put = do(users.messages().insert(userId="me", body={"labelIds": ["INBOX", "UNREAD"]}, media_body=both))
    assert set(put["labelIds"]) == {"INBOX", "UNREAD"}
    large = letter("bo@acme.test", "Large", "resumable", From="ada@acme.test")
    large.add_attachment(
        bytes(range(256)) * 2400, maintype="application", subtype="octet-stream", filename="big.bin"
    )
    stream = MediaIoBaseUpload(
        io.BytesIO(large.as_bytes()), mimetype="message/rfc822", chunksize=256 * 1024, resumable=True
    )
    request = users.drafts().create(userId="me", body={"message": {}}, media_body=stream)
    chunks, response = 0, None
    while response is None:
        progress, response = request.next_chunk()
        chunks += progress is not None
    assert chunks >= 2
    note(request.methodId, 200, response)
    parts = do(users.drafts().get(userId="me", id=response["id"]))["message"]["payload"]["parts"]
    assert parts[1]["body"]["size"] == 256 * 2400


def batches(service: Any) -> None:
    users = service.users()
    ids = [m["id"] for m in do(users.messages().list(userId="me", maxResults=3))["messages"]]
    got: dict[str, Any] = {}

    def keep(id: str, response: Any, error: Any) -> None:
        got[id] = error or response
        note(
            "error" if error else "gmail.users.messages.get",
            error.resp.status if error else 200,
            response or {},
        )

    batch = service.new_batch_http_request(callback=keep)
    for id in [*ids, "dead"]:
        batch.add(users.messages().get(userId="me", id=id, format="minimal"), request_id=id)
    batch.execute()
    assert [got[id]["id"] for id in ids] == ids
    assert got["dead"].resp.status == 404 and got["dead"].reason == "Requested entity was not found."


def errors(users: Any) -> None:
    fails(users.messages().get(userId="me", id="dead"), 404, "notFound")
    fails(users.messages().get(userId="me", id="not-an-id"), 400, "invalidArgument")
    fails(users.messages().send(userId="me", body={}), 400, "invalidArgument")
    fails(users.labels().create(userId="me", body={"name": "Todo"}), 409, "aborted")
    fails(users.getProfile(userId="bo@acme.test"), 403, "forbidden")
    fails(users.history().list(userId="me", startHistoryId="1"), 404, "notFound")
    unsigned = build("gmail", "v1", http=build_http())
    fails(unsigned.users().getProfile(userId="me"), 401, "required")
    stranger = unsigned.users().getProfile(userId="me")
    stranger.headers["authorization"] = "Bearer ya29.nothing"
    fails(stranger, 401, "authError")


def refreshed() -> Any:
    """A service whose first call refreshes its token, built from the served description."""
    credentials = Credentials(
        token=None,
        refresh_token=REFRESH,
        token_uri="https://oauth2.googleapis.com/token",
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
    )
    service = build("gmail", "v1", credentials=credentials, static_discovery=False)
    do(service.users().getProfile(userId="me"))
    assert credentials.token and credentials.token != ACCESS and not credentials.expired
    return service


def main() -> None:
    service = build("gmail", "v1", credentials=Credentials(token=ACCESS))
    users = service.users()
    reading(users)
    writing(users)
    settings(users)
    uploads(users)
    batches(service)
    errors(users)
    batches(refreshed())


main()
