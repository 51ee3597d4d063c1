"""The batchUpdate kinds: what each does, what it answers, and what it refuses."""

from pathlib import Path
from typing import Any

import pytest

from tenure.twins.sheets import read
from tenure.twins.sheets.requests import KINDS

from .make import Book, grid


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def sheets(book: Book) -> list[str]:
    return [sheet["properties"]["title"] for sheet in book.ok("GET")["sheets"]]


def rows(dimension: str, low: int, high: int, sheet: int = 0) -> dict[str, Any]:
    return {"sheetId": sheet, "dimension": dimension, "startIndex": low, "endIndex": high}


def second(book: Book) -> int:
    return int(book.ok("GET")["sheets"][1]["properties"]["sheetId"])


def cells(book: Book, range: str) -> list[list[dict[str, Any]]]:
    data = book.ok("GET", ranges=range, includeGridData=True)["sheets"][0]["data"][0]
    return [row.get("values", []) for row in data.get("rowData", [])]


def test_the_kinds() -> None:
    assert len(KINDS) == 30


def bounds(**given: int) -> dict[str, Any]:
    """A ``GridRange`` on the first sheet, as responses give it."""
    found: dict[str, Any] = grid(**given)
    del found["sheetId"]
    return found


# -- the batch itself ----------------------------------------------------------------------------


def test_one_bad_request_undoes_all(book: Book) -> None:
    add = {"addSheet": {"properties": {"title": "New"}}}
    message = book.refused_batch(add, {"addSheet": {"properties": {"title": "Items"}}})
    taken = 'A sheet with the name "Items" already exists. Please enter another name.'
    assert message == f"Invalid requests[1].addSheet: {taken}"
    assert sheets(book) == ["Items", "Summary"] and book.changed() == []


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "Invalid requests[0]: No request set."),
        (
            {"repeatCell": {"range": {}, "cell": {}}},
            "Invalid requests[0].repeatCell: At least one field must be listed in 'fields'. "
            "(Use '*' to indicate all fields.)",
        ),
        ({"deleteSheet": {"sheetId": 99}}, "Invalid requests[0].deleteSheet: No grid with id: 99"),
    ],
)
def test_refusals_name_the_request(book: Book, request_: Any, message: str) -> None:
    assert book.refused_batch(request_) == message


def test_a_batch_needs_a_request(book: Book) -> None:
    assert book.refused("POST", ":batchUpdate", {})[2] == "Must specify at least one request."
    unknown = book.refused_batch({"addChart": {"chart": {}}})
    assert unknown.startswith("Invalid requests[0].addChart: This kind of request is not supported here.")


def test_the_response_may_hold_the_spreadsheet(book: Book) -> None:
    found = book.batch(
        {"addSheet": {"properties": {"title": "New", "sheetId": 5}}},
        {"updateCells": {"start": {"sheetId": 5}, "rows": [{"values": [_number(3)]}], "fields": "*"}},
        includeSpreadsheetInResponse=True,
        responseRanges=["New!A1"],
        responseIncludeGridData=True,
    )
    (sheet,) = found["updatedSpreadsheet"]["sheets"]
    assert sheet["properties"]["sheetId"] == 5
    assert sheet["data"][0]["rowData"][0]["values"][0]["effectiveValue"] == {"numberValue": 3}
    assert [list(reply) for reply in found["replies"]] == [["addSheet"], []]


def _number(value: float) -> dict[str, Any]:
    return {"userEnteredValue": {"numberValue": value}}


# -- sheets --------------------------------------------------------------------------------------


