"""Formulas as text: tokens, references, and rewriting references when cells move."""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from tenure.twins.sheets.a1 import Area, column_of, letters, quoted

_SHEET = r"(?:(?:'(?:[^']|'')+'|[^\W\d][\w.]*)!)?"
_CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d*"
_COLUMN, _ROW = r"\$?[A-Za-z]{1,3}", r"\$?[1-9]\d*"
_RANGE = "|".join(
    (
        f"{_CELL}:{_CELL}",
        f"{_CELL}:{_COLUMN}",
        f"{_CELL}:{_ROW}",
        f"{_COLUMN}:{_COLUMN}",
        f"{_ROW}:{_ROW}",
        _CELL,
    )
)
_CORNER = re.compile(r"(\$?)([A-Za-z]{0,3})(\$?)(\d*)")


@cache
def _pattern(decimal: str) -> re.Pattern[str]:
    mark = re.escape(decimal)
    return re.compile(
        rf"""(?P<string>"(?:[^"]|"")*")
        |(?P<error>\#(?:REF!|N/A|VALUE!|DIV/0!|NAME\?|NUM!|NULL!|ERROR!))
        |(?P<ref>{_SHEET}(?:{_RANGE})(?![\w(.!]))
        |(?P<func>[A-Za-z_][\w.]*(?=\s*\())
        |(?P<table>[A-Za-z_]\w*\[[^\]]*\])
        |(?P<name>[^\W\d][\w.]*)
        |(?P<number>(?:\d+(?:{mark}\d*)?|{mark}\d+)(?:[eE][+-]?\d+)?)
        |(?P<space>\s+)
        |(?P<op><>|<=|>=|.)""",
        re.VERBOSE | re.DOTALL,
    )


class Token(NamedTuple):
    """A piece of a formula.

    Attributes:
        kind: ``string``, ``error``, ``ref``, ``func``, ``table``, ``name``, ``number``, ``space``, ``op``.
        text: As written.
    """

    kind: str
    text: str


@lru_cache(maxsize=20_000)
def tokens(formula: str, decimal: str = ".") -> tuple[Token, ...]:
    """The pieces of a formula, its ``=`` left out; joined again they are the formula."""
    body = formula[1:] if formula.startswith("=") else formula
    return tuple(Token(m.lastgroup or "op", m[0]) for m in _pattern(decimal).finditer(body))


def tidied(formula: str) -> str:
    """A formula as the product keeps it: functions and references in capitals."""
    out = ["="]
    for token in tokens(formula):
        sheet, mark, cells = token.text.rpartition("!")
        capital = {"func": token.text.upper(), "ref": f"{sheet}{mark}{cells.upper()}"}
        out.append(capital.get(token.kind, token.text))
    return "".join(out)


class Corner(NamedTuple):
    """One end of a reference: zero-based; ``None`` where it is open. Fixed parts carry a ``$``."""

    row: int | None
    column: int | None
    fixed_row: bool = False
    fixed_column: bool = False

    def __str__(self) -> str:
        column = "" if self.column is None else ("$" if self.fixed_column else "") + letters(self.column)
        row = "" if self.row is None else ("$" if self.fixed_row else "") + str(self.row + 1)
        return column + row


class Reference(NamedTuple):
    """A reference in a formula.

    Attributes:
        sheet: Title as given; ``None`` for the formula's own sheet.
        first: Upper left end.
        last: Lower right end; ``None`` for a single cell.
    """

    sheet: str | None
    first: Corner
    last: Corner | None

    def __str__(self) -> str:
        prefix = "" if self.sheet is None else quoted(self.sheet) + "!"
        return f"{prefix}{self.first}" + ("" if self.last is None else f":{self.last}")

    def clipped(self, rows: int, columns: int) -> Area:
        """The cells it names in a grid of a size."""
        last = self.last or self.first
        return Area(
            self.first.row or 0,
            self.first.column or 0,
            rows if last.row is None else last.row + 1,
            columns if last.column is None else last.column + 1,
        )


def _corner(text: str) -> Corner:
    match = _CORNER.fullmatch(text)
    if match is None:
        raise ValueError(text)
    one, column, two, row = match.groups()
    if not column:
        return Corner(int(row) - 1, None, bool(one or two), False)
    return Corner(int(row) - 1 if row else None, column_of(column), bool(two), bool(one))


@lru_cache(maxsize=20_000)
def reference(text: str) -> Reference:
    """The reference that a ``ref`` token spells."""
    sheet: str | None = None
    if "!" in text:
        head, _, text = text.rpartition("!")
        sheet = head[1:-1].replace("''", "'") if head.startswith("'") else head
    first, _, last = text.partition(":")
    return Reference(sheet, _corner(first), _corner(last) if last else None)


def references(formula: str, decimal: str = ".") -> list[Reference]:
    """Every reference of a formula, in order."""
    return [reference(token.text) for token in tokens(formula, decimal) if token.kind == "ref"]


Move = Callable[[Reference], Reference | None]
"""What becomes of a reference; ``None`` for ``#REF!``."""


def rewritten(formula: str, move: Move, decimal: str = ".") -> str:
    """A formula with its references moved."""
    out = ["="]
    for token in tokens(formula, decimal):
        if token.kind != "ref":
            out.append(token.text)
            continue
        old = reference(token.text)
        new = move(old)
        out.append("#REF!" if new is None else token.text if new == old else str(new))
    return "".join(out)


