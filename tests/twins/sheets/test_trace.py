"""Where figures come from: formulas, ranges, names, tables, arrays; a typed number ends the trail."""

from pathlib import Path
from typing import Any

import pytest

from tenure.twins.sheets import read
from tenure.twins.sheets.a1 import cell_name, place_of, split_sheet
from tenure.twins.sheets.trace import sources

from .make import Book

ROWS: dict[str, list[list[Any]]] = {
    "Items": [
        ["Pen", 3, "=B1*Rates!$B$1"],
        ["Cup", 4, "=B2*Rates!$B$1"],
        ["Box", 5, 99],
        ["Total", None, "=SUM(C1:C3)"],
    ],
    "Rates": [["Rate", 1.5], ["Other", 7]],
}


def traced(book: Book, address: str) -> set[str]:
    whole = read.book(book.end(), book.id)
    title, name = split_sheet(address)
    grid = whole.titled(title)
    assert grid is not None
    return {
        f"{whole.numbered(one.sheet).title}!{cell_name(one.row, one.column)}"
        for one in sources(whole, grid.record.number, *place_of(name))
    }


def test_a_total_comes_from_all_that_it_depends_on_and_a_typed_number_ends_the_trail(tmp_path: Path) -> None:
    book = Book(tmp_path, ROWS)
    assert traced(book, "Items!C4") == {
        *("Items!C1", "Items!C2", "Items!C3"),
        *("Items!B1", "Items!B2", "Rates!B1"),
    }
    assert traced(book, "Items!C3") == set() == traced(book, "Rates!B1") == traced(book, "Items!Z99")


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("=SUM(Rates!B:B)", {"Rates!B1", "Rates!B2"}),
        ("=SUM('Rates'!B2:B)", {"Rates!B2"}),
        ("=rate*2", {"Rates!B1"}),
        ('=COUNTIF(A1:A2,"Rates!B1")', {"Items!A1", "Items!A2"}),
        ("=1+2", set()),
        ("=Nowhere!A1", set()),
        ("=ARRAYFORMULA(B1:B2*Rates!B2)", {"Items!B1", "Items!B2", "Rates!B2"}),
    ],
)
def test_what_a_formula_names(tmp_path: Path, formula: str, found: set[str]) -> None:
    book = Book(tmp_path, ROWS, named={"rate": "Rates!B1"})
    book.put("Items!E1", [[formula]])
    assert traced(book, "Items!E1") == found


def test_a_table_is_named_as_a_whole(tmp_path: Path) -> None:
    book = Book(tmp_path, {"Items": [["Name", "Qty"], ["Pen", 3], ["Cup", 4], ["Sum", 0]]})
    sheet = read.book(book.end(), book.id).grids[0].record.number
    where = {
        "sheetId": sheet,
        "startRowIndex": 0,
        "endRowIndex": 3,
        "startColumnIndex": 0,
        "endColumnIndex": 2,
    }
    book.ok(
        "POST", ":batchUpdate", {"requests": [{"addTable": {"table": {"name": "Stock", "range": where}}}]}
    )
    book.put("Items!D1", [["=SUM(Stock[Qty])"]])
    assert {"Items!B2", "Items!B3"} <= traced(book, "Items!D1") and "Items!B4" not in traced(book, "Items!D1")


def test_a_circle_comes_to_an_end(tmp_path: Path) -> None:
    book = Book(tmp_path, {"Items": [["=B1", "=A1+C1", 1]]})
    assert traced(book, "Items!A1") == {"Items!A1", "Items!B1", "Items!C1"}
