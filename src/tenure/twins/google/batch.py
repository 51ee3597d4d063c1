"""Batch requests: up to a hundred calls in one ``multipart/mixed`` body."""

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from tenure.twins.google.errors import invalid
from tenure.twins.google.parts import headers_and_body, parts_of
from tenure.world import Call, Reply
from tenure.world.ids import hex_id

LIMIT = 100


class _Undo(Exception):
    """Carries an inner error out of the transaction that it undoes."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


def run_batch(call: Call, answer: Callable[[Call], Reply]) -> Reply:
    """Answer every call of a batch, each in its own transaction and under its own credentials.

    Raises:
        GoogleError: 400, the body is no batch or holds too many calls.
    """
    parts = parts_of(call.headers.get("content-type", ""), call.body)
    if len(parts) > LIMIT:
        raise invalid(f"The batch request has {len(parts)} calls; the maximum is {LIMIT}.")
    boundary = f"batch_{hex_id(call.act.world.seed, 'google.batch', call.act.now, 32)}"
    out = bytearray()
    actor = ""
    for part in parts:
        reply = _inner(call, part.body, answer)
        actor = actor or call.act.actor
        out += f"--{boundary}\r\nContent-Type: application/http\r\n".encode()
        if given := part.headers.get("content-id"):
            inner = given.strip().removeprefix("<").removesuffix(">")
            out += f"Content-ID: <response-{inner}>\r\n".encode()
        headers, body = reply.encoded()
        phrase = HTTPStatus(reply.status).phrase
        out += f"\r\nHTTP/1.1 {reply.status} {phrase}\r\n".encode()
        headers["content-length"] = str(len(body))
        for name, value in headers.items():
            out += f"{name.title()}: {value}\r\n".encode()
        out += b"\r\n" + body + b"\r\n"
    call.act.actor = actor
    out += f"--{boundary}--\r\n".encode()
    return Reply(200, bytes(out), {"content-type": f"multipart/mixed; boundary={boundary}"})


def _inner(outer: Call, data: bytes, answer: Callable[[Call], Reply]) -> Reply:
    line, _, rest = data.lstrip().partition(b"\n")
    words = line.decode("latin-1").split()
    if len(words) < 2:
        raise invalid("Failed to parse a request line of the batch.")
    target = urlsplit(words[1])
    headers, body = headers_and_body(rest)
    if "authorization" in outer.headers:
        headers.setdefault("authorization", outer.headers["authorization"])
    length = headers.get("content-length", "")
    body = body[: int(length)] if length.isdecimal() else body
    outer.act.actor = ""
    inner = Call(outer.act, words[0].upper(), outer.host, target.path, target.query, headers, body)
    try:
        with outer.act.nested():
            reply = answer(inner)
            if reply.status >= 400:
                raise _Undo(reply)
            return reply
    except _Undo as undo:
        return undo.reply
