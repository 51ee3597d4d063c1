"""A toy product with one kind of record: what tests of the world serve."""

from collections.abc import Mapping, Sequence
from pathlib import Path

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

HOST = "notes.example.com"
TOKEN = "toy-token"
NOW = 1_788_000_000_000
SPEC = "support.toy:TWIN"


class Note(Record, kind="toy.note", indexes=(Index("all", everything),)):
    """A note."""

    title: str


def _notes(call: Call) -> Reply:
    if call.act.sign_in(call.bearer, "toy") is None:
        return Reply(401, {"error": "sign in"})
    if call.method == "POST":
        note = Note(id=call.act.hex_id("note"), title=call.json["title"])
        call.act.put(note)
        return Reply(201, note.model_dump())
    if call.path == "/fail":
        raise RuntimeError("on purpose")
    id = call.segments[-1]
    if id != "notes":
        found = call.act.get(Note, id)
        if found is None:
            return Reply(404, {"error": "no such note"})
        call.act.show(found)
        return Reply(200, found.model_dump())
    notes = call.act.all(Note, "all")
    for note in notes:
        call.act.show(note)
    return Reply(200, [note.model_dump() for note in notes])


class Toy:
    """The product."""

    name = "toy"
    kinds: Sequence[type[Record]] = (Note,)
    surfaces: Sequence[Surface] = (Surface(HOST, _notes),)
    tools: Sequence[Tool] = ()
    mcp = f"https://{HOST}/mcp"
    events: Mapping[str, object] = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {TOKEN}"}


TWIN = Toy()


def build(path: Path, titles: Sequence[str] = ("first",)) -> Path:
    """A base with one account and some notes."""
    with BaseBuilder(path, now=NOW, seed=7) as base:
        base.add(Account(id="ann", email="ann@example.com"))
        base.add(Token(id=TOKEN, account="ann", audience="toy"))
        for n, title in enumerate(titles):
            base.add(Note(id=f"n{n}", title=title))
    return path
