"""Computing formulas: one pure function over a spreadsheet's input.

The engine is IronCalc. It is filled anew for every calculation: that takes a few milliseconds for
thousands of cells, and nothing of one attempt can reach another.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tenure.twins.sheets.records import Scalar

ERRORS = {
    "NULL_VALUE": "#NULL!",
    "DIVIDE_BY_ZERO": "#DIV/0!",
    "VALUE": "#VALUE!",
    "REF": "#REF!",
    "NAME": "#NAME?",
    "NUM": "#NUM!",
    "N_A": "#N/A",
    "ERROR": "#ERROR!",
}
"""The vendor's error types and how they show."""
_TYPES = {text: name for name, text in ERRORS.items()} | {
    "#CIRC!": "REF",
    "#SPILL!": "REF",
    "#CALC!": "N_A",
    "#N/IMPL!": "NAME",
}
Place = tuple[int, int]


class Input(NamedTuple):
    """One sheet's input for the engine.

    Attributes:
        name: In the engine.
        values: (row, column), from 0 → what was entered.
        formulas: (row, column) → formula in the engine's language; ``None`` for one that cannot be read.
    """

    name: str
    values: Mapping[Place, Scalar]
    formulas: Mapping[Place, str | None]


class Output(NamedTuple):
    """What one sheet's formulas came to.

    Attributes:
        values: (row, column) → value, spilled cells included.
        errors: (row, column) → the vendor's error type.
    """

    values: dict[Place, Scalar]
    errors: dict[Place, str]


def whole(value: float) -> int | float:
    """A number as JSON writes it best: integers without a point."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def compute(sheets: list[Input]) -> list[Output]:
    """Compute all formulas of a spreadsheet."""
    import ironcalc

    model = ironcalc.create("book")
    for number, sheet in enumerate(sheets):
        if number:
            model.add_sheet(sheet.name)
        elif sheet.name != "Sheet1":
            model.rename_sheet(0, sheet.name)
    for number, sheet in enumerate(sheets):
        for (row, column), value in sheet.values.items():
            if isinstance(value, bool):
                model.update_cell_with_bool(number, row + 1, column + 1, value)
            elif isinstance(value, str):
                model.update_cell_with_text(number, row + 1, column + 1, value)
            else:
                model.update_cell_with_number(number, row + 1, column + 1, value)
    for number, sheet in enumerate(sheets):
        for (row, column), formula in sheet.formulas.items():
            model.update_cell_with_formula(number, row + 1, column + 1, formula or "=#ERROR!")
    model.evaluate()
    found = [Output({}, {}) for _ in sheets]
    for number, row, column in model.get_all_cells():
        place = (row - 1, column - 1)
        if place in sheets[number].values:
            continue
        result = model.get_cell_value(number, row, column)
        kind = model.get_cell_type(number, row, column)
        if isinstance(result, str) and kind is ironcalc.CellType.ErrorValue:
            found[number].errors[place] = _TYPES.get(result, "ERROR")
        elif result is not None:
            found[number].values[place] = whole(result) if isinstance(result, float) else result
    return found
