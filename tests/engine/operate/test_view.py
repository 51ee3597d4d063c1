"""What an agent is shown of a page."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image

from engine.operate.conftest import Opening
from tenure.engine.operate.view import LONGEST, marked, tabs_of, told

pytestmark = pytest.mark.anyio
FORM = """<title>Ledger</title><h1>Ledger</h1>
<nav><a href="/a">Home</a> <a href="/b">Invoices</a></nav>
<form><label>Customer <input name="customer" placeholder="Who"></label>
<label for="k">Kind</label><select id="k"><option>Draft<option selected>Sent</select>
<label><input type="checkbox" checked> Paid</label> <input type="hidden" name="secret" value="hidden-value">
<textarea name="note">hello</textarea><input type="password" value="abc"><button disabled>Save</button></form>
<table><tr><th>Number<th>Sum<tr><td>INV-1<td>10.00<td><button title="Edit"></button></table>
<p>Hello <b>world</b>, again</p><div style="cursor:pointer"><span>A <i>thing</i></span></div>
<div style="display:none">unseen <button>No</button></div><div style="visibility:hidden">unseen</div>
<img alt="A logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">"""
SHOWN = """\
Ledger
[1]<a />
	Home
[2]<a />
	Invoices
Customer
[3]<input name="customer" placeholder="Who" label="Customer" />
Kind
[4]<select label="Kind" value="Sent" options="2" />
[5]<input type="checkbox" label="Paid" checked />
Paid
[6]<textarea name="note" value="hello" />
[7]<input type="password" value="•••" />
[8]<button disabled />
	Save
Number | Sum
INV-1 | 10.00
[9]<button title="Edit" />
Hello world, again
[10]<div />
	A thing
