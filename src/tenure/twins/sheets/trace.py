"""Where a figure comes from: the cells that a formula depends on, directly or through others."""

from typing import NamedTuple

from tenure.twins.sheets.a1 import Area, area, column_of
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.formula import Token, reference, tokens


class Place(NamedTuple):
    """A cell of a book: ``sheetId``, row and column from 0."""

    sheet: int
    row: int
    column: int


def sources(book: Book, sheet: int, row: int, column: int) -> set[Place]:
    """The filled cells that a formula depends on; none for a cell without a formula.

    References that a formula makes from text (``INDIRECT``) or from numbers (``OFFSET``) are not followed.

    Args:
        book: The spreadsheet.
        sheet: ``sheetId`` of the cell.
        row: From 0.
        column: From 0.
    """
    found: set[Place] = set()
    pending = [Place(sheet, row, column)]
    while pending:
        place = pending.pop()
        grid = book.numbered(place.sheet)
        formula = grid.cell(place.row, place.column).formula
        for token in tokens(formula, book.locale.decimal) if formula else ():
            named = _area(book, grid, token)
            if named is not None:
                fresh = _filled(*named) - found
                found |= fresh
                pending += fresh
    return found


def _area(book: Book, own: Grid, token: Token) -> tuple[Grid, Area] | None:
    """The cells that a piece of a formula names; ``None`` for other pieces."""
    if token.kind == "ref":
        given = reference(token.text)
        grid = own if given.sheet is None else book.titled(given.sheet)
        return None if grid is None else (grid, given.clipped(grid.record.rows, grid.record.columns))
    name = token.text.partition("[")[0].casefold()
    if token.kind == "name":
        for one in book.record.named.values():
            if one.name.casefold() == name:
                return book.numbered(one.sheet), area(one.range)
    if token.kind == "table":
        for grid in book.grids:
            for table in grid.record.tables.values():
                if table.name.casefold() == name:
                    return grid, area(table.range)
    return None


def _filled(grid: Grid, where: Area) -> set[Place]:
    return {
        Place(grid.record.number, index, column)
        for index, row in grid.rows.items()
        if where.top <= index < where.bottom
        for column in map(column_of, (*row.values, *row.formulas))
        if where.left <= column < where.right
    }