def test_sheets_are_added_moved_and_renamed(book: Book) -> None:
    reply = book.batch({"addSheet": {"properties": {"index": 1}}})["replies"][0]["addSheet"]["properties"]
    assert reply["title"] == "Sheet3" and reply["index"] == 1 and reply["sheetId"] > 0
    assert reply["gridProperties"] == {"rowCount": 1000, "columnCount": 26}
    given = {"sheetId": 0, "title": "Things & Co", "index": 3, "tabColor": {"red": 1}}
    given["gridProperties"] = {"frozenRowCount": 1, "rowCount": 10}
    fields = "title,index,tabColor,gridProperties(frozenRowCount,rowCount)"
    book.batch({"updateSheetProperties": {"properties": given, "fields": fields}})
    assert sheets(book) == ["Sheet3", "Summary", "Things & Co"]
    assert book.formulas("Summary!B1:B2") == [
        ["='Things & Co'!D5"],
        ["=COUNTA('Things & Co'!A2:A4)"],
    ]
    assert book.raw("Summary!B1:B2") == [[22.9], [3]]
    found = book.ok("GET")["sheets"][2]["properties"]
    assert found["gridProperties"] == {"rowCount": 10, "columnCount": 26, "frozenRowCount": 1}
    assert found["tabColorStyle"] == {"rgbColor": {"red": 1}}
    taken = {"sheetId": 0, "title": "summary"}
    assert "already exists" in book.refused_batch(
        {"updateSheetProperties": {"properties": taken, "fields": "title"}}
    )


def test_deleting_a_sheet_breaks_references(book: Book) -> None:
    book.batch({"deleteSheet": {"sheetId": 0}})
    assert sheets(book) == ["Summary"]
    assert book.formulas("Summary!B1:B2") == [["=#REF!"], ["=COUNTA(#REF!)"]]
    assert book.one("Summary!B1") == "#REF!"
    last = book.refused_batch({"deleteSheet": {"sheetId": second_of(book)}})
    assert last == "Invalid requests[0].deleteSheet: You can't remove all the sheets in a document."


def second_of(book: Book) -> int:
    return int(book.ok("GET")["sheets"][0]["properties"]["sheetId"])


def test_a_duplicate_computes_for_itself(book: Book) -> None:
    request = {"sourceSheetId": 0, "insertSheetIndex": 0, "newSheetId": 44, "newSheetName": "Copy"}
    reply = book.batch({"duplicateSheet": request})["replies"][0]["duplicateSheet"]["properties"]
    assert (reply["sheetId"], reply["title"], reply["index"]) == (44, "Copy", 0)
    book.put("Copy!B2", [[100]])
    assert book.one("Copy!D5") == 168.4 and book.one("Items!D5") == 22.9
    again = book.batch({"duplicateSheet": {"sourceSheetId": 0}})["replies"][0]["duplicateSheet"]
    assert again["properties"]["title"] == "Copy of Items" and again["properties"]["index"] == 2


def test_the_spreadsheet_is_renamed(book: Book) -> None:
    given = {"title": "Budget 2027", "locale": "de_DE", "timeZone": "America/New_York"}
    book.batch({"updateSpreadsheetProperties": {"properties": given, "fields": "title,locale,timeZone"}})
    found = book.ok("GET")["properties"]
    assert {name: found[name] for name in given} == given
    assert book.values("Items!C2:C3") == [["$1,50"], ["$4,25"]]
    assert read.files(book.end(), "Budget 2027") == [book.id]


def test_named_ranges(book: Book) -> None:
    named = {"name": "Prices", "range": grid(top=1, bottom=4, left=2, right=3)}
    reply = book.batch({"addNamedRange": {"namedRange": named}})["replies"][0]["addNamedRange"]["namedRange"]
    assert reply["range"] == {
        "startRowIndex": 1,
        "endRowIndex": 4,
        "startColumnIndex": 2,
        "endColumnIndex": 3,
    }
    assert book.ok("GET")["namedRanges"] == [reply]
    assert "already exists" in book.refused_batch({"addNamedRange": {"namedRange": named}})
    assert "Invalid name" in book.refused_batch({"addNamedRange": {"namedRange": {**named, "name": "A1"}}})
    book.put("Items!G1", [["=SUM(Prices)"]])
    assert book.one("Items!G1") == 6.74
    book.batch({"insertDimension": {"range": rows("ROWS", 0, 1)}})
    assert book.ok("GET", "/values/Prices")["range"] == "Items!C3:C5"
    book.batch({"deleteNamedRange": {"namedRangeId": reply["namedRangeId"]}})
    assert "namedRanges" not in book.ok("GET") and book.one("Items!G2") == "#NAME?"
    assert "Cannot find" in book.refused_batch({"deleteNamedRange": {"namedRangeId": "1"}})


# -- cells ---------------------------------------------------------------------------------------


