"""Cell addresses: A1 and R1C1 notation, and the vendor's zero-based grid ranges."""

import re
from functools import cache
from typing import Any, NamedTuple

MAX_COLUMNS = 18_278
_A1_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,7})")
_A1_COLUMN = re.compile(r"\$?([A-Za-z]{1,3})")
_A1_ROW = re.compile(r"\$?([1-9]\d{0,7})")
_R1C1 = re.compile(r"[Rr]([1-9]\d{0,7})[Cc]([1-9]\d{0,5})")
_PLAIN_TITLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@cache
def letters(column: int) -> str:
    """A column's letters: 0 is A, 26 is AA."""
    text, n = "", column + 1
    while n:
        n, rest = divmod(n - 1, 26)
        text = chr(65 + rest) + text
    return text


@cache
def column_of(text: str) -> int:
    """The column of letters: AA is 26."""
    n = 0
    for letter in text.upper():
        n = n * 26 + ord(letter) - 64
    return n - 1


def cell_name(row: int, column: int) -> str:
    """``B7`` for (6, 1)."""
    return f"{letters(column)}{row + 1}"


def place_of(name: str) -> tuple[int, int]:
    """(6, 1) for ``B7``.

    Raises:
        ValueError: It is no cell.
    """
    match = _A1_CELL.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not a cell")
    return int(match[2]) - 1, column_of(match[1])


class Area(NamedTuple):
    """A stretch of cells: zero-based, half-open."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        first, last = cell_name(self.top, self.left), cell_name(self.bottom - 1, self.right - 1)
        return first if first == last else f"{first}:{last}"

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top

    @property
    def width(self) -> int:
        """Columns."""
        return self.right - self.left

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell lies in it."""
        return self.top <= row < self.bottom and self.left <= column < self.right

    def covers(self, other: "Area") -> bool:
        """Whether another lies in it entirely."""
        return (
            self.top <= other.top
            and self.left <= other.left
            and other.bottom <= self.bottom
            and other.right <= self.right
        )

    def meets(self, other: "Area") -> bool:
        """Whether they share a cell."""
        return (
            self.top < other.bottom
            and other.top < self.bottom
            and self.left < other.right
            and other.left < self.right
        )


@cache
def area(text: str) -> Area:
    """The area of ``B2:C9``, as records keep it."""
    first, _, last = text.partition(":")
    top, left = place_of(first)
    bottom, right = place_of(last) if last else (top, left)
    return Area(top, left, bottom + 1, right + 1)


class Span(NamedTuple):
    """A range as written: bounds may be open (``None``); zero-based, half-open."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    def clipped(self, rows: int, columns: int) -> Area:
        """The area in a grid of a size; what is open ends at the grid's edge."""
        return Area(
            self.top,
            self.left,
            rows if self.bottom is None else self.bottom,
            columns if self.right is None else self.right,
        )


def _corner(text: str) -> tuple[int | None, int | None] | None:
    if match := _R1C1.fullmatch(text):
        return int(match[1]) - 1, int(match[2]) - 1
    if match := _A1_CELL.fullmatch(text):
        return int(match[2]) - 1, column_of(match[1])
    if match := _A1_COLUMN.fullmatch(text):
        return None, column_of(match[1])
    if match := _A1_ROW.fullmatch(text):
        return int(match[1]) - 1, None
    return None


def span(text: str) -> Span | None:
    """The range of ``A1``, ``A1:B2``, ``A:C``, ``1:5``, ``A2:C`` or ``R1C1:R2C2``; ``None`` for others."""
    first, colon, last = text.partition(":")
    start = _corner(first)
    end = _corner(last) if colon else start
    if start is None or end is None or (not colon and None in start):
        return None
    rows = sorted(n for n in (start[0], end[0]) if n is not None)
    columns = sorted(n for n in (start[1], end[1]) if n is not None)
    if start[0] is None and start[1] is None:
        return None
    return Span(
        rows[0] if rows else 0,
        columns[0] if columns else 0,
        rows[-1] + 1 if end[0] is not None and rows else None,
        columns[-1] + 1 if end[1] is not None and columns else None,
    )


def split_sheet(text: str) -> tuple[str, str]:
    """(sheet title, rest) of a reference; the title is empty when there is none.

    Raises:
        ValueError: A quoted title does not end.
    """
    if text.startswith("'"):
        match = re.match(r"'((?:[^']|'')*)'(?:!(.*))?$", text, re.DOTALL)
        if match is None:
            raise ValueError(text)
        return match[1].replace("''", "'"), match[2] or ""
    title, mark, rest = text.rpartition("!")
    return (title, rest) if mark else ("", text)


def quoted(title: str) -> str:
    """A sheet title as references write it."""
    plain = _PLAIN_TITLE.fullmatch(title) and span(title) is None
    return title if plain else "'" + title.replace("'", "''") + "'"


def grid_range(sheet: int, where: Area) -> dict[str, Any]:
    """The vendor's ``GridRange``. A sheet id of zero is left out; bounds are always given.

    The most used Python client reads the bounds of merges without a default.
    """
    bounds = {
        "startRowIndex": where.top,
        "endRowIndex": where.bottom,
        "startColumnIndex": where.left,
        "endColumnIndex": where.right,
    }
    return {"sheetId": sheet, **bounds} if sheet else bounds
