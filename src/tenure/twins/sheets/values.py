"""Reading and writing values: what the ``values`` methods do."""

from datetime import UTC, datetime
from typing import Any

from tenure.twins.sheets.a1 import Area, column_of, letters, place_of
from tenure.twins.sheets.book import Book, Grid, Refusal, beyond, named
from tenure.twins.sheets.dimensions import insert
from tenure.twins.sheets.display import is_moment, shown
from tenure.twins.sheets.engine import ERRORS
from tenure.twins.sheets.entry import Entry, entered, raw
from tenure.twins.sheets.locales import Locale
from tenure.twins.sheets.records import BLOCK, Scalar
from tenure.twins.sheets.storage import load, open_book, save
from tenure.twins.sheets.times import zone
from tenure.world import Act

UNSPECIFIED = "'valueInputOption' is required but not specified"
Matrix = list[list[Any]]


def rendered(grid: Grid, row: int, column: int, locale: Locale, option: str, dates: str) -> Any:
    """A cell as a ``ValueRange`` gives it; ``None`` for an empty one.

    Args:
        grid: Its sheet.
        row: From 0.
        column: From 0.
        locale: The spreadsheet's.
        option: ``FORMATTED_VALUE``, ``UNFORMATTED_VALUE`` or ``FORMULA``.
        dates: ``SERIAL_NUMBER`` or ``FORMATTED_STRING``.
    """
    if option == "FORMULA" and (found := grid.rows.get(row)) is not None:
        formula = found.formulas.get(letters(column))
        if formula:
            return formula
    effective = grid.effective(row, column)
    if effective.error:
        return ERRORS[effective.error]
    value = effective.value
    if value is None:
        return None
    form = grid.number_format(row, column)
    if option == "FORMATTED_VALUE" or (dates == "FORMATTED_STRING" and is_moment(form)):
        return shown(value, form, locale)
    return value


def matrix(
    grid: Grid, where: Area, locale: Locale, option: str = "FORMATTED_VALUE", dates: str = "SERIAL_NUMBER"
) -> Matrix:
    """The rows of an area, empty ends left out."""
    found: Matrix = []
    last = _last_row(grid, where)
    for row in range(where.top, last + 1):
        line = [rendered(grid, row, c, locale, option, dates) for c in range(where.left, where.right)]
        found.append(_trimmed(line))
    while found and not found[-1]:
        found.pop()
    return found


def _last_row(grid: Grid, where: Area) -> int:
    last = max((index for index in grid.rows if index < where.bottom), default=-1)
    for block in grid.results:
        if block * BLOCK < where.bottom:
            last = max(last, min((block + 1) * BLOCK, where.bottom) - 1)
    return last


def _trimmed(line: list[Any]) -> list[Any]:
    while line and line[-1] is None:
        line.pop()
    return ["" if value is None else value for value in line]


def transposed(rows: Matrix) -> Matrix:
    """Columns of rows, empty ends left out."""
    width = max(map(len, rows), default=0)
    found = []
    for column in range(width):
        line = [row[column] if column < len(row) else None for row in rows]
        found.append(_trimmed([None if value == "" else value for value in line]))
    return found


def show(act: Act, grid: Grid, where: Area) -> None:
    """Note the records whose content an area of loaded cells returns."""
    for index in sorted(grid.rows):
        row = grid.rows[index]
        if any(where.holds(index, column_of(name)) for name in (*row.values, *row.formulas)):
            act.show(row)
    for result in grid.results.values():
        if any(where.holds(*place_of(name)) for name in (*result.values, *result.errors)):
            act.show(result)


def value_range(act: Act, book: Book, grid: Grid, where: Area, options: dict[str, Any]) -> dict[str, Any]:
    """A ``ValueRange`` of cells that are loaded.

    Args:
        act: The act; what is returned is shown.
        book: The spreadsheet.
        grid: The sheet, with its rows.
        where: The cells.
        options: ``majorDimension``, ``valueRenderOption`` and ``dateTimeRenderOption``.
    """
    major = options.get("majorDimension") or "ROWS"
    rows = matrix(
        grid,
        where,
        book.locale,
        options.get("valueRenderOption") or "FORMATTED_VALUE",
        options.get("dateTimeRenderOption") or "SERIAL_NUMBER",
    )
    show(act, grid, where)
    found = {
        "range": named(grid, where),
        "majorDimension": "COLUMNS" if major == "COLUMNS" else "ROWS",
    }
    values = transposed(rows) if major == "COLUMNS" else rows
    return {**found, "values": values} if values else found


