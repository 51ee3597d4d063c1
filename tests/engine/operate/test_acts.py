"""The 22 actions, each done and each refused."""

import re
from typing import Any

import pytest

from engine.operate.conftest import Opening
from tenure.engine.operate.params import ACTIONS
from tenure.engine.screen.backend import Refused

pytestmark = pytest.mark.anyio
FIELDS = """<form method="post" action="/save"><label>Name <input name="name" value="old"></label>
<label>Day <input type="date" name="day"></label><label>Code <input name="code" maxlength="3"></label>
<label>Text <textarea name="text"></textarea></label><label>Tick <input type="checkbox" name="tick"></label>
<label>Kind <select name="kind"><option value="a">Alpha<option value="b">Beta<option disabled>Gamma</select>
</label>
<button>Save</button></form><div contenteditable aria-label="Body">rich</div><a href="#x">link</a>
<div class="box" tabindex="0"><input aria-label="Inner"></div>"""


def test_the_actions_are_the_protocols() -> None:
    protocol = (
        "navigate search go_back wait click input scroll send_keys find_text upload_file select_dropdown "
        "dropdown_options switch close extract search_page find_elements save_as_pdf read_file write_file "
        "replace_file done"
    )
    assert " ".join(ACTIONS) == protocol
    assert len(ACTIONS) == 22


async def test_a_form_is_filled_and_sent(bench: Opening) -> None:
    async with bench({"/": FIELDS}) as desk:
        await desk.open()
        await desk.do("input", index=desk.number('name="name"'), text="Ann & Co")
        await desk.do("input", index=desk.number('name="name"'), text=".", clear=False)
        await desk.do("input", index=desk.number('name="day"'), text="2026-04-14")
        said = await desk.do("input", index=desk.number('name="code"'), text="abcdef")
        assert said.text.endswith("The field now holds 'abc'.")
        await desk.do("input", index=desk.number("<textarea"), text="one\ntwo")
        await desk.do("click", index=desk.number('name="tick"'))
        await desk.do("select_dropdown", index=desk.number("<select"), text="Beta")
        assert 'value="Beta"' in desk.eye.view.text
        await desk.do("input", index=desk.number('aria-label="Body"'), text="new text")
        assert "new text" in desk.eye.view.text
        await desk.do("input", index=desk.number('aria-label="Inner"'), text="x" * 1000)
        await desk.do("click", index=desk.number("<button"))
        sent = desk.site.sent["/save"].decode()
        assert sent == "name=Ann+%26+Co.&day=2026-04-14&code=abc&text=one%0D%0Atwo&tick=on&kind=b"


@pytest.mark.parametrize(
    ("action", "words", "arguments", "says"),
    [
        ("click", ("<select",), {}, "is a list: use dropdown_options"),
        ("input", ("<select",), {"text": "x"}, "takes no text"),
        ("input", ("<a",), {"text": "x"}, "takes no text"),
        ("input", ('name="tick"',), {"text": "x"}, "takes no text"),
        (
            "input",
            ('name="day"',),
            {"text": "14 April"},
            "is no value for a field of type date, such as 2026-03-31",
        ),
        ("select_dropdown", ("<select",), {"text": "Delta"}, "There is no option 'Delta'.*- Beta"),
        ("select_dropdown", ("<select",), {"text": "Gamma"}, "'Gamma' cannot be chosen"),
        ("dropdown_options", ("<a",), {}, "has no options that show"),
        ("upload_file", ("<a",), {"path": "todo.md"}, "asks for no file"),
        ("upload_file", ("<a",), {"path": "/etc/passwd"}, "There is no file passwd; files: todo.md"),
    ],
)
async def test_what_an_element_does_not_take_is_refused(
    bench: Opening, action: str, words: tuple[str, ...], arguments: dict[str, Any], says: str
) -> None:
    async with bench({"/": FIELDS}) as desk:
        await desk.open()
        with pytest.raises(Refused, match=re.compile(says, re.DOTALL)):
            await desk.do(action, index=desk.number(*words), **arguments)