def test_update_cells_writes_what_the_mask_lists(book: Book) -> None:
    bold = {"textFormat": {"bold": True}}
    values = [
        {**_number(5), "userEnteredFormat": bold, "note": "five"},
        {"userEnteredValue": {"formulaValue": "=B2*10"}},
        {"userEnteredValue": {"stringValue": "=text"}},
        {"userEnteredValue": {"boolValue": True}},
    ]
    request = {"start": {"rowIndex": 1, "columnIndex": 6}, "rows": [{"values": values}]}
    book.batch({"updateCells": {**request, "fields": "userEnteredValue,note"}})
    assert book.raw("Items!G2:J2") == [[5, 30, "=text", True]]
    (line,) = cells(book, "Items!G2:J2")
    assert line[0]["note"] == "five" and "userEnteredFormat" not in line[0]
    assert line[1]["userEnteredValue"] == {"formulaValue": "=B2*10"}
    book.batch({"updateCells": {**request, "fields": "userEnteredFormat.textFormat.bold"}})
    assert cells(book, "Items!G2")[0][0]["userEnteredFormat"] == bold
    cleared = {"range": grid(top=1, bottom=2, left=6, right=8), "fields": "userEnteredValue"}
    book.batch({"updateCells": cleared})
    assert book.raw("Items!G2:J2") == [["", "", "=text", True]]
    assert cells(book, "Items!G2")[0][0]["userEnteredFormat"] == bold
    odd = {"start": {}, "rows": [], "fields": "pivotTable"}
    assert "Unsupported field" in book.refused_batch({"updateCells": odd})


def test_repeat_cell_repeats_formulas_relatively_and_merges_formats(book: Book) -> None:
    where = grid(top=1, bottom=4, left=5, right=6)
    formula = {"userEnteredValue": {"formulaValue": "=B2*2"}}
    book.batch({"repeatCell": {"range": where, "cell": formula, "fields": "userEnteredValue"}})
    assert book.formulas("Items!F2:F4") == [["=B2*2"], ["=B3*2"], ["=B4*2"]]
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    red = {"userEnteredFormat": {"backgroundColor": {"red": 1}, "textFormat": {"bold": False}}}
    header = grid(bottom=1)
    book.batch(
        {"repeatCell": {"range": header, "cell": bold, "fields": "userEnteredFormat.textFormat.bold"}},
        {"repeatCell": {"range": header, "cell": red, "fields": "userEnteredFormat(backgroundColor)"}},
    )
    form = cells(book, "Items!B1")[0][0]["userEnteredFormat"]
    assert form == {
        "textFormat": {"bold": True},
        "backgroundColor": {"red": 1},
        "backgroundColorStyle": {"rgbColor": {"red": 1}},
    }
    assert cells(book, "Items!Z1")[0][0]["userEnteredFormat"] == form
    book.batch({"repeatCell": {"range": header, "cell": {}, "fields": "userEnteredFormat"}})
    assert "userEnteredFormat" not in cells(book, "Items!B1")[0][0]
    assert book.world.store.count(read.Row) == 7


def test_a_format_for_a_column_reaches_cells_with_their_own(book: Book) -> None:
    euro = {"userEnteredFormat": {"numberFormat": {"type": "CURRENCY", "pattern": '#,##0.00 "€"'}}}
    where = grid(top=1, left=2, right=3)
    book.batch({"repeatCell": {"range": where, "cell": euro, "fields": "userEnteredFormat.numberFormat"}})
    assert book.values("Items!C2:D3") == [["1.50 €", "4.50 €"], ["4.25 €", "8.50 €"]]
    assert book.changed() == [
        "sheets.row /0/2: formats.C",
        "sheets.row /0/3: formats.C",
        "sheets.row /0/4: formats.C",
        "sheets.sheet /0: formats",
    ]


def test_append_cells_goes_below_everything(book: Book) -> None:
    row = {"values": [{"userEnteredValue": {"stringValue": "Last"}}, _number(1)]}
    book.batch({"appendCells": {"sheetId": 0, "rows": [row], "fields": "userEnteredValue"}})
    assert book.raw("Items!A6:B6") == [["Last", 1]]


