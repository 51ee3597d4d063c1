"""Computing formulas: one pure function over a spreadsheet's input.

The engine is IronCalc. It is filled anew for every calculation: that takes a few milliseconds for
thousands of cells, and nothing of one attempt can reach another.
"""

from bisect import bisect_left
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
    """Compute all formulas of a spreadsheet. A formula that the engine fails on comes to ``#NUM!``."""
    failed: list[tuple[int, Place]] = []
    places = [(number, place) for number, sheet in enumerate(sheets) for place in sheet.formulas]
    while True:
        kept = [one for one in places if one not in failed]
        found = _tried(sheets, kept)
        if found is not None:
            break
        # The shortest beginning of the formulas that fails ends with the one to blame.
        count = bisect_left(range(len(kept)), True, key=lambda n: _tried(sheets, kept[: n + 1]) is None)
        failed.append(kept[count])
    for number, place in failed:
        found[number].errors[place] = "NUM"
    return found


def _tried(sheets: list[Input], formulas: list[tuple[int, Place]]) -> list[Output] | None:
    """Results with some of the formulas, or ``None`` where the engine panics."""
    try:
        return _compute(sheets, formulas)
    except BaseException as error:
        # The engine's own failures arrive as an exception that derives from BaseException only.
        if type(error).__name__ != "PanicException":
            raise
        return None


def _compute(sheets: list[Input], formulas: list[tuple[int, Place]]) -> list[Output]:
    import ironcalc

    model = ironcalc.create("book")
    for number, sheet in enumerate(sheets):
        if number:
            model.add_sheet(sheet.name)
        elif sheet.name != "Sheet1":
            model.rename_sheet(0, sheet.name)
        for (row, column), value in sheet.values.items():
            if isinstance(value, bool):
                model.update_cell_with_bool(number, row + 1, column + 1, value)
            elif isinstance(value, str):
                model.update_cell_with_text(number, row + 1, column + 1, value)
            else:
                model.update_cell_with_number(number, row + 1, column + 1, value)
    for number, (row, column) in formulas:
        formula = sheets[number].formulas[row, column]
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