async def test_an_element_that_moves_is_waited_for(bench: Opening) -> None:
    page = """<style>@keyframes go { to { translate: 400px } } b { display: block; animation: go 6s }</style>
    <b role=button tabindex=0 onclick="document.title = 'hit'">A</b>"""
    async with bench({"/": page}) as desk:
        view = await desk.open()
        await desk.do("click", index=desk.number("A"))
        assert view.title != "hit" and desk.eye.view.title == "hit"


async def test_an_element_that_is_covered_or_gone_is_not_clicked(bench: Opening) -> None:
    page = """<button id=a onclick="document.title = 'hit'">A</button>
    <button onclick="c.style.display = 'block'">cover</button><button onclick="a.remove()">remove</button>
    <div id=c style="display:none;position:fixed;inset:0">above</div>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        await desk.acts.do("click", {"index": 3})
        with pytest.raises(Refused, match="There is no element 1 on the page as it is now"):
            await desk.acts.do("click", {"index": 1})
        await desk.open()
        await desk.acts.do("click", {"index": 5})
        with pytest.raises(Refused, match="Element 4 cannot be clicked: something else covers it"):
            await desk.acts.do("click", {"index": 4})
        assert desk.eye.view.title != "hit"


async def test_a_field_that_is_covered_with_its_label_is_typed_into_all_the_same(bench: Opening) -> None:
    page = """<label for=n>Name</label><input id=n>
    <button onclick="c.style.display = 'block'">cover</button>
    <div id=c style="display:none;position:fixed;inset:0">above</div>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        field, cover = desk.number("<input"), desk.number("<button")
        await desk.acts.do("click", {"index": cover})
        with pytest.raises(Refused, match=f"Element {field} cannot be clicked: something else covers it"):
            await desk.acts.do("click", {"index": field})
        assert (await desk.acts.do("input", {"index": field, "text": "Ida"})).text == f"Typed into {field}."


async def test_a_click_whose_page_is_late_is_no_refusal_and_is_made_once(bench: Opening) -> None:
    form = "<form method=post action=/save><label>Save it<button>Save</button></label></form>"
    async with bench({"/": form}) as desk:
        desk.site.slow["/save"] = 4.5
        await desk.open()
        said = await desk.do("click", index=desk.number("<button"))
        assert said.text.startswith("Clicked")
        await desk.do("wait", seconds=5)
        assert desk.site.asked.count(("POST", "/save")) == 1


async def test_a_checkbox_under_its_label_is_clicked(bench: Opening) -> None:
    page = """<label style="position:relative"><input type="checkbox" style="opacity:0">
    <span style="position:absolute;inset:0;background:#ccc">On</span></label>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        await desk.do("click", index=desk.number("checkbox"))
        assert "checked" in desk.eye.view.text


async def test_lists_that_pages_make_themselves_are_chosen_from(bench: Opening) -> None:
    page = """<div role="combobox" tabindex="0" aria-controls="l" onclick="l.hidden = !l.hidden">Pick</div>
    <ul role="listbox" id="l" hidden><li role="option">One<li role="option" aria-selected="true">Two</ul>
    <script>for (const o of l.children)
      o.onclick = () => { document.title = o.innerText; l.hidden = true; };</script>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        with pytest.raises(Refused, match="may have to be clicked first"):
            await desk.do("dropdown_options", index=1)
        await desk.do("select_dropdown", index=1, text="one")
        assert desk.eye.view.title == "One"
        await desk.do("click", index=1)
        assert (await desk.do("dropdown_options", index=1)).text == "- One\n- Two, chosen"


