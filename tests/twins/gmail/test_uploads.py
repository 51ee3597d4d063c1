"""Upload and batch wire forms, over Gmail's methods."""

import re

import pytest

from tenure.twins.gmail.records import Message
from tenure.twins.google import Upload
from tenure.world import World

from .make import BO, ME, Client, inbox, letter, token

UP = f"/upload{ME}"
LETTER = letter("bo@acme.test", "Uploaded", "by upload").encode()
FIRST, DIGEST = f"{0xA1:016x}", f"{0xA3:016x}"
RFC822 = {"content-type": "message/rfc822"}


def related(metadata: bytes, media: bytes, newline: bytes = b"\r\n") -> bytes:
    lines = [b"--xx", b"Content-Type: application/json", b"", metadata, b"--xx"]
    lines += [b"Content-Type: message/rfc822", b"", media, b"--xx--", b""]
    return newline.join(lines)


@pytest.mark.parametrize("path", ["/upload", "/resumable/upload"])
def test_a_simple_upload_is_the_letter(ada: Client, world: World, path: str) -> None:
    status, sent = ada.send("POST", f"{path}{ME}/messages/send", LETTER, headers=RFC822, uploadType="media")
    assert status == 200 and sent["labelIds"] == ["SENT"]
    assert inbox(world, BO)[-1].body == "by upload"


@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
def test_a_multipart_upload_has_fields_and_the_letter(ada: Client, world: World, newline: bytes) -> None:
    body = related(b'{"labelIds": ["INBOX", "UNREAD"]}', LETTER, newline)
    kind = {"content-type": 'multipart/related; boundary="xx"'}
    status, put = ada.send("POST", f"{UP}/messages", body, headers=kind, uploadType="multipart")
    assert (status, put["labelIds"]) == (200, ["UNREAD", "INBOX"])
    record = world.store.get(Message, put["id"])
    assert record is not None and (record.subject, record.body) == ("Uploaded", "by upload")


def test_multipart_uploads_that_are_refused(ada: Client) -> None:
    for kind, body in (
        ("multipart/related", related(b"{}", LETTER)),
        ("multipart/related; boundary=yy", related(b"{}", LETTER)),
        ("multipart/related; boundary=xx", b"--xx\r\n\r\n{}\r\n--xx--\r\n"),
    ):
        status, answer = ada.send(
            "POST", f"{UP}/messages", body, headers={"content-type": kind}, uploadType="multipart"
        )
        assert (status, answer["error"]["status"]) == (400, "INVALID_ARGUMENT")
    kind = {"content-type": "multipart/related; boundary=xx"}
    body = related(b'{"nonsense": 1}', LETTER)
    assert ada.send("POST", f"{UP}/messages", body, headers=kind, uploadType="multipart")[0] == 400
    assert ada.send("POST", f"{UP}/messages", b"", headers=RFC822, uploadType="media")[0] == 400


def start(client: Client, path: str = "/messages/send", method: str = "POST", body: object = None) -> str:
    status, headers, _ = client.exchange(method, f"{UP}{path}", body, uploadType="resumable")
    assert status == 200
    found = re.fullmatch(r"https://gmail\.googleapis\.com/upload/.*upload_id=(\w+)", headers["location"])
    assert found is not None
    return found[1]


def push(
    client: Client, id: str, data: bytes, span: str, path: str = "/messages/send"
) -> tuple[int, dict, object]:
    headers = {"content-range": span, "content-type": "message/rfc822"}
    return client.exchange("PUT", f"{UP}{path}", data, headers=headers, uploadType="resumable", upload_id=id)


def test_a_resumable_upload_comes_in_pieces(ada: Client, world: World) -> None:
    id, n = start(ada), len(LETTER)
    assert push(ada, id, b"", f"bytes */{n}")[:2] == (308, {})
    status, headers, _ = push(ada, id, LETTER[:40], f"bytes 0-39/{n}")
    assert (status, headers["range"]) == (308, "bytes=0-39")
    status, headers, _ = push(ada, id, b"", f"bytes */{n}")
    assert (status, headers["range"]) == (308, "bytes=0-39")
    status, headers, _ = push(ada, id, LETTER[20:60], "bytes 20-59/*")
    assert (status, headers["range"]) == (308, "bytes=0-59")
    status, _, sent = push(ada, id, LETTER[60:], f"bytes 60-{n - 1}/{n}")
    assert status == 200 and sent["labelIds"] == ["SENT"]
    assert inbox(world, BO)[-1].body == "by upload"
    assert world.store.count(Upload) == 0
    assert push(ada, id, LETTER, f"bytes 0-{n - 1}/{n}")[0] == 404


def test_a_resumable_upload_in_one_piece_needs_no_range(ada: Client) -> None:
    id = start(ada, "/messages", body={"labelIds": ["STARRED"]})
    status, put = ada.send(
        "PUT", f"{UP}/messages", LETTER, headers=RFC822, uploadType="resumable", upload_id=id
    )
    assert (status, put["labelIds"]) == (200, ["STARRED"])


