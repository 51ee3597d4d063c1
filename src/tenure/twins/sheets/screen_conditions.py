"""Conditions of validation rules, conditional formats and filters, as the screen decides them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from tenure.twins.sheets import formats
from tenure.twins.sheets.a1 import area
from tenure.twins.sheets.book import Book, Effective, Grid, Refusal
from tenure.twins.sheets.display import shown
from tenure.twins.sheets.engine import ERRORS
from tenure.twins.sheets.entry import entered
from tenure.twins.sheets.records import Scalar
from tenure.twins.sheets.storage import open_book, save
from tenure.twins.sheets.times import now_serial, zone
from tenure.world import Act

_RELATIVE = {
    "YESTERDAY": -1,
    "TODAY": 0,
    "TOMORROW": 1,
    "PAST_WEEK": -7,
    "PAST_MONTH": -30,
    "PAST_YEAR": -365,
}
_COMPARISONS = {
    "GREATER": "gt",
    "GREATER_THAN_EQ": "ge",
    "LESS": "lt",
    "LESS_THAN_EQ": "le",
    "EQ": "eq",
    "NOT_EQ": "ne",
    "AFTER": "gt",
    "ON_OR_AFTER": "ge",
    "BEFORE": "lt",
    "ON_OR_BEFORE": "le",
}


def text_of(book: Book, grid: Grid, row: int, column: int) -> str:
    """What a cell shows."""
    found = grid.effective(row, column)
    if found.error:
        return ERRORS[found.error]
    return "" if found.value is None else shown(found.value, grid.number_format(row, column), book.locale)


def operands(book: Book, condition: dict[str, Any]) -> list[Scalar]:
    """The values that a condition compares with, read as if typed."""
    year = datetime.fromtimestamp(book.world.now / 1000, UTC).astimezone(zone(book.record.zone)).year
    found: list[Scalar] = []
    for given in condition.get("values", []):
        if "relativeDate" in given:
            today = int(now_serial(book.world.now, book.record.zone))
            found.append(today + _RELATIVE.get(given["relativeDate"], 0))
        else:
            value = entered(given.get("userEnteredValue", ""), book.locale, year).value
            found.append("" if value is None else value)
    return found


def meets(kind: str, effective: Effective, text: str, args: list[Scalar]) -> bool | None:
    """Whether a cell meets a condition.

    Args:
        kind: The vendor's ``ConditionType``.
        effective: What the cell comes to.
        text: What it shows.
        args: See ``operands``.

    Returns:
        ``None`` where this cannot be decided here (a formula, a missing operand).
    """
    blank = effective.empty or effective.value == ""
    if kind == "BLANK":
        return blank
    if kind == "NOT_BLANK":
        return not blank
    if kind == "BOOLEAN":
        return isinstance(effective.value, bool)
    if kind == "ONE_OF_LIST":
        return text in [str(arg) for arg in args] or effective.value in args
    family, _, rest = kind.partition("_")
    if family == "TEXT":
        return _text(rest, text.casefold(), [str(arg).casefold() for arg in args])
    if family in ("NUMBER", "DATE"):
        return _number(rest, effective.value, args)
    return None


def _text(kind: str, text: str, args: list[str]) -> bool | None:
    if kind == "IS_EMAIL":
        return "@" in text and " " not in text
    if kind == "IS_URL":
        return text.startswith(("http://", "https://"))
    if not args:
        return None
    wish = args[0]
    return {
        "CONTAINS": wish in text,
        "NOT_CONTAINS": wish not in text,
        "STARTS_WITH": text.startswith(wish),
        "ENDS_WITH": text.endswith(wish),
        "EQ": text == wish,
        "NOT_EQ": text != wish,
    }.get(kind)


def _number(kind: str, value: Scalar | None, args: list[Scalar]) -> bool | None:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "IS_VALID_DATE":
        return plain
    limits = [float(arg) for arg in args if isinstance(arg, int | float) and not isinstance(arg, bool)]
    if not plain or not isinstance(value, int | float):
        return False
    if kind in ("BETWEEN", "NOT_BETWEEN"):
        if len(limits) < 2:
            return None
        return (min(limits) <= value <= max(limits)) == (kind == "BETWEEN")
    if not limits or kind not in _COMPARISONS:
        return None
    return bool(getattr(float(value), f"__{_COMPARISONS[kind]}__")(limits[0]))


def choices(book: Book, rule: dict[str, Any], load: Any) -> list[str] | None:
    """The values that a dropdown offers; ``None`` for a rule that is no dropdown.

    Args:
        book: The spreadsheet.
        rule: The vendor's ``DataValidationRule``.
        load: (sheet, first row, row past the last) → the sheet with these rows.
    """
    condition = rule.get("condition", {})
    given = [one.get("userEnteredValue", "") for one in condition.get("values", [])]
    if condition.get("type") == "ONE_OF_LIST":
        return given
    if condition.get("type") != "ONE_OF_RANGE" or not given:
        return None
    try:
        grid, where = book.resolve(given[0].removeprefix("=").replace("$", ""))
    except Refusal:
        return []
    held = load(grid, where.top, where.bottom)
    texts = (
        text_of(book, held, row, column)
        for row in sorted(held.rows)
        if where.top <= row < where.bottom
        for column in range(where.left, where.right)
    )
    return list(dict.fromkeys(text for text in texts if text))


def allows(
    book: Book, rule: dict[str, Any], value: Scalar | None, text: str, offered: list[str] | None
) -> bool:
    """Whether a validation rule allows a value; an empty cell always is.

    Args:
        book: The spreadsheet.
        rule: The vendor's ``DataValidationRule``.
        value: Typed.
        text: As it is shown or was typed.
        offered: See ``choices``.
    """
    if value is None or value == "":
        return True
    if offered is not None:
        return text in offered or str(value) in offered
    condition = rule.get("condition", {})
    return meets(condition.get("type", ""), Effective(value), text, operands(book, condition)) is not False


# -- conditional formats -------------------------------------------------------------------------


class Painter:
    """Conditional formats of one sheet, ready to be asked for single cells."""

    def __init__(self, book: Book, grid: Grid) -> None:
        """Read the sheet's rules once."""
        self._book, self._grid = book, grid
        self._rules = [
            ([area(one) for one in rule["ranges"]], rule, self._operands(rule))
            for rule in grid.record.conditional
            if "booleanRule" in rule
        ]

    def _operands(self, rule: dict[str, Any]) -> list[Scalar]:
        return operands(self._book, rule["booleanRule"].get("condition", {}))

    def cells(self, top: int, bottom: int) -> Iterator[tuple[int, int]]:
        """The cells in some rows that rules may paint."""
        for areas, _, _ in self._rules:
            for where in areas:
                for row in range(max(top, where.top), min(bottom, where.bottom)):
                    yield from ((row, column) for column in range(where.left, where.right))

    def paint(self, row: int, column: int) -> formats.Format:
        """What the rules add to a cell's format; an earlier rule wins."""
        found: formats.Format = {}
        for areas, rule, args in reversed(self._rules):
            if not any(where.holds(row, column) for where in areas):
                continue
            one = rule["booleanRule"]
            effective = self._grid.effective(row, column)
            text = text_of(self._book, self._grid, row, column)
            if meets(one.get("condition", {}).get("type", ""), effective, text, args):
                found = formats.merged(found, one.get("format", {}))
        return found


