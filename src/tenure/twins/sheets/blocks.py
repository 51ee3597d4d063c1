"""Requests about blocks of cells: copy, cut, insert, delete, sort, find and replace, merge."""

import re
from typing import Any

from tenure.twins.sheets.a1 import Area, area, column_of, place_of
from tenure.twins.sheets.book import Book, Cell, Grid, Refusal, beyond, bounded
from tenure.twins.sheets.calculate import recalculate
from tenure.twins.sheets.cells import set_validation
from tenure.twins.sheets.dimensions import rewrite
from tenure.twins.sheets.display import shown
from tenure.twins.sheets.entry import Entry
from tenure.twins.sheets.formula import Move, Reference, carried, offset, on_sheet, rewritten
from tenure.twins.sheets.ranges import across_of, area_of
from tenure.twins.sheets.values import empty, reader

Request = dict[str, Any]
Cells = list[list[Cell]]


def _held(grid: Grid, where: Area) -> Cells:
    return [
        [grid.cell(row, column) for column in range(where.left, where.right)]
        for row in range(where.top, bounded(where).bottom)
    ]


def fresh(book: Book) -> None:
    """Bring results up to date where earlier requests of the batch changed something."""
    if book.stale:
        recalculate(book)
        book.stale = True


# -- copy and cut --------------------------------------------------------------------------------