def test_borders(book: Book) -> None:
    solid = {"style": "SOLID"}
    where = grid(bottom=2, right=2)
    book.batch({"updateBorders": {"range": where, "top": solid, "innerVertical": solid}})
    (first, other), below = (line for line in cells(book, "Items!A1:B2"))
    line = {"style": "SOLID", "width": 1, "color": {}, "colorStyle": {"rgbColor": {}}}
    assert first["userEnteredFormat"]["borders"] == {"top": line, "right": line}
    assert other["userEnteredFormat"]["borders"] == {"top": line, "left": line}
    assert below[0]["userEnteredFormat"]["borders"] == {"right": line}
    book.batch({"updateBorders": {"range": where, "top": {"style": "NONE"}}})
    assert cells(book, "Items!A1")[0][0]["userEnteredFormat"]["borders"] == {"right": line}


def test_data_validation(book: Book) -> None:
    listed = [{"userEnteredValue": "open"}, {"userEnteredValue": "done"}]
    rule = {"condition": {"type": "ONE_OF_LIST", "values": listed}, "strict": True, "showCustomUi": True}
    where = grid(top=1, bottom=20, left=6, right=7)
    book.batch({"setDataValidation": {"range": where, "rule": rule}})
    found = cells(book, "Items!G1:G20")
    assert found[0] == [] and found[1][0]["dataValidation"] == rule and found[19][0]["dataValidation"] == rule
    assert book.changed() == ["sheets.sheet /0: validations"]
    book.batch({"setDataValidation": {"range": grid(top=1, bottom=2, left=6, right=7)}})
    found = cells(book, "Items!G1:G20")
    assert found[1] == [] and found[2][0]["dataValidation"] == rule
    book.batch({"setDataValidation": {"range": where}})
    assert cells(book, "Items!G1:G20") == [] and book.changed() == []


# -- rows and columns ----------------------------------------------------------------------------


def test_inserted_rows_push_cells_and_formulas(book: Book) -> None:
    book.batch({"insertDimension": {"range": rows("ROWS", 2, 4)}})
    assert book.formulas("Items!A2:D7") == [
        ["Pen", 3, 1.5, "=B2*C2"],
        [],
        [],
        ["Ink", 2, 4.25, "=B5*C5"],
        ["Pad", 10, 0.99, "=B6*C6"],
        ["Sum", "", "", "=SUM(D2:D6)"],
    ]
    assert book.raw("Summary!B1:B2") == [[22.9], [3]]
    assert book.ok("GET", "/values/Items")["range"] == "Items!A1:Z1002"


def test_a_row_keeps_its_record_when_rows_come_and_go(book: Book) -> None:
    book.batch({"insertDimension": {"range": rows("ROWS", 1, 2)}})
    book.put("Items!A2", [["New"]])
    assert "sheets.row /0/1002: created" in book.changed()
    assert read.row_of(book.end(), book.id, "Items", 4).id == f"{book.id}/0/3"  # type: ignore[union-attr]
    book.batch({"deleteDimension": {"range": rows("ROWS", 1, 2)}})
    assert book.changed() == []
    assert book.raw("Items!A2:A3") == [["Pen"], ["Ink"]]


def test_deleted_rows_take_references_with_them(book: Book) -> None:
    book.batch({"deleteDimension": {"range": rows("ROWS", 1, 3)}})
    assert book.formulas("Items!A2:D3") == [["Pad", 10, 0.99, "=B2*C2"], ["Sum", "", "", "=SUM(D2:D2)"]]
    assert [line for line in book.changed() if "deleted" in line] == [
        "sheets.row /0/2: deleted",
        "sheets.row /0/3: deleted",
    ]
    everything = book.refused_batch({"deleteDimension": {"range": rows("ROWS", 0, 998)}})
    assert everything.endswith("You can't delete all the rows on the sheet.")


def test_columns_come_and_go(book: Book) -> None:
    book.batch({"insertDimension": {"range": rows("COLUMNS", 1, 2)}})
    assert book.formulas("Items!A2:E2") == [["Pen", "", 3, 1.5, "=C2*D2"]]
    assert book.values("Items!D2:E2") == [["$1.50", "$4.50"]]
    book.batch({"deleteDimension": {"range": rows("COLUMNS", 2, 3)}})
    assert book.formulas("Items!A2:D2") == [["Pen", "", 1.5, "=#REF!*C2"]]
    assert book.one("Summary!B1") == "#REF!"


