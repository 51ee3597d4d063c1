"""Requests about single cells: values, formats, notes and validation as ``CellData`` has them."""

from typing import Any

from tenure.twins.google import fields as selectors
from tenure.twins.sheets import formats
from tenure.twins.sheets.a1 import Area, area
from tenure.twins.sheets.book import Book, Grid, Refusal, beyond, bounded
from tenure.twins.sheets.entry import Entry, raw
from tenure.twins.sheets.formula import offset, rewritten, tidied
from tenure.twins.sheets.ranges import area_of, mask, wanted
from tenure.twins.sheets.records import Ranged

Request = dict[str, Any]
_KNOWN = ("userEnteredValue", "userEnteredFormat", "note", "dataValidation")


def _checked(tree: selectors.Mask) -> selectors.Mask:
    for name in tree:
        if name not in _KNOWN:
            raise Refusal(f"Unsupported field in 'fields': {name}")
    return tree


def _entry(given: dict[str, Any] | None) -> Entry:
    if not given:
        return Entry()
    if "formulaValue" in given:
        formula = given["formulaValue"]
        return Entry(formula=tidied(formula))
    if "errorValue" in given:
        raise Refusal("An error value cannot be entered.")
    return raw(next(iter(given.values())))


def _patch(given: dict[str, Any], tree: selectors.Mask) -> formats.Format | None:
    """The format patch of a ``CellData``; ``None`` resets the format."""
    if "userEnteredFormat" not in given and not tree.get("userEnteredFormat"):
        return None
    asked = tree.get("userEnteredFormat", {})
    if not asked:
        found: formats.Format = formats.with_colors(given.get("userEnteredFormat"))
        return found
    picked: formats.Format = formats.with_colors(formats.picked(given.get("userEnteredFormat", {}), asked))
    return picked


def set_validation(grid: Grid, where: Area, rule: dict[str, Any] | None) -> None:
    """Give a range a validation rule, or take it away."""
    kept = [one for one in grid.record.validations if not where.covers(area(one.range))]
    if rule is not None or any(where.meets(area(one.range)) for one in kept):
        kept.append(Ranged(range=str(where), value=rule))
    grid.record.validations = kept


def write_cell(grid: Grid, row: int, column: int, given: dict[str, Any], tree: selectors.Mask) -> None:
    """Write what a mask takes of a ``CellData`` into a cell."""
    if wanted(tree, "userEnteredValue"):
        grid.enter(row, column, _entry(given.get("userEnteredValue")))
    if wanted(tree, "userEnteredFormat"):
        patch, before = _patch(given, tree), grid.format(row, column)
        after = (
            {} if patch is None else formats.merged(before if tree.get("userEnteredFormat") else {}, patch)
        )
        if after != before:
            grid.reformat(row, column, after)
    if wanted(tree, "note"):
        grid.annotate(row, column, given.get("note", ""))
    if wanted(tree, "dataValidation"):
        rule = given.get("dataValidation")
        if rule is not None or grid.validation(row, column) is not None:
            set_validation(grid, Area(row, column, row + 1, column + 1), rule)


def write_rows(
    book: Book, grid: Grid, top: int, left: int, rows: list[dict[str, Any]], tree: selectors.Mask
) -> None:
    """Write ``RowData`` from a cell on.

    Raises:
        Refusal: It leaves the grid, or the mask lists what cannot be written.
    """
    _checked(tree)
    width = max((len(row.get("values", [])) for row in rows), default=0)
    target = Area(top, left, top + max(len(rows), 1), left + max(width, 1))
    if not grid.whole.covers(target):
        raise Refusal(beyond(grid, target))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row.get("values", [])):
            write_cell(grid, top + i, left + j, cell, tree)
    book.stale = True


