"""Formulas: what Sheets' functions come to, and what the dialect layer adds to the engine."""

from pathlib import Path
from typing import Any

import pytest

from tenure.twins.sheets.dialect import SUPPORTED
from tenure.twins.sheets.engine import Input, compute

from .make import Book

DATA = [
    ["name", "n", "tag", "day"],
    ["ann", 3, "x", "2026-01-15"],
    ["bo", 1, "y", "2026-02-01"],
    ["cy", 2, "x", "2026-03-01"],
    ["di", 2, "z", "2025-12-31"],
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("book"), {"Items": DATA, "My Sheet": [[7, "=A1*2"]]})


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=SUM(B2:B)", 8),
        ("=SUM(B:B)", 8),
        ("=AVERAGE(B2:B5)", 2),
        ("=COUNT(A1:D5)", 8),
        ("=COUNTA(A2:A)", 4),
        ('=COUNTIF(C2:C,"x")', 2),
        ('=COUNTIF(B2:B,">1")', 3),
        ('=IF(B2>2,"big","small")', "big"),
        ('=IFERROR(1/0,"none")', "none"),
        ("=IFERROR(1/0)", ""),
        ('=VLOOKUP("cy",A2:C,2,FALSE)', 2),
        ('=XLOOKUP("bo",A2:A,C2:C)', "y"),
        ('=XLOOKUP("no",A2:A,C2:C,"-")', "-"),
        ("=INDEX(A2:A,MATCH(1,B2:B,0))", "bo"),
        ('=SUMIF(C2:C,"x",B2:B)', 5),
        ('=SUMIFS(B2:B,C2:C,"x",B2:B,"<3")', 2),
        ('=CONCAT("a","b")', "ab"),
        ('=A2&"-"&B2', "ann-3"),
        ('=TEXT(1234.5,"#,##0.00")', "1,234.50"),
        ('=TEXT(D2,"yyyy-mm-dd")', "2026-01-15"),
        ("=DATE(2026,1,1)", 46023),
        ("=TODAY()", 46286),
        ("=INT(NOW())", 46286),
        ("=HOUR(NOW())", 16),
        ("=ROUND(2.345,2)", 2.35),
        ("=MIN(B2:B)+MAX(B2:B)", 4),
        ('=LEFT("abc",2)&RIGHT("abc",1)&MID("abc",2,1)&LEN("abc")', "abcb3"),
        ('=TRIM("  a   b ")', "a b"),
        ("=COUNTUNIQUE(B2:B)", 3),
        ('=JOIN("+",A2:A4)', "ann+bo+cy"),
        ('=TEXTJOIN(",",TRUE,FILTER(A2:A,C2:C="x"))', "ann,cy"),
        ('=REGEXMATCH("abc","b.")', True),
        ('=REGEXEXTRACT("order 66","[0-9]+")', "66"),
        ("=CEILING(1.2)", 2),
        ("=FLOOR(1.8)", 1),
        ("='My Sheet'!B1", 14),
        ("=SUM('My Sheet'!A1:B1)", 21),
        ("=DIVIDE(6,3)", 2),
        ('=TO_TEXT(5)&"!"', "5!"),
        ('=ISEMAIL("a@b.co")', True),
        ('=COUNTA(FILTER(A2:A,B2:B>1,C2:C="x"))', 2),
        ('=SUMPRODUCT((C2:C5="x")*B2:B5)', 5),
        ('=SUM(FILTER(B2:B,C2:C="x"))', 5),
        ("=EOMONTH(D2,0)", 46053),
        ('=DATEDIF(D2,D4,"D")', 45),
        ("=LET(a,B2,a*a)", 9),
        ("=N(TRUE)", 1),
    ],
)
def test_functions(book: Book, formula: str, value: Any) -> None:
    assert book.calculated(formula) == value


@pytest.mark.parametrize(
    ("formula", "rows"),
    [
        ("=UNIQUE(C2:C5)", [["x"], ["y"], ["z"]]),
        ('=FILTER(A2:B,C2:C="x")', [["ann", 3], ["cy", 2]]),
        ("=SORT(A2:B5,2,FALSE)", [["ann", 3], ["cy", 2], ["di", 2], ["bo", 1]]),
        ("=SORT(A2:B5,2,TRUE,1,FALSE)", [["bo", 1], ["di", 2], ["cy", 2], ["ann", 3]]),
        ("=SORTN(B2:B5,2)", [[1], [2]]),
        ("=ARRAYFORMULA(B2:B4*2)", [[6], [2], [4]]),
        ('=ARRAYFORMULA(IF(B2:B4>1,A2:A4,""))', [["ann"], [""], ["cy"]]),
        ("=ARRAYFORMULA(VLOOKUP(A3:A4,A2:C5,3,FALSE))", [["y"], ["x"]]),
        ('=SPLIT("a,b;3",",;")', [["a", "b", 3]]),
        ("={1,2;3,4}", [[1, 2], [3, 4]]),
        ("={A2:A3;B2}", [["ann"], ["bo"], [3]]),
        ("=FLATTEN(A2:B3)", [["ann"], [3], ["bo"], [1]]),
        ("=TRANSPOSE(B2:B4)", [[3, 1, 2]]),
        ("=SEQUENCE(2,2)", [[1, 2], [3, 4]]),
        ("=MAP(B2:B3,LAMBDA(v,v+1))", [[4], [2]]),
    ],
)
def test_arrays_spill(book: Book, formula: str, rows: Any) -> None:
    assert book.calculated(formula) == rows