def drop(act: Act, id: str, sheet: int, index: int) -> None:
    """Delete a conditional format rule of a sheet.

    Raises:
        Refusal: There is no such sheet or rule.
    """
    book = open_book(act, id, write=True)
    record = book.numbered(sheet).record
    if index >= len(record.conditional):
        raise Refusal("This rule is gone already.")
    record.conditional = [rule for at, rule in enumerate(record.conditional) if at != index]
    save(act, book)


# -- filters -------------------------------------------------------------------------------------


def criteria(held: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Column → ``FilterCriteria`` of a basic filter, in both forms that the vendor has."""
    found = {int(column): one for column, one in held.get("criteria", {}).items()}
    for spec in held.get("filterSpecs", []):
        found[spec.get("columnIndex", 0)] = spec.get("filterCriteria", {})
    return found


def filtered_out(book: Book, grid: Grid) -> list[int]:
    """The rows that the sheet's basic filter hides."""
    held = grid.record.filter
    if not held:
        return []
    where, tests = area(held["range"]), criteria(held)
    rules = [
        (
            column,
            set(one.get("hiddenValues", [])),
            one.get("condition") or {},
            operands(book, one.get("condition") or {}),
        )
        for column, one in tests.items()
    ]
    return [
        row
        for row in _filled(grid, where.top + 1, where.bottom)
        if any(not _passes(book, grid, row, *rule) for rule in rules)
    ]


def _filled(grid: Grid, top: int, bottom: int) -> Iterable[int]:
    last = max(grid.rows, default=-1)
    return range(top, min(bottom, last + 1))


def _passes(
    book: Book,
    grid: Grid,
    row: int,
    column: int,
    hidden: set[str],
    condition: dict[str, Any],
    args: list[Scalar],
) -> bool:
    text = text_of(book, grid, row, column)
    if text in hidden:
        return False
    if not condition:
        return True
    return meets(condition.get("type", ""), grid.effective(row, column), text, args) is not False
