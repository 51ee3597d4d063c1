"""The browser is closed to everything but the apps, whoever asks; what happens by itself is told."""

import pytest

from engine.operate.conftest import Opening
from support.site import Site
from tenure.engine.screen.backend import Refused

pytestmark = pytest.mark.anyio
LINKS = """<title>Desk</title>
<a href="file:///etc/hostname">file</a> <a href="chrome://version">chrome</a>
<a href="view-source:http://desk.localhost/">source</a> <a href="data:text/html,data">data</a>
<a href="devtools://devtools/bundled/inspector.html">devtools</a>
<a href="http://127.0.0.1:{port}/">number</a> <a href="http://localhost:{port}/">name</a>
<a href="http://elsewhere.example/">elsewhere</a> <a href="/away">away</a>
<button onclick="fetch('http://127.0.0.1:{port}/in').catch(e => document.title = 'No: ' + e)">ask</button>
<button onclick="new WebSocket('ws://127.0.0.1:{port}/').onerror = () => document.title = 'No socket'">
socket</button><iframe src="http://127.0.0.1:{port}/frame"></iframe>"""


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "view-source:http://desk.localhost/",
        "chrome://version",
        "devtools://devtools/bundled/inspector.html",
        "data:text/html,hello",
        "javascript:alert(1)",
        "blob:http://desk.localhost/1",
        "about:version",
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://desk.localhost:{port}/",
        "https://desk.localhost/",
        "http://desk.localhost@elsewhere.example/",
        "http://other.localhost/",
        "http://desk.localhost.example/",
        "ftp://desk.localhost/",
        "http://[::1",
        "",
    ],
)
async def test_no_other_address_is_typed(bench: Opening, url: str) -> None:
    async with bench({"/": "<p>here</p>"}) as desk:
        with pytest.raises(Refused, match=r"cannot be opened; these addresses can: http://desk\.localhost"):
            await desk.do("navigate", url=url.format(port=desk.site.port))
        assert desk.site.asked == []


async def test_an_address_may_be_typed_short(bench: Opening) -> None:
    async with bench({"/x": "<p>here</p>"}) as desk:
        await desk.do("navigate", url=" desk.localhost/x ")
        assert desk.eye.view.url == "http://desk.localhost/x"
        assert desk.eye.view.text == "here"


async def test_no_page_leads_out(bench: Opening) -> None:
    with Site({"/": "<p>outside</p>", "/in": "x", "/frame": "<p>frame</p>"}) as outside:
        pages = {"/": LINKS.format(port=outside.port), "/away": f"http://127.0.0.1:{outside.port}/"}
        async with bench(pages) as desk:
            for name in (
                "file",
                "chrome",
                "source",
                "data",
                "devtools",
                "number",
                "name",
                "elsewhere",
                "away",
            ):
                await desk.open()
                await desk.do("click", index=desk.number(name, ""))
                assert desk.eye.view.url in ("http://desk.localhost/", "about:blank"), name
            await desk.open()
            await desk.do("click", index=desk.number("ask"))
            assert desk.eye.view.title.startswith("No: ")
            await desk.do("click", index=desk.number("socket"))
            assert desk.eye.view.title == "No socket"
            assert outside.asked == []


async def test_what_pages_ask_is_answered_and_told(bench: Opening) -> None:
    page = """<button onclick="document.title = 'Sure: ' + confirm('Delete all?')">confirm</button>
    <button onclick="alert('Saved')">alert</button>
    <button onclick="document.title = prompt('Name?', 'Ann')">prompt</button>
    <script>addEventListener("beforeunload", (e) => e.preventDefault())</script>"""
    async with bench({"/": page, "/next": "<p>next</p>"}) as desk:
        await desk.open()
        said = await desk.do("click", index=desk.number("confirm"))
        assert 'A message of the page, "Delete all?", was answered with OK.' in said.text
        assert desk.eye.view.title == "Sure: true"
        assert '"Saved", was closed.' in (await desk.do("click", index=desk.number("alert"))).text
        await desk.do("click", index=desk.number("prompt"))
        assert desk.eye.view.title == "Ann"
        await desk.open("/next")
        assert desk.eye.view.text == "next", "a page that asks whether to leave it is left"


async def test_new_tabs_are_shown_and_can_be_switched_and_closed(bench: Opening) -> None:
    pages = {"/": "<a href='/two' target=_blank>open</a>", "/two": "<title>Two</title>two"}
    async with bench(pages) as desk:
        await desk.open()
        said = await desk.do("click", index=desk.number("open"))
        assert "Tab 0002 was opened and is shown." in said.text
        assert (desk.eye.view.url, desk.eye.view.title) == ("http://desk.localhost/two", "Two")
        await desk.do("switch", tab_id="0001")
        assert desk.eye.view.text.endswith("open")
        await desk.do("navigate", url="http://desk.localhost/two", new_tab=True)
        assert list(desk.browser.tabs) == ["0001", "0002", "0003"]
        await desk.do("close", tab_id="0003")
        assert desk.browser.active == "0002"
        with pytest.raises(Refused, match="There is no tab 0009; tabs: 0001, 0002"):
            await desk.do("switch", tab_id="0009")
        for tab in ("0001", "0002"):
            await desk.do("close", tab_id=tab)
        assert desk.eye.view.url == "about:blank", "there is always a tab"


async def test_downloads_become_files_of_the_agent(bench: Opening) -> None:
    pages = {"/": "<a href='/list.csv'>get</a>", "/list.csv": b"a,b\n1,2\n"}
    async with bench(pages) as desk:
        await desk.open()
        for name in ("list.csv", "list (1).csv"):
            said = await desk.do("click", index=desk.number("get"))
            assert f"{name} was downloaded" in said.text
        assert (await desk.do("read_file", file_name="list.csv")).text == "list.csv:\na,b\n1,2\n"
        said = await desk.do("navigate", url="http://desk.localhost/list.csv")
        assert "list (2).csv was downloaded" in said.text


async def test_a_page_that_crashes_is_told_and_the_next_one_opens(bench: Opening) -> None:
    async with bench({"/": "<p>here</p>"}) as desk:
        await desk.open()
        page = await desk.browser.page()
        session = await page.context.new_cdp_session(page)
        with pytest.raises(Exception, match=r"crash|closed"):
            await session.send("Page.crash")
        said = await desk.do("wait", seconds=1)
        assert "The page in tab 0001 crashed and was closed." in said.text
        await desk.open()
        assert desk.eye.view.text == "here"
