"""Sheets as tabs, named ranges, and a spreadsheet's own properties."""

from typing import Any

from tenure.twins.google import fields as selectors
from tenure.twins.sheets import render
from tenure.twins.sheets.a1 import span
from tenure.twins.sheets.book import Book, Grid, Refusal
from tenure.twins.sheets.dimensions import delete, rewrite
from tenure.twins.sheets.formula import Move, Reference, renamed
from tenure.twins.sheets.ranges import area_of, mask, wanted
from tenure.twins.sheets.records import Named, Row, Sheet

Request = dict[str, Any]


def free_title(book: Book, wish: str) -> str:
    """A title that no sheet has: the wish, or the wish with a number."""
    title, n = wish, 1
    while book.titled(title):
        n += 1
        title = f"{wish} {n}"
    return title


def _check_title(book: Book, title: str, own: Grid | None = None) -> None:
    if (book.titled(title) or own) is not own:
        raise Refusal(f'A sheet with the name "{title}" already exists. Please enter another name.')


def add_sheet(book: Book, given: dict[str, Any]) -> Grid:
    """Add a sheet with the given ``SheetProperties``.

    Raises:
        Refusal: Its title or id is taken.
    """
    number = given.get("sheetId")
    if number is not None and any(grid.record.number == number for grid in book.grids):
        raise Refusal(f"Sheet with id {number} already exists.")
    while number is None or any(grid.record.number == number for grid in book.grids):
        number = book.world.id("sheets.sheet")
    title = given.get("title") or next(
        f"Sheet{n}" for n in range(len(book.grids) + 1, 10**6) if not book.titled(f"Sheet{n}")
    )
    _check_title(book, title)
    record = Sheet(id=f"{book.record.id}/{number}", spreadsheet=book.record.id, number=number, title=title)
    grid = Grid(record)
    index = given.get("index", len(book.grids))
    if not 0 <= index <= len(book.grids):
        raise Refusal(f"Sheet index {index} is out of range")
    book.grids.insert(index, grid)
    _renumber(book)
    set_properties(book, grid, {k: v for k, v in given.items() if k not in ("title", "index", "sheetId")}, {})
    book.stale = True
    return grid


def _renumber(book: Book) -> None:
    for index, grid in enumerate(book.grids):
        grid.record.index = index


def set_properties(book: Book, grid: Grid, given: dict[str, Any], tree: selectors.Mask) -> None:
    """Set a sheet's properties.

    Args:
        book: The spreadsheet.
        grid: The sheet.
        given: ``SheetProperties``.
        tree: Which of them; the empty mask takes those that are given.
    """
    record = grid.record

    def listed(name: str) -> bool:
        return name in tree if tree else name in given

    if listed("title"):
        title = given.get("title", "")
        if not title:
            raise Refusal("Sheet name cannot be empty.")
        _check_title(book, title, grid)
        old, record.title = record.title, title
        if old != title:
            rewrite(book, lambda on: renamed(old, title))
    if listed("index"):
        index = given.get("index", 0)
        # The index is counted before the move, as the product counts it.
        book.grids.remove(grid)
        book.grids.insert(index - (index > record.index), grid)
        _renumber(book)
    if listed("hidden"):
        record.hidden = given.get("hidden", False)
        if all(other.record.hidden for other in book.grids):
            raise Refusal("You can't hide all the sheets in a document.")
    if listed("rightToLeft"):
        record.right_to_left = given.get("rightToLeft", False)
    if listed("tabColor") or listed("tabColorStyle"):
        color = given.get("tabColor")
        style = (given.get("tabColorStyle") or {}).get("rgbColor")
        record.tab_color = style if style is not None else color
    if listed("gridProperties"):
        _set_grid(book, grid, given.get("gridProperties", {}), tree.get("gridProperties", {}))


def _set_grid(book: Book, grid: Grid, given: dict[str, Any], tree: selectors.Mask) -> None:
    record = grid.record

    def listed(name: str) -> bool:
        return name in tree if tree else name in given

    for name, across in (("rowCount", False), ("columnCount", True)):
        if not listed(name):
            continue
        size, old = given.get(name, 0), record.columns if across else record.rows
        if size < 1:
            raise Refusal(f"gridProperties.{name} must be greater than zero")
        if size < old:
            delete(book, grid, across=across, low=size, high=old)
        elif across:
            record.columns = size
        else:
            record.rows = size
        book.stale = True
    if listed("frozenRowCount"):
        record.frozen_rows = given.get("frozenRowCount", 0)
    if listed("frozenColumnCount"):
        record.frozen_columns = given.get("frozenColumnCount", 0)
    if record.frozen_rows >= record.rows or record.frozen_columns >= record.columns:
        raise Refusal("You can't freeze all visible rows or columns on the sheet.")
    if listed("hideGridlines"):
        record.gridlines = not given.get("hideGridlines", False)