def test_moved_rows_and_columns(book: Book) -> None:
    book.batch({"moveDimension": {"source": rows("ROWS", 1, 2), "destinationIndex": 4}})
    assert book.formulas("Items!A2:D5") == [
        ["Ink", 2, 4.25, "=B2*C2"],
        ["Pad", 10, 0.99, "=B3*C3"],
        ["Pen", 3, 1.5, "=B4*C4"],
        ["Sum", "", "", "=SUM(D2:D4)"],
    ]
    assert "sheets.sheet /0: moves" in book.changed()
    book.batch({"moveDimension": {"source": rows("COLUMNS", 0, 1), "destinationIndex": 3}})
    assert book.formulas("Items!A2:D2") == [[2, 4.25, "Ink", "=A2*B2"]]
    inside = {"source": rows("ROWS", 1, 5), "destinationIndex": 3}
    assert "inside the source" in book.refused_batch({"moveDimension": inside})


def test_sizes_of_rows_and_columns(book: Book) -> None:
    column = {"properties": {"pixelSize": 250, "hiddenByUser": True}, "range": rows("COLUMNS", 1, 3)}
    row = {"properties": {"pixelSize": 40}, "range": rows("ROWS", 0, 2)}
    book.batch(
        {"updateDimensionProperties": {**column, "fields": "pixelSize,hiddenByUser"}},
        {"updateDimensionProperties": {**row, "fields": "pixelSize"}},
        {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 5}},
        {"insertDimension": {"range": rows("ROWS", 0, 1)}},
        {"insertDimension": {"range": rows("COLUMNS", 0, 1)}},
    )
    data = book.ok("GET", ranges="Items!A1:E4", includeGridData=True)["sheets"][0]["data"][0]
    assert [one["pixelSize"] for one in data["rowMetadata"]] == [21, 40, 40, 21]
    assert [one["pixelSize"] for one in data["columnMetadata"]] == [100, 100, 250, 250, 100]
    assert data["columnMetadata"][2]["hiddenByUser"] is True
    assert book.ok("GET")["sheets"][0]["properties"]["gridProperties"] == {
        "rowCount": 1006,
        "columnCount": 27,
    }
    book.batch({"autoResizeDimensions": {"dimensions": rows("COLUMNS", 1, 4)}})
    data = book.ok("GET", ranges="Items!A1:E1", includeGridData=True)["sheets"][0]["data"][0]
    assert data["columnMetadata"][1]["pixelSize"] == 4 * 7 + 11


def test_an_inserted_row_may_look_like_the_one_before(book: Book) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    book.batch(
        {"repeatCell": {"range": grid(bottom=1, right=3), "cell": bold, "fields": "userEnteredFormat"}},
        {"insertDimension": {"range": rows("ROWS", 1, 2), "inheritFromBefore": True}},
    )
    assert cells(book, "Items!B2")[0][0]["userEnteredFormat"] == bold["userEnteredFormat"]
    first = {"insertDimension": {"range": rows("ROWS", 0, 1), "inheritFromBefore": True}}
    assert "inheritFromBefore" in book.refused_batch(first)


# -- blocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "formulas", "shown"),
    [
        ("PASTE_NORMAL", [["=C2*D2"], ["=C3*D3"]], [["$0.00"], ["$0.00"]]),
        ("PASTE_VALUES", [[4.5], [8.5]], [["4.5"], ["8.5"]]),
        ("PASTE_FORMULA", [["=C2*D2"], ["=C3*D3"]], [["6.75"], ["36.125"]]),
    ],
)
def test_copies(book: Book, kind: str, formulas: Any, shown: Any) -> None:
    source = grid(top=1, bottom=3, left=3, right=4)
    target = grid(top=1, bottom=3, left=4, right=5)
    book.ok("POST", "/values/Items!E2:E3:clear", {})
    book.batch({"updateCells": {"range": target, "fields": "userEnteredFormat"}})
    book.batch({"copyPaste": {"source": source, "destination": target, "pasteType": kind}})
    assert book.formulas("Items!E2:E3") == formulas
    if kind == "PASTE_VALUES":
        assert book.values("Items!E2:E3") == shown


