"""Reading spreadsheets in checks: cells and tables of an end state, by address."""

from typing import Any, NamedTuple

from tenure.twins.google.files import File
from tenure.twins.sheets.a1 import place_of, split_sheet
from tenure.twins.sheets.book import Book, Grid, Surround
from tenure.twins.sheets.display import shown
from tenure.twins.sheets.engine import ERRORS
from tenure.twins.sheets.formats import Format
from tenure.twins.sheets.records import MIME, Results, Row, Scalar, Sheet, Spreadsheet
from tenure.twins.sheets.values import matrix
from tenure.world import EndState


class CellView(NamedTuple):
    """A cell as a check sees it.

    Attributes:
        input: What was entered: a typed value, or a formula with its ``=``; ``None`` when empty.
        value: What it comes to: typed, or an error such as ``#REF!``.
        formatted: What it shows.
        format: The user's ``CellFormat``; its ``numberFormat`` also when it follows from a formula.
        note: Empty without one.
    """

    input: Scalar | None
    value: Scalar | None
    formatted: str
    format: Format
    note: str


def files(end: EndState, title: str) -> list[str]:
    """Ids of the spreadsheets with a title, trashed ones left out."""
    found = end.all(File, "mime", MIME)
    return [file.id for file in found if file.name == title and not file.trashed]


def book(end: EndState, id: str) -> Book:
    """A whole spreadsheet in memory.

    Raises:
        LookupError: There is none with this id.
    """
    record, file = end.get(Spreadsheet, id), end.get(File, id)
    if record is None or file is None:
        raise LookupError(f"no spreadsheet {id}")
    grids = [
        Grid(sheet, end.all(Row, "sheet", sheet.id), end.all(Results, "sheet", sheet.id))
        for sheet in end.all(Sheet, "spreadsheet", id)
    ]
    return Book(Surround(end.now, 0, lambda name: 0), record, file.name, grids)


def sheets(end: EndState, id: str) -> list[str]:
    """The titles of a spreadsheet's sheets, in order."""
    return [sheet.title for sheet in end.all(Sheet, "spreadsheet", id)]


def cell(end: EndState, id: str, address: str) -> CellView:
    """A cell, by ``Summary!B7``; without a sheet the first one's.

    Raises:
        LookupError: There is no such spreadsheet or sheet.
    """
    whole = book(end, id)
    title, name = split_sheet(address)
    grid = whole.titled(title) if title else whole.grids[0]
    if grid is None:
        raise LookupError(f"no sheet {title!r} in {id}")
    return view(whole, grid, *place_of(name))


def view(whole: Book, grid: Grid, row: int, column: int) -> CellView:
    """A cell of a book, by zero-based place."""
    held, effective = grid.cell(row, column), grid.effective(row, column)
    number = grid.number_format(row, column)
    value = ERRORS[effective.error] if effective.error else effective.value
    text = "" if value is None else str(value) if effective.error else shown(value, number, whole.locale)
    form = {**held.format, "numberFormat": number} if number else held.format
    return CellView(held.formula or held.value, value, text, form, held.note)


def values(end: EndState, id: str, address: str, *, formatted: bool = False) -> list[list[Any]]:
    """The values of a range such as ``Summary!A1:C9`` or a sheet's title; empty ends left out.

    Raises:
        LookupError: There is no such spreadsheet.
        Refusal: The range means nothing in it.
    """
    whole = book(end, id)
    grid, where = whole.resolve(address)
    return matrix(grid, where, whole.locale, "FORMATTED_VALUE" if formatted else "UNFORMATTED_VALUE")


def row_of(end: EndState, id: str, title: str, number: int) -> Row | None:
    """The record of a row, by the number that it has at the end (from 1)."""
    grid = book(end, id).titled(title)
    return None if grid is None else grid.rows.get(number - 1)
