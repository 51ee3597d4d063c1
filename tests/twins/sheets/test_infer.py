"""Number formats of formulas' cells, where nobody gave one."""

from pathlib import Path

import pytest

from .make import Book

ROWS = [
    ["Item", "Qty", "Price", "Due", "Share"],
    ["Pen", 3, "$1.50", "2026-01-15", "10%"],
    ["Ink", 2, "$4.25", "2026-02-01", "90%"],
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return Book(tmp_path_factory.mktemp("infer"), {"Items": ROWS})


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=C2", "$1.50"),
        ("=B2*C2", "$4.50"),
        ("=SUM(C2:C3)", "$5.75"),
        ("=SUM(C2:C3)/COUNT(C2:C3)", "$2.88"),
        ("=SUM(C2:C3)/SUM(C2:C3)", "1"),
        ("=C2/C3", "0.3529411765"),
        ("=C2>1", "TRUE"),
        ("=COUNT(C2:C3)", "2"),
        ('=C2&""', "1.5"),
        ("=D2+30", "2026-02-14"),
        ("=D3-D2", "17"),
        ("=TODAY()", "9/21/2026"),
        ("=DATE(2026,1,2)", "1/2/2026"),
        ("=EDATE(D2,1)", "2/15/2026"),
        ("=YEAR(D2)", "2026"),
        ("=ROUND(E3,1)", "90%"),
        ("=IF(B2>1,C3,0)", "$4.25"),
        ("=IFERROR(C2/0,C3)", "$4.25"),
        ('=VLOOKUP("Ink",A2:E3,3,FALSE)', "$4.25"),
        ('=VLOOKUP("Ink",A2:E3,4,FALSE)', "2026-02-01"),
        ('=XLOOKUP("Ink",A2:A3,C2:C3)', "$4.25"),
        ('=SUMIF(B2:B3,">2",C2:C3)', "$1.50"),
        ('=SUMIFS(C2:C3,B2:B3,">2")', "$1.50"),
        ("=MAX(D2:D3)", "2026-02-01"),
        ("=(C2+C3)*2", "$11.50"),
        ("=-C2", "-$1.50"),
        ("=C2*10%", "$0.15"),
        ("=PI()", "3.141592654"),
    ],
)
def test_a_formula_looks_like_what_it_is_made_of(book: Book, formula: str, shown: str) -> None:
    book.put("Items!H1", [[formula]])
    assert book.one("Items!H1", "FORMATTED_VALUE") == shown


def test_arrays_keep_the_look_of_their_columns(book: Book) -> None:
    book.put("Items!J1", [["=SORT(A2:E3,2,TRUE)"]])
    assert book.values("Items!J1:N2") == [
        ["Ink", "2", "$4.25", "2026-02-01", "90%"],
        ["Pen", "3", "$1.50", "2026-01-15", "10%"],
    ]


def test_a_given_format_wins(tmp_path: Path) -> None:
    book = Book(tmp_path)
    plain = {"userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": "0"}}}
    where = {"startColumnIndex": 3, "endColumnIndex": 4}
    book.batch({"repeatCell": {"range": where, "cell": plain, "fields": "userEnteredFormat.numberFormat"}})
    assert book.values("Items!D2:D3") == [["5"], ["9"]]
    assert book.values("Summary!B1") == [["23"]]


def test_formulas_that_refer_to_each_other_have_no_look(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.put("Items!G1", [["=H1", "=G1"]])
    assert book.values("Items!G1:H1") == [["#REF!", "#REF!"]]