def test_copies_tile_turn_and_cross_sheets(book: Book) -> None:
    one = grid(top=1, bottom=2, left=0, right=2)
    book.batch({"copyPaste": {"source": one, "destination": grid(top=9, bottom=13, left=0, right=2)}})
    assert book.raw("Items!A10:B13") == [["Pen", 3]] * 4
    turned = {"source": one, "destination": grid(top=20, bottom=21), "pasteOrientation": "TRANSPOSE"}
    turned["destination"] = grid(second(book), 5, 6, 0, 1)
    book.batch({"copyPaste": turned})
    assert book.raw("Summary!A6:B7") == [["Pen"], [3]]
    formats = {
        "source": grid(top=1, bottom=2, left=2, right=3),
        "destination": grid(top=9, bottom=10, left=1, right=2),
    }
    book.batch({"copyPaste": {**formats, "pasteType": "PASTE_FORMAT"}})
    assert book.values("Items!A10:B10") == [["Pen", "$3.00"]]


def test_cuts_take_references_along(book: Book) -> None:
    cut = {"source": grid(top=1, bottom=4, left=1, right=2), "destination": {"rowIndex": 1, "columnIndex": 7}}
    book.batch({"cutPaste": cut})
    assert book.formulas("Items!A2:H2") == [["Pen", "", 1.5, "=H2*C2", 46295, "", "", 3]]
    away = {"source": grid(top=4, bottom=5), "destination": {"sheetId": second(book), "rowIndex": 9}}
    book.batch({"cutPaste": away})
    assert book.formulas("Summary!A10:D10") == [["Sum", "", "", "=SUM(Items!D2:D4)"]]
    assert book.formulas("Summary!B1") == [["=Summary!D10"]] and book.one("Summary!B1") == 22.9


def test_ranges_are_inserted_and_deleted(book: Book) -> None:
    where = grid(top=1, bottom=2, left=0, right=2)
    book.batch({"insertRange": {"range": where, "shiftDimension": "ROWS"}})
    assert book.formulas("Items!A2:D4") == [
        ["", "", 1.5, "=B3*C2"],
        ["Pen", 3, 4.25, "=B4*C3"],
        ["Ink", 2, 0.99, "=B5*C4"],
    ]
    book.batch({"deleteRange": {"range": where, "shiftDimension": "ROWS"}})
    assert book.formulas("Items!A2:D3") == [["Pen", 3, 1.5, "=B2*C2"], ["Ink", 2, 4.25, "=B3*C3"]]
    assert book.changed() == []
    book.batch(
        {"deleteRange": {"range": grid(top=1, bottom=2, left=1, right=2), "shiftDimension": "COLUMNS"}}
    )
    assert book.formulas("Items!A2:D2") == [["Pen", 1.5, "=#REF!*B2", 46295]]
    book.batch(
        {"insertRange": {"range": grid(top=2, bottom=3, left=1, right=2), "shiftDimension": "COLUMNS"}}
    )
    assert book.formulas("Items!A3:E3") == [["Ink", "", 2, 4.25, "=C3*D3"]]


def test_sorting_whole_rows_keeps_their_records(book: Book) -> None:
    spec = {"dimensionIndex": 1, "sortOrder": "DESCENDING"}
    book.batch({"sortRange": {"range": grid(top=1, bottom=4), "sortSpecs": [spec]}})
    assert book.formulas("Items!A2:D4") == [
        ["Pad", 10, 0.99, "=B2*C2"],
        ["Pen", 3, 1.5, "=B3*C3"],
        ["Ink", 2, 4.25, "=B4*C4"],
    ]
    assert book.raw("Items!D2:D5") == [[9.9], [4.5], [8.5], [22.9]]
    pad = read.row_of(book.end(), book.id, "Items", 2)
    assert pad is not None and pad.id == f"{book.id}/0/4"
    assert "sheets.sheet /0: moves" in book.changed()
    assert not [line for line in book.changed() if "values" in line]


def test_sorting_some_columns_moves_cells(book: Book) -> None:
    book.put("Items!G1", [["k"], [2], [None], ["b"], [True], ["A"], [1]])
    where = grid(top=1, bottom=7, left=6, right=7)
    book.batch({"sortRange": {"range": where, "sortSpecs": [{"dimensionIndex": 6}]}})
    assert book.raw("Items!G2:G7") == [[1], [2], ["A"], ["b"], [True]]
    falling = [{"dimensionIndex": 6, "sortOrder": "DESCENDING"}]
    book.batch({"sortRange": {"range": where, "sortSpecs": falling}})
    assert book.raw("Items!G2:G7") == [[True], ["b"], ["A"], [2], [1]]
    assert book.raw("Items!A2:A4") == [["Pen"], ["Ink"], ["Pad"]]
    outside = {"range": where, "sortSpecs": [{"dimensionIndex": 1}]}
    assert "outside the range" in book.refused_batch({"sortRange": outside})


