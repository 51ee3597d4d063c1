"""What Sheets keeps: spreadsheets, sheets, rows, and what formulas came to.

A row keeps its identity when rows are inserted, deleted or moved around it, so that a difference
names the rows that somebody wrote to and no others; its place (``index``) is incidental. What
formulas compute lies in a kind of its own that is incidental as a whole: a footprint sees what was
entered, never what followed from it.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from tenure.world import Index, Record

Scalar = bool | int | float | str
"""A cell's typed value. Dates and times are numbers: days since 30 December 1899."""
BLOCK = 100
"""Rows whose results share one record."""
MIME = "application/vnd.google-apps.spreadsheet"


class Named(BaseModel):
    """A named range."""

    model_config = ConfigDict(extra="forbid")

    name: str
    sheet: int
    range: str
    """``B2:C9``."""


class Ranged(BaseModel):
    """Something that holds for a stretch of cells: a format, a validation rule, or its absence."""

    model_config = ConfigDict(extra="forbid")

    range: str
    value: dict[str, Any] | None = None
    """The vendor's ``CellFormat`` or ``DataValidationRule``; later entries win."""


class Table(BaseModel):
    """A table of a sheet."""

    model_config = ConfigDict(extra="forbid")

    name: str
    range: str
    columns: list[dict[str, Any]] = []
    """The vendor's ``TableColumnProperties``."""


class Spreadsheet(Record, kind="sheets.spreadsheet", incidental=frozenset(("edits",))):
    """A spreadsheet. Its id is the file's; its title is the file's name."""

    locale: str = "en_US"
    zone: str = "Etc/GMT"
    recalculation: str = "ON_CHANGE"
    named: dict[str, Named] = {}
    """By named-range id."""
    edits: int = 0
    """How often its content was changed; RAND follows it."""


class Sheet(
    Record,
    kind="sheets.sheet",
    indexes=(Index("spreadsheet", lambda s: (s.spreadsheet,), lambda s: s.index),),
    incidental=frozenset(("index",)),
):
    """One sheet (tab). Its id is ``spreadsheet/sheet id``."""

    spreadsheet: str
    number: int
    """The vendor's ``sheetId``."""
    title: str
    index: int = 0
    rows: int = 1000
    columns: int = 26
    frozen_rows: int = 0
    frozen_columns: int = 0
    hidden: bool = False
    right_to_left: bool = False
    gridlines: bool = True
    tab_color: dict[str, float] | None = None
    column_data: dict[str, dict[str, Any]] = {}
    """Column letter → the vendor's ``DimensionProperties``, where they are not the default."""
    row_data: list[Ranged] = []
    """The same for rows: ``A5:A9`` are rows 5 to 9."""
    merges: list[str] = []
    formats: list[Ranged] = []
    """Formats given to ranges; what a row says of its own cell wins."""
    validations: list[Ranged] = []
    conditional: list[dict[str, Any]] = []
    """The vendor's rules, their ``ranges`` as ``B2:C9``."""
    filter: dict[str, Any] | None = None
    """The vendor's basic filter, its ``range`` as ``A1:D20``."""
    tables: dict[str, Table] = {}
    """By table id."""
    moves: int = 0
    """How often rows or columns were moved: a move changes no cell's content."""


class Row(
    Record,
    kind="sheets.row",
    indexes=(
        Index("sheet", lambda r: (r.sheet,), lambda r: r.index),
        Index("formulas", lambda r: (r.sheet.partition("/")[0],) if r.formulas else ()),
    ),
    incidental=frozenset(("index",)),
):
    """A row that holds something. Its id is ``spreadsheet/sheet id/key``.

    The key is the row's number at the time when it was first written to, where that is free.
    Mappings are by column letter.
    """

    sheet: str
    """Id of the sheet."""
    index: int
    """Place in the sheet, from 0."""
    values: dict[str, Scalar] = {}
    """What was entered, other than formulas."""
    formulas: dict[str, str] = {}
    """As entered, with their ``=``."""
    formats: dict[str, dict[str, Any]] = {}
    """The vendor's ``CellFormat`` of single cells."""
    notes: dict[str, str] = {}

    @property
    def blank(self) -> bool:
        """Nothing in it is worth a record."""
        return not (self.values or self.formulas or self.formats or self.notes)


class Results(
    Record,
    kind="sheets.results",
    indexes=(Index("sheet", lambda r: (r.sheet,), lambda r: r.block),),
    incidental=True,
):
    """What formulas came to in 100 rows of a sheet. Its id is ``spreadsheet/sheet id/=block``.

    Mappings are by cell (``B7``); cells that an array spilled into are among them.
    """

    sheet: str
    block: int
    values: dict[str, Scalar] = {}
    errors: dict[str, str] = {}
    """The vendor's error types (``DIVIDE_BY_ZERO``)."""
    formats: dict[str, dict[str, str]] = {}
    """Number formats that follow from the formula."""


KINDS: tuple[type[Record], ...] = (Spreadsheet, Sheet, Row, Results)
