"""A small world with spreadsheets in it, and a client that speaks to its gateway."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from tenure.twins.google import google_tokens
from tenure.twins.sheets import TWIN
from tenure.twins.sheets.seed import spreadsheet
from tenure.world import Account, BaseBuilder, EndState, Gateway, World

SEED = 7
NOW = 1_790_000_000_000
"""21 September 2026, 14:13:20 UTC."""
ADA, BO, CY = "ada", "bo", "cy"
HOST = "sheets.googleapis.com"
ITEMS = [
    ["Item", "Qty", "Price", "Total", "Due"],
    ["Pen", 3, "$1.50", "=B2*C2", date(2026, 9, 30)],
    ["Ink", 2, "$4.25", "=B3*C3", date(2026, 10, 1)],
    ["Pad", 10, "$0.99", "=B4*C4", None],
    ["Sum", None, None, "=SUM(D2:D4)", None],
]
SUMMARY = [["Total", "=Items!D5"], ["Items", "=COUNTA(Items!A2:A4)"]]


def token(account: str) -> str:
    return google_tokens(SEED, account)[0].id


def accounts(builder: BaseBuilder) -> dict[str, Account]:
    found = {}
    for id in (ADA, BO, CY):
        found[id] = Account(id=id, email=f"{id}@acme.test", name=id.title(), zone="Europe/Berlin")
        builder.add(found[id])
        for credential in google_tokens(SEED, id):
            builder.add(credential)
    return found


def build(
    path: Path, sheets: dict[str, Sequence[Sequence[Any]]] | None = None, **more: Any
) -> tuple[Path, str]:
    """A base with Ada's spreadsheet, which Bo may read; its path and the spreadsheet's id."""
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        people = accounts(builder)
        given: dict[str, Any] = {"typed": True, "shared": [("bo@acme.test", "reader")], **more}
        id = spreadsheet(
            builder, "Budget", people[ADA], sheets or {"Items": ITEMS, "Summary": SUMMARY}, **given
        )
    return path, id


class Book:
    """One account's REST client for one spreadsheet, straight into the gateway."""

    def __init__(self, path: Path, sheets: Any = None, account: str = ADA, **more: Any) -> None:
        self.base, self.id = build(path / "base.db", sheets, **more)
        self.world = World(self.base, [TWIN])
        self.gateway = Gateway(self.world)
        self.account = account

    def send(
        self, method: str, path: str, body: Any = None, *, host: str = HOST, account: str = "", **query: Any
    ) -> tuple[int, Any]:
        """(status, body): decoded where it is JSON."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = {
            "authorization": f"Bearer {token(account or self.account)}",
            "content-type": "application/json",
        }
        reply = self.gateway.answer(method, host, path, urlencode(query, doseq=True), headers, data)
        assert not self.gateway.log[-1].fault, self.gateway.log[-1].fault
        sent, raw = reply.encoded()
        return reply.status, orjson.loads(raw) if "json" in sent.get("content-type", "") else raw

    def ok(self, method: str, tail: str = "", body: Any = None, **query: Any) -> Any:
        status, data = self.send(method, f"/v4/spreadsheets/{self.id}{tail}", body, **query)
        assert status == 200, data
        return data

    def refused(self, method: str, tail: str = "", body: Any = None, **query: Any) -> tuple[int, str, str]:
        """(status, ``error.status``, message)."""
        status, data = self.send(method, f"/v4/spreadsheets/{self.id}{tail}", body, **query)
        assert data["error"]["code"] == status and "errors" not in data["error"]
        return status, data["error"]["status"], data["error"]["message"]

    # -- short forms -------------------------------------------------------------------------

    def values(self, range: str, option: str = "FORMATTED_VALUE", **query: Any) -> Any:
        found = self.ok("GET", f"/values/{quote(range, safe='')}", valueRenderOption=option, **query)
        return found.get("values")

    def raw(self, range: str) -> Any:
        return self.values(range, "UNFORMATTED_VALUE")

    def formulas(self, range: str) -> Any:
        return self.values(range, "FORMULA")

    def one(self, cell: str, option: str = "UNFORMATTED_VALUE") -> Any:
        found = self.values(cell, option)
        return found[0][0] if found else None

    def put(self, range: str, rows: Any, option: str = "USER_ENTERED", **query: Any) -> Any:
        body = {"values": rows}
        return self.ok("PUT", f"/values/{quote(range, safe='')}", body, valueInputOption=option, **query)

    def append(self, range: str, rows: Any, **query: Any) -> Any:
        query = {"valueInputOption": "USER_ENTERED", **query}
        return self.ok("POST", f"/values/{quote(range, safe='')}:append", {"values": rows}, **query)

    def batch(self, *requests: Any, **more: Any) -> Any:
        return self.ok("POST", ":batchUpdate", {"requests": list(requests), **more})

    def refused_batch(self, *requests: Any) -> str:
        status, kind, message = self.refused("POST", ":batchUpdate", {"requests": list(requests)})
        assert (status, kind) == (400, "INVALID_ARGUMENT")
        return message

    def calculated(self, formula: str, cell: str = "Items!H1") -> Any:
        """What a formula comes to: its value, or its array's rows when it spills."""
        self.put(cell, [[formula]])
        found = self.raw(f"{cell}:P20") or [[None]]
        self.ok("POST", f"/values/{quote(cell, safe='')}:clear", {})
        return found[0][0] if len(found) == 1 and len(found[0]) == 1 else found

    def end(self) -> EndState:
        with self.world.store.transaction():
            self.world.store.set_meta("now", self.world.now)
        return EndState.of(self.world, self.gateway)

    def changed(self) -> list[str]:
        """``kind id: fields`` of the net difference, ids without the spreadsheet's own."""
        found = []
        for one in self.end().differences:
            what = "created" if one.created else "deleted" if one.deleted else " ".join(one.fields)
            found.append(f"{one.kind} {one.id.replace(self.id, '')}: {what}")
        return found


def grid(
    sheet: int = 0, top: int = 0, bottom: int | None = None, left: int = 0, right: int | None = None
) -> Any:
    """A ``GridRange``."""
    given = {
        "sheetId": sheet,
        "startRowIndex": top,
        "endRowIndex": bottom,
        "startColumnIndex": left,
        "endColumnIndex": right,
    }
    return {name: value for name, value in given.items() if value is not None}
