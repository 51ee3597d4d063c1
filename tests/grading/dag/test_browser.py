"""P18, RENDER_DOM, SCREENSHOT, and pages as evidence, in a real browser."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error

from grading.dag.test_judge import Keeps, ask
from support.graded import TASK, Bench, node, step
from tenure.grading.dag.pages import Chromium, Pages
from tenure.schema.words import Outcome

pytestmark = pytest.mark.full
ADMIN = step("P13", user="admin")


def act(do: str, target: str = "", value: Any = None) -> dict[str, Any]:
    return {"do": do, "target": target, "value": value}


FILLED = [
    act("open", "/board"),
    act("fill", "label=Subject", "Printer"),
    act("choose", "label=Priority", "high"),
    act("check", "label=Urgent", True),
    act("click", "role=button[Add]"),
]


@pytest.mark.parametrize(
    ("more", "passed", "saw"),
    [
        ([act("see", "text=Printer / high !")], True, "6 acts, ends at /board/1"),
        ([act("see", "role=listitem", "printer"), act("count", "li", 1)], True, "ends at /board/1"),
        (
            [
                act("see_url", "/board/1"),
                act("see_url", value="/board/1?n=1"),
                act("see_url", value="^/board/"),
            ],
            True,
            "",
        ),
        ([act("press", "label=Subject", "Enter"), act("count", "#l li", 2)], True, ""),
        ([act("see_value", "label=Subject", "Printer"), act("not_see", "text=Scanner")], True, ""),
        ([act("wait", "li"), act("capture", "li", "row")], True, ""),
        ([act("see", "text=Scanner")], False, "act 6 (see text=Scanner): text=Scanner is not on the page"),
        ([act("see", 'text="Printer"')], False, "is not on the page"),
        ([act("not_see", "text=Printer")], False, "is on the page"),
        ([act("count", "li", 2)], False, "1 × li, not 2"),
        ([act("see_url", "/board/2")], False, "the page is /board/1?n=1, not /board/2"),
        ([act("see_value", "label=Subject", "Scanner")], False, "has 'Printer', not 'Scanner'"),
        ([act("click", "role=button[Hidden]")], False, "act 6 (click role=button[Hidden])"),
        ([act("click", "role=button[Ad]")], False, "Timeout"),
        ([act("open", "http://127.0.0.1:1/")], False, "is not the product's own address"),
    ],
)
def test_a_persons_way(bench: Bench, more: list[dict[str, Any]], passed: bool, saw: str) -> None:
    found, said = bench.last(step("P18", acts=[*FILLED, *more]))
    assert found is passed, said
    assert saw in said


def test_what_a_page_shows_is_captured(bench: Bench) -> None:
    way = step("P18", acts=[*FILLED, act("capture", "li", "row")])
    assert bench.last(
        way, step("P04", path="/echo?q={{row}}"), step("P07", path="$.query.q", value="Printer / high !")
    )[0]


def test_a_user_comes_with_cookies(bench: Bench) -> None:
    hello = [act("open", "/home"), act("see", "text=Hello ada@example.com")]
    assert bench.last(ADMIN, step("P18", user="admin", acts=hello))[0]
    assert bench.last(step("P13", user="admin", page=True), step("P18", user="admin", acts=hello))[0]
    assert bench.last(step("P18", acts=[act("open", "/home"), act("see_url", "/login")]))[0]
    no_pages = TASK.model_copy(update={"page_login": None})
    assert bench.chain(ADMIN, step("P18", user="admin", acts=hello), task=no_pages).outcome is Outcome.ERROR


@pytest.mark.parametrize(
    ("inputs", "passed", "saw"),
    [
        ({"path": "/board"}, True, "/board → 200, 0 things seen"),
        (
            {"path": "/board", "expect": [act("see", "role=heading[Board]"), act("count", "li", 0)]},
            True,
            "2 things",
        ),
        ({"path": "/board", "expect": [act("see", "role=heading[Home]")]}, False, "is not on the page"),
        ({"path": "/nowhere"}, False, "/nowhere → 404"),
        ({"path": "/blank"}, False, "the page shows no text"),
    ],
)
def test_a_document(bench: Bench, inputs: dict[str, Any], passed: bool, saw: str) -> None:
    found, said = bench.last(step("RENDER_DOM", **inputs))
    assert found is passed, said
    assert saw in said


def test_a_photograph_is_kept_as_evidence(bench: Bench, tmp_path: Path) -> None:
    found = bench.chain(
        *(step("SCREENSHOT", path=p) for p in ("/board", "/blank", "/nowhere")), evidence=tmp_path / "e"
    )
    assert [s.passed for s in found.steps] == [True, False, False]
    kept = [(tmp_path / "e" / s.image).read_bytes() for s in found.steps]
    assert all(picture.startswith(b"\x89PNG") for picture in kept)
    assert found.steps[1].saw == "/blank → 200, one colour only"


def test_a_page_is_shown_to_the_judge(bench: Bench) -> None:
    judge = Keeps('{"score": 2}')
    assert ask(bench, judge, evidence="page", page="/begging").score == 2
    assert '{"score": 6, "reasoning": "perfect"}' in judge.question
    assert [picture[:4] for picture in judge.pictures] == [b"\x89PNG"]


def test_a_page_that_never_ends_costs_its_own_step(bench: Bench) -> None:
    found = bench.chain(step("RENDER_DOM", path="/spin", deadline=3), step("RENDER_DOM", path="/board"))
    assert [s.passed for s in found.steps] == [False, True]
    assert found.seconds < 25


def test_a_page_reaches_nothing_but_the_product(bench: Bench) -> None:
    reached: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(await reader.readline())
        writer.close()

    async def grade() -> bool | None:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            path = f"/strays?port={server.sockets[0].getsockname()[1]}"
            see = [act("open", path), act("see", "text=Here"), act("wait", value=1)]
            return (await bench.graded(node("n", step("P18", acts=see))))[0].steps[0].passed

    assert bench.loop.run(grade())
    assert not reached


def test_a_redirect_leads_to_the_product_or_nowhere() -> None:
    """Routes are not asked where a redirect leads, which could be anything on the host's loopback."""
    reached: list[str] = []

    async def serve(
        name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ways: dict[str, str]
    ) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        reached.append(f"{name}{path}")
        there = f"HTTP/1.1 302 Found\r\nlocation: {ways[path]}\r\n" if path in ways else "HTTP/1.1 200 OK\r\n"
        writer.write(f"{there}content-length: 4\r\nconnection: close\r\n\r\nHere".encode())
        writer.close()

    async def go() -> list[str]:
        ways: dict[str, str] = {}
        own = await asyncio.start_server(lambda r, w: serve("own", r, w, ways), "127.0.0.1", 0)
        other = await asyncio.start_server(lambda r, w: serve("other", r, w, {}), "127.0.0.1", 0)
        inside = "http://127.0.0.1:8000"
        ways |= {
            "/away": f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}/got",
            "/back": f"{inside}/home",
            "/self": "http://localhost:8000/home",
        }
        base, shown = f"http://127.0.0.1:{own.sockets[0].getsockname()[1]}", list[str]()
        pages = Pages(base, inside)
        async with own, other:
            for path in ways:
                async with pages.page() as page:
                    try:
                        await page.goto(base + path)
                        shown.append(await page.inner_text("body"))
                    except Error as error:
                        shown.append(error.message.split(" at ")[0])
            await pages.close()
        return shown

    assert asyncio.run(go()) == ["Page.goto: net::ERR_NAME_NOT_RESOLVED", "Here", "Here"]
    assert not [path for path in reached if path.startswith("other")]


def test_products_that_are_trusted_share_a_browser_which_outlives_each_and_knows_no_other_name() -> None:
    async def serve(name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\n" + name.encode())
        writer.close()

    async def go() -> list[str]:
        shared, shown, browsers = Chromium(), list[str](), set[int]()
        for name in ("first", "other"):
            server = await asyncio.start_server(lambda r, w, name=name: serve(name, r, w), "127.0.0.1", 0)
            base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            pages = Pages(base, shared=shared)
            async with server, pages.page() as page:
                browsers.add(id(await shared.open()))
                for url in (base, "http://elsewhere.example"):
                    try:
                        await page.goto(url)
                        shown.append(await page.inner_text("body"))
                    except Error as error:
                        shown.append(error.message.split(" at ")[0])
            await pages.close()
        assert (await shared.open()).is_connected() and len(browsers) == 1
        await shared.close()
        return shown

    lost = "Page.goto: net::ERR_NAME_NOT_RESOLVED"
    assert asyncio.run(go()) == ["first", lost, "other", lost]
