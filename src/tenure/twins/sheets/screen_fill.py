"""The fill handle: what dragging a range over further cells enters there."""

import re
from itertools import pairwise
from typing import Any

from tenure.twins.sheets.a1 import Area, grid_range
from tenure.twins.sheets.book import Cell, Grid
from tenure.twins.sheets.display import is_moment
from tenure.twins.sheets.records import Scalar
from tenure.twins.sheets.render import extended

_NUMBERED = re.compile(r"(.*?)(\d+)", re.DOTALL)


def requests(grid: Grid, source: Area, target: Area) -> list[dict[str, Any]]:
    """The ``batchUpdate`` requests that fill a target from the source beside it.

    Formats and formulas are copied; numbers, dates and numbered texts go on as a series.

    Args:
        grid: The sheet, with the source's rows.
        source: What was selected.
        target: The further cells: as wide as the source below or above it, or as tall beside it.
    """
    across = (target.top, target.bottom) == (source.top, source.bottom)
    back = target.left < source.left if across else target.top < source.top
    found: list[dict[str, Any]] = [
        {
            "copyPaste": {
                "source": grid_range(grid.record.number, origin),
                "destination": grid_range(grid.record.number, piece),
            }
        }
        for origin, piece in _pieces(source, target, across=across, back=back)
    ]
    for line in range(source.height if across else source.width):
        cells = _line(grid, source, line, across=across)
        count = target.width if across else target.height
        series = continued(cells[::-1] if back else cells, count)
        if series:
            found.append(_entry(grid, target, line, series[::-1] if back else series, across=across))
    return found


def _line(grid: Grid, source: Area, line: int, *, across: bool) -> list[Cell]:
    if across:
        return [grid.cell(source.top + line, column) for column in range(source.left, source.right)]
    return [grid.cell(row, source.left + line) for row in range(source.top, source.bottom)]


def _entry(grid: Grid, target: Area, line: int, series: list[Scalar], *, across: bool) -> dict[str, Any]:
    cells = [{"userEnteredValue": extended(value)} for value in series]
    rows = [{"values": cells}] if across else [{"values": [cell]} for cell in cells]
    start = {
        "sheetId": grid.record.number,
        "rowIndex": target.top + (line if across else 0),
        "columnIndex": target.left + (0 if across else line),
    }
    return {"updateCells": {"start": start, "rows": rows, "fields": "userEnteredValue"}}


def _span(where: Area, low: int, high: int, *, across: bool) -> Area:
    return where._replace(left=low, right=high) if across else where._replace(top=low, bottom=high)


def _pieces(source: Area, target: Area, *, across: bool, back: bool) -> list[tuple[Area, Area]]:
    """(part of the source, part of the target that copies of it fill)."""
    first, past = (source.left, source.right) if across else (source.top, source.bottom)
    low, high = (target.left, target.right) if across else (target.top, target.bottom)
    rest = (high - low) % (past - first)
    if back:
        parts = [((first, past), (low + rest, high)), ((past - rest, past), (low, low + rest))]
    else:
        parts = [((first, past), (low, high - rest)), ((first, first + rest), (high - rest, high))]
    return [
        (_span(source, *origin, across=across), _span(target, *piece, across=across))
        for origin, piece in parts
        if piece[0] < piece[1]
    ]


def continued(cells: list[Cell], count: int) -> list[Scalar]:
    """How a run of cells goes on; empty where it is no series, so that it repeats.

    Args:
        cells: In the direction of the drag.
        count: How many further values.
    """
    if not cells or any(cell.formula or cell.value is None for cell in cells):
        return []
    values = [cell.value for cell in cells if cell.value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return _numbers([value for value in values if not isinstance(value, str)], cells[0], count)
    texts = [_NUMBERED.fullmatch(value) for value in values if isinstance(value, str)]
    if len(texts) != len(values) or any(text is None or text[1] != (texts[0] or text)[1] for text in texts):
        return []
    heads = [(text[1], int(text[2])) for text in texts if text]
    step = heads[1][1] - heads[0][1] if len(heads) > 1 else 1
    if any(b[1] - a[1] != step for a, b in pairwise(heads)):
        return []
    return [f"{heads[-1][0]}{heads[-1][1] + step * n}" for n in range(1, count + 1)]


def _numbers(values: list[int | float], first: Cell, count: int) -> list[Scalar]:
    if len(values) == 1:
        step: int | float = 1 if is_moment(first.format.get("numberFormat")) else 0
    else:
        step = values[1] - values[0]
    even = all(abs(b - a - step) < 1e-9 for a, b in pairwise(values))
    if not even or (len(values) == 1 and not step):
        return []
    return [round(values[-1] + step * n, 12) for n in range(1, count + 1)]
