"""Spreadsheets as the API gives them."""

from typing import Any

from tenure.twins.sheets.a1 import Area, area, grid_range, letters
from tenure.twins.sheets.book import Book, Effective, Grid
from tenure.twins.sheets.display import default_pattern, shown
from tenure.twins.sheets.engine import ERRORS
from tenure.twins.sheets.formats import Format, default_format, merged
from tenure.twins.sheets.formula import tokens
from tenure.twins.sheets.records import BLOCK, Scalar, Table

ROW_HEIGHT, COLUMN_WIDTH = 21, 100
"""Pixels of rows and columns that nobody resized."""
_MESSAGES = {
    "DIVIDE_BY_ZERO": "Function DIVIDE parameter 2 cannot be zero.",
    "NAME": "Unknown function or range name.",
    "REF": "Reference does not exist.",
    "N_A": "Did not find value in the evaluation.",
    "VALUE": "A parameter of the formula has the wrong type.",
    "NUM": "A number in the formula is out of its range.",
    "NULL_VALUE": "The formula's ranges do not intersect.",
    "ERROR": "Formula parse error.",
}


def url(id: str) -> str:
    """Where a spreadsheet opens in a browser."""
    return f"https://docs.google.com/spreadsheets/d/{id}/edit"


def spreadsheet(book: Book, data: dict[int, list[tuple[Grid, Area]]] | None = None) -> dict[str, Any]:
    """A ``Spreadsheet``.

    Args:
        book: The spreadsheet.
        data: Sheet id → loaded stretches whose cells are given; only these sheets are listed.
            ``None`` lists all sheets without cells.
    """
    record = book.record
    found: dict[str, Any] = {
        "spreadsheetId": record.id,
        "properties": {
            "title": book.title,
            "locale": record.locale,
            "autoRecalc": record.recalculation,
            "timeZone": record.zone,
            "defaultFormat": default_format(),
        },
        "sheets": [
            sheet(book, grid, (data or {}).get(grid.record.number, []))
            for grid in book.grids
            if data is None or grid.record.number in data
        ],
    }
    if record.named:
        found["namedRanges"] = [named_range(book, id) for id in sorted(record.named)]
    return {**found, "spreadsheetUrl": url(record.id)}


def named_range(book: Book, id: str) -> dict[str, Any]:
    """A ``NamedRange``."""
    named = book.record.named[id]
    return {"namedRangeId": id, "name": named.name, "range": grid_range(named.sheet, area(named.range))}


def properties(grid: Grid) -> dict[str, Any]:
    """``SheetProperties``. Sheet id and index are given even when they are zero."""
    record = grid.record
    size: dict[str, Any] = {"rowCount": record.rows, "columnCount": record.columns}
    if record.frozen_rows:
        size["frozenRowCount"] = record.frozen_rows
    if record.frozen_columns:
        size["frozenColumnCount"] = record.frozen_columns
    if not record.gridlines:
        size["hideGridlines"] = True
    found: dict[str, Any] = {
        "sheetId": record.number,
        "title": record.title,
        "index": record.index,
        "sheetType": "GRID",
        "gridProperties": size,
    }
    if record.hidden:
        found["hidden"] = True
    if record.right_to_left:
        found["rightToLeft"] = True
    if record.tab_color is not None:
        found["tabColor"] = record.tab_color
        found["tabColorStyle"] = {"rgbColor": record.tab_color}
    return found


def table(grid: Grid, id: str, one: Table) -> dict[str, Any]:
    """A ``Table``."""
    return {
        "tableId": id,
        "name": one.name,
        "range": grid_range(grid.record.number, area(one.range)),
        "columnProperties": one.columns,
    }


def sheet(book: Book, grid: Grid, data: list[tuple[Grid, Area]]) -> dict[str, Any]:
    """A ``Sheet``."""
    record = grid.record
    found: dict[str, Any] = {"properties": properties(grid)}
    if data:
        found["data"] = [_grid_data(book, loaded, where) for loaded, where in data]
    if record.merges:
        found["merges"] = [grid_range(record.number, area(one)) for one in record.merges]
    if record.conditional:
        found["conditionalFormats"] = [
            {**rule, "ranges": [grid_range(record.number, area(one)) for one in rule["ranges"]]}
            for rule in record.conditional
        ]
    if record.filter:
        found["basicFilter"] = {
            **record.filter,
            "range": grid_range(record.number, area(record.filter["range"])),
        }
    if record.tables:
        found["tables"] = [table(grid, id, one) for id, one in sorted(record.tables.items())]
    return found