def _update_cells(book: Book, request: Request) -> Request:
    tree, rows = mask(request), request.get("rows", [])
    if "start" in request:
        start = request["start"]
        grid = book.numbered(start.get("sheetId", 0))
        write_rows(book, grid, start.get("rowIndex", 0), start.get("columnIndex", 0), rows, tree)
        return {}
    grid, where = area_of(book, request.get("range"))
    if len(rows) > where.height or any(len(row.get("values", [])) > where.width for row in rows):
        raise Refusal("The rows do not fit into the range")
    for row in range(where.top, bounded(where).bottom):
        cells = rows[row - where.top].get("values", []) if row - where.top < len(rows) else []
        if not cells and row not in grid.rows and not grid.record.formats and not grid.record.validations:
            continue
        filled = [cells[j] if j < len(cells) else {} for j in range(where.width)]
        write_rows(book, grid, row, where.left, [{"values": filled}], tree)
    book.stale = True
    return {}


def _repeat_cell(book: Book, request: Request) -> Request:
    tree, given = _checked(mask(request)), request.get("cell", {})
    grid, where = area_of(book, request.get("range"))
    if wanted(tree, "userEnteredValue"):
        entry = _entry(given.get("userEnteredValue"))
        for row in range(where.top, bounded(where).bottom):
            for column in range(where.left, where.right):
                grid.enter(row, column, _repeated(book, grid, entry, row - where.top, column - where.left))
    if wanted(tree, "userEnteredFormat"):
        if not tree.get("userEnteredFormat"):
            grid.apply(where, None)
        if (patch := _patch(given, tree)) is not None:
            grid.apply(where, patch)
    if wanted(tree, "note"):
        for row in range(where.top, bounded(where).bottom):
            for column in range(where.left, where.right):
                grid.annotate(row, column, given.get("note", ""))
    if wanted(tree, "dataValidation"):
        set_validation(grid, where, given.get("dataValidation"))
    book.stale = True
    return {}


def _repeated(book: Book, grid: Grid, entry: Entry, down: int, right: int) -> Entry:
    if not entry.formula:
        return entry
    move = offset(down, right, grid.record.rows, grid.record.columns)
    return entry._replace(formula=rewritten(entry.formula, move, book.locale.decimal))


def _append_cells(book: Book, request: Request) -> Request:
    tree, rows = mask(request), request.get("rows", [])
    if request.get("tableId"):
        raise Refusal("Appending by tableId is not supported; give sheetId.")
    grid = book.numbered(request.get("sheetId", 0))
    top = max((index for index, row in grid.rows.items() if row.values or row.formulas), default=-1) + 1
    width = max((len(row.get("values", [])) for row in rows), default=0)
    grid.grow(top + len(rows), width)
    write_rows(book, grid, top, 0, rows, tree)
    return {}


def borders(grid: Grid, where: Area, request: Request) -> None:
    """Draw the borders that a request lists around and inside an area."""
    edges = {
        "top": where._replace(bottom=where.top + 1),
        "bottom": where._replace(top=where.bottom - 1),
        "left": where._replace(right=where.left + 1),
        "right": where._replace(left=where.right - 1),
    }
    for name, edge in edges.items():
        if name in request:
            grid.apply(edge, {"borders": {name: _border(request[name])}})
    if "innerHorizontal" in request and where.height > 1:
        line = _border(request["innerHorizontal"])
        grid.apply(where._replace(bottom=where.bottom - 1), {"borders": {"bottom": line}})
        grid.apply(where._replace(top=where.top + 1), {"borders": {"top": line}})
    if "innerVertical" in request and where.width > 1:
        line = _border(request["innerVertical"])
        grid.apply(where._replace(right=where.right - 1), {"borders": {"right": line}})
        grid.apply(where._replace(left=where.left + 1), {"borders": {"left": line}})


def _border(given: dict[str, Any]) -> dict[str, Any] | None:
    if given.get("style", "NONE") == "NONE":
        return None
    width = {"SOLID_MEDIUM": 2, "SOLID_THICK": 3, "DOUBLE": 3}.get(given["style"], 1)
    found: dict[str, Any] = formats.with_colors({"color": {}, **given, "width": width})
    return {**found, "colorStyle": found.get("colorStyle") or {"rgbColor": found["color"]}}


def _update_borders(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    borders(grid, where, request)
    return {}


def _set_data_validation(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    set_validation(grid, where, request.get("rule"))
    return {}


REQUESTS = {
    "updateCells": _update_cells,
    "repeatCell": _repeat_cell,
    "appendCells": _append_cells,
    "updateBorders": _update_borders,
    "setDataValidation": _set_data_validation,
}
