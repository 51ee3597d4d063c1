"""A spreadsheet in memory: what services change before they write it back."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tenure.twins.sheets import formats
from tenure.twins.sheets.a1 import (
    MAX_COLUMNS,
    Area,
    Span,
    area,
    cell_name,
    letters,
    quoted,
    span,
    split_sheet,
)
from tenure.twins.sheets.entry import Entry
from tenure.twins.sheets.locales import Locale, locale
from tenure.twins.sheets.records import BLOCK, Ranged, Results, Row, Scalar, Sheet, Spreadsheet
from tenure.world.ids import digest

MAX_CELLS = 10_000_000
"""Cells of a spreadsheet."""
MAX_TOUCHED = 500_000
"""Cells that one request may go through one by one."""


class Refusal(Exception):
    """What the product refuses; services give it the form of their door."""


class Cell(NamedTuple):
    """What a cell holds.

    Attributes:
        value: What was entered, unless it is a formula.
        formula: With its ``=``; empty without one.
        format: The user's ``CellFormat``.
        note: Empty without one.
    """

    value: Scalar | None = None
    formula: str = ""
    format: formats.Format = {}
    note: str = ""

    @property
    def empty(self) -> bool:
        """It shows nothing."""
        return self.value is None and not self.formula


class Effective(NamedTuple):
    """What a cell comes to: a value, an error type, or neither."""

    value: Scalar | None = None
    error: str = ""

    @property
    def empty(self) -> bool:
        """Neither."""
        return self.value is None and not self.error


class Grid:
    """One sheet in memory.

    Attributes:
        record: The sheet.
        rows: Place → row; only those that hold something.
        results: Block → what formulas came to.
        changed: Ids of rows that have to be written.
        gone: Ids of rows that have to be deleted.
    """

    def __init__(self, record: Sheet, rows: Iterable[Row] = (), results: Iterable[Results] = ()) -> None:
        """Take the records over; they are changed in place."""
        self.record = record
        self.rows = {row.index: row for row in rows}
        self.results = {result.block: result for result in results}
        self.changed: set[str] = set()
        self.gone: set[str] = set()
        self._keys = {row.id for row in self.rows.values()}
        self._folds: dict[int, formats.Fold] = {}

    # -- reading -----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The sheet's title."""
        return self.record.title

    @property
    def whole(self) -> Area:
        """All of its cells."""
        return Area(0, 0, self.record.rows, self.record.columns)

    def cell(self, row: int, column: int) -> Cell:
        """What a cell holds."""
        found, name = self.rows.get(row), letters(column)
        if found is None:
            return Cell(format=self.format(row, column))
        return Cell(
            found.values.get(name),
            found.formulas.get(name, ""),
            self.format(row, column),
            found.notes.get(name, ""),
        )

    def filled(self, row: int, column: int) -> bool:
        """Whether anything was entered in a cell."""
        found, name = self.rows.get(row), letters(column)
        return found is not None and (name in found.values or name in found.formulas)

    def effective(self, row: int, column: int) -> Effective:
        """What a cell comes to."""
        found = self.rows.get(row)
        if found is not None:
            value = found.values.get(letters(column))
            if value is not None:
                return Effective(value)
        results = self.results.get(row // BLOCK)
        if results is None:
            return Effective()
        name = cell_name(row, column)
        return Effective(results.values.get(name), results.errors.get(name, ""))

    def format(self, row: int, column: int) -> formats.Format:
        """The user's format of a cell."""
        found = self.rows.get(row)
        if found is not None and (own := found.formats.get(letters(column))) is not None:
            return own
        return self.ranged(self.record.formats, row, column)

    def ranged(self, rules: list[Ranged], row: int, column: int) -> formats.Format:
        """What the rules for ranges give one cell; cells under the same rules share one object."""
        fold = self._folds.get(id(rules))
        if fold is None or fold.rules is not rules:
            fold = self._folds[id(rules)] = formats.Fold(rules)
        return fold.at(row, column)

    def number_format(self, row: int, column: int) -> dict[str, Any] | None:
        """The number format that a cell is shown in, given or inferred."""
        own = self.format(row, column).get("numberFormat")
        if own is not None:
            return dict(own)
        results = self.results.get(row // BLOCK)
        return None if results is None else results.formats.get(cell_name(row, column))

    def validation(self, row: int, column: int) -> dict[str, Any] | None:
        """The validation rule of a cell."""
        for rule in reversed(self.record.validations):
            if area(rule.range).holds(row, column):
                return rule.value
        return None

    def formatted_as_text(self, row: int, column: int) -> bool:
        """Whether what is typed there stays text."""
        return (self.format(row, column).get("numberFormat") or {}).get("type") == "TEXT"

    # -- writing -----------------------------------------------------------------------------

    def row(self, index: int) -> Row:
        """The row at a place, made when it is missing; it will be written."""
        found = self.rows.get(index)
        if found is None:
            found = Row(id=self._key(index), sheet=self.record.id, index=index)
            self.rows[index] = found
            self._keys.add(found.id)
        self.changed.add(found.id)
        return found

    def _key(self, index: int) -> str:
        wanted = f"{self.record.id}/{index + 1}"
        if wanted not in self._keys:
            return wanted
        highest = max(int(key.rpartition("/")[2]) for key in self._keys)
        return f"{self.record.id}/{max(highest, self.record.rows) + 1}"

    def enter(self, row: int, column: int, entry: Entry) -> None:
        """Enter something in a cell, keeping its format and note."""
        if entry.value is None and not entry.formula and row not in self.rows:
            return
        found, name = self.row(row), letters(column)
        found.values.pop(name, None)
        found.formulas.pop(name, None)
        if entry.formula:
            found.formulas[name] = entry.formula
        elif entry.value is not None:
            found.values[name] = entry.value
        if entry.format and "numberFormat" not in (own := self.format(row, column)):
            found.formats[name] = {**own, "numberFormat": entry.format}

    def reformat(self, row: int, column: int, form: formats.Format) -> None:
        """Set the whole format of one cell."""
        found, name = self.row(row), letters(column)
        found.formats.pop(name, None)
        if form != self.ranged(self.record.formats, row, column):
            found.formats[name] = form

    def annotate(self, row: int, column: int, note: str) -> None:
        """Set or remove a cell's note."""
        if note:
            self.row(row).notes[letters(column)] = note
        elif row in self.rows and letters(column) in self.rows[row].notes:
            del self.row(row).notes[letters(column)]

    def place(self, row: int, column: int, cell: Cell) -> None:
        """Put a whole cell somewhere, format and note too."""
        under = self.ranged(self.record.formats, row, column)
        if cell == Cell(format=under) and row not in self.rows:
            return
        self.row(row)
        self.enter(row, column, Entry(cell.value, cell.formula))
        self.annotate(row, column, cell.note)
        self.reformat(row, column, cell.format)

    def apply(self, where: Area, patch: formats.Format | None) -> None:
        """Patch the format of a stretch of cells."""
        self.record.formats = formats.given(self.record.formats, str(where), patch)
        for index, row in self.rows.items():
            if not where.top <= index < where.bottom:
                continue
            for column in range(where.left, where.right):
                name = letters(column)
                if name in row.formats:
                    row.formats[name] = formats.merged(row.formats[name], patch)
                    self.changed.add(row.id)

    def rearrange(self, rows: dict[int, Row]) -> None:
        """Put rows at new places; those left out are deleted."""
        kept = {row.id for row in rows.values()}
        self.gone |= {row.id for row in self.rows.values() if row.id not in kept}
        for index, row in rows.items():
            if row.index != index:
                row.index = index
                self.changed.add(row.id)
        self.rows = rows

    def grow(self, rows: int, columns: int) -> None:
        """Make the grid at least so large."""
        self.record.rows = max(self.record.rows, rows)
        self.record.columns = max(self.record.columns, columns)


class Surround(NamedTuple):
    """What a book needs of its world.

    Attributes:
        now: World time, epoch milliseconds.
        seed: The world's.
        next: The next number of a named sequence.
    """

    now: int
    seed: int
    next: Callable[[str], int]

    def id(self, kind: str) -> int:
        """A fresh positive 31-bit id."""
        return int.from_bytes(digest(self.seed, kind, self.next(kind), 4), "big") % (2**31 - 1) + 1


@dataclass
class Book:
    """A spreadsheet in memory.

    Attributes:
        world: What it needs of its world.
        record: The spreadsheet.
        title: Its file's name.
        grids: Its sheets, in order.
        gone: Sheets that have to be deleted.
        stale: Formulas have to be computed again.
    """

    world: Surround
    record: Spreadsheet
    title: str
    grids: list[Grid]
    gone: list[Grid] = field(default_factory=list)
    stale: bool = False

    @property
    def locale(self) -> Locale:
        """The spreadsheet's locale."""
        return locale(self.record.locale)

    def titled(self, title: str) -> Grid | None:
        """A sheet by title, ignoring case."""
        return next((grid for grid in self.grids if grid.title.casefold() == title.casefold()), None)

    def numbered(self, number: int) -> Grid:
        """A sheet by ``sheetId``.

        Raises:
            Refusal: There is none.
        """
        for grid in self.grids:
            if grid.record.number == number:
                return grid
        raise Refusal(f"No grid with id: {number}")

    def find(self, text: str) -> tuple[Grid, Span]:
        """The sheet and range of a reference in A1 or R1C1 notation, or of a name.

        Raises:
            Refusal: It means nothing here.
        """
        try:
            title, rest = split_sheet(text)
        except ValueError:
            raise Refusal(f"Unable to parse range: {text}") from None
        if not title:
            if (grid := self.titled(rest)) is not None:
                return grid, Span()
            for one in self.record.named.values():
                if one.name.casefold() == rest.casefold():
                    return self.numbered(one.sheet), Span(*area(one.range))
            for grid in self.grids:
                for table in grid.record.tables.values():
                    if table.name.casefold() == rest.casefold():
                        return grid, Span(*area(table.range))
        own = self.titled(title) if title else self.grids[0]
        where = span(rest) if rest or not title else Span()
        if own is None or where is None or text.endswith("!"):
            raise Refusal(f"Unable to parse range: {text}")
        return own, where

    def resolve(self, text: str) -> tuple[Grid, Area]:
        """The cells of a reference, clipped to the grid.

        Raises:
            Refusal: It means nothing here, or starts outside the grid.
        """
        grid, where = self.find(text)
        whole = grid.whole
        if where.top >= whole.bottom or where.left >= whole.right:
            first = where._replace(bottom=where.bottom or where.top + 1, right=where.right or where.left + 1)
            raise Refusal(beyond(grid, first.clipped(whole.bottom, whole.right)))
        found = where.clipped(whole.bottom, whole.right)
        return grid, found._replace(
            bottom=min(found.bottom, whole.bottom), right=min(found.right, whole.right)
        )

    def check_size(self) -> None:
        """Refuse a spreadsheet that has become too large."""
        cells = sum(grid.record.rows * grid.record.columns for grid in self.grids)
        if cells > MAX_CELLS:
            limit = f"the limit of {MAX_CELLS} cells"
            raise Refusal(f"This action would increase the number of cells in the workbook above {limit}.")
        if any(grid.record.columns > MAX_COLUMNS for grid in self.grids):
            raise Refusal(f"The number of columns is above the limit of {MAX_COLUMNS}.")


def bounded(where: Area) -> Area:
    """An area whose cells may be gone through one by one.

    Raises:
        Refusal: It is too large for that.
    """
    if where.height * where.width > MAX_TOUCHED:
        raise Refusal(f"The range has more than {MAX_TOUCHED} cells; use a smaller one.")
    return where


def beyond(grid: Grid, where: Area) -> str:
    """What is said of a range outside the grid."""
    return (
        f"Range ({named(grid, where)}) exceeds grid limits. "
        f"Max rows: {grid.record.rows}, max columns: {grid.record.columns}"
    )


def named(grid: Grid, where: Area) -> str:
    """``Sheet1!A1:B2``."""
    return f"{quoted(grid.title)}!{where}"


_ENGINE_TITLE = re.compile(r"[^\\/*?:\[\]']{1,31}")


def engine_name(grid: Grid) -> str:
    """A sheet's name in the engine, which takes shorter and plainer ones than Sheets does."""
    return grid.title if _ENGINE_TITLE.fullmatch(grid.title) else f"sheet {grid.record.number}"