(image: A logo)"""


async def test_a_page_is_told_as_numbered_elements_and_texts(bench: Opening) -> None:
    async with bench({"/": FORM}) as desk:
        view = await desk.open()
        assert view.text == SHOWN
        whole = told(view, desk.browser, await tabs_of(desk.browser))
        assert whole.startswith(
            "Current tab: 0001\nCurrent URL: http://desk.localhost/\nOpen tabs:\n"
            "Tab 0001: http://desk.localhost/ - Ledger\n0.0 pages above, 0.0 pages below\nPage:\nLedger\n[1]"
        )


async def test_halves_of_characters_are_never_told(bench: Opening) -> None:
    face = "\N{GRINNING FACE}"
    page = f"""<input placeholder="{"x" * 99}{face}{face}"><input placeholder="{face * 120}">
    <p id=p></p><script>document.title = "a\\ud83d"; p.textContent = "b\\ud83d"</script>"""
    async with bench({"/": page}) as desk:
        view = await desk.open()
        assert f'placeholder="{"x" * 99}{face}…"' in view.text
        assert f'placeholder="{face * 100}…"' in view.text
        assert (view.title, view.text.splitlines()[-1]) == ("a?", "b?")


async def test_numbers_stay_and_what_is_new_is_marked(bench: Opening) -> None:
    page = "<button onclick='document.body.prepend(Object.assign(document.createElement(`a`), {href: `/`, "
    page += "textContent: `fresh`}))'>more</button> <button>other</button>"
    async with bench({"/": page, "/next": "<button>x</button>"}) as desk:
        assert (await desk.open()).text == "[1]<button />\n\tmore\n[2]<button />\n\tother"
        await desk.do("click", index=1)
        assert desk.eye.view.text == "*[3]<a />\n\tfresh\n[1]<button />\n\tmore\n[2]<button />\n\tother"
        await desk.eye.look()
        assert desk.eye.view.text.startswith("[3]<a />"), "it is new once"
        assert (await desk.open("/next")).text == "[4]<button />\n\tx", "no number is given twice"


async def test_what_a_page_listens_for_clicks_on_is_numbered(bench: Opening) -> None:
    page = """<div id=told>Told</div><div id=set>Set</div><span>Neither</span>
    <main id=all style="display:block;height:900px"><p>Most of the page</p></main>
    <label>Named <input></label><script>told.addEventListener("click", () => { document.title = "hit"; });
    set.onclick = () => {}; all.addEventListener("click", () => {}); set.addEventListener("scroll", () => {});
    document.body.addEventListener("mousedown", () => {});</script>"""
    async with bench({"/": page}) as desk:
        view = await desk.open()
        told = "[1]<div />\n\tTold\n[2]<div />\n\tSet\nNeither\nMost of the page\nNamed"
        assert view.text == f'{told}\n[3]<input label="Named" />'
        await desk.do("click", index=1)
        assert desk.eye.view.title == "hit", "what listens still hears"


async def test_words_in_boxes_of_their_own_keep_their_spaces(bench: Opening) -> None:
    async with bench({"/": "<p><span>Film</span> <span>by</span> <b>the</b> water<i>side</i></p>"}) as desk:
        assert (await desk.open()).text == "Film by the waterside"


async def test_what_covers_others_takes_their_numbers(bench: Opening) -> None:
    page = """<button>Below</button>
    <label><input type="checkbox" style="opacity:0"><span>Switch</span></label>
    <dialog>Sure? <button>Yes</button></dialog>"""
    modal = page + "<script>document.querySelector('dialog').showModal()</script>"
    async with bench({"/": page, "/open": modal}) as desk:
        assert "Below" in (await desk.open()).text
        assert desk.number("checkbox") == 2, "a field under its own label is reached by it"
        view = await desk.open("/open")
        assert [line for line in view.text.splitlines() if "[" in line] == ["[3]<button />"]
        assert view.text.splitlines()[0] == "Below", "it is seen all the same"


async def test_frames_and_shadow_roots_are_part_of_the_page(bench: Opening) -> None:
    page = """<x-y>slotted</x-y><iframe src="/in" style="margin:50px"></iframe><script>
    customElements.define("x-y", class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: "open" }).innerHTML = "<button>Shadow</button><slot></slot>";
      }
    });</script>"""
    inner = "<p>Inside</p><button onclick=\"this.textContent='Clicked'\">Press</button>"
    async with bench({"/": page, "/in": inner}) as desk:
        view = await desk.open()
        assert view.text == "[1]<button />\n\tShadow\nslotted\n|FRAME|\n\tInside\n\t[2]<button />\n\t\tPress"
        at = next(mark for mark in view.marks if mark.number == 2)
        assert at.left > 50
        assert at.top > 50, "where it is in the picture counts from the whole page"
        await desk.do("click", index=2)
        assert "Clicked" in desk.eye.view.text


async def test_parts_that_scroll_say_how_much_there_is(bench: Opening) -> None:
    page = """<div style="height:100px;overflow:auto;width:300px"><p>one</p><div style="height:3000px"></div>
    <button>Deep</button></div>
    <div style="height:50px;overflow:hidden"><p style="margin-top:60px">cut off</p></div>
    <div style="height:5000px"></div><button>Far</button>"""
    async with bench({"/": page}) as desk:
        view = await desk.open()
        assert view.text.startswith("|SCROLL|[1]<div (0.0 pages above, 29.7 pages below) />")
        assert not {"Deep", "Far", "cut off"}.intersection(view.text.split())
        assert view.below > 4
        await desk.do("scroll", pages=10, index=1)
        assert "Deep" in desk.eye.view.text
        await desk.do("scroll", pages=10)
        assert "Far" in desk.eye.view.text
        assert desk.eye.view.below == pytest.approx(0, abs=0.01)
        assert desk.eye.view.above > 4
        await desk.do("scroll", down=False, pages=10)
        assert "Far" not in desk.eye.view.text


async def test_a_long_page_is_cut_with_a_note(bench: Opening) -> None:
    async with bench({"/": "<p>" + "word " * 20_000}) as desk:
        view = await desk.open()
        whole = told(view, desk.browser, {})
        assert len(whole) < LONGEST + 500
        assert f"Page (the first {LONGEST} of {len(view.text)} characters):" in whole


async def test_the_picture_has_the_numbers_in_it(bench: Opening) -> None:
    async with bench({"/": "<button style='width:200px;height:60px'>Here</button>"}) as desk:
        await desk.open()
        bare = await desk.eye.picture(marks=False)
        boxed = await desk.eye.picture(marks=True)
        with Image.open(BytesIO(bare)) as one, Image.open(BytesIO(boxed)) as other:
            assert one.size == other.size == (1280, 960)
            (mark,) = desk.eye.view.marks
            corner = (int(mark.left), int(mark.top))
            assert one.convert("RGB").getpixel(corner) != other.convert("RGB").getpixel(corner)
        assert boxed == await asyncio.to_thread(marked, bare, desk.eye.view.marks)


async def test_an_element_has_the_number_of_what_a_click_on_it_means(bench: Opening) -> None:
    page = """<button>Save <b>now</b></button><div onclick="1" style="width:900px"><i id=end>end</i></div>
    <div onclick="1" style="display:inline-block"><u>tight</u></div><section><a href="#x">in</a></section>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        tab = await desk.browser.page()

        async def number(css: str) -> int:
            element = await tab.query_selector(css)
            assert element is not None
            return await desk.eye.number(tab.main_frame, element)

        assert await number("b") == 1
        assert await number("#end") == 0, "the middle of the box that it is in is far from it"
        assert await number("u") == 3
        assert await number("section") == 4