@pytest.mark.parametrize(
    ("formula", "error"),
    [
        ("=1/0", "#DIV/0!"),
        ("=NOPE(1)", "#NAME?"),
        ("=nothing", "#NAME?"),
        ('=TEXTBEFORE("a-b","-")', "#NAME?"),
        ('=IMPORTRANGE("a","b")', "#NAME?"),
        ("=Missing!A1", "#REF!"),
        ("=ZZ1", "#REF!"),
        ("=A2000", "#REF!"),
        ("=H1", "#REF!"),
        ("=SUM(H:H)", "#REF!"),
        ('=VLOOKUP("no",A2:C,2,FALSE)', "#N/A"),
        ('=FILTER(A2:A,C2:C="none")', "#N/A"),
        ("=SQRT(-1)", "#NUM!"),
        ("=A2+1", "#VALUE!"),
        ("=A1+", "#ERROR!"),
        ("=SUM(1,(2)", "#ERROR!"),
        ("=ROUND(", "#ERROR!"),
    ],
)
def test_errors(book: Book, formula: str, error: str) -> None:
    assert book.calculated(formula) == error


def test_an_array_that_meets_a_filled_cell_is_a_reference_error(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!G1", [["=UNIQUE(A2:A4)"], [None], ["in the way"]])
    assert book.one("Items!G1") == "#REF!"
    book.ok("POST", "/values/Items!G3:clear", {})
    assert book.raw("Items!G1:G3") == [["Pen"], ["Ink"], ["Pad"]]


def test_cycles_are_reference_errors_on_every_cell_of_them(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!G1", [["=G2+1", "=1+1"], ["=G1+1"]])
    assert book.raw("Items!G1:H2") == [["#REF!", 2], ["#REF!"]]
    book.put("Items!G2", [[5]])
    assert book.one("Items!G1") == 6


def test_a_reference_to_an_empty_cell_shows_nothing(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!G1", [["=K9", "=K9+1"]])
    assert book.raw("Items!G1:H1") == [["", 1]]


def test_chance_follows_the_seed_and_changes_with_edits(tmp_path: Path) -> None:
    drawn = []
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        book = Book(tmp_path / run)
        book.put("Items!G1", [["=RAND()", "=RANDBETWEEN(1,6)", "=RAND()"]])
        first = book.raw("Items!G1:I1")[0]
        assert 0 <= first[0] < 1 and first[1] in range(1, 7) and first[0] != first[2]
        assert book.raw("Items!G1:I1")[0] == first
        book.put("Items!A9", [["edit"]])
        drawn.append((first, book.raw("Items!G1:I1")[0]))
    assert drawn[0] == drawn[1]
    assert drawn[0][0] != drawn[0][1]


def test_named_ranges_and_tables_are_references(tmp_path: Path) -> None:
    book = Book(tmp_path, named={"Quantities": "Items!B2:B4"})
    table = {"name": "Stock", "range": {"endRowIndex": 4, "endColumnIndex": 5}}
    book.batch({"addTable": {"table": table}})
    book.put("Summary!D1", [["=SUM(Quantities)", "=SUM(Stock[Qty])", "=SUM(Stock[Nothing])"]])
    assert book.raw("Summary!D1:F1") == [[15, 15, "#REF!"]]


def test_a_german_spreadsheet_writes_formulas_the_german_way(tmp_path: Path) -> None:
    book = Book(tmp_path, {"Daten": [[1, 2.5]]}, locale_name="de_DE")
    book.put("Daten!D1", [["=WENN(A1>0;1;2)", "=SUM(A1;B1;0,5)", "={1\\2;3\\4}"]])
    assert book.raw("Daten!D1:F1") == [["#NAME?", 4, 1]]
    assert book.formulas("Daten!E1") == [["=SUM(A1;B1;0,5)"]]
    assert book.values("Daten!E1:E1") == [["4"]]


def test_every_supported_function_is_known_to_the_engine(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!J1", [[f"={name}(A1,B2,C2,D2)"] for name in SUPPORTED])
    cells = book.ok("GET", ranges="Items!J1:J600", includeGridData=True)["sheets"][0]["data"][0]["rowData"]
    unknown = [
        name
        for name, row in zip(SUPPORTED, cells, strict=False)
        if row["values"][0]["effectiveValue"].get("errorValue", {}).get("type") == "NAME"
    ]
    assert unknown == []


def test_the_engine_starts_anew_each_time() -> None:
    sheet = Input("Sheet1", {(0, 0): 2}, {(0, 1): "=A1*2"})
    assert compute([sheet])[0].values == {(0, 1): 4}
    assert compute([Input("Sheet1", {}, {(0, 1): "=A1*2"})])[0].values == {(0, 1): 0}


@pytest.mark.parametrize("formula", ["=FACT(1E300)", "=COMBIN(99999999999,2)", "=PERMUT(1E300,1E300)"])
def test_endless_work_is_out_of_a_functions_domain(book: Book, formula: str) -> None:
    assert book.calculated(formula) == "#NUM!"


def test_a_formula_that_the_engine_fails_on_fails_alone(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!G1", [["=EDATE(2,1E7)", "=1+1"], ["=G1+1", "=EDATE(3,1E7)"]])
    assert book.raw("Items!G1:H2")[0] == ["#NUM!", 2] and book.one("Items!H2") == "#NUM!"
    assert book.one("Items!D5") == 22.9
