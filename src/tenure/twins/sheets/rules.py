"""Requests about what holds for a range: conditional formats, the basic filter, tables."""

from typing import Any

from tenure.twins.sheets import formats, render
from tenure.twins.sheets.a1 import area, letters
from tenure.twins.sheets.book import Book, Refusal
from tenure.twins.sheets.display import shown
from tenure.twins.sheets.ranges import area_of
from tenure.twins.sheets.records import Table

Request = dict[str, Any]


def _add_conditional(book: Book, request: Request) -> Request:
    rule = request.get("rule", {})
    ranges = [area_of(book, given) for given in rule.get("ranges", [])]
    if not ranges:
        raise Refusal("At least one range is required in a conditional format rule.")
    if len({id(grid) for grid, _ in ranges}) > 1:
        raise Refusal("All ranges of a conditional format rule must be on the same sheet.")
    if ("booleanRule" in rule) == ("gradientRule" in rule):
        raise Refusal("A conditional format rule needs a booleanRule or a gradientRule.")
    grid = ranges[0][0]
    kept = {name: formats.with_colors(value) for name, value in rule.items() if name != "ranges"}
    rules = list(grid.record.conditional)
    index = request.get("index", 0)
    if not 0 <= index <= len(rules):
        raise Refusal(f"Conditional format rule index {index} is out of range")
    rules.insert(index, {**kept, "ranges": [str(where) for _, where in ranges]})
    grid.record.conditional = rules
    return {}


def _set_filter(book: Book, request: Request) -> Request:
    given = request.get("filter", {})
    grid, where = area_of(book, given.get("range", {}))
    if any(where.meets(area(table.range)) for table in grid.record.tables.values()):
        raise Refusal("A basic filter cannot overlap a table.")
    grid.record.filter = {**given, "range": str(where)}
    return {}


def _clear_filter(book: Book, request: Request) -> Request:
    book.numbered(request.get("sheetId", 0)).record.filter = None
    return {}


def _add_table(book: Book, request: Request) -> Request:
    given = request.get("table", {})
    grid, where = area_of(book, given.get("range"))
    others = [(table, other) for other in book.grids for table in other.record.tables.values()]
    name = given.get("name") or next(
        f"Table{n}" for n in range(1, 10**6) if all(table.name != f"Table{n}" for table, _ in others)
    )
    if any(table.name.casefold() == name.casefold() for table, _ in others):
        raise Refusal(f'A table with the name "{name}" already exists.')
    if any(other is grid and where.meets(area(table.range)) for table, other in others):
        raise Refusal("Tables cannot overlap.")
    listed = {column.get("columnIndex", 0): column for column in given.get("columnProperties", [])}
    columns = []
    for index in range(where.width):
        head = grid.effective(where.top, where.left + index).value
        text = (
            ""
            if head is None
            else shown(head, grid.number_format(where.top, where.left + index), book.locale)
        )
        columns.append(
            {"columnIndex": index, "columnName": text or f"Column {index + 1}", **listed.get(index, {})}
        )
        if columns[-1]["columnName"] != text:
            grid.row(where.top).values[letters(where.left + index)] = columns[-1]["columnName"]
    id = given.get("tableId") or str(book.world.id("sheets.table"))
    if any(id in other.record.tables for other in book.grids):
        raise Refusal(f"A table with the id {id} already exists.")
    table = Table(name=name, range=str(where), columns=columns)
    grid.record.tables = {**grid.record.tables, id: table}
    book.stale = True
    return {"table": render.table(grid, id, table)}


REQUESTS = {
    "addConditionalFormatRule": _add_conditional,
    "setBasicFilter": _set_filter,
    "clearBasicFilter": _clear_filter,
    "addTable": _add_table,
}
