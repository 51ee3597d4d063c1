"""What the screen's routes refuse, without a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.world import open_session
from tenure.world.session import CSRF_HEADER, csrf_token

from .make import ADA, BO, Book

Send = Callable[..., tuple[int, Any]]


@pytest.fixture
def send(tmp_path: Path) -> Send:
    book = Book(tmp_path)
    secrets = {}
    for account in (ADA, BO):
        with book.world.act(Via.WORLD) as act:
            secrets[account] = open_session(act, account)

    def run(method: str, path: str, body: Any = None, account: str = ADA) -> tuple[int, Any]:
        headers = {
            "cookie": f"session={secrets[account]}",
            CSRF_HEADER: csrf_token(secrets[account]),
            "content-type": "application/json",
        }
        where, _, query = path.partition("?")
        target = f"/_screen/sheets{where.replace('ID', book.id)}"
        data = b"" if body is None else orjson.dumps(body)
        reply = book.gateway.answer(method, "docs.google.com", target, query, headers, data)
        assert not book.gateway.log[-1].fault, book.gateway.log[-1].fault
        raw = reply.encoded()[1]
        return reply.status, orjson.loads(raw) if raw else None

    return run


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/books/none", None, 404),
        ("GET", "/books/ID/cells/7/0", None, 400),
        ("GET", "/books/ID/cells/x/0", None, 404),
        ("GET", "/books/ID/choices/0?row=-1&column=0", None, 404),
        ("GET", "/files?page=x", None, 400),
        ("GET", "/files?sort=size", None, 400),
        ("POST", "/files", {"template": "none"}, 404),
        ("POST", "/books/ID/values", {"sheet": 0, "row": -1, "column": 0, "rows": [["x"]]}, 400),
        ("POST", "/books/ID/values", {"sheet": 0, "row": 0, "column": 0, "rows": []}, 400),
        ("POST", "/books/ID/values", {"sheet": 9, "row": 0, "column": 0, "rows": [["x"]]}, 400),
        ("POST", "/books/ID/batch", {"requests": [{"addSheet": {"properties": {"title": "Items"}}}]}, 400),
        ("POST", "/books/ID/batch", {"requests": [{"addSheet": 7}]}, 400),
        ("POST", "/books/ID/fill", {"sheet": 0, "source": [0, 0, 0, 0], "target": [1, 0, 2, 1]}, 400),
        ("POST", "/books/ID/undo", {"steps": "[]", "seal": "0"}, 400),
        ("DELETE", "/books/ID/conditional/0/3", None, 400),
        ("PUT", "/books/ID/people", {"email": "nobody", "role": "writer"}, 400),
        ("PUT", "/books/ID/people", {"email": "ada@acme.test", "role": "reader"}, 400),
        ("PUT", "/books/ID/general", {"type": "anyone", "role": "owner"}, 400),
        ("DELETE", "/books/ID/people/1", None, 404),
    ],
)
def test_refusals_say_why(send: Send, method: str, path: str, body: Any, status: int) -> None:
    got, answer = send(method, path, body)
    assert got == status, answer
    assert answer["error"]["message"]


def test_a_reader_writes_nothing(send: Send) -> None:
    entry = {"sheet": 0, "row": 0, "column": 0, "rows": [["x"]]}
    assert send("POST", "/books/ID/values", entry, BO)[0] == 403
    assert send("PUT", "/books/ID/people", {"email": "x@else.test", "role": "reader"}, BO)[0] == 403
    assert send("PATCH", "/files/ID", {"trashed": True}, BO)[0] == 403
    assert send("GET", "/books/ID/cells/0/0", account=BO)[0] == 200


def test_an_undo_belongs_to_its_session_and_to_what_is_there(send: Send) -> None:
    entry = {"sheet": 0, "row": 1, "column": 0, "rows": [["Pencil"]], "seen": "Pen"}
    status, changed = send("POST", "/books/ID/values", entry)
    assert status == 200
    status, answer = send("POST", "/books/ID/values", {**entry, "rows": [["Late"]]})
    assert (status, answer["error"]["current"]["input"]) == (409, "Pencil")
    assert send("POST", "/books/ID/undo", changed["undo"], BO)[0] == 400
    assert send("POST", "/books/ID/values", {**entry, "rows": [["Other"]], "seen": "Pencil"})[0] == 200
    assert send("POST", "/books/ID/undo", changed["undo"])[0] == 409
