"""Rows and columns that come, go and move, and everything that has to follow them."""

from collections.abc import Callable

from tenure.twins.sheets.a1 import area, column_of, letters
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.formula import Move, Shift, deleted, inserted, moved, on_sheet, rewritten


def insert(book: Book, grid: Grid, *, across: bool, at: int, count: int) -> None:
    """Insert empty rows (or columns, ``across``) before a place."""
    _grow(grid, across, count)
    _apply(book, grid, inserted(across, at, count))


def delete(book: Book, grid: Grid, *, across: bool, low: int, high: int) -> None:
    """Delete rows or columns from ``low`` up to ``high``."""
    _grow(grid, across, low - high)
    _apply(book, grid, deleted(across, low, high))


def move(book: Book, grid: Grid, *, across: bool, low: int, high: int, to: int) -> None:
    """Move rows or columns before a place that is counted before the move."""
    grid.record.moves += 1
    _apply(book, grid, moved(across, low, high, to))


def rewrite(book: Book, change: Callable[[Grid], Move]) -> None:
    """Rewrite the references of every formula.

    Args:
        book: The spreadsheet.
        change: The formula's sheet → the move.
    """
    decimal = book.locale.decimal
    for grid in book.grids:
        turn = change(grid)
        for row in grid.rows.values():
            for name, formula in row.formulas.items():
                new = rewritten(formula, turn, decimal)
                if new != formula:
                    row.formulas[name] = new
                    grid.changed.add(row.id)
    book.stale = True


def _grow(grid: Grid, across: bool, count: int) -> None:
    if across:
        grid.record.columns += count
    else:
        grid.record.rows += count


def _apply(book: Book, grid: Grid, shift: Shift) -> None:
    rewrite(book, lambda on: on_sheet(grid.title, on is grid, shift.move))
    if shift.across:
        _shift_columns(grid, shift)
    else:
        rows = {new: row for old, row in grid.rows.items() if (new := shift.single(old)) is not None}
        grid.rearrange(rows)
    shift_rules(book, grid, shift)


def _shift_columns(grid: Grid, shift: Shift) -> None:
    names: dict[str, str | None] = {}

    def new_name(old: str) -> str | None:
        if old not in names:
            place = shift.single(column_of(old))
            names[old] = None if place is None else letters(place)
        return names[old]

    def shifted(cells: dict[str, object]) -> dict[str, object]:
        return {new: value for old, value in cells.items() if (new := new_name(old)) is not None}

    for row in grid.rows.values():
        before = row.model_copy()
        for name in ("values", "formulas", "formats", "notes"):
            setattr(row, name, shifted(getattr(row, name)))
        if row != before:
            grid.changed.add(row.id)
    data = grid.record.column_data
    grid.record.column_data = {new: data[old] for old in data if (new := new_name(old)) is not None}


def shift_rules(book: Book, grid: Grid, shift: Shift) -> None:
    """Let everything that holds for a range of a sheet follow a shift."""

    def followed(range: str) -> str | None:
        new = shift.area(area(range))
        return None if new is None else str(new)

    record = grid.record
    record.merges = [new for old in record.merges if (new := followed(old))]
    for name in ("formats", "validations", *(() if shift.across else ("row_data",))):
        rules = getattr(record, name)
        setattr(
            record,
            name,
            [rule.model_copy(update={"range": new}) for rule in rules if (new := followed(rule.range))],
        )
    conditional = []
    for rule in record.conditional:
        if ranges := [new for old in rule["ranges"] if (new := followed(old))]:
            conditional.append({**rule, "ranges": ranges})
    record.conditional = conditional
    if record.filter:
        new = followed(record.filter["range"])
        record.filter = {**record.filter, "range": new} if new else None
    record.tables = {
        id: table.model_copy(update={"range": new})
        for id, table in record.tables.items()
        if (new := followed(table.range))
    }
    book.record.named = {
        id: named if named.sheet != record.number else named.model_copy(update={"range": new})
        for id, named in book.record.named.items()
        if named.sheet != record.number or (new := followed(named.range))
    }