def _grid_data(book: Book, grid: Grid, where: Area) -> dict[str, Any]:
    across = range(where.left, where.right)
    last = where.top - 1
    lines: list[dict[str, Any]] = []
    looks: Looks = {}
    bare = not grid.record.formats and not grid.record.validations
    for row in range(where.top, where.bottom):
        columns = range(0) if bare and row not in grid.rows and row // BLOCK not in grid.results else across
        cells = [cell(book, grid, row, column, looks) for column in columns]
        while cells and not cells[-1]:
            cells.pop()
        lines.append({"values": cells} if cells else {})
        if cells:
            last = row
    found: dict[str, Any] = {}
    if where.top:
        found["startRow"] = where.top
    if where.left:
        found["startColumn"] = where.left
    if last >= where.top:
        found["rowData"] = lines[: last - where.top + 1]
    found["rowMetadata"] = [_row_metadata(grid, row) for row in range(where.top, where.bottom)]
    found["columnMetadata"] = [
        {"pixelSize": COLUMN_WIDTH, **grid.record.column_data.get(letters(column), {})}
        for column in range(where.left, where.right)
    ]
    return found


def _row_metadata(grid: Grid, index: int) -> dict[str, Any]:
    return {"pixelSize": ROW_HEIGHT, **grid.ranged(grid.record.row_data, index, 0)}


def extended(value: Scalar) -> dict[str, Any]:
    """An ``ExtendedValue``."""
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"stringValue": value} if isinstance(value, str) else {"numberValue": value}


def effective_value(found: Effective) -> dict[str, Any]:
    """An ``ExtendedValue`` of what a cell comes to."""
    if found.error:
        return {"errorValue": {"type": found.error, "message": _MESSAGES[found.error]}}
    return {} if found.value is None else extended(found.value)


Looks = dict[tuple[Any, ...], Format]
"""Effective formats by what they follow from: cells that look alike share one."""


def cell(book: Book, grid: Grid, row: int, column: int, looks: Looks | None = None) -> dict[str, Any]:
    """A ``CellData``; empty for a cell with nothing in it.

    Args:
        book: The spreadsheet.
        grid: The sheet, with the row.
        row: From 0.
        column: From 0.
        looks: What cells rendered before looked like.
    """
    looks = {} if looks is None else looks
    held, effective = grid.cell(row, column), grid.effective(row, column)
    rule = grid.validation(row, column)
    if held.empty and effective.empty and not held.format and not held.note and rule is None:
        return {}
    found: dict[str, Any] = {}
    if held.formula:
        found["userEnteredValue"] = {"formulaValue": held.formula}
    elif held.value is not None:
        found["userEnteredValue"] = extended(held.value)
    form = grid.number_format(row, column)
    if not effective.empty:
        found["effectiveValue"] = effective_value(effective)
        text = (
            ERRORS[effective.error]
            if effective.error
            else shown(effective.value if effective.value is not None else "", form, book.locale)
        )
        if text:
            found["formattedValue"] = text
    if held.format:
        found["userEnteredFormat"] = _whole(held.format, book)
    aligned = _alignment(effective)
    look = (id(held.format), *(form or {}).values(), aligned)
    if look not in looks:
        looks[look] = _effective_format(book, held.format, form, aligned)
    found["effectiveFormat"] = looks[look]
    if link := _link(held.formula, held.format):
        found["hyperlink"] = link
    if held.note:
        found["note"] = held.note
    if rule is not None:
        found["dataValidation"] = rule
    return found


def _whole(form: Format, book: Book) -> Format:
    number = form.get("numberFormat")
    if number and not number.get("pattern"):
        pattern = default_pattern(number.get("type", ""), book.locale)
        return {**form, "numberFormat": {**number, "pattern": pattern}} if pattern else form
    return form


def _alignment(effective: Effective) -> str:
    if effective.empty:
        return ""
    if effective.error or isinstance(effective.value, bool):
        return "CENTER"
    return "LEFT" if isinstance(effective.value, str) else "RIGHT"


def _effective_format(book: Book, own: Format, number: Any, aligned: str) -> Format:
    found = merged(default_format(), own)
    if found["textFormat"]["fontFamily"] == "arial,sans,sans-serif":
        found["textFormat"] = {**found["textFormat"], "fontFamily": "Arial"}
    if number:
        found = _whole({**found, "numberFormat": number}, book)
    if aligned:
        found.setdefault("horizontalAlignment", aligned)
    found.setdefault("hyperlinkDisplayType", "PLAIN_TEXT")
    return found


def _link(formula: str, form: Format) -> str:
    link = form.get("textFormat", {}).get("link", {}).get("uri", "")
    if link or "HYPERLINK" not in formula.upper():
        return str(link)
    parts = tokens(formula)
    target = next((part.text for part in parts if part.kind == "string"), '""')
    return target[1:-1].replace('""', '"') if parts[0].text.upper() == "HYPERLINK" else ""
