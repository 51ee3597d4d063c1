"""Sheets, rows, formats, rules, sorting, filtering and finding, with the store looked at after it."""

from pathlib import Path

from support.screens import Shown, Spot
from tenure.twins.sheets import read
from tenure.twins.sheets.pilot import SheetsPilot, button, item
from tenure.twins.sheets.records import Sheet, Spreadsheet

from .screens import play

TABLE = {
    "Data": [
        ["Name", "City", "Score"],
        ["Cleo", "Rome", 3],
        ["Abe", "Oslo", 1],
        ["Bea", "Rome", 2],
        ["Dan", "Kyiv", 4],
    ]
}


def sheet(end: object, id: str, title: str) -> Sheet:
    found: list[Sheet] = end.all(Sheet, "spreadsheet", id)  # type: ignore[attr-defined]
    return next(one for one in found if one.title == title)


def test_sheets_are_added_named_moved_coloured_hidden_and_deleted(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await sheets.add_sheet("Plan")
        await sheets.sheet_menu("Plan", "Move left")
        assert await sheets.sheets() == ["Items", "Plan", "Summary"]
        await sheets.sheet_menu("Items", "Duplicate")
        await sheets.sheet_menu("Copy of Items", "Hide sheet")
        await sheets.sheet_menu("Plan", "Change color", "Red")
        await sheets.sheet_menu("Summary", "Rename")
        await sheets.screen.press("Control+a")
        await sheets.screen.type("Totals 2026")
        await sheets.screen.press("Enter")
        await sheets.saved()
        await sheets.add_sheet()
        await sheets.sheet_menu("Sheet5", "Delete")

    end, id = play(tmp_path, story)
    assert read.sheets(end, id) == ["Items", "Copy of Items", "Plan", "Totals 2026"]
    assert sheet(end, id, "Copy of Items").hidden
    assert sheet(end, id, "Plan").tab_color is not None
    assert read.cell(end, id, "'Totals 2026'!B1").value == 22.9


def test_rows_and_columns_come_go_move_hide_and_freeze(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        page = shown.page
        await sheets.go_to("A2")
        await sheets.menu("Insert", "Rows", "Insert 1 row above")
        await sheets.set_cell("A2", "New")
        await page.get_by_role("rowheader", name="Row 4", exact=True).click(button="right")
        await sheets.screen.click(item("Delete row 4"))
        await sheets.saved()
        await page.get_by_role("columnheader", name="Column B").click(button="right")
        await sheets.screen.click(item("Insert 1 column left"))
        await sheets.saved()
        await sheets.go_to("A3")
        await sheets.menu("Edit", "Move", "Move row up")
        await sheets.go_to("A5")
        await sheets.menu("View", "Hide row")
        await sheets.menu("View", "Freeze", "1 row")
        grip = await page.get_by_role("columnheader", name="Column A").bounding_box()
        assert grip
        await page.mouse.move(grip["x"] + grip["width"] - 1, grip["y"] + 10)
        await page.mouse.down()
        await page.mouse.move(grip["x"] + grip["width"] + 59, grip["y"] + 10, steps=3)
        await page.mouse.up()
        await sheets.saved()
        await sheets.go_to("A2:B2")
        await sheets.menu("Format", "Merge cells", "Merge all")

    end, id = play(tmp_path, story, TABLE)
    assert read.values(end, id, "Data!A1:D5") == [
        ["Name", "", "City", "Score"],
        ["Cleo", "", "Rome", 3],
        ["New"],
        ["Bea", "", "Rome", 2],
        ["Dan", "", "Kyiv", 4],
    ]
    kept = sheet(end, id, "Data")
    assert kept.frozen_rows == 1 and kept.merges == ["A2:B2"]
    assert kept.column_data["A"]["pixelSize"] == 160
    assert [(one.range, one.value) for one in kept.row_data] == [("A5", {"hiddenByUser": True})]


def test_formats(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        await sheets.go_to("A1:C1")
        await sheets.screen.press("Control+b")
        await sheets.screen.click(button("Fill color"))
        await sheets.screen.click(Spot("menuitem", "Light green", exact=True))
        await sheets.screen.click(button("Text color"))
        await sheets.screen.click(Spot("menuitem", "Red", exact=True))
        await sheets.screen.click(button("Borders"))
        await sheets.screen.click(item("Outer borders"))
        await sheets.format("C2:C5", "Number", "Currency")
        await sheets.screen.click(button("Decrease decimal places"))
        await sheets.format("B2:B5", "Alignment", "Center")
        await sheets.format("A2", "Wrapping", "Wrap")
        await sheets.format("A3", "Text", "Strikethrough")
        assert await sheets.read_cell("C2") == "$3.0"

    end, id = play(tmp_path, story, TABLE)
    head = read.cell(end, id, "A1").format
    assert head["textFormat"]["bold"] and head["backgroundColor"]["green"] > 0.8
    assert head["textFormat"]["foregroundColor"]["red"] > 0.8
    assert head["borders"]["top"]["style"] == "SOLID"
    assert read.cell(end, id, "C3").formatted == "$1.0"
    assert read.cell(end, id, "B3").format["horizontalAlignment"] == "CENTER"
    assert read.cell(end, id, "A2").format["wrapStrategy"] == "WRAP"
    assert read.cell(end, id, "A3").format["textFormat"]["strikethrough"]


def test_sorting_filtering_and_finding(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        page = shown.page
        await sheets.sort("A2:C5", "C", descending=True)
        assert [row[0] for row in await sheets.read_range("A2:A5")] == ["Dan", "Cleo", "Bea", "Abe"]
        seen = await sheets.read_sight()
        assert (seen["A1"], seen["C2"], seen["D2"]) == ("Name", "4", "")
        await sheets.go_to("A1")
        await sheets.menu("Data", "Create a filter")
        await sheets.screen.click(button("Filter B: City"))
        await sheets.screen.click(Spot("checkbox", "Rome"))
        await sheets.screen.click(button("OK"))
        await sheets.saved()
        assert await page.get_by_role("rowheader", name="Row 3", exact=True).count() == 0
        assert await page.get_by_role("rowheader", name="Row 5", exact=True).count() == 1
        assert "2 replaced" in await sheets.find_and_replace("rome", "Roma")
        await sheets.menu("Edit", "Find and replace")
        await sheets.screen.type("dan")
        await sheets.screen.press("Enter")
        await sheets.screen.wait(Spot("textbox", "Name box"))
        await page.get_by_text("1 of 1: A2").wait_for()
        await sheets.screen.press("Escape")

    end, id = play(tmp_path, story, TABLE)
    assert [row[:2] for row in read.values(end, id, "Data!A2:C5")] == [
        ["Dan", "Kyiv"],
        ["Cleo", "Roma"],
        ["Bea", "Roma"],
        ["Abe", "Oslo"],
    ]
    kept = sheet(end, id, "Data").filter
    assert kept is not None and kept["range"] == "A1:C5"
    assert kept["criteria"]["1"]["hiddenValues"] == ["Rome"]


def test_rules_names_and_notes(tmp_path: Path) -> None:
    async def story(shown: Shown, sheets: SheetsPilot) -> None:
        page = shown.page
        await sheets.offer("B2:B5", ["Rome", "Oslo"])
        await sheets.choose("B3", "Rome")
        await sheets.set_cell("B4", "Paris")
        await page.get_by_text("violates its validation rule").wait_for()
        shown.complaints[:] = [line for line in shown.complaints if "400" not in line]
        await sheets.go_to("D2:D3")
        await sheets.menu("Insert", "Checkbox")
        await sheets.screen.click(Spot("checkbox", "Check D2"))
        await sheets.saved()
        await sheets.name_range("C2:C5", "Scores")
        await sheets.set_cell("E1", "=SUM(Scores)")
        assert await sheets.read_cell("E1") == "10"
        await sheets.go_to("Scores")
        assert await sheets.screen.text(Spot("textbox", "Name box")) == "Scores"
        await sheets.menu("Format", "Conditional formatting")
        panel = Spot("complementary", "Conditional format rules")
        await sheets.screen.click(Spot("combobox", "Format cells if", within=panel))
        await sheets.screen.click(Spot("option", "Greater than", exact=True))
        await sheets.screen.click(Spot("textbox", "Value", within=panel))
        await sheets.screen.type("2")
        await sheets.screen.click(button("Add rule", panel))
        await sheets.saved()
        painted = page.get_by_role("gridcell", name="C2 3")
        await page.wait_for_function(
            "cell => getComputedStyle(cell).backgroundColor === 'rgb(212, 237, 218)'",
            arg=await painted.element_handle(),
        )
        await sheets.go_to("A2")
        await sheets.screen.press("Shift+F2")
        await sheets.screen.type("Ask her")
        await sheets.screen.click(button("Save"))
        await sheets.saved()

    end, id = play(tmp_path, story, TABLE)
    assert read.values(end, id, "Data!B3:B4") == [["Rome"], ["Rome"]]
    assert read.cell(end, id, "D2").value is True
    assert read.cell(end, id, "A2").note == "Ask her"
    record = end.get(Spreadsheet, id)
    assert record is not None and [one.range for one in record.named.values()] == ["C2:C5"]
    (rule,) = sheet(end, id, "Data").conditional
    assert rule["booleanRule"]["condition"]["type"] == "NUMBER_GREATER"
    assert {one.range for one in sheet(end, id, "Data").validations} == {"B2:B5", "D2:D3"}
