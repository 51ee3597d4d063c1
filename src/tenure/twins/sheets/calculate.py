"""Recalculation: every formula of a spreadsheet in memory, and the number formats that follow."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from tenure.twins.sheets.a1 import cell_name, column_of
from tenure.twins.sheets.book import Book, Grid, engine_name
from tenure.twins.sheets.dialect import Surroundings, translated
from tenure.twins.sheets.engine import Input, Output, Place, compute
from tenure.twins.sheets.infer import Inference
from tenure.twins.sheets.records import BLOCK, Results
from tenure.twins.sheets.times import now_serial
from tenure.world.ids import digest


def recalculate(book: Book) -> None:
    """Compute a book's formulas; its grids' results are replaced. All of its rows must be loaded.

    NOW and TODAY follow the world's time, RAND its seed, the cell and the number of edits.
    """
    book.stale = False
    if not any(row.formulas for grid in book.grids for row in grid.rows.values()):
        outputs = [Output({}, {}) for _ in book.grids]
    else:
        outputs = compute(_inputs(book))
    inference = Inference(book)
    for grid, output in zip(book.grids, outputs, strict=True):
        _file(grid, output, inference)


def _inputs(book: Book) -> list[Input]:
    grids = {
        grid.title.casefold(): (engine_name(grid), grid.record.rows, grid.record.columns)
        for grid in book.grids
    }
    titles = {grid.record.number: grid.title for grid in book.grids}
    names = {
        one.name.casefold(): (titles[one.sheet], one.range)
        for one in book.record.named.values()
        if one.sheet in titles
    }
    tables = {
        table.name.casefold(): (
            grid.title,
            table.range,
            tuple(str(column.get("columnName", "")) for column in table.columns),
        )
        for grid in book.grids
        for table in grid.record.tables.values()
    }
    now = now_serial(book.world.now, book.record.zone)

    decimal = book.locale.decimal
    structure = (decimal, *map(tuple, (grids.items(), names.items(), tables.items())))

    def around(grid: Grid, chance: Callable[[], float]) -> Surroundings:
        known = _translations(grid.title, structure)
        return Surroundings(grid.title, grids, names, tables, decimal, now, chance, known)

    found = []
    for grid in book.grids:
        values = {}
        formulas: dict[Place, str | None] = {}
        dice = _Dice(f"{grid.record.id}/{book.record.edits}", book.world.seed)
        surroundings = around(grid, dice.throw)
        for index, row in grid.rows.items():
            for name, value in row.values.items():
                values[index, column_of(name)] = value
            for name, formula in row.formulas.items():
                dice.cell, dice.count = f"{name}{index}", 0
                try:
                    formulas[index, column_of(name)] = translated(formula, surroundings)
                except (ValueError, IndexError):
                    formulas[index, column_of(name)] = None
        found.append(Input(engine_name(grid), values, formulas))
    return found


@lru_cache(maxsize=64)
def _translations(title: str, structure: tuple[object, ...]) -> dict[str, str]:
    """Formulas translated so far on a sheet of a spreadsheet with this structure."""
    return {}


class _Dice:
    def __init__(self, name: str, seed: int) -> None:
        self._name, self._seed = name, seed
        self.cell, self.count = "", 0

    def throw(self) -> float:
        self.count += 1
        drawn = digest(self._seed, f"sheets.rand/{self._name}/{self.cell}", self.count)
        return int.from_bytes(drawn, "big") / 2**64


def _file(grid: Grid, output: Output, inference: Inference) -> None:
    blocks: dict[int, Results] = {}

    def block(row: int) -> Results:
        number = row // BLOCK
        if number not in blocks:
            id = f"{grid.record.id}/={number}"
            blocks[number] = Results(id=id, sheet=grid.record.id, block=number)
        return blocks[number]

    for (row, column), value in sorted(output.values.items()):
        if row < grid.record.rows and column < grid.record.columns:
            block(row).values[cell_name(row, column)] = value
    for (row, column), error in sorted(output.errors.items()):
        block(row).errors[cell_name(row, column)] = error
    spilled = {place for place in output.values if not grid.filled(*place)}
    for index, held in sorted(grid.rows.items()):
        for name in held.formulas:
            for place, shift in _reached(index, column_of(name), spilled):
                form = inference.of(grid, index, column_of(name), shift=shift)
                if form is not None and "numberFormat" not in grid.format(*place):
                    block(place[0]).formats[cell_name(*place)] = form
    grid.results = blocks


def _reached(row: int, column: int, spilled: set[Place]) -> Iterator[tuple[Place, int]]:
    """The cells of a formula: its own and those that it spilled into, with their column in the array."""
    height, width = 1, 1
    while (row, column + width) in spilled:
        width += 1
    while (row + height, column) in spilled:
        height += 1
    for i in range(height):
        for j in range(width):
            yield (row + i, column + j), j
