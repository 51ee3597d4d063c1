"""What the grid of the screen shows: a spreadsheet's frame, and its cells in blocks of rows."""

import re
from datetime import UTC, datetime
from typing import Any

from tenure.twins.google.files import File, role_of
from tenure.twins.sheets import screen_conditions as conditions
from tenure.twins.sheets.a1 import area, cell_name, column_of, letters, place_of
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.display import default_pattern, is_moment, shown
from tenure.twins.sheets.entry import entered
from tenure.twins.sheets.records import BLOCK, Results, Row, Scalar
from tenure.twins.sheets.render import effective_value
from tenure.twins.sheets.storage import load
from tenure.world import Act

_NUMERAL = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?", re.IGNORECASE)


def frame(act: Act, book: Book) -> dict[str, Any]:
    """A spreadsheet without its cells."""
    act.show(book.record)
    for grid in book.grids:
        act.show(grid.record)
    file = act.get(File, book.record.id)
    locale = book.locale
    return {
        "id": book.record.id,
        "title": book.title,
        "role": "" if file is None else role_of(act, file),
        "locale": book.record.locale,
        "zone": book.record.zone,
        "separator": ";" if locale.decimal == "," else ",",
        "money": locale.money,
        "moneyRounded": locale.amount("#,##0"),
        "date": locale.date,
        "time": locale.time,
        "named": [
            {"id": id, "name": one.name, "sheet": one.sheet, "range": one.range}
            for id, one in sorted(book.record.named.items(), key=lambda item: item[1].name.casefold())
        ],
        "sheets": [_sheet(act, book, grid) for grid in book.grids],
    }


def _sheet(act: Act, book: Book, grid: Grid) -> dict[str, Any]:
    out: list[int] = []
    if grid.record.filter:
        where = area(grid.record.filter["range"])
        out = conditions.filtered_out(book, load(act, grid, where.top, where.bottom))
    found = grid.record.model_dump(exclude={"id", "spreadsheet", "moves", "index"})
    return {**found, "filled": filled(act, grid), "out": out}


def filled(act: Act, grid: Grid) -> int:
    """How many rows, counted from the top, hold everything that a sheet shows."""
    rows = act.page(Row, "sheet", grid.record.id, limit=1, descending=True).records
    last = rows[0].index + 1 if rows else 0
    results = act.page(Results, "sheet", grid.record.id, limit=1, descending=True).records
    if results:
        last = max([last, *(place_of(name)[0] + 1 for name in (*results[0].values, *results[0].errors))])
    return last


def block(act: Act, book: Book, sheet: int, number: int) -> dict[str, Any]:
    """The cells of one block of rows: place of the row → column → cell.

    A cell is ``s`` what it shows, ``i`` its input where that differs, ``n`` its number, ``k`` its kind
    where that is neither number nor text (``b`` boolean, ``e`` error), ``f`` its own format, ``x`` what
    conditional formats add, ``o`` its note, ``m`` an error's message, ``w`` that validation fails.
    """
    own = book.numbered(sheet)
    top, bottom = number * BLOCK, min((number + 1) * BLOCK, own.record.rows)
    grid = load(act, own, top, bottom)
    for record in (*grid.rows.values(), *grid.results.values()):
        act.show(record)
    painter = conditions.Painter(book, grid)
    offers = [
        (area(one.range), one.value, conditions.choices(book, one.value, lambda g, a, b: load(act, g, a, b)))
        for one in grid.record.validations
        if one.value is not None
    ]
    rows: dict[int, dict[str, Any]] = {}
    places = _places(grid, top, bottom) | set(painter.cells(top, min(bottom, filled(act, own))))
    for row, column in sorted(places):
        cell = _cell(book, grid, row, column)
        if paint := painter.paint(row, column):
            cell["x"] = paint
        rule = next((one for one in reversed(offers) if one[0].holds(row, column)), None)
        if rule is not None:
            value, text = grid.effective(row, column).value, conditions.text_of(book, grid, row, column)
            if not conditions.allows(book, rule[1], value, text, rule[2]):
                cell["w"] = True
        if cell:
            rows.setdefault(row, {})[letters(column)] = cell
    return {"sheet": sheet, "block": number, "rows": rows}