async def test_files_are_uploaded_from_the_agents_folder_alone(bench: Opening) -> None:
    page = """<input type="file" style="display:none" id=f onchange="document.title = f.files[0].name">
    <button onclick="f.click()">Choose</button>"""
    async with bench({"/": page}) as desk:
        await desk.open()
        await desk.do("write_file", file_name="note.txt", content="hello")
        await desk.do("upload_file", index=desk.number('type="file"'), path="note.txt")
        assert desk.eye.view.title == "note.txt"
        assert 'files="note.txt"' in desk.eye.view.text
        await desk.do("upload_file", index=desk.number("<button"), path="todo.md")
        assert desk.eye.view.title == "todo.md"


async def test_keys_are_pressed_and_text_is_typed(bench: Opening) -> None:
    page = "<input aria-label=a autofocus><input aria-label=b><script>addEventListener('keydown', (e) => "
    page += "document.title += ' ' + (e.ctrlKey ? 'ctrl-' : '') + e.key)</script>"
    async with bench({"/": page}) as desk:
        await desk.open()
        await desk.do("click", index=desk.number('aria-label="a"'))
        await desk.do("send_keys", keys="Hello you")
        assert 'value="Hello you"' in desk.eye.view.text
        said = await desk.do("send_keys", keys="Control+a Delete")
        assert said.text == "Pressed Control+a Delete."
        assert "value" not in desk.eye.view.text
        await desk.do("send_keys", keys="Tab")
        await desk.do("send_keys", keys="7")
        assert desk.eye.view.title.endswith("Control ctrl-a Delete Tab 7")
        assert 'aria-label="b" value="7"' in desk.eye.view.text


async def test_going_back_waiting_and_finding(bench: Opening) -> None:
    pages = {"/": "<p>first</p>", "/b": "<div style='height:4000px'></div><p>Down here</p>"}
    async with bench(pages) as desk:
        await desk.open()
        await desk.open("/b")
        assert (await desk.do("find_text", text="down here")).text == "Scrolled to 'down here'."
        assert desk.eye.view.above > 2
        with pytest.raises(Refused, match="'nowhere' does not show"):
            await desk.do("find_text", text="nowhere")
        await desk.do("go_back", description="because")
        assert desk.eye.view.text == "first"
        assert (await desk.do("wait", seconds=0)).text == "Waited 1 s."
        with pytest.raises(Refused, match="There is no web to search"):
            await desk.do("search", query="weather")


async def test_all_of_a_page_can_be_read_and_searched(bench: Opening) -> None:
    page = """<h2>Sums</h2><table><tr><th>No<th>Sum<tr><td>1<td><a href="/one">10.00</a></table>
    <div style="height:4000px"></div><p class=last>Total 10.00 EUR</p><p hidden>secret</p>
    <input value="typed"><script>const hidden = 1</script><iframe src="/in"></iframe>"""
    async with bench({"/": page, "/in": "<p>Framed 10.00</p>"}) as desk:
        await desk.open()
        said = (await desk.do("search_page", pattern="10.00", context_chars=6)).text
        assert said == "3 places:\n1. … Sum 1 10.00 Tota …\n2. … Total 10.00 EUR …\n3. … ramed 10.00 …"
        assert (await desk.do("search_page", pattern="total", case_sensitive=True)).text == "No places."
        scoped = await desk.do("search_page", pattern=r"\d+\.\d\d EUR", regex=True, css_scope=".last")
        assert scoped.text == "1 place:\n1. … Total 10.00 EUR …"
        found = await desk.do("find_elements", selector="a, .last", attributes=["href"])
        assert found.text == '2 elements:\n1. <a href="/one"> 10.00\n2. <p> Total 10.00 EUR'
        read = (await desk.do("extract", query="The sum?")).text
        assert read.startswith("The sum?\n## Sums")
        assert "| 1 | 10.00 |" in read
        assert "Total 10.00 EUR" in read
        assert "typed" in read
        assert "Framed 10.00" in read
        assert "secret" not in read
        assert "hidden" not in read
        linked = await desk.do("extract", query="q", extract_links=True, already_collected=["x"])
        assert "[10.00](/one)" in linked.text
        assert "Leave out: x" in linked.text
        for action, given, says in (
            ("search_page", {"pattern": "(", "regex": True}, "is no regular expression"),
            ("search_page", {"pattern": "(" * 3_000 + ")" * 3_000, "regex": True}, "takes too long"),
            ("search_page", {"pattern": "x", "css_scope": "<"}, "is no CSS selector"),
            ("find_elements", {"selector": "p["}, "is no CSS selector"),
            ("extract", {"query": "q", "start_from_char": 9_000}, "The page has"),
        ):
            with pytest.raises(Refused, match=says):
                await desk.do(action, **given)


