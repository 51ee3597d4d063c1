"""What the store keeps: identity, incidental results, causes, isolation, seeding, and reading in checks."""

import time
from datetime import date
from pathlib import Path

import pytest

from tenure.schema import Via
from tenure.twins.google.files import File, Permission, native_id
from tenure.twins.sheets import TWIN, read
from tenure.twins.sheets.records import Results, Row, Spreadsheet
from tenure.twins.sheets.times import now_serial, serial_of
from tenure.world import Gateway, World

from .make import NOW, Book, build


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_a_changed_cell_is_one_change_and_its_consequences_are_the_worlds(book: Book) -> None:
    book.put("Items!B2", [[4]])
    assert book.changed() == ["sheets.row /0/2: values.B"]
    entries = book.end().journal
    first = entries[0]
    assert (first.kind, first.via, first.fields) == ("sheets.row", Via.REST, {"values.B": (3, 4)})
    results = [entry for entry in entries if entry.kind == "sheets.results"]
    assert {(entry.via, entry.cause, entry.incidental) for entry in results} == {(Via.WORLD, first.seq, True)}
    assert all(entry.incidental for entry in entries[1:])
    assert read.cell(book.end(), book.id, "Summary!B1").value == 24.4


def test_an_appended_row_is_one_new_record(book: Book) -> None:
    book.append("Items!A1", [["Cup", 1, 2, "=B6*C6"]])
    assert book.changed() == ["sheets.row /0/6: created"]
    (row,) = book.end().created(Row)
    assert row.values == {"A": "Cup", "B": 1, "C": 2} and row.formulas == {"D": "=B6*C6"}


def test_writing_what_is_there_changes_nothing(book: Book) -> None:
    book.put("Items!A2:B2", [["Pen", 3]])
    assert book.changed() == []
    book.put("Items!A2", [["Pencil"]])
    book.put("Items!A2", [["Pen"]])
    assert book.changed() == []
    book.put("Items!K40", [["x"]])
    book.ok("POST", "/values/Items!K40:clear", {})
    assert book.changed() == []


def test_attempts_do_not_reach_each_other(tmp_path: Path) -> None:
    one = Book(tmp_path)
    other = World(one.base, [TWIN])
    gateway = Gateway(other)
    one.put("Items!B2", [[100]])
    assert one.one("Summary!B1") == 168.4
    one.world, one.gateway = other, gateway
    assert one.one("Summary!B1") == 22.9
    one.put("Items!B3", [[0]])
    assert one.one("Summary!B1") == 14.4


def test_a_failed_write_leaves_no_trace_in_results(book: Book) -> None:
    good = {
        "updateCells": {"start": {"rowIndex": 1, "columnIndex": 1}, "rows": [{"values": [{}]}], "fields": "*"}
    }
    sort = {"sortRange": {"range": {}, "sortSpecs": [{"dimensionIndex": 0}]}}
    book.refused_batch(good, sort, {"deleteSheet": {"sheetId": 77}})
    assert book.changed() == [] and not book.end().journal
    assert book.one("Items!D2") == 4.5


def test_equal_work_ends_in_equal_states(tmp_path: Path) -> None:
    prints = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        book = Book(tmp_path / name)
        book.batch({"addSheet": {"properties": {}}}, {"duplicateSheet": {"sourceSheetId": 0}})
        book.append("Items", [["=RAND()", "=NOW()"]], insertDataOption="INSERT_ROWS")
        created = book.send("POST", "/v4/spreadsheets", {"properties": {"title": "Other"}})[1]
        assert len(created["spreadsheetId"]) == 44
        prints.append(book.end().fingerprint)
    assert prints[0] == prints[1]


def test_world_time_decides_dates(book: Book) -> None:
    assert now_serial(NOW, "Etc/UTC") == pytest.approx(46286.592592, abs=1e-6)
    assert now_serial(NOW, "Europe/Berlin") == pytest.approx(46286.675925, abs=1e-6)
    assert serial_of(date(2026, 1, 1)) == 46023 and serial_of(date(1900, 1, 1)) == 2
    book.world.settle(86_400_000)
    book.put("Items!G1", [["=TODAY()", "1/2"]])
    assert book.raw("Items!G1:H1") == [[46287, 46024]]


