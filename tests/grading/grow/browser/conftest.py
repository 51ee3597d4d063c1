"""A small product that a test serves itself, and a browser on it for a module's tests."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field

import pytest

from support.grow import plan
from support.machines import machines
from tenure.grading.grow.browser import Browser, Seen, open_browser
from tenure.schema.grow import Plan

__all__ = ["machines"]

PORT = 8000
HOME = """<!doctype html><title>Rides</title>
<main><h1>Rides</h1><p id=said>No ride yet.</p>
<form onsubmit="event.preventDefault(); fetch('/book', {method: 'POST', body: place.value})
  .then(r => r.text()).then(t => { said.textContent = t; localStorage.setItem('last', t); })">
  <label>Place <input id=place oninput="fetch('/hint?' + this.value)"></label> <button>Book</button></form>
<label>File <input type=file id=file onchange="this.files[0].text().then(t => said.textContent = t)"></label>
<button onclick="location.reload()">Renew</button> <button onclick="alert('No cars')">Call</button>
<div id=from draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'x')">Drag me</div>
<div id=to ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); said.textContent = 'Dropped'">Drop here</div>
<a href="/other">Other</a> <a href="/list.csv" download="rides.csv">List</a>
<a href="data:text/csv,York,7.50" download="own.csv">Own</a>
<a href="/other" target=_blank>In a new tab</a></main>"""
LIVE = """<!doctype html><title>Live</title><main id=at>0</main>
<script>setInterval(() => fetch('/beat').then(r => r.text()).then(t => at.textContent = t), 200)</script>"""

FORGING = """<!doctype html><title>Forging</title><p>Waiting</p><button>Go</button><script>
const plain = Document.prototype.querySelector; let seen = "";
Document.prototype.querySelector = function (...given) {
  seen = new Error().stack; return plain.apply(this, given); };
onclick = () => { const mark = seen.match(/[0-9a-f]{16}/)[0];
  console.debug(mark, 9); (0, eval)("fetch('/forged')\\n//# sourceURL=" + mark); };
</script>"""
"""A page that learns a script's mark and bears it later."""


@dataclass
class Rides:
    """The product: its pages, and what it was asked."""

    asked: list[str] = field(default_factory=list)
    beats: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            except asyncio.IncompleteReadError:
                return
            line, *fields = head.split("\r\n")
            method, path, _ = line.split(" ")
            length = next((int(f[15:]) for f in fields if f.lower().startswith("content-length:")), 0)
            body = (await reader.readexactly(length)).decode()
            self.asked.append(f"{method} {path}")
            text = self.answer(path, body).encode()
            kind = "text/html; charset=utf-8"
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n" % kind.encode())
            writer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
            await writer.drain()

    def answer(self, path: str, body: str) -> str:
        match path.partition("?")[0]:
            case "/":
                return HOME
            case "/book":
                return f"Booked to {body} for £7.50"
            case "/live":
                return LIVE
            case "/beat":
                self.beats += 1
                return f"beat {self.beats}"
            case "/forging":
                return FORGING
            case "/list.csv":
                return "place,fare\nYork,7.50\n"
            case "/odd":
                return (
                    "<p id=odd></p><script>odd.textContent = 'half \\ud83d of one'; alert('\\ud83d')</script>"
                )
            case "/empty":
                return "<!doctype html><title></title>"
            case "/stuck":
                return "<p>Stuck</p><script>addEventListener('load', () => { for (;;); })</script>"
        return "<!doctype html><title>Other</title><p>Another page</p><a href='/'>Home</a>"


@dataclass
class Place:
    """A browser that is open on the product."""

    runner: asyncio.Runner
    product: Rides
    browser: Browser

    def run(self, script: str, *, step: str = "s1", user: str = "ana", seconds: float = 20) -> Seen:
        return self.runner.run(self.browser.run(script, step=step, user=user, seconds=seconds))


async def connected(product: Rides) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the product as ``Machine.connect`` does."""
    one, other = socket.socketpair()
    server = await asyncio.open_connection(sock=other)
    task = asyncio.create_task(_served(product, *server))
    _serving.add(task)
    task.add_done_callback(_serving.discard)
    return await asyncio.open_connection(sock=one)


_serving: set[asyncio.Task[None]] = set()


async def _served(product: Rides, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        await product.serve(reader, writer)
    writer.close()


def opened(product: Rides, made: Plan, **more: object) -> AbstractAsyncContextManager[Browser]:
    return open_browser(made, lambda: connected(product), port=PORT, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    product, made = Rides(), plan(["c1"], ["c2"], users=("ana", "bo"))
    with asyncio.Runner() as runner:
        opening = opened(product, made, assets={"list.csv": b"a,b\n1,2\n"})
        browser = runner.run(opening.__aenter__())
        yield Place(runner, product, browser)
        runner.run(opening.__aexit__(None, None, None))