async def test_a_page_of_boxes_in_boxes_is_refused_and_not_a_failure(bench: Opening) -> None:
    deep = "<body><script>let at = document.body; for (let n = 0; n < 500; n++) at = at.appendChild("
    async with bench(
        {"/": f"{deep}document.createElement('div')); at.textContent = 'deep'</script>"}
    ) as desk:
        await desk.open()
        with pytest.raises(Refused, match="nested too deeply"):
            await desk.do("extract", query="What is there?")


async def test_a_page_becomes_a_pdf_that_can_be_read(bench: Opening) -> None:
    async with bench({"/": "<title>Bill</title><p>Forty-two euros</p>"}) as desk:
        await desk.open()
        assert (await desk.do("save_as_pdf", paper_format="A4")).text == "Saved as Bill.pdf."
        assert (
            await desk.do("save_as_pdf", file_name="Bill.pdf", landscape=True)
        ).text == "Saved as Bill (1).pdf."
        assert (await desk.do("save_as_pdf", file_name="a/b\0")).text == "Saved as a-b_.pdf."
        assert (await desk.do("save_as_pdf", file_name="報" * 300)).text == f"Saved as {'報' * 63}.pdf."
        said = (await desk.do("read_file", file_name="Bill.pdf")).text
        assert said.startswith("Bill.pdf:\n[page 1 of 1]")
        assert "Forty-two euros" in said
        with pytest.raises(Refused, match="cannot be saved"):
            await desk.do("save_as_pdf", paper_format="A99")


async def test_a_header_of_a_pdf_shows_nothing_of_the_host(bench: Opening) -> None:
    async with bench({"/": "<p>page</p>"}) as desk:
        await desk.open()
        evil = '<span style="font-size:12px">H<iframe src="file:///etc/passwd"></iframe>'
        evil += "<script>document.write('S' + 'X')</script></span>"
        await desk.do("save_as_pdf", file_name="e", header_template=evil)
        said = (await desk.do("read_file", file_name="e.pdf")).text
        assert "root" not in said
        assert "SX" not in said


async def test_done_is_the_last_action(bench: Opening) -> None:
    async with bench({"/": "<p>page</p>"}) as desk:
        assert (desk.acts.ended, desk.acts.claimed) == (False, None)
        await desk.do("done", text="Half of it.", success=False)
        assert (desk.acts.ended, desk.acts.claimed, desk.acts.report) == (True, False, "Half of it.")
        with pytest.raises(Refused, match="has been ended by done"):
            await desk.do("wait")


@pytest.mark.parametrize(
    ("action", "arguments", "says"),
    [
        ("evaluate", {"code": "1"}, "There is no action evaluate; actions: navigate, "),
        ("screenshot", {}, "There is no action screenshot"),
        ("click", {}, "click: index: Field required"),
        ("click", {"index": "x"}, "click: index: "),
        ("click", {"index": 99}, "There is no element 99"),
        ("switch", {"tab_id": "1"}, "switch: tab_id: "),
    ],
)
async def test_what_is_no_action_is_refused(
    bench: Opening, action: str, arguments: dict[str, Any], says: str
) -> None:
    async with bench({"/": "<p>page</p>"}) as desk:
        with pytest.raises(Refused, match=says):
            await desk.do(action, **arguments)
