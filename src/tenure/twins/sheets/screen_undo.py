"""Undoing on the screen: what an edit changed, held by the page under a seal until it is taken back."""

import hashlib
import hmac
from typing import Any

import orjson

from tenure.twins.google.errors import not_found
from tenure.twins.google.files import File
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.records import Row, Sheet, Spreadsheet
from tenure.twins.sheets.storage import open_book, save
from tenure.world import Act, Record

Held = dict[str, Record]
"""Records by kind and id."""


class Gone(Exception):
    """What an undo would take back was changed since."""


def snapshot(act: Act, id: str) -> Held:
    """What a spreadsheet holds before or after an edit; results of formulas are left out."""
    file, record = act.get(File, id), act.get(Spreadsheet, id)
    if file is None or record is None:
        raise not_found()
    sheets = act.all(Sheet, "spreadsheet", id)
    rows = [row for sheet in sheets for row in act.all(Row, "sheet", sheet.id)]
    return {f"{one.kind} {one.id}": one for one in (file, record, *sheets, *rows)}


def _content(record: Record | None) -> dict[str, Any] | None:
    """What of a record an undo restores: its place is looked at apart."""
    if record is None:
        return None
    if isinstance(record, File):
        return {"name": record.name}
    return record.model_dump(exclude={"index", "edits", "moves"})


def _digest(record: Record | None) -> str:
    return hashlib.blake2b(orjson.dumps(_content(record)), digest_size=8).hexdigest()


def _place(record: Record | None) -> int | None:
    return record.index if isinstance(record, Row | Sheet) else None


def difference(before: Held, after: Held) -> list[dict[str, Any]]:
    """What undoing has to restore: the records as they were, and how to know that they still are ours."""
    found = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if _content(old) == _content(new) and _place(old) == _place(new):
            continue
        was = None if old is None else {**(_content(old) or {}), "index": _place(old)}
        found.append({"key": key, "was": was, "now": _digest(new), "moved": _place(old) != _place(new)})
    return found


def sealed(secret: str, id: str, steps: list[dict[str, Any]]) -> dict[str, str]:
    """The steps as the page keeps them; only the session that made them can send them back."""
    text = orjson.dumps({"id": id, "steps": steps}).decode()
    return {"steps": text, "seal": _seal(secret, text)}


def _seal(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), "sha256").hexdigest()


def opened(secret: str, id: str, text: str, seal: str) -> list[dict[str, Any]] | None:
    """The steps of a seal; ``None`` when it is not this session's, or not this spreadsheet's."""
    if not hmac.compare_digest(_seal(secret, text), seal):
        return None
    held = orjson.loads(text)
    return list(held["steps"]) if held["id"] == id else None


def restore(act: Act, id: str, steps: list[dict[str, Any]]) -> None:
    """Put back what steps say, and compute again.

    Raises:
        Gone: One of the records was changed since.
        GoogleError: The actor may not write.
    """
    book = open_book(act, id, write=True)
    now = snapshot(act, id)
    if any(_digest(now.get(step["key"])) != step["now"] for step in steps):
        raise Gone
    for kind, put_back in ((File, _title), (Spreadsheet, _spreadsheet), (Sheet, _sheet)):
        for step in steps:
            name, _, record = step["key"].partition(" ")
            if name == kind.kind:
                put_back(book, record, step)
    for grid in book.grids:
        _rows(grid, steps)
    book.grids.sort(key=lambda grid: grid.record.index)
    book.stale = True
    save(act, book)


def _title(book: Book, id: str, step: dict[str, Any]) -> None:
    book.title = step["was"]["name"]


def _spreadsheet(book: Book, id: str, step: dict[str, Any]) -> None:
    given = {name: value for name, value in step["was"].items() if name != "index"}
    book.record = Spreadsheet(**given, edits=book.record.edits)


def _sheet(book: Book, id: str, step: dict[str, Any]) -> None:
    grid = next((grid for grid in book.grids if grid.record.id == id), None)
    if step["was"] is None:
        if grid is not None:
            book.grids.remove(grid)
            book.gone.append(grid)
        return
    record = Sheet(**step["was"])
    if grid is None:
        book.grids.append(Grid(record))
        return
    record.moves = grid.record.moves
    if not step["moved"]:
        record.index = grid.record.index
    grid.record = record


def _rows(grid: Grid, steps: list[dict[str, Any]]) -> None:
    prefix = f"{Row.kind} {grid.record.id}/"
    rows = {row.id: row for row in grid.rows.values()}
    for step in steps:
        if not step["key"].startswith(prefix):
            continue
        id = step["key"].partition(" ")[2]
        current = rows.pop(id, None)
        if step["was"] is None:
            grid.gone.add(id)
            continue
        row = Row(**step["was"])
        if current is not None and not step["moved"]:
            row.index = current.index
        rows[id] = row
        grid.changed.add(id)
    grid.rows = {row.index: row for row in sorted(rows.values(), key=lambda row: row.index)}