def offset(rows: int, columns: int, height: int, width: int) -> Move:
    """References of a formula that is copied elsewhere: what is not fixed moves along.

    Args:
        rows: Rows further down.
        columns: Columns further right.
        height: Rows of the grid; references that leave it are lost.
        width: Columns of the grid.
    """

    def corner(old: Corner) -> Corner | None:
        row = old.row if old.row is None or old.fixed_row else old.row + rows
        column = old.column if old.column is None or old.fixed_column else old.column + columns
        if not (row is None or 0 <= row < height) or not (column is None or 0 <= column < width):
            return None
        return old._replace(row=row, column=column)

    def move(old: Reference) -> Reference | None:
        first, last = corner(old.first), corner(old.last) if old.last else None
        if first is None or (old.last is not None and last is None):
            return None
        return Reference(old.sheet, first, last)

    return move


def on_sheet(title: str, own: bool, move: Move) -> Move:
    """Apply a move to references that mean one sheet only.

    Args:
        title: The sheet.
        own: Whether the formula stands on it.
        move: The move.
    """

    def only(old: Reference) -> Reference | None:
        here = own if old.sheet is None else old.sheet.casefold() == title.casefold()
        return move(old) if here else old

    return only


def renamed(old_title: str, new_title: str) -> Move:
    """References to a sheet whose title changes."""

    def move(old: Reference) -> Reference:
        same = old.sheet is not None and old.sheet.casefold() == old_title.casefold()
        return old._replace(sheet=new_title) if same else old

    return move


class Shift(NamedTuple):
    """Rows or columns inserted, deleted or moved.

    Attributes:
        across: Columns instead of rows.
        single: Old place → new place, ``None`` when it is deleted.
        start: Old place of a range's start → new.
        end: Old place of a range's last row or column → new.
        marks: Places around which a move tears stretches apart.
    """

    across: bool
    single: Callable[[int], int | None]
    start: Callable[[int], int]
    end: Callable[[int], int]
    marks: tuple[int, ...] = ()

    def span(self, low: int, high: int) -> tuple[int, int] | None:
        """What becomes of a half-open stretch; ``None`` when all of it is deleted."""
        images = [self.start(n) for n in (low, high - 1, *self.marks) if low <= n < high]
        if self.marks and max(images) - min(images) == high - 1 - low:
            return min(images), max(images) + 1
        first, last = sorted((self.start(low), self.end(high - 1)))
        gone = all(self.single(n) is None for n in {low, high - 1}) and self.start(low) > self.end(high - 1)
        return None if gone else (first, last + 1)

    def area(self, old: Area) -> Area | None:
        """What becomes of an area; ``None`` when all of it is deleted."""
        kept = self.span(old.left, old.right) if self.across else self.span(old.top, old.bottom)
        if kept is None:
            return None
        low, high = kept
        return old._replace(left=low, right=high) if self.across else old._replace(top=low, bottom=high)

    def move(self, old: Reference) -> Reference | None:
        """What becomes of a reference."""
        low = self._place(old.first)
        if old.last is None:
            place = None if low is None else self.single(low)
            return None if place is None else old._replace(first=self._at(old.first, place))
        high = self._place(old.last)
        if high is None:
            return old if low is None else old._replace(first=self._at(old.first, self.start(low)))
        kept = self.span(0 if low is None else low, high + 1)
        if kept is None:
            return None
        first = old.first if low is None else self._at(old.first, kept[0])
        return old._replace(first=first, last=self._at(old.last, kept[1] - 1))

    def _place(self, corner: Corner) -> int | None:
        return corner.column if self.across else corner.row

    def _at(self, corner: Corner, place: int) -> Corner:
        return corner._replace(column=place) if self.across else corner._replace(row=place)


def inserted(across: bool, at: int, count: int) -> Shift:
    """``count`` rows or columns appear before place ``at``."""

    def place(n: int) -> int:
        return n + count if n >= at else n

    return Shift(across, place, place, place)


def deleted(across: bool, low: int, high: int) -> Shift:
    """Rows or columns from ``low`` up to ``high`` disappear."""
    count = high - low

    def single(n: int) -> int | None:
        return n if n < low else None if n < high else n - count

    def start(n: int) -> int:
        return n if n < low else low if n < high else n - count

    def end(n: int) -> int:
        return n if n < low else low - 1 if n < high else n - count

    return Shift(across, single, start, end)


def moved(across: bool, low: int, high: int, to: int) -> Shift:
    """Rows or columns from ``low`` up to ``high`` go before place ``to`` (counted before the move)."""
    count = high - low
    target = to - count if to > low else to

    def place(n: int) -> int:
        if low <= n < high:
            return target + n - low
        rest = n - count if n >= high else n
        return rest + count if rest >= target else rest

    return Shift(across, place, place, place, (low - 1, low, high - 1, high, to - 1, to))


def carried(source: Area, rows: int, columns: int, title: str | None) -> Move:
    """References into an area whose cells are cut and pasted elsewhere; others stay.

    Args:
        source: Where the cells were.
        rows: Rows further down.
        columns: Columns further right.
        title: The sheet that they went to, ``None`` when it is the same.
    """

    def move(old: Reference) -> Reference:
        last = old.last or old.first
        ends = (old.first.row, old.first.column, last.row, last.column)
        if any(n is None for n in ends) or not source.covers(old.clipped(0, 0)):
            return old

        def corner(c: Corner) -> Corner:
            return c._replace(row=(c.row or 0) + rows, column=(c.column or 0) + columns)

        return Reference(title or old.sheet, corner(old.first), corner(old.last) if old.last else None)

    return move


def split_arguments(parts: Iterable[Token], separators: str) -> list[list[Token]]:
    """A call's inner tokens, split at its own separators."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in parts:
        if token.kind == "op":
            depth += (token.text in "({") - (token.text in ")}")
            if depth == 0 and token.text in separators:
                found.append([])
                continue
        found[-1].append(token)
    return found