def test_a_draft_is_updated_by_resumable_upload(ada: Client) -> None:
    draft = ada.send("POST", f"{UP}/drafts", LETTER, headers=RFC822, uploadType="media")[1]
    path = f"/drafts/{draft['id']}"
    id = start(ada, path, "PUT", {"message": {}})
    n = len(LETTER)
    assert push(ada, id, LETTER, f"bytes 0-{n - 1}/{n}", path)[2]["id"] == draft["id"]


def test_pieces_that_are_refused(ada: Client, bo: Client) -> None:
    id, n = start(ada), len(LETTER)
    for data, span in (
        (LETTER[5:], f"bytes 5-{n - 1}/{n}"),
        (LETTER, f"bytes 0-5/{n}"),
        (LETTER, "nonsense"),
        (b"x", "bytes */5"),
    ):
        assert push(ada, id, data, span)[0] == 400
    assert push(bo, id, LETTER, f"bytes 0-{n - 1}/{n}")[0] == 404
    assert push(ada, id, LETTER, f"bytes 0-{n - 1}/{n}", "/messages")[0] == 404
    assert push(ada, "AHmUCYnothing", LETTER, f"bytes 0-{n - 1}/{n}")[0] == 404


def batch(calls: list[str], newline: str = "\n") -> bytes:
    out = []
    for n, call in enumerate(calls):
        out += ["--zz", "Content-Type: application/http", f"Content-ID: <u + {n}>", "", *call.split("\n")]
    return newline.join([*out, "--zz--", ""]).encode()


def run(
    client: Client, calls: list[str], newline: str = "\n", path: str = "/batch"
) -> list[tuple[str, int, str]]:
    """(Content-ID, status, body) of each inner response."""
    kind = {"content-type": 'multipart/mixed; boundary="zz"'}
    status, headers, body = client.exchange("POST", path, batch(calls, newline), headers=kind)
    assert status == 200, body
    boundary = headers["content-type"].partition("boundary=")[2]
    parts = body.decode().split(f"--{boundary}")
    assert parts[0] == "" and parts[-1] == "--\r\n"
    found = []
    for part in parts[1:-1]:
        head, _, rest = part.lstrip("\r\n").partition("\r\n\r\n")
        inner, _, content = rest.partition("\r\n\r\n")
        id = re.search(r"Content-ID: (<.*>)", head)
        line = re.match(r"HTTP/1.1 (\d+) ", inner)
        assert id and line
        found.append((id[1], int(line[1]), content))
    return found


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("path", ["/batch", "/batch/gmail/v1"])
def test_a_batch_answers_each_call_under_its_own_id(ada: Client, newline: str, path: str) -> None:
    calls = [
        f"GET {ME}/messages/{FIRST}?format=minimal HTTP/1.1\nAccept: application/json\n\n",
        f"GET {ME}/messages/ff HTTP/1.1\n\n",
    ]
    first, second = run(ada, calls, newline, path)
    assert first[:2] == ("<response-u + 0>", 200) and f'"id":"{FIRST}"' in first[2]
    assert second[:2] == ("<response-u + 1>", 404) and '"notFound"' in second[2]


def test_an_inner_error_undoes_only_itself(ada: Client, world: World) -> None:
    def modify(id: str, label: str) -> str:
        body = f'{{"addLabelIds": ["{label}"]}}'
        kind = f"Content-Type: application/json\nContent-Length: {len(body)}"
        return f"POST {ME}/messages/{id}/modify HTTP/1.1\n{kind}\n\n{body}"

    calls = [
        modify(FIRST, "STARRED"),
        modify(DIGEST, "Label_99"),
        modify(DIGEST, "STARRED"),
        f"DELETE {ME}/labels/Label_2 HTTP/1.1\n\n",
    ]
    assert [status for _, status, _ in run(ada, calls)] == [200, 400, 200, 204]
    assert len(world.store.all(Message, "label", "ada/STARRED")) == 2
    assert ada.gateway.log[-1].changed == 5


def test_each_call_of_a_batch_has_its_own_credential(ada: Client) -> None:
    nobody = Client(ada.gateway, secret="")
    mine = f"GET {ME}/profile HTTP/1.1\nAuthorization: Bearer {token(BO)}\n\n"
    assert [
        (status, "bo@acme.test" in body)
        for _, status, body in run(nobody, [mine, f"GET {ME}/profile HTTP/1.1\n\n"])
    ] == [(200, True), (401, False)]
    answers = run(ada, [mine, f"GET {ME}/profile HTTP/1.1\n\n"])
    assert ["bo@acme.test" in answers[0][2], "ada@acme.test" in answers[1][2]] == [True, True]


def test_batches_that_are_refused(ada: Client) -> None:
    call = f"GET {ME}/profile HTTP/1.1\n\n"
    kind = {"content-type": 'multipart/mixed; boundary="zz"'}
    assert len(run(ada, [call] * 100)) == 100
    for body, headers in (
        (batch([call] * 101), kind),
        (b"", kind),
        (batch([call]), {}),
        (batch(["nonsense"]), kind),
    ):
        assert ada.send("POST", "/batch", body, headers=headers)[0] == 400
