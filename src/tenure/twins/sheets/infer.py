"""The number format of a formula's cell, where nobody gave one: it follows from what is computed."""

from collections.abc import Set
from typing import Any

from tenure.twins.sheets.a1 import letters
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.display import default_pattern
from tenure.twins.sheets.formula import Token, reference, tokens

_KINDS = {
    **dict.fromkeys(("DATE", "TODAY", "EDATE", "EOMONTH", "WORKDAY", "DATEVALUE", "TO_DATE"), "DATE"),
    **dict.fromkeys(("NOW", "EPOCHTODATE"), "DATE_TIME"),
    **dict.fromkeys(("TIME", "TIMEVALUE"), "TIME"),
    "TO_DOLLARS": "CURRENCY",
    "TO_PERCENT": "PERCENT",
}
_PASSING = frozenset(
    """SUM AVERAGE MIN MAX MEDIAN MODE SUMIF SUMIFS AVERAGEIF AVERAGEIFS MAXIFS MINIFS SMALL LARGE ROUND
    ROUNDUP ROUNDDOWN ABS IF IFERROR IFNA IFS INDEX VLOOKUP XLOOKUP HLOOKUP LOOKUP SORT FILTER UNIQUE
    ARRAYFORMULA SUBTOTAL CEILING FLOOR INT TRUNC MROUND OFFSET QUOTIENT SORTN TRANSPOSE""".split()  # noqa: SIM905
)
"""Functions whose result looks like what they are given."""
_COMPARING = frozenset(("&", "=", "<", ">", "<>", "<=", ">="))
_DEPTH = 40


class Inference:
    """Infers formats cell by cell; each cell once."""

    def __init__(self, book: Book) -> None:
        """Look at a book whose rows are loaded."""
        self._book = book
        self._known: dict[tuple[str, int, int], dict[str, Any] | None] = {}

    def of(self, grid: Grid, row: int, column: int, depth: int = 0) -> dict[str, Any] | None:
        """The number format of a cell: the user's, else what its formula leads to."""
        own: dict[str, Any] | None = grid.format(row, column).get("numberFormat")
        if own is not None:
            return own
        found = grid.rows.get(row)
        formula = found.formulas.get(letters(column), "") if found else ""
        if not formula or depth > _DEPTH:
            return None
        place = (grid.record.id, row, column)
        if place not in self._known:
            self._known[place] = None
            self._known[place] = self._follow(grid, formula, depth)
        return self._known[place]

    def _follow(self, grid: Grid, formula: str, depth: int) -> dict[str, Any] | None:
        parts = [t for t in tokens(formula, self._book.locale.decimal) if t.kind != "space"]
        if not parts:
            return None
        outer = parts[0].text.upper() if parts[0].kind == "func" else ""
        if outer in _KINDS:
            kind = _KINDS[outer]
            return {"type": kind, "pattern": default_pattern(kind, self._book.locale)}
        if outer and outer not in _PASSING and _spans_all(parts):
            return None
        if outer:
            return self._shared(grid, parts, depth)
        signs = {part.text for part in parts if part.kind == "op"}
        if signs & _COMPARING:
            return None
        return self._shared(grid, parts, depth, signs)

    def _shared(
        self, grid: Grid, parts: list[Token], depth: int, signs: Set[str] = frozenset()
    ) -> dict[str, Any] | None:
        forms = [form for part in parts if part.kind == "ref" and (form := self._first(grid, part, depth))]
        if len(forms) > 1 and "/" in signs:
            return None
        if "-" in signs and sum(form.get("type") in ("DATE", "DATE_TIME") for form in forms) > 1:
            # The difference of two dates is a number of days.
            return None
        return forms[0] if forms else None

    def _first(self, grid: Grid, token: Token, depth: int) -> dict[str, Any] | None:
        wanted = reference(token.text)
        on = grid if wanted.sheet is None else self._book.titled(wanted.sheet)
        if on is None:
            return None
        where = wanted.clipped(on.record.rows, on.record.columns)
        for index in range(where.top, min(where.bottom, where.top + 3)):
            form = self.of(on, index, where.left, depth + 1)
            if form is not None and form.get("type") != "TEXT":
                return form
        return None


def _spans_all(parts: list[Token]) -> bool:
    depth = 0
    for i, part in enumerate(parts):
        if part.kind == "op":
            depth += (part.text == "(") - (part.text == ")")
            if depth == 0 and part.text == ")" and i < len(parts) - 1:
                return False
    return True
