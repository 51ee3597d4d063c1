"""A small product with awkward records: mixed types, several values, text, counters, due events."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenure.schema import Via
from tenure.world import (
    Account,
    Act,
    BaseBuilder,
    Call,
    Index,
    Record,
    Reply,
    Surface,
    Token,
    Tool,
    everything,
)
from tenure.world.journal import Stamp

HOST = "sample.example.com"
TOKEN = "sample-token"
NOW = 1_788_000_000_000
STAMP = Stamp(NOW, "ann", Via.REST)


class Memo(
    Record,
    kind="sample.memo",
    indexes=(
        Index("all", everything, lambda r: r.rank),
        Index("tag", lambda r: r.tags, lambda r: r.rank, counted=True),
        Index("mixed", lambda r: (r.mixed,), counted=True),
    ),
    incidental=frozenset({"seen", "marks.hidden"}),
):
    """A memo."""

    title: str = ""
    tags: list[str] = []
    rank: int | str = 0
    mixed: int | float | str | bool | None = None
    marks: dict[str, Any] = {}
    seen: bool = False

    def text(self) -> str:
        """Its title."""
        return self.title


class View(Record, kind="sample.view", incidental=True):
    """A saved view."""

    columns: list[str] = []


PEOPLE = (
    Account(id="ann", email="Ann@Example.com"),
    Token(id=TOKEN, account="ann", audience="sample"),
)
START = tuple(
    Memo(id=f"m{n}", title=f"red {'green ' * (n % 2)}blue", tags=["a", "b"][: n % 3], rank=n % 4, mixed=n % 2)
    for n in range(6)
)


def _serve(call: Call) -> Reply:
    act = call.act
    if call.path == "/whoami":
        return Reply(200, {"headers": call.headers, "query": call.query, "body": call.body.decode()})
    if call.path == "/long":
        return Reply(200, "x" * 100_000)
    if call.path == "/boom":
        act.put(Memo(id="boom"))
        raise RuntimeError("on purpose")
    if call.path == "/refuse":
        act.put(Memo(id="refused"))
        return Reply(409, {"error": "no"})
    if call.path == "/_screen/secret":
        return Reply(200, {"secret": True})
    memo = act.get(Memo, call.segments[-1])
    if memo is None:
        return Reply(404, {"error": "no such memo"})
    if call.method == "PATCH":
        memo.title = call.json["title"]
        act.put(memo)
    act.show(memo)
    return Reply(200, memo.model_dump())


def _ring(act: Act, payload: dict[str, Any]) -> None:
    """Notes that it rang, and rings again as often as the payload says."""
    act.put(Memo(id=f"ring-{payload['name']}-{act.now - NOW}", rank=act.now - NOW))
    if payload["again"]:
        act.later(1_000, "sample.ring", payload | {"again": payload["again"] - 1})


def _break(act: Act, payload: dict[str, Any]) -> None:
    act.put(Memo(id="half done"))
    raise RuntimeError("the event failed")


class Sample:
    """The product."""

    name = "sample"
    kinds: Sequence[type[Record]] = (Memo, View)
    surfaces: Sequence[Surface] = (Surface(HOST, _serve),)
    tools: Sequence[Tool] = ()
    mcp = f"https://{HOST}/mcp"
    events: Mapping[str, Any] = {"sample.ring": _ring, "sample.break": _break}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """A bearer token."""
        return {"Authorization": f"Bearer {TOKEN}"}


TWIN = Sample()


def build(path: Path, memos: Sequence[Memo] = START, seed: int = 7) -> Path:
    """A base of some memos, one account and its token."""
    with BaseBuilder(path, now=NOW, seed=seed) as base:
        for record in (*PEOPLE, *memos):
            base.add(record)
        base.blob(b"in the base")
        base.facts["answer"] = 42
    return path
