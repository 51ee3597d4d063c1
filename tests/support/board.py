"""A toy product with a screen: what tests of browsers show. No script but a few lines of its own."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.schema import Via
from tenure.world import Account, Act, BaseBuilder, Call, Index, Record, Reply, Surface, Tool, everything
from tenure.world.session import take_session

HOST, OTHER = "board.example.com", "second.example.com"
URL = f"https://{HOST}/"
SPEC = "support.board:TWIN"
NOW = 1_788_000_000_000
_HTML = {"content-type": "text/html; charset=utf-8"}
_PAGE = """<!doctype html><html lang="en"><title>{title}</title>
<style>body{{margin:0;font:16px sans-serif}} input,button,a,div{{position:absolute}}
.far{{top:2500px;left:40px}} .list{{top:300px;left:600px;width:200px;height:120px;overflow:auto}}
.list div{{position:static;height:40px}}
.cover{{left:900px;top:60px;width:90px;height:40px;background:#ccc}}</style>
<h1>{title}</h1>
<input aria-label="Title" style="left:40px;top:100px;width:300px">
<button style="left:360px;top:100px" onclick="add()">Add</button>
<a href="/next" style="left:40px;top:160px">Next</a>
<a href="https://second.example.com/" target="_blank" style="left:140px;top:160px">Second</a>
<button style="left:900px;top:60px">Covered</button><div class="cover"></div>
<button style="left:40px;top:220px" onclick="document.title = 'Said ' + confirm('Sure?')">Ask</button>
<div class="list" role="list" aria-label="Long"><div>a</div><div>b</div><div>c</div><div>d</div>
<div><button style="position:static" onclick="document.title = 'Deep'">Deep</button></div></div>
<button class="far" onclick="document.title = 'Far'">Far</button>
<ul aria-label="Notes" style="margin-top:330px">{notes}</ul><div style="top:3000px">end</div>
<script src="/board.js"></script></html>"""
_SCRIPT = """
const events = (window.events = []);
for (const kind of ["click", "dblclick", "contextmenu", "mousedown", "mouseup", "wheel", "keydown"])
  addEventListener(kind, (e) => events.push(kind + (e.key ? ":" + e.key : "")), true);
async function add() {
  const title = document.querySelector("input").value;
  await fetch("/notes", { method: "POST", body: JSON.stringify({ title }) });
  location.reload();
}
"""


class Note(Record, kind="board.note", indexes=(Index("all", everything),)):
    """A note."""

    title: str


def _answer(call: Call) -> Reply:
    call.act.via = Via.SCREEN
    if take_session(call) is None:
        return Reply(401, b"signed out", _HTML)
    if call.path == "/board.js":
        return Reply(200, _SCRIPT.encode(), {"content-type": "text/javascript"})
    if call.method == "POST":
        call.act.put(Note(id=call.act.hex_id("note"), title=call.json["title"]))
        return Reply(204)
    notes = "".join(f"<li>{note.title}</li>" for note in call.act.all(Note, "all"))
    title = "Second" if call.host == OTHER else {"/next": "Next page"}.get(call.path, "Board")
    return Reply(200, _PAGE.format(title=title, notes=notes).encode(), _HTML)


class Board:
    """The product."""

    name = "board"
    kinds: Sequence[type[Record]] = (Note,)
    surfaces: Sequence[Surface] = (Surface(HOST, _answer, home="/"), Surface(OTHER, _answer))
    tools: Sequence[Tool] = ()
    mcp = f"https://{HOST}/mcp"
    events: Mapping[str, object] = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """Nothing: it has no API."""
        return {}


TWIN = Board()


def build(path: Path) -> Path:
    """A base with one account."""
    with BaseBuilder(path, now=NOW, seed=7) as base:
        base.add(Account(id="ann", email="ann@example.com"))
    return path
