"""Seeding spreadsheets into a base; formulas are computed as they would be in an attempt."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime

from tenure.twins.google.files import File, native_id, share
from tenure.twins.sheets.book import Book, Grid, Surround
from tenure.twins.sheets.calculate import recalculate
from tenure.twins.sheets.entry import Entry, entered, raw
from tenure.twins.sheets.formats import Format, given
from tenure.twins.sheets.locales import locale
from tenure.twins.sheets.records import MIME, Named, Scalar, Sheet, Spreadsheet
from tenure.twins.sheets.times import serial_of
from tenure.world import Account, BaseBuilder

Given = Scalar | date | None
"""A seeded cell: a text with ``=`` in front is a formula, a date becomes a formatted serial."""


def spreadsheet(
    builder: BaseBuilder,
    title: str,
    owner: Account,
    sheets: Mapping[str, Sequence[Sequence[Given]]],
    *,
    shared: Iterable[tuple[str, str]] = (),
    locale_name: str = "en_US",
    zone: str = "",
    at: int | None = None,
    parents: Iterable[str] = (),
    named: Mapping[str, str] | None = None,
    formats: Iterable[tuple[str, Format]] = (),
    typed: bool = False,
    size: tuple[int, int] = (1000, 26),
    frozen_rows: int = 0,
    numbers: Mapping[str, int] | None = None,
) -> str:
    """Add a spreadsheet to a base, with its file and permissions; returns its id.

    Args:
        builder: The base.
        title: The file's name.
        owner: Who owns it.
        sheets: Title → rows of cells from A1 on.
        shared: Further (address, role); ``anyone`` and ``@domain`` work too.
        locale_name: The spreadsheet's locale.
        zone: Its time zone; the owner's by default.
        at: World time of its last change; the base's by default.
        parents: Folder ids.
        named: Named range → ``Sheet1!B2:C9``.
        formats: (``Sheet1!B2:B99``, the vendor's ``CellFormat``), in order.
        typed: Read texts as if typed (``$5`` becomes 5 with a currency format).
        size: Rows and columns of each sheet, at least.
        frozen_rows: Frozen rows at the top of each sheet.
        numbers: Title → ``sheetId``, for stories that name rows; else the first has 0, others are drawn.
    """
    id = native_id(builder.seed, builder.next("google.file"))
    when = builder.now if at is None else at
    builder.add(
        File(
            id=id,
            name=title,
            mime=MIME,
            owner=owner.id,
            parents=list(parents),
            created=when,
            modified=when,
            modified_by=owner.id,
        )
    )
    for permission in share(id, owner.email, shared):
        builder.add(permission)
    record = Spreadsheet(id=id, locale=locale_name, zone=zone or owner.zone)
    book = Book(Surround(builder.now, builder.seed, builder.next), record, title, [])
    for index, (name, rows) in enumerate(sheets.items()):
        number = (numbers or {}).get(name)
        if number is None:
            number = book.world.id("sheets.sheet") if index else 0
        tall, wide = size
        book.grids.append(
            Grid(
                Sheet(
                    id=f"{id}/{number}",
                    spreadsheet=id,
                    number=number,
                    title=name,
                    index=index,
                    rows=max(tall, len(rows)),
                    columns=max(wide, *map(len, rows), 1),
                    frozen_rows=frozen_rows,
                )
            )
        )
        _fill(book, book.grids[-1], rows, typed=typed)
    for name, text in (named or {}).items():
        grid, where = book.resolve(text)
        key = str(book.world.id("sheets.named"))
        record.named[key] = Named(name=name, sheet=grid.record.number, range=str(where))
    for text, form in formats:
        grid, where = book.resolve(text)
        grid.record.formats = given(grid.record.formats, str(where), form)
    recalculate(book)
    builder.add(record)
    for grid in book.grids:
        for kept in (grid.record, *grid.rows.values(), *grid.results.values()):
            builder.add(kept)
    return id


def _fill(book: Book, grid: Grid, rows: Sequence[Sequence[Given]], *, typed: bool) -> None:
    year = datetime.fromtimestamp(book.world.now / 1000, UTC).year
    for index, line in enumerate(rows):
        for column, value in enumerate(line):
            if isinstance(value, date):
                form = {"type": "DATE", "pattern": locale(book.record.locale).date}
                entry = Entry(serial_of(value), format=form)
            elif isinstance(value, str) and value.startswith("=") and len(value) > 1:
                entry = Entry(formula=value)
            else:
                entry = entered(value, book.locale, year) if typed else raw(value)
            grid.enter(index, column, entry)
