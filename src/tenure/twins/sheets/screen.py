"""The product's screen at docs.google.com/spreadsheets: routes over the same services as the API."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tenure.twins.google.errors import GoogleError
from tenure.twins.sheets import (
    screen_cells,
    screen_conditions,
    screen_files,
    screen_fill,
    screen_share,
    screen_undo,
    service,
    values,
)
from tenure.twins.sheets.a1 import Area, cell_name, quoted
from tenure.twins.sheets.book import Book, Grid, Refusal
from tenure.twins.sheets.dialect import SUPPORTED
from tenure.twins.sheets.rest import DOCUMENT
from tenure.twins.sheets.storage import load, open_book
from tenure.twins.wire.routes import Route
from tenure.twins.wire.screen import Refused, Screen, conflict, read
from tenure.world import Act, Call, Reply
from tenure.world.session import take_session

HOST = "docs.google.com"
HOME = "/spreadsheets/"
_REQUEST = re.compile(r"^Invalid requests\[\d+\]\.\w+: ")


Place = Annotated[int, Field(ge=0)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _New(_Body):
    template: str = ""


class _File(_Body):
    title: str | None = None
    trashed: bool | None = None


class _Values(_Body):
    sheet: int
    row: Place
    column: Place
    rows: list[list[str | None]]
    """As typed; ``None`` leaves a cell alone."""
    seen: str | None = None
    """The input that the editor of a single cell started from."""


class _Fill(_Body):
    sheet: int
    source: tuple[Place, Place, Place, Place]
    target: tuple[Place, Place, Place, Place]
    """Top, left, bottom, right: zero-based, half-open."""


class _Undo(_Body):
    steps: str
    seal: str


class _Person(_Body):
    email: str
    role: str


class _General(_Body):
    type: str
    role: str


def _start(act: Act) -> dict[str, Any]:
    return {
        "functions": list(SUPPORTED),
        "templates": [{"id": id, "title": one.title} for id, one in screen_files.TEMPLATES.items()],
    }


# -- files ---------------------------------------------------------------------------------------


def _files(call: Call) -> Reply:
    page = call.arg("page") or "0"
    if not page.isdecimal():
        raise Refused(400, "There is no such page.")
    owner, sort = call.arg("owner") or "anyone", call.arg("sort") or "modified"
    return Reply(200, screen_files.listed(call.act, owner, sort, call.arg("q") or "", int(page)))


def _make(call: Call) -> Reply:
    return Reply(200, {"id": screen_files.make(call.act, read(call, _New).template)})


def _change_file(call: Call) -> Reply:
    body, id = read(call, _File), call.params["id"]
    if body.title is not None:
        properties = {"properties": {"title": body.title.strip()}, "fields": "title"}
        service.batch_update(call.act, id, {"requests": [{"updateSpreadsheetProperties": properties}]})
    if body.trashed is not None:
        screen_files.trash(call.act, id, on=body.trashed)
    return Reply(204)


# -- reading -------------------------------------------------------------------------------------


def _number(text: str | None, what: str) -> int:
    if text is None or not text.isdecimal():
        raise Refused(404, f"There is no such {what}.")
    return int(text)


def _book(call: Call) -> Reply:
    book = open_book(call.act, call.params["id"])
    found = screen_cells.frame(call.act, book)
    first = call.arg("first")
    if first is not None:
        # The first look brings the first cells of the sheet that it opens with along.
        sheets = [
            grid.record for grid in book.grids if not grid.record.hidden or str(grid.record.number) == first
        ]
        opens = next((one for one in sheets if str(one.number) == first), sheets[0])
        found["block"] = screen_cells.block(call.act, book, opens.number, 0)
    return Reply(200, found)


def _block(call: Call) -> Reply:
    book = open_book(call.act, call.params["id"])
    sheet, number = _number(call.params["sheet"], "sheet"), _number(call.params["block"], "row")
    return Reply(200, screen_cells.block(call.act, book, sheet, number))


def _column(call: Call) -> Reply:
    book = open_book(call.act, call.params["id"])
    sheet, column = _number(call.params["sheet"], "sheet"), _number(call.params["column"], "column")
    return Reply(200, {"values": screen_cells.values_of(call.act, book, sheet, column)})


def _choices(call: Call) -> Reply:
    book = open_book(call.act, call.params["id"])
    grid = book.numbered(_number(call.params["sheet"], "sheet"))
    row, column = _number(call.arg("row"), "row"), _number(call.arg("column"), "column")
    rule = grid.validation(row, column)
    found = None
    if rule is not None:
        found = screen_conditions.choices(book, rule, lambda g, a, b: load(call.act, g, a, b))
    return Reply(200, {"values": found or []})


def _find(call: Call) -> Reply:
    book = open_book(call.act, call.params["id"])
    sheet = call.arg("sheet")
    found = screen_cells.find(
        call.act,
        book,
        call.arg("q") or "",
        sheet=None if sheet is None else _number(sheet, "sheet"),
        match_case=call.arg("case") == "1",
        entire=call.arg("entire") == "1",
        formulas=call.arg("formulas") == "1",
    )
    return Reply(200, {"found": found})


# -- changing ------------------------------------------------------------------------------------


def _undoable(call: Call, run: Callable[[str], Any]) -> Reply:
    """Change a spreadsheet; the reply lets the page take the change back."""
    id = call.params["id"]
    before = screen_undo.snapshot(call.act, id)
    answer = run(id)
    steps = screen_undo.difference(before, screen_undo.snapshot(call.act, id))
    undo = screen_undo.sealed(take_session(call) or "", id, steps) if steps else None
    return Reply(200, {"undo": undo, "answer": answer})


def _values(call: Call) -> Reply:
    body = read(call, _Values)
    return _undoable(call, lambda id: _write(call.act, id, body))


def _write(act: Act, id: str, body: _Values) -> dict[str, Any]:
    book = open_book(act, id, write=True)
    grid = book.numbered(body.sheet)
    height, width = len(body.rows), max(map(len, body.rows), default=0)
    if not height or not width:
        raise Refused(400, "There is nothing to enter.")
    if body.seen is not None:
        _check_unchanged(book, grid, body)
    _check_valid(act, book, grid, body)
    _make_room(act, id, grid, body.row + height, body.column + width)
    where = Area(body.row, body.column, body.row + height, body.column + width)
    options = {"valueInputOption": "USER_ENTERED"}
    found: dict[str, Any] = values.update(act, id, f"{quoted(grid.title)}!{where}", body.rows, options)
    return found


def _check_unchanged(book: Book, grid: Grid, body: _Values) -> None:
    now = screen_cells.input_of(book, grid, body.row, body.column)
    if now != body.seen:
        text = screen_conditions.text_of(book, grid, body.row, body.column)
        raise conflict({"input": now, "shown": text}, f"Cell {cell_name(body.row, body.column)}")


def _check_valid(act: Act, book: Book, grid: Grid, body: _Values) -> None:
    """Refuse what a strict validation rule does not allow."""
    read_one = values.reader(book, "USER_ENTERED")
    for i, line in enumerate(body.rows):
        for j, text in enumerate(line):
            row, column = body.row + i, body.column + j
            rule = grid.validation(row, column)
            if not text or rule is None or not rule.get("strict"):
                continue
            offered = screen_conditions.choices(book, rule, lambda g, a, b: load(act, g, a, b))
            entry = read_one(grid, row, column, text)
            if not entry.formula and not screen_conditions.allows(book, rule, entry.value, text, offered):
                message = rule.get("inputMessage") or "Choose or enter a value that its rule allows."
                where = cell_name(row, column)
                raise Refused(400, f"What you entered in {where} violates its validation rule. {message}")


def _make_room(act: Act, id: str, grid: Grid, rows: int, columns: int) -> None:
    missing = {"ROWS": rows - grid.record.rows, "COLUMNS": columns - grid.record.columns}
    requests = [
        {"appendDimension": {"sheetId": grid.record.number, "dimension": dimension, "length": length}}
        for dimension, length in missing.items()
        if length > 0
    ]
    if requests:
        service.batch_update(act, id, {"requests": requests})


def _batch(call: Call) -> Reply:
    # The same description that the API holds requests to.
    body = DOCUMENT.bind_body(DOCUMENT.methods["sheets.spreadsheets.batchUpdate"].request or {}, call.body)
    return _undoable(call, lambda id: service.batch_update(call.act, id, body)["replies"])


def _drop_condition(call: Call) -> Reply:
    sheet = _number(call.params["sheet"], "sheet")
    index = _number(call.params["index"], "rule")
    return _undoable(call, lambda id: screen_conditions.drop(call.act, id, sheet, index))


def _fill(call: Call) -> Reply:
    body = read(call, _Fill)
    source, target = Area(*body.source), Area(*body.target)
    if min(source.height, source.width, target.height, target.width) < 1:
        raise Refused(400, "There is nothing to fill.")

    def run(id: str) -> Any:
        book = open_book(call.act, id)
        grid = load(call.act, book.numbered(body.sheet), source.top, source.bottom)
        requests = screen_fill.requests(grid, source, target)
        return service.batch_update(call.act, id, {"requests": requests})["replies"]

    return _undoable(call, run)


def _undo(call: Call) -> Reply:
    body, id = read(call, _Undo), call.params["id"]
    steps = screen_undo.opened(take_session(call) or "", id, body.steps, body.seal)
    if steps is None:
        raise Refused(400, "This cannot be undone any more.")
    return _undoable(call, lambda id: screen_undo.restore(call.act, id, steps))


# -- sharing -------------------------------------------------------------------------------------


def _people(call: Call) -> Reply:
    return Reply(200, screen_share.people(call.act, call.params["id"]))


def _give(call: Call) -> Reply:
    body = read(call, _Person)
    screen_share.give(call.act, call.params["id"], body.email, body.role)
    return _people(call)


def _take(call: Call) -> Reply:
    screen_share.take(call.act, call.params["id"], call.params["permission"])
    return _people(call)


def _open_to(call: Call) -> Reply:
    body = read(call, _General)
    screen_share.open_to(call.act, call.params["id"], body.type, body.role)
    return _people(call)


def _google(error: GoogleError) -> Refused:
    if error.code == 404:
        return Refused(404, "This spreadsheet does not exist, or it was deleted.")
    if error.code == 403:
        return Refused(403, "You need access. Ask the owner to share this spreadsheet with you.")
    return Refused(error.code, _REQUEST.sub("", error.message))


ROUTES = [
    Route("files", "GET", "/files", _files),
    Route("make", "POST", "/files", _make),
    Route("change-file", "PATCH", "/files/{id}", _change_file),
    Route("book", "GET", "/books/{id}", _book),
    Route("block", "GET", "/books/{id}/cells/{sheet}/{block}", _block),
    Route("column", "GET", "/books/{id}/filter/{sheet}/{column}", _column),
    Route("choices", "GET", "/books/{id}/choices/{sheet}", _choices),
    Route("find", "GET", "/books/{id}/find", _find),
    Route("values", "POST", "/books/{id}/values", _values),
    Route("batch", "POST", "/books/{id}/batch", _batch),
    Route("drop-condition", "DELETE", "/books/{id}/conditional/{sheet}/{index}", _drop_condition),
    Route("fill", "POST", "/books/{id}/fill", _fill),
    Route("undo", "POST", "/books/{id}/undo", _undo),
    Route("people", "GET", "/books/{id}/people", _people),
    Route("give", "PUT", "/books/{id}/people", _give),
    Route("take", "DELETE", "/books/{id}/people/{permission}", _take),
    Route("open-to", "PUT", "/books/{id}/general", _open_to),
]
SCREEN = Screen(
    "sheets",
    HOST,
    ROUTES,
    title="Sheets",
    prefix="/spreadsheets",
    home=HOME,
    start=_start,
    errors={
        GoogleError: _google,
        Refusal: lambda error: Refused(400, str(error)),
        screen_undo.Gone: lambda error: Refused(
            409, "This cannot be undone: it was changed since, in another window or by someone else."
        ),
    },
)
