"""Both backends in real browsers: the same actions on the same toy product."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from support import board
from support.board import Note
from support.computers import Sat, computer
from tenure.engine.screen.backend import HEIGHT, WIDTH, Refused
from tenure.oracle import Eyes, Look, Performance, ScriptError
from tenure.oracle.hands import Hands
from tenure.schema import Backend, Via
from tenure.twins.wire.pilot import Spot, fill

BOTH = pytest.mark.parametrize("backend", list(Backend))
TITLE, ADD = Spot("textbox", "Title"), Spot("button", "Add")


def shows(name: str) -> Spot:
    return Spot("heading", name, exact=True)


async def do(sat: Sat, script: Callable[[Eyes], Coroutine[Any, Any, None]]) -> None:
    """Play a script of a few moves, as the direct driver and the model do: look, then act."""
    from tenure.world import Response

    performance = Performance(lambda hands: script(hands.screen), Hands(""))
    action = await performance.next(None, sat.screen.look)
    while action is not None:
        await sat.hand.act(action.arguments)
        action = await performance.next(Response(200, ""), sat.screen.look)


def run(backend: Backend, folder: Path, test: Callable[[Sat], Coroutine[Any, Any, None]], *urls: str) -> None:
    async def whole() -> None:
        async with computer(backend, folder, *urls) as sat:
            await asyncio.wait_for(test(sat), 60)

    asyncio.run(whole())


@BOTH
def test_work_done_by_coordinates_is_in_the_store_and_counts_as_screen(
    backend: Backend, tmp_path: Path
) -> None:
    async def test(sat: Sat) -> None:
        async def script(screen: Eyes) -> None:
            await fill(screen, TITLE, "Grüße, naïve – 5 € “quoted” 日本")
            await screen.click(ADD)
            await screen.wait(Spot("listitem", within=Spot("list", "Notes")))
            assert await screen.texts(Spot("listitem", within=Spot("list", "Notes"))) == [
                "Grüße, naïve – 5 € “quoted” 日本"
            ]

        await do(sat, script)
        end = await sat.end()
        assert [note.title for note in end.created(Note)] == ["Grüße, naïve – 5 € “quoted” 日本"]
        assert {entry.via for entry in end.journal if entry.kind == "board.note"} == {Via.SCREEN}
        end.close()

    run(backend, tmp_path, test)


@BOTH
def test_what_is_out_of_sight_is_scrolled_to_with_the_wheel(backend: Backend, tmp_path: Path) -> None:
    async def test(sat: Sat) -> None:
        async def script(screen: Eyes) -> None:
            await screen.click(Spot("button", "Deep"))
            await screen.click(Spot("button", "Far"))
            await screen.click(TITLE)

        first = await sat.screen.look(Look(Spot("button", "Far"), aim=True))
        assert first.turn[1] > 10
        await do(sat, script)
        assert await sat.screen.look(Look(shows("Board")))

    run(backend, tmp_path, test)


@BOTH
def test_what_is_covered_or_missing_is_not_clicked(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.engine.screen.sight.WAIT", 0.5)

    async def test(sat: Sat) -> None:
        with pytest.raises(LookupError, match="is covered"):
            await sat.screen.look(Look(Spot("button", "Covered"), aim=True))
        with pytest.raises(LookupError, match="does not show"):
            await sat.screen.look(Look(Spot("button", "Nowhere")))
        with pytest.raises(LookupError, match="does not go"):
            await sat.screen.look(Look(ADD, gone=True))
        assert (await sat.screen.look(Look(Spot("button", "Nowhere"), gone=True))).text == ""

    run(backend, tmp_path, test)


@BOTH
def test_tabs_history_and_addresses(backend: Backend, tmp_path: Path) -> None:
    async def test(sat: Sat) -> None:
        async def script(screen: Eyes) -> None:
            await screen.click(Spot("link", "Next"))
            await screen.wait(shows("Next page"))
            await screen.press("alt+Left")
            await screen.wait(shows("Board"))
            await screen.press("alt+Right")
            await screen.wait(shows("Next page"))
            await screen.press("F5")
            await screen.wait(shows("Next page"))
            await screen.click(Spot("link", "Second"))
            await screen.wait(shows("Second"))
            await screen.press("ctrl+shift+Tab")
            await screen.wait(shows("Next page"))
            await screen.press("ctrl+2")
            await screen.wait(shows("Second"))
            await screen.press("ctrl+w")
            await screen.wait(shows("Next page"))
            await screen.press("ctrl+t")
            await screen.goto("board.example.com")
            await screen.wait(shows("Board"))

        await do(sat, script)

    run(backend, tmp_path, test)


@BOTH
def test_no_other_address_opens(backend: Backend, tmp_path: Path) -> None:
    addresses = (
        "file:///etc/passwd",
        "view-source:https://board.example.com/",
        "chrome://version",
        "javascript:document.title='gone'",
        "https://example.org/",
        "devtools://devtools/bundled/inspector.html",
        "data:text/html,<h1>Mine</h1>",
        "two words",
    )

    async def test(sat: Sat) -> None:
        for address in addresses:
            await sat.act("key", text="ctrl+l")
            await sat.act("type", text=address, press_enter=True)
            await sat.act("wait", duration=1)
            (page,) = sat.screen._context.pages  # type: ignore[attr-defined]
            text = await page.inner_text("body")
            assert "blocked" in text or "can’t be reached" in text or await page.title() == "Board", address
            assert "root:" not in text and "Mine" not in text and "function" not in text, address
        await sat.act("navigate", text=board.URL)
        assert (await sat.screen.look(Look(shows("Board")))).text == "Board"

    run(backend, tmp_path, test)


@BOTH
def test_developer_tools_stay_shut(backend: Backend, tmp_path: Path) -> None:
    async def test(sat: Sat) -> None:
        for keys in ("F12", "ctrl+shift+i", "ctrl+shift+j", "ctrl+u"):
            await sat.act("key", text=keys)
            await sat.act("wait", duration=1)
            await sat.act("key", text="Escape")
            (page,) = [p for p in sat.screen._context.pages if p.url == board.URL]  # type: ignore[attr-defined]
            assert await page.evaluate("outerHeight - innerHeight") < 120, keys
            others = [p for p in sat.screen._context.pages if p is not page]  # type: ignore[attr-defined]
            assert not [p.url for p in others if p.url.startswith(("devtools:", "view-source:https"))], keys

    run(backend, tmp_path, test)


@BOTH
def test_the_browser_reaches_no_port_of_this_machine(backend: Backend, tmp_path: Path) -> None:
    met: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as here:
        here.settimeout(0.2)
        port = here.getsockname()[1]

        async def test(sat: Sat) -> None:
            page = sat.screen._context.pages[0]  # type: ignore[attr-defined]
            for host in ("127.0.0.1", "localhost", "0.0.0.0", "2130706433", "board.example.com"):
                met.append(
                    await page.evaluate(
                        "u => fetch(u).then(() => 'met', (e) => e.name)", f"http://{host}:{port}/"
                    )
                )

        run(backend, tmp_path, test)
        with pytest.raises(TimeoutError):
            here.accept()
    assert met == ["TypeError"] * 5


@BOTH
def test_buttons_wheels_and_keys_arrive_as_real_events(backend: Backend, tmp_path: Path) -> None:
    async def test(sat: Sat) -> None:
        page = sat.screen._context.pages[0]  # type: ignore[attr-defined]

        async def events() -> list[str]:
            return await page.evaluate("events.splice(0)")  # type: ignore[no-any-return]

        at = list((await sat.screen.look(Look(shows("Board"), aim=True))).at)
        await events()
        await sat.act("left_click_drag", start_coordinate=[1100, 500], coordinate=[1160, 540])
        assert [e for e in await events() if e.startswith("mouse")] == ["mousedown", "mouseup"]
        await sat.act("double_click", coordinate=at)
        assert [e for e in await events() if e in ("click", "dblclick")] == ["click", "click", "dblclick"]
        await sat.act("right_click", coordinate=at)
        assert "contextmenu" in await events()
        await sat.act("key", text="Escape")
        await events()
        await sat.act("scroll", coordinate=at, scroll_direction="down", scroll_amount=2)
        assert "wheel" in await events()
        await sat.act("key", text="shift+a b", repeat=2)
        typed = [e for e in await events() if e.startswith("keydown") and "Shift" not in e]
        assert typed == ["keydown:A", "keydown:b"] * 2
        await sat.act("hold_key", text="x", duration=1)
        assert (await events()).count("keydown:x") >= 1
        with pytest.raises(Refused, match="no key"):
            await sat.act("key", text="ctrl+nonsense")

    run(backend, tmp_path, test)


@BOTH
def test_a_screenshot_is_the_whole_screen(backend: Backend, tmp_path: Path) -> None:
    async def test(sat: Sat) -> None:
        await sat.act("screenshot")
        with Image.open(BytesIO(await sat.screen.screenshot())) as image:
            assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
            assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 50

    run(backend, tmp_path, test)


def test_the_desktop_asks_what_the_page_asks(tmp_path: Path) -> None:
    """A dialog stays until whoever is at the screen answers it."""

    async def test(sat: Sat) -> None:
        at = (await sat.screen.look(Look(Spot("button", "Ask"), aim=True))).at
        await sat.act("left_click", coordinate=list(at))
        await sat.act("key", text="Return")
        page = sat.screen._context.pages[0]  # type: ignore[attr-defined]
        await page.wait_for_function("document.title === 'Said true'")

    run(Backend.DESKTOP, tmp_path, test)


def test_a_script_has_no_files_to_upload() -> None:
    async def solve(hands: Hands) -> None:
        await hands.screen.upload(ADD, "a.txt", b"")

    with pytest.raises(ScriptError, match="no files"):
        Performance(solve, Hands("")).send(None)