def test_sorting_sees_what_the_batch_wrote_before(book: Book) -> None:
    write = {"start": {"rowIndex": 3, "columnIndex": 1}, "rows": [{"values": [_number(1)]}]}
    book.batch(
        {"updateCells": {**write, "fields": "userEnteredValue"}},
        {"sortRange": {"range": grid(top=1, bottom=4), "sortSpecs": [{"dimensionIndex": 3}]}},
    )
    assert book.raw("Items!A2:A4") == [["Pad"], ["Pen"], ["Ink"]]


@pytest.mark.parametrize(
    ("request_", "reply", "values"),
    [
        (
            {"find": "p", "replacement": "P-", "allSheets": True},
            {"valuesChanged": 3, "rowsChanged": 3, "sheetsChanged": 1, "occurrencesChanged": 3},
            [["P-en"], ["Ink"], ["P-ad"]],
        ),
        (
            {"find": "p", "replacement": "x", "sheetId": 0, "matchCase": True},
            {"occurrencesChanged": 0},
            [["Pen"], ["Ink"], ["Pad"]],
        ),
        (
            {"find": "pen", "replacement": "5", "range": {"endColumnIndex": 1}, "matchEntireCell": True},
            {"valuesChanged": 1, "rowsChanged": 1, "sheetsChanged": 1, "occurrencesChanged": 1},
            [[5], ["Ink"], ["Pad"]],
        ),
        (
            {
                "find": "^(.)(.)",
                "replacement": "$2$1",
                "range": {"startRowIndex": 1, "endRowIndex": 4, "endColumnIndex": 1},
                "searchByRegex": True,
            },
            {"valuesChanged": 3, "rowsChanged": 3, "sheetsChanged": 1, "occurrencesChanged": 3},
            [["ePn"], ["nIk"], ["aPd"]],
        ),
    ],
)
def test_find_and_replace(book: Book, request_: Any, reply: Any, values: Any) -> None:
    found = book.batch({"findReplace": request_})["replies"][0]["findReplace"]
    assert found == reply
    assert book.raw("Items!A2:A4") == values


def test_find_and_replace_in_formulas(book: Book) -> None:
    request = {"find": "D2:D4", "replacement": "D2:D3", "allSheets": True, "includeFormulas": True}
    found = book.batch({"findReplace": request})["replies"][0]["findReplace"]
    assert found["formulasChanged"] == 1 and book.one("Items!D5") == 13
    wrong = {"find": "(", "replacement": "", "allSheets": True, "searchByRegex": True}
    assert "Invalid regular expression" in book.refused_batch({"findReplace": wrong})
    lost = {"find": "a", "replacement": "$3", "allSheets": True, "searchByRegex": True}
    assert "Invalid" in book.refused_batch({"findReplace": lost})


def test_merged_cells_keep_the_first_value(book: Book) -> None:
    book.batch({"mergeCells": {"range": grid(bottom=2, right=2), "mergeType": "MERGE_ALL"}})
    assert book.raw("Items!A1:B2") == [["Item"]]
    merge = bounds(bottom=2, right=2)
    assert book.ok("GET")["sheets"][0]["merges"] == [merge]
    partly = book.refused_batch({"unmergeCells": {"range": grid(bottom=1)}})
    assert partly.endswith("You must select all cells in a merged range to merge or unmerge them.")
    book.batch({"unmergeCells": {"range": grid(bottom=5, right=5)}})
    assert "merges" not in book.ok("GET")["sheets"][0]
    book.batch({"mergeCells": {"range": grid(top=9, bottom=11, right=3), "mergeType": "MERGE_ROWS"}})
    assert len(book.ok("GET")["sheets"][0]["merges"]) == 2


# -- rules ---------------------------------------------------------------------------------------