def paste_sheet(book: Book, source: Grid, title: str, index: int, number: int | None = None) -> Grid:
    """Put a copy of a sheet, with all of its rows, into a spreadsheet."""
    grid = add_sheet(book, {"title": title, "index": index} | ({} if number is None else {"sheetId": number}))
    own = ("id", "spreadsheet", "number", "title", "index")
    copied = source.record.model_copy(deep=True, update={name: getattr(grid.record, name) for name in own})
    copied.tables = {}
    grid.record = copied
    for place, row in sorted(source.rows.items()):
        new = grid.row(place)
        grid.rows[place] = Row(**{**row.model_dump(), "id": new.id, "sheet": new.sheet})
    book.stale = True
    return grid


# -- requests ------------------------------------------------------------------------------------


def _add_sheet(book: Book, request: Request) -> Request:
    return {"properties": render.properties(add_sheet(book, request.get("properties", {})))}


def _delete_sheet(book: Book, request: Request) -> Request:
    grid = book.numbered(request.get("sheetId", 0))
    if len(book.grids) == 1:
        raise Refusal("You can't remove all the sheets in a document.")
    book.grids.remove(grid)
    book.gone.append(grid)
    _renumber(book)
    title, number = grid.title.casefold(), grid.record.number
    book.record.named = {id: one for id, one in book.record.named.items() if one.sheet != number}

    def lost(old: Reference) -> Reference | None:
        return None if old.sheet is not None and old.sheet.casefold() == title else old

    def move(on: Grid) -> Move:
        return lost

    rewrite(book, move)
    return {}


def _duplicate_sheet(book: Book, request: Request) -> Request:
    source = book.numbered(request.get("sourceSheetId", 0))
    title = request.get("newSheetName") or free_title(book, f"Copy of {source.title}")
    index = request.get("insertSheetIndex", source.record.index + 1)
    return {
        "properties": render.properties(paste_sheet(book, source, title, index, request.get("newSheetId")))
    }


def _update_sheet_properties(book: Book, request: Request) -> Request:
    given = request.get("properties", {})
    set_properties(book, book.numbered(given.get("sheetId", 0)), given, mask(request))
    return {}


def _update_spreadsheet_properties(book: Book, request: Request) -> Request:
    given, tree = request.get("properties", {}), mask(request)
    if wanted(tree, "title") and (tree or "title" in given):
        if not given.get("title"):
            raise Refusal("Spreadsheet title cannot be empty.")
        book.title = given["title"]
    for name, attribute in (("locale", "locale"), ("timeZone", "zone"), ("autoRecalc", "recalculation")):
        if wanted(tree, name) and given.get(name):
            setattr(book.record, attribute, given[name])
            book.stale = True
    return {}


def add_named_range(book: Book, given: dict[str, Any]) -> str:
    """Add a ``NamedRange``; returns its id.

    Raises:
        Refusal: Its name is taken or no name, or its range is none.
    """
    name = given.get("name", "")
    if not name or not name.replace("_", "a").isalnum() or name[0].isdigit() or span(name):
        raise Refusal(f"Invalid name for named range: {name}")
    if any(one.name.casefold() == name.casefold() for one in book.record.named.values()):
        raise Refusal(f"A named range with the name {name} already exists")
    grid, where = area_of(book, given.get("range"))
    id = given.get("namedRangeId") or str(book.world.id("sheets.named"))
    if id in book.record.named:
        raise Refusal(f"A named range with the id {id} already exists")
    book.record.named = {
        **book.record.named,
        id: Named(name=name, sheet=grid.record.number, range=str(where)),
    }
    book.stale = True
    return id


def _add_named_range(book: Book, request: Request) -> Request:
    return {"namedRange": render.named_range(book, add_named_range(book, request.get("namedRange", {})))}


def _delete_named_range(book: Book, request: Request) -> Request:
    id = request.get("namedRangeId", "")
    if id not in book.record.named:
        raise Refusal(f"Cannot find a named range with id: {id}")
    book.record.named = {key: one for key, one in book.record.named.items() if key != id}
    book.stale = True
    return {}


REQUESTS = {
    "addSheet": _add_sheet,
    "deleteSheet": _delete_sheet,
    "duplicateSheet": _duplicate_sheet,
    "updateSheetProperties": _update_sheet_properties,
    "updateSpreadsheetProperties": _update_spreadsheet_properties,
    "addNamedRange": _add_named_range,
    "deleteNamedRange": _delete_named_range,
}