def test_checks_read_cells(book: Book) -> None:
    end = book.end()
    assert read.files(end, "Budget") == [book.id] and read.files(end, "Other") == []
    assert read.sheets(end, book.id) == ["Items", "Summary"]
    view = read.cell(end, book.id, "Items!D2")
    assert (view.input, view.value, view.formatted) == ("=B2*C2", 4.5, "$4.50")
    assert view.format["numberFormat"]["type"] == "CURRENCY"
    assert read.cell(end, book.id, "E2")[:3] == (46295, 46295, "9/30/2026")
    assert read.cell(end, book.id, "Items!Z99") == (None, None, "", {}, "")
    assert read.values(end, book.id, "Items!A1:B2") == [["Item", "Qty"], ["Pen", 3]]
    assert read.values(end, book.id, "Summary", formatted=True) == [["Total", "$22.90"], ["Items", "3"]]
    for wrong in ("Nope!A1", "nothing"):
        with pytest.raises((LookupError, ValueError)):
            read.cell(end, book.id, wrong)
    with pytest.raises(LookupError):
        read.cell(end, "1none", "A1")


def test_an_error_reads_as_its_text(book: Book) -> None:
    book.put("Items!G1", [["=1/0"]])
    assert read.cell(book.end(), book.id, "Items!G1")[:3] == ("=1/0", "#DIV/0!", "#DIV/0!")


def test_seeds_are_files_with_permissions(tmp_path: Path) -> None:
    book = Book(tmp_path, shared=[("bo@acme.test", "writer"), ("anyone", "reader")], locale_name="en_GB")
    file = book.end().get(File, book.id)
    assert file is not None and file.name == "Budget" and file.owner == "ada" and not file.trashed
    roles = [(p.type, p.role, p.email) for p in book.end().all(Permission, "file", book.id)]
    assert sorted(roles) == [
        ("anyone", "reader", ""),
        ("user", "owner", "ada@acme.test"),
        ("user", "writer", "bo@acme.test"),
    ]
    record = book.end().get(Spreadsheet, book.id)
    assert record is not None and (record.locale, record.zone) == ("en_GB", "Europe/Berlin")
    assert book.id == native_id(7, 1) and len(book.id) == 44
    (results,) = book.end().all(Results, "sheet", f"{book.id}/0")
    assert results.values == {"D2": 4.5, "D3": 8.5, "D4": 9.9, "D5": 22.9}


def test_untyped_seeds_keep_texts(tmp_path: Path) -> None:
    _, id = build(tmp_path / "base.db", {"S": [["$5", "=1+1", 3]]}, typed=False)
    world = World(tmp_path / "base.db", [TWIN])
    rows = world.store.all(Row, "sheet", f"{id}/0")
    assert rows[0].values == {"A": "$5", "C": 3} and rows[0].formulas == {"B": "=1+1"}


def test_five_thousand_cells_are_written_to_quickly(tmp_path: Path) -> None:
    rows = [[n, n * 2, f"=A{n}*B{n}", f"=SUM(A$1:A{n})", "text"] for n in range(1, 1001)]
    book = Book(tmp_path, {"Big": [*rows, ["total", None, "=SUM(C1:C1000)"]]}, size=(1200, 10))
    book.put("Big!A1", [[5]])
    started = time.perf_counter()
    book.put("Big!A2", [[7]])
    took = time.perf_counter() - started
    assert book.one("Big!C1001") == 5 * 2 + 7 * 4 + sum(2 * n * n for n in range(3, 1001))
    assert took < 1, took


def test_a_translation_is_not_kept_where_the_sheets_differ(book: Book) -> None:
    book.put("Items!G1", [["=SUM(Other!A1:A)"]])
    assert book.one("Items!G1") == "#REF!"
    book.batch({"addSheet": {"properties": {"title": "Other"}}})
    book.put("Other!A1", [[5], [6]])
    assert book.one("Items!G1") == 11
    book.batch({"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 10}})
    book.put("Items!H1", [["=ROWS(A:A)"]])
    assert book.one("Items!H1") == 1010
