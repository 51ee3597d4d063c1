"""The values methods over REST: ranges, rendering, writing, appending, clearing."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from .make import BO, CY, Book


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_three_renderings(book: Book) -> None:
    assert book.values("Items!A2:E3") == [
        ["Pen", "3", "$1.50", "$4.50", "9/30/2026"],
        ["Ink", "2", "$4.25", "$8.50", "10/1/2026"],
    ]
    assert book.raw("Items!A2:E2") == [["Pen", 3, 1.5, 4.5, 46295]]
    assert book.formulas("Items!A2:E2") == [["Pen", 3, 1.5, "=B2*C2", 46295]]
    as_text = book.values("Items!B2:E2", "UNFORMATTED_VALUE", dateTimeRenderOption="FORMATTED_STRING")
    assert as_text == [[3, 1.5, 4.5, "9/30/2026"]]
    assert book.values("Items!E2", dateTimeRenderOption="SERIAL_NUMBER") == [["9/30/2026"]]


def test_empty_ends_are_dropped(book: Book) -> None:
    assert book.values("Items!A4:E5") == [["Pad", "10", "$0.99", "$9.90"], ["Sum", "", "", "$22.90"]]
    empty = book.ok("GET", "/values/Items!G1:H5")
    assert empty == {"range": "Items!G1:H5", "majorDimension": "ROWS"}
    book.put("Items!A7", [["late"]])
    assert book.values("Items!A4:A9") == [["Pad"], ["Sum"], [], ["late"]]
    assert book.values("Items!A9:A20") is None


def test_columns(book: Book) -> None:
    found = book.values("Items!A1:C5", majorDimension="COLUMNS")
    assert found[0] == ["Item", "Pen", "Ink", "Pad", "Sum"] and found[1] == ["Qty", "3", "2", "10"]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Items", "Items!A1:Z1000"),
        ("items", "Items!A1:Z1000"),
        ("Items!A:C", "Items!A1:C1000"),
        ("Items!2:3", "Items!A2:Z3"),
        ("Items!B2:D", "Items!B2:D1000"),
        ("Items!A1:ZZ5", "Items!A1:Z5"),
        ("A1", "Items!A1"),
        ("'Items'!A1", "Items!A1"),
        ("Items!R2C2:R3C3", "Items!B2:C3"),
        ("Items!B3:A1", "Items!A1:B3"),
        ("Quantities", "Items!B2:B4"),
    ],
)
def test_ranges_are_resolved(tmp_path: Path, asked: str, answered: str) -> None:
    book = Book(tmp_path, named={"Quantities": "Items!B2:B4"})
    assert book.ok("GET", f"/values/{quote(asked, safe='')}")["range"] == answered


@pytest.mark.parametrize("text", ["Nope!A1", "Nope", "Items!", "Items!A0", "'Items!A1", "Items!A1:B2:C3"])
def test_what_is_no_range(book: Book, text: str) -> None:
    status, kind, message = book.refused("GET", f"/values/{quote(text, safe='')}")
    assert (status, kind, message) == (400, "INVALID_ARGUMENT", f"Unable to parse range: {text}")


def test_ranges_outside_the_grid(book: Book) -> None:
    limits = "exceeds grid limits. Max rows: 1000, max columns: 26"
    assert book.refused("GET", "/values/AA1")[2] == f"Range (Items!AA1) {limits}"
    body = {"values": [[1], [2]]}
    refused = book.refused("PUT", "/values/Items!A1000", body, valueInputOption="RAW")
    assert refused[2] == f"Range (Items!A1000:A1001) {limits}"


@pytest.mark.parametrize(
    "path",
    ["/values/%27My%20Sheet%27%21A1%3AB2", "/values/'My%20Sheet'!A1:B2", "/values/%27My%20Sheet%27!A1:B2"],
)
def test_paths_as_clients_write_them(tmp_path: Path, path: str) -> None:
    book = Book(tmp_path, {"My Sheet": [[1, 2]]})
    assert book.ok("GET", path)["range"] == "'My Sheet'!A1:B2"
    appended = book.ok("POST", f"{path}:append", {"values": [[3]]}, valueInputOption="RAW")
    assert appended["updates"]["updatedRange"] == "'My Sheet'!A2"


def test_update_answers_what_it_did(book: Book) -> None:
    found = book.put("Items!A7:C8", [["Cup", 4, "$2"], ["Bag"]], includeValuesInResponse=True)
    assert found == {
        "spreadsheetId": book.id,
        "updatedRange": "Items!A7:C8",
        "updatedRows": 2,
        "updatedColumns": 3,
        "updatedCells": 4,
        "updatedData": {
            "range": "Items!A7:C8",
            "majorDimension": "ROWS",
            "values": [["Cup", "4", "$2"], ["Bag"]],
        },
    }


def test_nulls_skip_and_empty_texts_clear(book: Book) -> None:
    found = book.put("Items!A2:C2", [[None, "", 9]])
    assert found["updatedCells"] == 2 and found["updatedColumns"] == 2
    assert book.raw("Items!A2:D2") == [["Pen", "", 9, 0]]
    assert book.values("Items!C2") == [["$9.00"]]


def test_raw_and_typed_entries(book: Book) -> None:
    book.put("Items!G1", [["=1+1", "01/02/2026", "007", "10%"]], "RAW")
    assert book.raw("Items!G1:J1") == [["=1+1", "01/02/2026", "007", "10%"]]
    book.put("Items!G2", [["=1+1", "01/02/2026", "007", "10%"]])
    assert book.raw("Items!G2:J2") == [[2, 46024, 7, 0.1]]
    assert book.values("Items!G2:J2") == [["2", "1/2/2026", "7", "10%"]]


def test_cells_formatted_as_text_keep_texts(book: Book) -> None:
    text = {"userEnteredFormat": {"numberFormat": {"type": "TEXT"}}}
    book.batch(
        {"repeatCell": {"range": {"startColumnIndex": 6}, "cell": text, "fields": "userEnteredFormat"}}
    )
    book.put("Items!G1", [["007", "=1+1"]])
    assert book.raw("Items!G1:H1") == [["007", "=1+1"]]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, "'valueInputOption' is required but not specified"),
        (
            {"valueInputOption": "INPUT_VALUE_OPTION_UNSPECIFIED"},
            "'valueInputOption' is required but not specified",
        ),
    ],
)
def test_the_input_option_is_required(book: Book, query: Any, message: str) -> None:
    assert book.refused("PUT", "/values/A1", {"values": [[1]]}, **query)[2] == message
    assert book.refused("POST", "/values/A1:append", {"values": [[1]]}, **query)[2] == message
    assert book.refused("POST", "/values:batchUpdate", {"data": [], **query})[2] == message


def test_values_must_fit_into_the_range(book: Book) -> None:
    wide = book.refused("PUT", "/values/A1:B2", {"values": [[1, 2, 3]]}, valueInputOption="RAW")
    assert wide[2] == "Requested writing within range [Items!A1:B2], but tried writing to column [C]"
    tall = book.refused("PUT", "/values/A1:B2", {"values": [[1], [2], [3]]}, valueInputOption="RAW")
    assert tall[2] == "Requested writing within range [Items!A1:B2], but tried writing to row [3]"
    nested = book.refused("PUT", "/values/A1", {"values": [[{"a": 1}]]}, valueInputOption="RAW")
    assert nested[2] == "Invalid values[0][0]: struct_value"
    assert book.changed() == []


def test_batches_of_values_are_atomic(book: Book) -> None:
    good = {"range": "Items!G1", "values": [["a"]]}
    bad = {"range": "Nope!A1", "values": [["b"]]}
    body = {"valueInputOption": "RAW", "data": [good, bad]}
    assert book.refused("POST", "/values:batchUpdate", body)[0] == 400
    assert book.one("Items!G1") is None and book.changed() == []
    other = {"range": "Summary!D1", "values": [[1], [2]], "majorDimension": "COLUMNS"}
    found = book.ok("POST", "/values:batchUpdate", {**body, "data": [good, other]})
    totals = {name: value for name, value in found.items() if name.startswith("total")}
    assert totals == {
        "totalUpdatedRows": 2,
        "totalUpdatedColumns": 3,
        "totalUpdatedCells": 3,
        "totalUpdatedSheets": 2,
    }
    assert [one["updatedRange"] for one in found["responses"]] == ["Items!G1", "Summary!D1:E1"]
    got = book.ok("GET", "/values:batchGet", ranges=["Items!G1", "Summary!D1:E1", "Items!K1"])
    assert [one.get("values") for one in got["valueRanges"]] == [[["a"]], [["1", "2"]], None]


def test_clearing_keeps_formats(book: Book) -> None:
    found = book.ok("POST", "/values/Items!C2:D:clear", {})
    assert found == {"spreadsheetId": book.id, "clearedRange": "Items!C2:D1000"}
    assert book.raw("Items!A2:D5") == [["Pen", 3], ["Ink", 2], ["Pad", 10], ["Sum"]]
    book.put("Items!C2", [[7]])
    assert book.values("Items!C2") == [["$7.00"]]
    cleared = book.ok("POST", "/values:batchClear", {"ranges": ["Items!A1", "Summary"]})
    assert cleared["clearedRanges"] == ["Items!A1", "Summary!A1:Z1000"]
    assert book.raw("Summary") is None


# -- append --------------------------------------------------------------------------------------

TWO_TABLES = [
    ["x", "y", "z"],
    ["x", "y", "z"],
    [],
    [None, "x", "y", "z"],
    [None, "x", "y", "z"],
    [None, "x", "y", "z"],
]


@pytest.mark.parametrize(
    ("asked", "table", "written"),
    [
        ("Data", "Data!B4:D6", "Data!B7"),
        ("Data!B4", "Data!B4:D6", "Data!B7"),
        ("Data!C5:D5", "Data!B4:D6", "Data!B7"),
        ("Data!B2:D4", "Data!B4:D6", "Data!B7"),
        ("Data!A3:G10", "Data!B4:D6", "Data!B7"),
        ("Data!A1", "Data!A1:C2", "Data!A3"),
        ("Data!E4", None, "Data!E4"),
        ("Data!A4", None, "Data!A4"),
        ("Data!F9:G9", None, "Data!F9"),
        ("Data!C3", "Data!B4:D6", "Data!B7"),
    ],
)
def test_append_finds_its_table(tmp_path: Path, asked: str, table: str | None, written: str) -> None:
    found = Book(tmp_path, {"Data": TWO_TABLES}).append(asked, [["new"]])
    assert found.get("tableRange") == table
    assert found["updates"]["updatedRange"] == written


def test_append_overwrites_or_inserts(tmp_path: Path) -> None:
    sheet = {"Data": [["head"], ["a"], [None, None, "below"], ["next"]]}
    (tmp_path / "one").mkdir()
    over = Book(tmp_path / "one", sheet)
    over.append("Data!A1", [["x"], ["y"]])
    assert over.raw("Data!A1:C4") == [["head"], ["a"], ["x", "", "below"], ["y"]]
    (tmp_path / "two").mkdir()
    inserting = Book(tmp_path / "two", sheet)
    inserting.append("Data!A1", [["x"], ["y"]], insertDataOption="INSERT_ROWS")
    assert inserting.raw("Data!A1:C6") == [["head"], ["a"], ["x"], ["y"], ["", "", "below"], ["next"]]


def test_append_grows_the_grid(tmp_path: Path) -> None:
    book = Book(tmp_path, {"Data": [["a"], ["b"]]}, size=(2, 1))
    book.append("Data!A1", [["c", "d"], ["e"]])
    assert book.ok("GET", "/values/Data")["range"] == "Data!A1:B4"
    assert book.raw("Data") == [["a"], ["b"], ["c", "d"], ["e"]]


def test_append_to_an_empty_sheet_starts_at_the_range(tmp_path: Path) -> None:
    found = Book(tmp_path, {"Data": []}).append("Data!B2:C", [[1]])
    assert "tableRange" not in found and found["updates"]["updatedRange"] == "Data!B2"


# -- access --------------------------------------------------------------------------------------


def test_readers_read_and_strangers_do_not(book: Book) -> None:
    path = f"/v4/spreadsheets/{book.id}/values/Items!A1"
    assert book.send("GET", path, account=BO)[0] == 200
    status, body = book.send("PUT", path, {"values": [[1]]}, account=BO, valueInputOption="RAW")
    assert (status, body["error"]["status"]) == (403, "PERMISSION_DENIED")
    assert body["error"]["message"] == "The caller does not have permission"
    assert book.send("GET", path, account=CY)[0] == 403
    status, body = book.send("GET", "/v4/spreadsheets/1unknown/values/A1")
    assert (status, body["error"]["message"]) == (404, "Requested entity was not found.")
    assert book.changed() == []


def test_links_and_domains_open_files(tmp_path: Path) -> None:
    for shared, status in (("anyone", 200), ("@acme.test", 200), ("@else.test", 403)):
        (tmp_path / shared.strip("@")).mkdir()
        book = Book(tmp_path / shared.strip("@"), shared=[(shared, "writer")])
        body = {"values": [[1]]}
        path = f"/v4/spreadsheets/{book.id}/values/Items!A9"
        assert book.send("PUT", path, body, account=CY, valueInputOption="RAW")[0] == status


def test_a_folder_shares_what_lies_in_it(tmp_path: Path) -> None:
    from tenure.schema import Via
    from tenure.twins.google.files import File, grant

    book = Book(tmp_path, parents=["folder"])
    path = f"/v4/spreadsheets/{book.id}/values/Items!A1"
    assert book.send("GET", path, account=CY)[0] == 403
    with book.world.act(Via.WORLD) as act:
        mime = "application/vnd.google-apps.folder"
        act.put(
            File(id="folder", name="F", mime=mime, owner="ada", parents=["folder"], created=0, modified=0)
        )
        act.put(grant("folder", "cy@acme.test", "commenter"))
    assert book.send("GET", path, account=CY)[0] == 200


def test_what_is_returned_is_logged(book: Book) -> None:
    book.values("Items!A2:B3")
    kinds = [(kind, id.replace(book.id, "")) for kind, id in book.gateway.log[-1].records]
    assert kinds == [("sheets.row", "/0/2"), ("sheets.row", "/0/3")]
    book.values("Items!D2:D3")
    kinds = [(kind, id.replace(book.id, "")) for kind, id in book.gateway.log[-1].records]
    assert kinds == [("sheets.row", "/0/2"), ("sheets.row", "/0/3"), ("sheets.results", "/0/=0")]
    book.ok("GET")
    kinds = [kind for kind, _ in book.gateway.log[-1].records]
    assert kinds == ["sheets.spreadsheet", "sheets.sheet", "sheets.sheet"]
