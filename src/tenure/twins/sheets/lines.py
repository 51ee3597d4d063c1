"""Requests about rows and columns."""

from typing import Any

from tenure.twins.sheets import formats
from tenure.twins.sheets.a1 import Area, area, letters
from tenure.twins.sheets.book import Book, Grid, Refusal
from tenure.twins.sheets.dimensions import delete, insert, move
from tenure.twins.sheets.display import shown
from tenure.twins.sheets.ranges import Stretch, across_of, mask, stretch_of, wanted

Request = dict[str, Any]
_CHARACTER, _MARGIN = 7, 11
"""Pixels: about the width of a character at size 10, and what a cell adds around its text."""


def _append(book: Book, request: Request) -> Request:
    grid, across = book.numbered(request.get("sheetId", 0)), across_of(request)
    count = request.get("length", 0)
    if count < 1:
        raise Refusal("length must be greater than zero")
    if across:
        grid.record.columns += count
    else:
        grid.record.rows += count
    book.stale = True
    book.check_size()
    return {}


def _insert(book: Book, request: Request) -> Request:
    at = stretch_of(book, request.get("range"), past=True)
    if request.get("inheritFromBefore") and at.low == 0:
        raise Refusal("inheritFromBefore cannot be true when inserting at index 0")
    insert(book, at.grid, across=at.across, at=at.low, count=at.high - at.low)
    book.check_size()
    _inherit(at, before=bool(request.get("inheritFromBefore")))
    return {}


def _inherit(at: Stretch, *, before: bool) -> None:
    """Let formats of ranges that end before the new lines, or start after them, reach into them."""
    rules = []
    for rule in at.grid.record.formats:
        where = area(rule.range)
        low, high = (where.left, where.right) if at.across else (where.top, where.bottom)
        if before and high == at.low:
            high = at.high
        elif not before and low == at.high:
            low = at.low
        ends = {"left": low, "right": high} if at.across else {"top": low, "bottom": high}
        rules.append(rule.model_copy(update={"range": str(where._replace(**ends))}))
    at.grid.record.formats = rules


def _delete(book: Book, request: Request) -> Request:
    at = stretch_of(book, request.get("range"))
    size = at.grid.record.columns if at.across else at.grid.record.rows
    if at.high - at.low == size:
        raise Refusal(f"You can't delete all the {'columns' if at.across else 'rows'} on the sheet.")
    delete(book, at.grid, across=at.across, low=at.low, high=at.high)
    return {}


def _move(book: Book, request: Request) -> Request:
    at, to = stretch_of(book, request.get("source")), request.get("destinationIndex", 0)
    size = at.grid.record.columns if at.across else at.grid.record.rows
    if not 0 <= to <= size:
        raise Refusal(f"destinationIndex {to} is out of range")
    if at.low < to < at.high:
        raise Refusal("The destination lies inside the source")
    move(book, at.grid, across=at.across, low=at.low, high=at.high, to=to)
    return {}


def _update(book: Book, request: Request) -> Request:
    tree, at = mask(request), stretch_of(book, request.get("range"))
    given = request.get("properties", {})
    names = [name for name in ("hiddenByUser", "pixelSize") if wanted(tree, name)]
    patch = {name: given.get(name) or None for name in names if tree or name in given}
    _set(at, patch)
    return {}


def _set(at: Stretch, patch: dict[str, Any]) -> None:
    record = at.grid.record
    if not at.across:
        where = Area(at.low, 0, at.high, 1)
        record.row_data = formats.given(record.row_data, str(where), patch)
        return
    for column in range(at.low, at.high):
        name = letters(column)
        data = formats.merged(record.column_data.get(name, {}), patch)
        kept = {key: value for key, value in record.column_data.items() if key != name}
        record.column_data = {**kept, name: data} if data else kept


def _auto_resize(book: Book, request: Request) -> Request:
    at = stretch_of(book, request.get("dimensions"))
    if not at.across:
        _set(at, {"pixelSize": None})
        return {}
    for column in range(at.low, at.high):
        width = max(_widths(book, at.grid, column), default=0)
        if width:
            _set(Stretch(at.grid, True, column, column + 1), {"pixelSize": width * _CHARACTER + _MARGIN})
    return {}


def _widths(book: Book, grid: Grid, column: int) -> list[int]:
    found = []
    for row in grid.rows:
        value = grid.effective(row, column).value
        if value is not None:
            found.append(len(shown(value, grid.number_format(row, column), book.locale)))
    return found


REQUESTS = {
    "appendDimension": _append,
    "insertDimension": _insert,
    "deleteDimension": _delete,
    "moveDimension": _move,
    "updateDimensionProperties": _update,
    "autoResizeDimensions": _auto_resize,
}
