"""Opening spreadsheets for an actor, and writing them back."""

from tenure.twins.google.errors import GoogleError, invalid, not_found
from tenure.twins.google.files import File, may, role_of, touch
from tenure.twins.sheets.book import Book, Grid, Refusal, Surround
from tenure.twins.sheets.calculate import recalculate
from tenure.twins.sheets.records import BLOCK, Results, Row, Sheet, Spreadsheet
from tenure.world import Act


def open_book(act: Act, id: str, *, write: bool = False) -> Book:
    """A spreadsheet that the actor may read, or write.

    For writing all rows are loaded; for reading none (see ``load``).

    Raises:
        GoogleError: 404, no such spreadsheet; 403, it is not shared with the actor that far.
    """
    file, record = act.get(File, id), act.get(Spreadsheet, id)
    if file is None or record is None:
        raise not_found()
    if not may(role_of(act, file), "writer" if write else "reader"):
        raise GoogleError(403, "The caller does not have permission", "forbidden")
    grids = [Grid(sheet) for sheet in act.all(Sheet, "spreadsheet", id)]
    if write:
        grids = [
            Grid(
                grid.record, act.all(Row, "sheet", grid.record.id), act.all(Results, "sheet", grid.record.id)
            )
            for grid in grids
        ]
    return Book(Surround(act.now, act.world.seed, act.next), record, file.name, grids)


def load(act: Act, grid: Grid, top: int, bottom: int) -> Grid:
    """A sheet with some of its rows."""
    rows = act.page(Row, "sheet", grid.record.id, low=top, high=bottom - 1).records
    results = act.page(Results, "sheet", grid.record.id, low=top // BLOCK, high=(bottom - 1) // BLOCK).records
    return Grid(grid.record, rows, results)


def save(act: Act, book: Book) -> None:
    """Write what changed. Results of formulas are the world's: a consequence of the first change.

    Raises:
        GoogleError: 400, the spreadsheet has become too large.
    """
    try:
        book.check_size()
    except Refusal as refusal:
        raise invalid(str(refusal)) from None
    file = act.get(File, book.record.id)
    if file is None:
        raise not_found()
    if book.stale:
        book.record.edits += 1
        recalculate(book)
    first: list[int] = []
    for grid in book.gone:
        for kind in (Row, Results):
            for record in act.all(kind, "sheet", grid.record.id):
                _note(first, act.delete(record))
        _note(first, act.delete(grid.record))
    for index, grid in enumerate(book.grids):
        grid.record.index = index
        _note(first, act.put(grid.record))
        _save_rows(act, grid, first)
    _note(first, act.put(book.record))
    renamed = file.model_copy(update={"name": book.title})
    _note(first, act.put(renamed))
    if not first:
        return
    consequence = act.consequence(first[0])
    for grid in book.grids:
        for known in act.all(Results, "sheet", grid.record.id):
            if known.block not in grid.results:
                consequence.delete(known)
        for result in grid.results.values():
            consequence.put(result)
    touch(act, renamed, first[0])


def _note(seqs: list[int], seq: int | None) -> None:
    if seq is not None:
        seqs.append(seq)


def _save_rows(act: Act, grid: Grid, first: list[int]) -> None:
    for id in sorted(grid.gone):
        if (row := act.get(Row, id)) is not None:
            _note(first, act.delete(row))
    for _, row in sorted(grid.rows.items()):
        if row.id not in grid.changed:
            continue
        _note(first, act.delete(row) if row.blank else act.put(row))