def get(act: Act, id: str, ranges: list[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    """The ``ValueRange`` of each range."""
    book = open_book(act, id)
    found = []
    for text in ranges:
        grid, where = book.resolve(text)
        found.append(value_range(act, book, load(act, grid, where.top, where.bottom), where, options))
    return found


# -- writing -------------------------------------------------------------------------------------


def reader(book: Book, option: str | None) -> Any:
    """How values are taken: (grid, row, column, value) → entry.

    Raises:
        Refusal: The option is missing.
    """
    if option == "RAW":
        return lambda grid, row, column, value: raw(value)
    if option != "USER_ENTERED":
        raise Refusal(UNSPECIFIED)
    year = datetime.fromtimestamp(book.world.now / 1000, UTC).astimezone(zone(book.record.zone)).year

    def read(grid: Grid, row: int, column: int, value: Scalar | None) -> Entry:
        if grid.formatted_as_text(row, column):
            return raw(value)
        return entered(value, book.locale, year)

    return read


def rows_of(values: Any, major: str | None) -> Matrix:
    """The rows of a request's ``values``.

    Raises:
        Refusal: One of them is no plain value.
    """
    for i, line in enumerate(values):
        for j, value in enumerate(line):
            if isinstance(value, dict | list):
                kind = "struct_value" if isinstance(value, dict) else "list_value"
                raise Refusal(f"Invalid values[{i}][{j}]: {kind}")
    if major != "COLUMNS":
        return [list(line) for line in values]
    height = max(map(len, values), default=0)
    return [[line[row] if row < len(line) else None for line in values] for row in range(height)]


def write(book: Book, text: str, values: Any, major: str | None, option: str | None) -> dict[str, Any]:
    """Write values from a range's upper left cell on; an ``UpdateValuesResponse`` without its id.

    Raises:
        Refusal: The range is none, the values do not fit into it, or it leaves the grid.
    """
    read = reader(book, option)
    grid, where = book.resolve(text)
    rows = rows_of(values, major)
    height, width = len(rows), max(map(len, rows), default=0)
    if (where.height, where.width) != (1, 1):
        if height > where.height:
            place = f"row [{where.bottom + 1}]"
            raise Refusal(
                f"Requested writing within range [{named(grid, where)}], but tried writing to {place}"
            )
        if width > where.width:
            place = f"column [{letters(where.right)}]"
            raise Refusal(
                f"Requested writing within range [{named(grid, where)}], but tried writing to {place}"
            )
    return put(book, grid, where.top, where.left, rows, read)


def put(book: Book, grid: Grid, top: int, left: int, rows: Matrix, read: Any) -> dict[str, Any]:
    """Enter rows at a place; see ``write``."""
    width = max(map(len, rows), default=0)
    target = Area(top, left, top + max(len(rows), 1), left + max(width, 1))
    if not grid.whole.covers(target):
        raise Refusal(beyond(grid, target))
    touched = set()
    for i, line in enumerate(rows):
        for j, value in enumerate(line):
            if value is not None:
                grid.enter(top + i, left + j, read(grid, top + i, left + j, value))
                touched.add((i, j))
    book.stale = True
    found: dict[str, Any] = {"updatedRange": named(grid, target)}
    counts = (
        ("Rows", len({i for i, _ in touched})),
        ("Columns", len({j for _, j in touched})),
        ("Cells", len(touched)),
    )
    return found | {f"updated{name}": count for name, count in counts if count}


def _answer(act: Act, book: Book, found: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    result = {"spreadsheetId": book.record.id, **found}
    if body.get("includeValuesInResponse"):
        grid, where = book.resolve(found["updatedRange"])
        options = {
            "majorDimension": body.get("majorDimension"),
            "valueRenderOption": body.get("responseValueRenderOption"),
            "dateTimeRenderOption": body.get("responseDateTimeRenderOption"),
        }
        result["updatedData"] = value_range(act, book, grid, where, options)
    return result


def update(act: Act, id: str, text: str, values: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Write one range: ``UpdateValuesResponse``."""
    book = open_book(act, id, write=True)
    found = write(book, text, values, options.get("majorDimension"), options.get("valueInputOption"))
    save(act, book)
    return _answer(act, book, found, options)


def batch_update(act: Act, id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Write several ranges, all or none: ``BatchUpdateValuesResponse``."""
    book = open_book(act, id, write=True)
    done = []
    for data in body.get("data", []):
        major = data.get("majorDimension")
        found = write(
            book, data.get("range", ""), data.get("values", []), major, body.get("valueInputOption")
        )
        done.append((found, {**body, "majorDimension": major}))
    if not done:
        reader(book, body.get("valueInputOption"))
    save(act, book)
    result: dict[str, Any] = {"spreadsheetId": id}
    for name in ("Rows", "Columns", "Cells"):
        if total := sum(found.get(f"updated{name}", 0) for found, _ in done):
            result[f"totalUpdated{name}"] = total
    if sheets := len({found["updatedRange"].rpartition("!")[0] for found, _ in done}):
        result["totalUpdatedSheets"] = sheets
    if done:
        result["responses"] = [_answer(act, book, found, options) for found, options in done]
    return result


def append(act: Act, id: str, text: str, values: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Write after the table that a range finds: ``AppendValuesResponse``."""
    book = open_book(act, id, write=True)
    read = reader(book, options.get("valueInputOption"))
    grid, where = book.resolve(text)
    rows = rows_of(values, options.get("majorDimension"))
    table = find_table(grid, where)
    top, left = (table.bottom, table.left) if table else (where.top, where.left)
    if options.get("insertDataOption") == "INSERT_ROWS" and rows and top < grid.record.rows:
        insert(book, grid, across=False, at=top, count=len(rows))
    grid.grow(top + max(len(rows), 1), left + max([1, *map(len, rows)]))
    book.check_size()
    found = put(book, grid, top, left, rows, read)
    save(act, book)
    result: dict[str, Any] = {"spreadsheetId": id, "updates": _answer(act, book, found, options)}
    return {**result, "tableRange": named(grid, table)} if table else result


def clear(act: Act, id: str, ranges: list[str]) -> list[str]:
    """Clear the values of ranges; formats stay. The ranges as they were resolved."""
    book = open_book(act, id, write=True)
    found = []
    for text in ranges:
        grid, where = book.resolve(text)
        empty(book, grid, where)
        found.append(named(grid, where))
    save(act, book)
    return found


def empty(book: Book, grid: Grid, where: Area) -> None:
    """Clear the values of an area."""
    for index, row in list(grid.rows.items()):
        if where.top <= index < where.bottom:
            for name in {*row.values, *row.formulas}:
                if where.left <= column_of(name) < where.right:
                    grid.enter(index, column_of(name), Entry())
    book.stale = True


# -- tables --------------------------------------------------------------------------------------


def find_table(grid: Grid, where: Area) -> Area | None:
    """The region that ``append`` writes after.

    The last contiguous region that shares a cell with the range; else the nearest one below it.
    """
    regions = _regions(grid)
    holding = [region for region in regions if region.meets(where)]
    if holding:
        return max(holding, key=lambda region: (region.bottom, -region.left))
    below = [
        region
        for region in regions
        if region.top >= where.bottom and region.left < where.right and where.left < region.right
    ]
    return min(below, key=lambda region: (region.top, region.left)) if below else None


def _filled(grid: Grid) -> set[tuple[int, int]]:
    found = {
        (index, column_of(name)) for index, row in grid.rows.items() for name in (*row.values, *row.formulas)
    }
    return found | {place_of(name) for result in grid.results.values() for name in result.values}


def _regions(grid: Grid) -> list[Area]:
    """Rectangles around neighbouring filled cells; rectangles that touch are one."""
    pending, found = _filled(grid), []
    while pending:
        start = pending.pop()
        group, queue = {start}, [start]
        while queue:
            row, column = queue.pop()
            for near in ((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
                if near in pending:
                    pending.discard(near)
                    group.add(near)
                    queue.append(near)
        rows, columns = [r for r, _ in group], [c for _, c in group]
        found.append(Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1))
    return _joined(found)


def _joined(regions: list[Area]) -> list[Area]:
    found: list[Area] = []
    for region in regions:
        grown = region
        while True:
            near = Area(grown.top - 1, grown.left - 1, grown.bottom + 1, grown.right + 1)
            touching = [other for other in found if other.meets(near)]
            if not touching:
                break
            for other in touching:
                found.remove(other)
                grown = Area(
                    min(grown.top, other.top),
                    min(grown.left, other.left),
                    max(grown.bottom, other.bottom),
                    max(grown.right, other.right),
                )
        found.append(grown)
    return found
