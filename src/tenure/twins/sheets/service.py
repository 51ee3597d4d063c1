"""What Sheets does with whole spreadsheets: make, read, change in one batch, copy sheets."""

from typing import Any

from tenure.twins.google.files import File, new_file
from tenure.twins.sheets import render
from tenure.twins.sheets.a1 import Area
from tenure.twins.sheets.book import MAX_TOUCHED, Book, Grid, Refusal, Surround
from tenure.twins.sheets.cells import write_rows
from tenure.twins.sheets.locales import LOCALES
from tenure.twins.sheets.records import MIME, Spreadsheet
from tenure.twins.sheets.requests import run
from tenure.twins.sheets.storage import load, open_book, save
from tenure.twins.sheets.tabs import add_named_range, add_sheet, free_title, paste_sheet
from tenure.twins.sheets.values import show
from tenure.world import Act

DEFAULT_TITLE = "Untitled spreadsheet"
DEFAULT_ZONE = "Etc/GMT"


def create(act: Act, body: dict[str, Any]) -> dict[str, Any]:
    """Make a spreadsheet of the actor's: ``Spreadsheet``."""
    given = body.get("properties", {})
    file = new_file(act, given.get("title") or DEFAULT_TITLE, MIME)
    name = given.get("locale") or "en_US"
    record = Spreadsheet(
        id=file.id,
        locale=name if name in LOCALES or "_" in name else f"{name}_{name.upper()}",
        zone=given.get("timeZone") or act.account().zone or DEFAULT_ZONE,
        recalculation=given.get("autoRecalc") or "ON_CHANGE",
    )
    act.put(record)
    book = Book(Surround(act.now, act.world.seed, act.next), record, file.name, [])
    sheets = body.get("sheets") or [{}]
    for number, sheet in enumerate(sheets):
        properties = dict(sheet.get("properties", {}))
        properties.setdefault("title", "" if properties.get("title") else f"Sheet{number + 1}")
        if number == 0:
            properties.setdefault("sheetId", 0)
        grid = add_sheet(book, {**properties, "index": number})
        for data in sheet.get("data", []):
            top, left = data.get("startRow", 0), data.get("startColumn", 0)
            write_rows(book, grid, top, left, data.get("rowData", []), {})
    for named in body.get("namedRanges", []):
        add_named_range(book, named)
    save(act, book)
    return render.spreadsheet(book)


def get(act: Act, id: str, ranges: list[str], *, with_data: bool) -> dict[str, Any]:
    """Read a spreadsheet: ``Spreadsheet``; with ranges only their sheets."""
    book = open_book(act, id)
    act.show(book.record)
    for grid in book.grids:
        act.show(grid.record)
    return render.spreadsheet(book, _stretches(act, book, ranges, with_data=with_data, loaded=False))


def _stretches(
    act: Act, book: Book, ranges: list[str], *, with_data: bool, loaded: bool
) -> dict[int, list[tuple[Grid, Area]]] | None:
    """Sheet id → what is shown of it; ``None`` for no cells at all."""
    found: dict[int, list[tuple[Grid, Area]]] = {}
    wanted = [book.resolve(text) for text in ranges] or [(grid, grid.whole) for grid in book.grids]
    if not with_data:
        return {grid.record.number: [] for grid, _ in wanted} if ranges else None
    if sum(where.height * where.width for _, where in wanted) > MAX_TOUCHED:
        raise Refusal(f"The ranges have more than {MAX_TOUCHED} cells; ask for less at once.")
    for grid, where in wanted:
        stretch = grid if loaded else load(act, grid, where.top, where.bottom)
        found.setdefault(grid.record.number, []).append((stretch, where))
        show(act, stretch, where)
    return found


def batch_update(act: Act, id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Apply requests, all or none: ``BatchUpdateSpreadsheetResponse``.

    Raises:
        GoogleError: 400 ``Invalid requests[1].addSheet: …``.
    """
    book = open_book(act, id, write=True)
    replies = run(book, body.get("requests", []))
    save(act, book)
    result: dict[str, Any] = {"spreadsheetId": id, "replies": replies}
    if body.get("includeSpreadsheetInResponse"):
        with_data = bool(body.get("responseIncludeGridData"))
        ranges = body.get("responseRanges", [])
        stretches = _stretches(act, book, ranges, with_data=with_data, loaded=True)
        act.show(book.record)
        result["updatedSpreadsheet"] = render.spreadsheet(book, stretches)
    return result


def copy_to(act: Act, id: str, number: int, destination: str) -> dict[str, Any]:
    """Copy a sheet into a spreadsheet, maybe another: ``SheetProperties``."""
    source = open_book(act, id)
    grid = source.numbered(number)
    whole = load(act, grid, 0, grid.record.rows)
    book = open_book(act, destination, write=True)
    title = free_title(book, f"Copy of {grid.title}")
    copy = paste_sheet(book, whole, title, len(book.grids))
    save(act, book)
    return render.properties(copy)


def revision(act: Act, id: str) -> str:
    """A text that changes with the spreadsheet."""
    file = act.get(File, id)
    return "" if file is None else str(file.version)