def _places(grid: Grid, top: int, bottom: int) -> set[tuple[int, int]]:
    found = {
        (index, column_of(name))
        for index, row in grid.rows.items()
        for name in (*row.values, *row.formulas, *row.formats, *row.notes)
    }
    for result in grid.results.values():
        found |= {place_of(name) for name in (*result.values, *result.errors)}
    return {place for place in found if top <= place[0] < bottom}


def _cell(book: Book, grid: Grid, row: int, column: int) -> dict[str, Any]:
    held, effective = grid.cell(row, column), grid.effective(row, column)
    text = conditions.text_of(book, grid, row, column)
    found: dict[str, Any] = {"s": text} if text else {}
    typed = input_of(book, grid, row, column)
    if typed != text:
        found["i"] = typed
    value = effective.value
    if effective.error:
        found["k"] = "e"
        found["m"] = effective_value(effective)["errorValue"]["message"]
    elif isinstance(value, bool):
        found["k"] = "b"
    elif isinstance(value, int | float):
        found["n"] = value
    if held.note:
        found["o"] = held.note
    own = grid.rows.get(row)
    if own is not None and (form := own.formats.get(letters(column))) is not None:
        found["f"] = form
    return found


def input_of(book: Book, grid: Grid, row: int, column: int) -> str:
    """What the formula bar shows of a cell: what one would type to enter it again."""
    held = grid.cell(row, column)
    if held.formula:
        return held.formula
    return "" if held.value is None else editable(book, held.value, grid.number_format(row, column))


def editable(book: Book, value: Scalar, form: dict[str, Any] | None) -> str:
    """A value as a text that is read as that value when it is typed."""
    locale = book.locale
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        year = datetime.fromtimestamp(book.world.now / 1000, UTC).year
        again = entered(value, locale, year)
        plain = (form or {}).get("type") == "TEXT" or (again.value == value and not again.formula)
        return value if plain else f"'{value}"
    kind = (form or {}).get("type", "")
    if is_moment(form):
        return shown(value, {"type": kind, "pattern": default_pattern(kind, locale)}, locale)
    if kind == "PERCENT":
        return f"{_plain(round(value * 100, 12), locale.decimal)}%"
    return _plain(value, locale.decimal)


def _plain(value: int | float, decimal: str) -> str:
    text = repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    return text.replace(".", decimal)


def values_of(act: Act, book: Book, sheet: int, column: int) -> list[str]:
    """The different texts of a column of a sheet's basic filter, for its list of values."""
    own = book.numbered(sheet)
    if not own.record.filter:
        return []
    where = area(own.record.filter["range"])
    grid = load(act, own, where.top, where.bottom)
    last = max(grid.rows, default=-1) + 1
    texts = {
        conditions.text_of(book, grid, row, column) for row in range(where.top + 1, min(where.bottom, last))
    }
    return sorted(texts, key=_sort_key)


def _sort_key(text: str) -> tuple[int, float, str]:
    plain = text.replace(",", "").lstrip("$€£")
    return (0, float(plain), "") if _NUMERAL.fullmatch(plain) else (1, 0, text.casefold())


def find(
    act: Act, book: Book, text: str, *, sheet: int | None, match_case: bool, entire: bool, formulas: bool
) -> list[dict[str, Any]]:
    """The cells that show (or, with ``formulas``, hold) a text: sheet and cell, in reading order."""
    wish = text if match_case else text.casefold()
    found = []
    for own in book.grids:
        if not wish or (sheet is not None and own.record.number != sheet) or own.record.hidden:
            continue
        grid = load(act, own, 0, own.record.rows)
        for row, column in sorted(_places(grid, 0, own.record.rows)):
            texts = [conditions.text_of(book, grid, row, column)]
            if formulas:
                texts.append(grid.cell(row, column).formula)
            held = [one if match_case else one.casefold() for one in texts]
            if any(one == wish if entire else wish in one for one in held):
                found.append(
                    {"sheet": own.record.number, "row": row, "column": column, "cell": cell_name(row, column)}
                )
                act.show(grid.rows[row]) if row in grid.rows else None
    return found
