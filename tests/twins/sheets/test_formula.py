"""References: parsing, and what becomes of them when cells move."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.twins.sheets.a1 import Area, Span, area, column_of, letters, quoted, span, split_sheet
from tenure.twins.sheets.formula import (
    carried,
    deleted,
    inserted,
    moved,
    offset,
    on_sheet,
    references,
    renamed,
    rewritten,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A1", Span(0, 0, 1, 1)),
        ("b2:C9", Span(1, 1, 9, 3)),
        ("C9:B2", Span(1, 1, 9, 3)),
        ("A:C", Span(0, 0, None, 3)),
        ("2:5", Span(1, 0, 5, None)),
        ("A2:C", Span(1, 0, None, 3)),
        ("A2:5", Span(1, 0, 5, None)),
        ("$A$1:$B2", Span(0, 0, 2, 2)),
        ("R2C3", Span(1, 2, 2, 3)),
        ("R1C1:R2C2", Span(0, 0, 2, 2)),
        ("A", None),
        ("5", None),
        ("A0", None),
        ("Foo bar", None),
        ("A1:", None),
        ("", None),
    ],
)
def test_spans(text: str, expected: Span | None) -> None:
    assert span(text) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sheet1!A1", ("Sheet1", "A1")),
        ("'My ''own'' !x'!A1:B2", ("My 'own' !x", "A1:B2")),
        ("'My Sheet'", ("My Sheet", "")),
        ("A1", ("", "A1")),
        ("Q1!report!A1", ("Q1!report", "A1")),
    ],
)
def test_sheet_titles_in_references(text: str, parts: tuple[str, str]) -> None:
    assert split_sheet(text) == parts


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Sheet1", "'Sheet1'"),
        ("Items", "Items"),
        ("My Sheet", "'My Sheet'"),
        ("it's", "'it''s'"),
        ("2026", "'2026'"),
    ],
)
def test_titles_are_quoted_where_they_must_be(title: str, written: str) -> None:
    assert quoted(title) == written.replace("'Sheet1'", "Sheet1")


@given(st.integers(0, 18_277))
def test_letters_and_columns_are_inverse(column: int) -> None:
    assert column_of(letters(column)) == column


@given(st.integers(0, 900), st.integers(0, 50), st.integers(1, 90), st.integers(1, 50))
def test_areas_are_read_as_they_are_written(top: int, left: int, height: int, width: int) -> None:
    where = Area(top, left, top + height, left + width)
    assert area(str(where)) == where


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("=A1+$B$2*SUM(C3:D)", ["A1", "$B$2", "C3:D"]),
        ("='My Sheet'!A1:B2&Data!C:C", ["'My Sheet'!A1:B2", "Data!C:C"]),
        ('="A1 is not "&A1', ["A1"]),
        ("=LOG10(A1)+XA(1)", ["A1"]),
        ("=B2:B-1:1", ["B2:B", "1:1"]),
        ("=Übersicht!A1+Größe", ["'Übersicht'!A1"]),
    ],
)
def test_references_of_a_formula(formula: str, expected: list[str]) -> None:
    assert [str(one) for one in references(formula)] == expected


@given(st.text(alphabet="AB12$:!()+-*\"',;{}[]. =<>&é%^#_x\n", max_size=40))
def test_tokens_lose_nothing(text: str) -> None:
    assert "".join(token.text for token in tokens("=" + text)) == text


@pytest.mark.parametrize(
    ("formula", "shifted"),
    [
        ("=A1", "=A1"),
        ("=A3", "=A5"),
        ("=$A$3", "=$A$5"),
        ("=SUM(A1:A3)", "=SUM(A1:A5)"),
        ("=SUM(A1:A2)", "=SUM(A1:A2)"),
        ("=SUM(A3:A)", "=SUM(A5:A)"),
        ("=SUM(A:A)", "=SUM(A:A)"),
        ("=SUM(2:4)", "=SUM(2:6)"),
        ("=Other!A3", "=Other!A3"),
        ('="A3"', '="A3"'),
    ],
)
def test_two_rows_inserted_before_the_third(formula: str, shifted: str) -> None:
    assert rewritten(formula, on_sheet("Sheet1", True, inserted(False, 2, 2).move)) == shifted


@pytest.mark.parametrize(
    ("formula", "shifted"),
    [
        ("=A2", "=A2"),
        ("=A3", "=#REF!"),
        ("=A5", "=A3"),
        ("=SUM(A1:A9)", "=SUM(A1:A7)"),
        ("=SUM(A3:A9)", "=SUM(A3:A7)"),
        ("=SUM(A1:A4)", "=SUM(A1:A2)"),
        ("=SUM(A3:A4)", "=SUM(#REF!)"),
        ("=SUM(A4:A)", "=SUM(A3:A)"),
        ("=SUM(3:4)", "=SUM(#REF!)"),
    ],
)
def test_the_third_and_fourth_row_deleted(formula: str, shifted: str) -> None:
    assert rewritten(formula, deleted(False, 2, 4).move) == shifted


@pytest.mark.parametrize(
    ("formula", "shifted"),
    [("=B1", "=D1"), ("=C1+D1", "=B1+C1"), ("=A1", "=A1"), ("=E1", "=E1"), ("=SUM(B:B)", "=SUM(D:D)")],
)
def test_the_second_column_moved_behind_the_fourth(formula: str, shifted: str) -> None:
    assert rewritten(formula, moved(True, 1, 2, 4).move) == shifted


def test_copies_move_what_is_not_fixed_and_lose_what_leaves_the_grid() -> None:
    assert rewritten("=A1+$A1+A$1+$A$1", offset(2, 1, 10, 10)) == "=B3+$A3+B$1+$A$1"
    assert rewritten("=A1+B2:C", offset(-1, 0, 10, 10)) == "=#REF!+B1:C"


def test_a_sheet_is_renamed_in_references() -> None:
    move = renamed("data", "New Data")
    assert rewritten("=Data!A1+'Other'!A1+A1", move) == "='New Data'!A1+'Other'!A1+A1"


def test_references_into_cut_cells_follow_them() -> None:
    move = carried(Area(0, 0, 2, 2), 5, 1, None)
    assert rewritten("=A1+SUM(A1:B2)+SUM(A1:C2)+C3", move) == "=B6+SUM(B6:C7)+SUM(A1:C2)+C3"


@settings(max_examples=200)
@given(st.integers(0, 9), st.integers(1, 4), st.integers(0, 12), st.integers(0, 12))
def test_inserting_and_deleting_again_changes_nothing(at: int, count: int, one: int, other: int) -> None:
    low, high = sorted((one, other))
    formula = f"=SUM(A{low + 1}:A{high + 1})+A{one + 1}"
    there = rewritten(formula, inserted(False, at, count).move)
    assert rewritten(there, deleted(False, at, at + count).move) == formula


@given(st.integers(0, 9), st.integers(1, 4), st.integers(0, 14))
def test_a_move_is_a_permutation(low: int, count: int, to: int) -> None:
    high = low + count
    if low < to < high:
        return
    shift = moved(False, low, high, to)
    assert sorted(shift.start(n) for n in range(20)) == list(range(20))