def test_conditional_formats_follow_their_cells(book: Book) -> None:
    rule = {
        "ranges": [grid(top=1, bottom=4, left=1, right=2)],
        "booleanRule": {
            "condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "5"}]},
            "format": {"backgroundColor": {"red": 1}},
        },
    }
    book.batch({"addConditionalFormatRule": {"rule": rule, "index": 0}})
    book.batch({"insertDimension": {"range": rows("ROWS", 0, 2)}})
    (found,) = book.ok("GET")["sheets"][0]["conditionalFormats"]
    assert found["ranges"] == [
        {"startRowIndex": 3, "endRowIndex": 6, "startColumnIndex": 1, "endColumnIndex": 2}
    ]
    assert found["booleanRule"]["condition"]["type"] == "NUMBER_GREATER"
    assert "index 7" in book.refused_batch({"addConditionalFormatRule": {"rule": rule, "index": 7}})
    assert "booleanRule" in book.refused_batch(
        {"addConditionalFormatRule": {"rule": {"ranges": rule["ranges"]}}}
    )


def test_the_basic_filter(book: Book) -> None:
    given = {"range": grid(bottom=5, right=5), "sortSpecs": [{"dimensionIndex": 1, "sortOrder": "ASCENDING"}]}
    book.batch({"setBasicFilter": {"filter": given}})
    found = book.ok("GET")["sheets"][0]["basicFilter"]
    assert found["range"] == bounds(bottom=5, right=5) and found["sortSpecs"] == given["sortSpecs"]
    book.batch({"clearBasicFilter": {"sheetId": 0}})
    assert "basicFilter" not in book.ok("GET")["sheets"][0]


def test_tables(book: Book) -> None:
    typed = [{"columnIndex": 1, "columnName": "Qty", "columnType": "DOUBLE"}]
    given = {"name": "Stock", "range": grid(bottom=5, right=5), "columnProperties": typed}
    reply = book.batch({"addTable": {"table": given}})["replies"][0]["addTable"]["table"]
    assert [one["columnName"] for one in reply["columnProperties"]] == [
        "Item",
        "Qty",
        "Price",
        "Total",
        "Due",
    ]
    assert reply["columnProperties"][1]["columnType"] == "DOUBLE"
    assert book.ok("GET")["sheets"][0]["tables"] == [reply]
    assert book.ok("GET", "/values/Stock")["range"] == "Items!A1:E5"
    assert "already exists" in book.refused_batch({"addTable": {"table": {**given, "range": grid(top=9)}}})
    assert "overlap" in book.refused_batch({"addTable": {"table": {"range": grid(top=1, bottom=3)}}})


def test_new_rows_look_like_a_neighbour(book: Book) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    book.batch(
        {"repeatCell": {"range": grid(top=1, bottom=2), "cell": bold, "fields": "userEnteredFormat"}},
        {"insertDimension": {"range": rows("ROWS", 1, 2)}},
        {"insertDimension": {"range": rows("ROWS", 3, 4)}},
    )
    found = cells(book, "Items!G1:G5")
    assert [bool(line) for line in found] == [False, True, True]


# -- size ----------------------------------------------------------------------------------------


def test_what_is_too_large_is_refused(book: Book) -> None:
    huge = {"sheetId": 0, "dimension": "ROWS", "length": 2**31 - 1}
    assert "limit of 10000000 cells" in book.refused_batch({"appendDimension": huge})
    at_once = {"insertDimension": {"range": rows("ROWS", 0, 2**31 - 1)}}
    assert "limit of 10000000 cells" in book.refused_batch(at_once)
    wide = {
        "updateSheetProperties": {
            "properties": {"gridProperties": {"columnCount": 20000}},
            "fields": "gridProperties.columnCount",
        }
    }
    assert book.refused("POST", ":batchUpdate", {"requests": [wide]})[0] == 400
    book.batch({"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 300_000}})
    number = {"userEnteredValue": {"numberValue": 1}}
    fill = {"repeatCell": {"range": {}, "cell": number, "fields": "userEnteredValue"}}
    assert "more than 500000 cells" in book.refused_batch(fill)
    assert "more than 500000 cells" in book.refused("GET", "", includeGridData=True)[2]
    sort = {"sortRange": {"range": grid(top=1, bottom=4), "sortSpecs": [{"dimensionIndex": 1}]}}
    sort["sortRange"]["range"] = grid(top=1, bottom=250_000)
    book.batch(sort)
    assert book.values("Items!A:A")[0] == ["Item"]