def _copy(book: Book, request: Request) -> Request:
    source_grid, source = area_of(book, request.get("source"))
    grid, target = area_of(book, request.get("destination"))
    kind, turned = request.get("pasteType", "PASTE_NORMAL"), request.get("pasteOrientation") == "TRANSPOSE"
    fresh(book)
    height, width = (source.width, source.height) if turned else (source.height, source.width)
    down, right = max(target.height // height, 1), max(target.width // width, 1)
    target = Area(target.top, target.left, target.top + down * height, target.left + right * width)
    if not grid.whole.covers(target):
        raise Refusal(beyond(grid, target))
    if kind == "PASTE_CONDITIONAL_FORMATTING":
        _copy_conditions(source_grid, source, grid, target)
        return {}
    held = _held(source_grid, source)
    rules = [
        [source_grid.validation(row, column) for column in range(source.left, source.right)]
        for row in range(source.top, source.bottom)
    ]
    effective = [
        [source_grid.effective(row, column).value for column in range(source.left, source.right)]
        for row in range(source.top, source.bottom)
    ]
    for i in range(bounded(target).height):
        for j in range(target.width):
            a, b = (j % source.height, i % source.width) if turned else (i % height, j % width)
            row, column = target.top + i, target.left + j
            step = (row - source.top - a, column - source.left - b)
            cell = held[a][b]
            if kind == "PASTE_VALUES":
                grid.enter(row, column, Entry(effective[a][b]))
            elif kind == "PASTE_FORMAT":
                grid.reformat(row, column, cell.format)
            elif kind == "PASTE_FORMULA":
                grid.enter(row, column, Entry(cell.value, _copied(book, grid, cell.formula, step)))
            elif kind in ("PASTE_NORMAL", "PASTE_NO_BORDERS"):
                form = cell.format
                if kind == "PASTE_NO_BORDERS":
                    form = {key: value for key, value in form.items() if key != "borders"}
                formula = _copied(book, grid, cell.formula, step)
                grid.place(row, column, cell._replace(formula=formula, format=form))
            ruled = kind in ("PASTE_NORMAL", "PASTE_DATA_VALIDATION")
            if ruled and rules[a][b] != grid.validation(row, column):
                set_validation(grid, Area(row, column, row + 1, column + 1), rules[a][b])
    book.stale = True
    return {}


def _copied(book: Book, grid: Grid, formula: str, step: tuple[int, int]) -> str:
    if not formula:
        return ""
    return rewritten(formula, offset(*step, grid.record.rows, grid.record.columns), book.locale.decimal)


def _copy_conditions(source_grid: Grid, source: Area, grid: Grid, target: Area) -> None:
    for rule in source_grid.record.conditional:
        if any(source.meets(area(one)) for one in rule["ranges"]):
            grid.record.conditional = [*grid.record.conditional, {**rule, "ranges": [str(target)]}]


def _cut(book: Book, request: Request) -> Request:
    grid, source = area_of(book, request.get("source"))
    start = request.get("destination", {})
    target_grid = book.numbered(start.get("sheetId", 0))
    top, left = start.get("rowIndex", 0), start.get("columnIndex", 0)
    target = Area(top, left, top + source.height, left + source.width)
    if not target_grid.whole.covers(target):
        raise Refusal(beyond(target_grid, target))
    _carry(book, grid, source, target_grid, target)
    return {}


def _carry(book: Book, grid: Grid, source: Area, target_grid: Grid, target: Area) -> None:
    """Move cells; references to them follow."""
    down, right = target.top - source.top, target.left - source.left
    away = target_grid.title if target_grid is not grid else None
    held = _held(grid, source)
    for row in range(source.top, source.bottom):
        for column in range(source.left, source.right):
            grid.place(row, column, Cell(format=grid.ranged(grid.record.formats, row, column)))
    for i, line in enumerate(held):
        for j, cell in enumerate(line):
            formula = (
                rewritten(cell.formula, _at_home(grid, away), book.locale.decimal) if cell.formula else ""
            )
            target_grid.place(target.top + i, target.left + j, cell._replace(formula=formula))
    move = carried(source, down, right, away)
    rewrite(book, lambda on: on_sheet(grid.title, on is grid, move))


def _at_home(grid: Grid, away: str | None) -> Move:
    """References of a formula that leaves its sheet name the sheet that they meant."""

    def move(old: Reference) -> Reference:
        return old._replace(sheet=grid.title) if old.sheet is None and away is not None else old

    return move


# -- insert and delete cells -----------------------------------------------------------------------


def _last(grid: Grid, across: bool) -> int:
    if not across:
        return max(grid.rows, default=-1) + 1
    return max((column_of(name) + 1 for row in grid.rows.values() for name in _names(row)), default=0)


def _names(row: Any) -> set[str]:
    return {*row.values, *row.formulas, *row.formats, *row.notes}


def _insert_range(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    across = across_of(request, "shiftDimension")
    end = _last(grid, across)
    if across:
        source = where._replace(right=max(end, where.left))
        grid.grow(0, source.right + where.width)
        target = source._replace(left=source.left + where.width, right=source.right + where.width)
    else:
        source = where._replace(bottom=max(end, where.top))
        grid.grow(source.bottom + where.height, 0)
        target = source._replace(top=source.top + where.height, bottom=source.bottom + where.height)
    if source.height > 0 and source.width > 0:
        _carry(book, grid, source, grid, target)
    return {}


def _delete_range(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    across = across_of(request, "shiftDimension")
    for row in range(where.top, bounded(where).bottom):
        for column in range(where.left, where.right):
            grid.place(row, column, Cell(format=grid.ranged(grid.record.formats, row, column)))

    def lost(old: Reference) -> Reference | None:
        return None if where.covers(old.clipped(grid.record.rows, grid.record.columns)) else old

    rewrite(book, lambda on: on_sheet(grid.title, on is grid, lost))
    end = _last(grid, across)
    if across:
        source = where._replace(left=where.right, right=max(end, where.right))
        target = source._replace(left=source.left - where.width, right=source.right - where.width)
    else:
        source = where._replace(top=where.bottom, bottom=max(end, where.bottom))
        target = source._replace(top=source.top - where.height, bottom=source.bottom - where.height)
    if source.height > 0 and source.width > 0:
        _carry(book, grid, source, grid, target)
    return {}


# -- sort ----------------------------------------------------------------------------------------


def _sort(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    specs = request.get("sortSpecs", [])
    if not specs:
        raise Refusal("At least one sort spec is required.")
    fresh(book)
    # Rows below the last one that shows something are empty: sorting leaves them where they are.
    last = max((index for index in grid.rows if index < where.bottom), default=where.top - 1)
    where = where._replace(bottom=max(last, _last_result(grid, where)) + 1)
    order = list(range(where.top, where.bottom))
    for spec in reversed(specs):
        column = spec.get("dimensionIndex", 0)
        if not where.left <= column < where.right:
            raise Refusal(f"Sort column {column} is outside the range")
        falling = spec.get("sortOrder") == "DESCENDING"
        filled = [row for row in order if not grid.effective(row, column).empty]
        blank = [row for row in order if grid.effective(row, column).empty]
        order = sorted(filled, key=lambda row: _rank(grid, row, column), reverse=falling) + blank
    if falling_stable := [(new, old) for new, old in enumerate(order, where.top) if new != old]:
        _reorder(book, grid, where, dict(falling_stable))
    return {}


def _last_result(grid: Grid, where: Area) -> int:
    places = [place_of(name)[0] for one in grid.results.values() for name in (*one.values, *one.errors)]
    return max((row for row in places if row < where.bottom), default=-1)


def _rank(grid: Grid, row: int, column: int) -> tuple[int, float, str]:
    found = grid.effective(row, column)
    if found.error:
        return 3, 0, found.error
    value = found.value
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, str):
        return 1, 0, value.casefold()
    return 0, float(value or 0), ""


def _reorder(book: Book, grid: Grid, where: Area, places: dict[int, int]) -> None:
    """Put row ``old`` at place ``new`` for each new → old; whole rows keep their identity."""
    size = (grid.record.rows, grid.record.columns)
    inside = [row for index, row in grid.rows.items() if where.top <= index < where.bottom]
    if all(where.left <= column_of(name) < where.right for row in inside for name in _names(row)):
        grid.record.moves += 1
        rows = dict(grid.rows)
        for new, old in places.items():
            rows.pop(new, None)
            if old in grid.rows:
                rows[new] = grid.rows[old]
                _turn(book, grid, rows[new], new - old, size)
        grid.rearrange(dict(sorted(rows.items())))
    else:
        held = {old: _held(grid, where._replace(top=old, bottom=old + 1))[0] for old in places.values()}
        for new, old in places.items():
            for j, cell in enumerate(held[old]):
                formula = _copied(book, grid, cell.formula, (new - old, 0))
                grid.place(new, where.left + j, cell._replace(formula=formula))
    book.stale = True


def _turn(book: Book, grid: Grid, row: Any, step: int, size: tuple[int, int]) -> None:
    move = offset(step, 0, *size)
    for name, formula in row.formulas.items():
        row.formulas[name] = rewritten(formula, move, book.locale.decimal)
        grid.changed.add(row.id)


# -- find and replace ----------------------------------------------------------------------------


def _find_replace(book: Book, request: Request) -> Request:
    find = request.get("find", "")
    if not find:
        raise Refusal("find must not be empty")
    if "range" in request:
        scope = [area_of(book, request["range"])]
    elif request.get("allSheets"):
        scope = [(grid, grid.whole) for grid in book.grids]
    elif "sheetId" in request:
        grid = book.numbered(request["sheetId"])
        scope = [(grid, grid.whole)]
    else:
        raise Refusal("One of range, sheetId or allSheets is required.")
    search = _searcher(request)
    counts = {"values": 0, "formulas": 0, "rows": 0, "sheets": 0, "occurrences": 0}
    for grid, where in scope:
        before = counts["rows"]
        for index in sorted(index for index in grid.rows if where.top <= index < where.bottom):
            counts["rows"] += _replace_row(book, grid, index, where, search, request, counts)
        counts["sheets"] += counts["rows"] > before
    book.stale = True
    return {f"{name}Changed": n for name, n in counts.items() if n} or {"occurrencesChanged": 0}


def _searcher(request: Request) -> Any:
    flags = 0 if request.get("matchCase") else re.IGNORECASE
    pattern = request["find"] if request.get("searchByRegex") else re.escape(request["find"])
    if request.get("matchEntireCell"):
        pattern = rf"\A(?:{pattern})\Z"
    try:
        compiled = re.compile(pattern, flags)
    except re.error as error:
        raise Refusal(f"Invalid regular expression: {error}") from None
    replacement = request.get("replacement", "")
    if request.get("searchByRegex"):
        if any(int(group) > compiled.groups for group in re.findall(r"\$(\d+)", replacement)):
            raise Refusal(f"Invalid replacement, there is no such group: {replacement}")
        replacement = re.sub(r"\$(\d+)", r"\\g<\1>", replacement.replace("\\", "\\\\"))
    else:
        replacement = replacement.replace("\\", "\\\\")
    return lambda text: compiled.subn(replacement, text)


def _replace_row(
    book: Book, grid: Grid, index: int, where: Area, search: Any, request: Request, counts: dict[str, int]
) -> bool:
    row, read, changed = grid.rows[index], reader(book, "USER_ENTERED"), False
    columns = sorted(column_of(name) for name in {*row.values, *row.formulas})
    for column in [one for one in columns if where.left <= one < where.right]:
        cell = grid.cell(index, column)
        if cell.formula:
            if not request.get("includeFormulas"):
                continue
            text, n = search(cell.formula)
            entry, kind = Entry(formula=text), "formulas"
        else:
            text = shown(
                cell.value if cell.value is not None else "", grid.number_format(index, column), book.locale
            )
            text, n = search(text)
            entry, kind = read(grid, index, column, text), "values"
        if n:
            grid.enter(index, column, entry)
            counts[kind] += 1
            counts["occurrences"] += n
            changed = True
    return changed


# -- merge ---------------------------------------------------------------------------------------


def _merge(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    kind = request.get("mergeType", "MERGE_ALL")
    pieces = {
        "MERGE_ROWS": [where._replace(top=n, bottom=n + 1) for n in range(where.top, bounded(where).bottom)],
        "MERGE_COLUMNS": [where._replace(left=n, right=n + 1) for n in range(where.left, where.right)],
    }.get(kind, [where])
    others = [area(one) for one in grid.record.merges]
    if any(where.meets(one) and not where.covers(one) for one in others):
        raise Refusal("You must select all cells in a merged range to merge or unmerge them.")
    kept = [one for one in others if not where.covers(one)]
    for piece in pieces:
        if piece.height * piece.width < 2:
            continue
        first = grid.cell(piece.top, piece.left)
        empty(book, grid, piece)
        grid.enter(piece.top, piece.left, Entry(first.value, first.formula))
        kept.append(piece)
    grid.record.merges = sorted(str(one) for one in kept)
    return {}


def _unmerge(book: Book, request: Request) -> Request:
    grid, where = area_of(book, request.get("range"))
    others = [area(one) for one in grid.record.merges]
    if any(where.meets(one) and not where.covers(one) for one in others):
        raise Refusal("You must select all cells in a merged range to merge or unmerge them.")
    grid.record.merges = [str(one) for one in others if not where.covers(one)]
    return {}


REQUESTS = {
    "copyPaste": _copy,
    "cutPaste": _cut,
    "insertRange": _insert_range,
    "deleteRange": _delete_range,
    "sortRange": _sort,
    "findReplace": _find_replace,
    "mergeCells": _merge,
    "unmergeCells": _unmerge,
}
