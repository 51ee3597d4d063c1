"""The number format of a formula's cell, where nobody gave one: it follows from what is computed."""

from typing import Any

from tenure.twins.sheets.a1 import letters
from tenure.twins.sheets.book import Book, Grid
from tenure.twins.sheets.display import default_pattern
from tenure.twins.sheets.formula import Token, reference, split_arguments, tokens

_KINDS = {
    **dict.fromkeys(("DATE", "TODAY", "EDATE", "EOMONTH", "WORKDAY", "DATEVALUE", "TO_DATE"), "DATE"),
    **dict.fromkeys(("NOW", "EPOCHTODATE"), "DATE_TIME"),
    **dict.fromkeys(("TIME", "TIMEVALUE"), "TIME"),
    "TO_DOLLARS": "CURRENCY",
    "TO_PERCENT": "PERCENT",
}
_FIRST = (
    *("SUM", "AVERAGE", "MIN", "MAX", "MEDIAN", "MODE", "SUMIFS", "AVERAGEIFS", "MAXIFS", "MINIFS", "SMALL"),
    *("LARGE", "ROUND", "ROUNDUP", "ROUNDDOWN", "ABS", "INDEX", "SORT", "SORTN", "FILTER", "UNIQUE", "INT"),
    *("ARRAYFORMULA", "ARRAY_CONSTRAIN", "CEILING", "FLOOR", "TRUNC", "MROUND", "OFFSET"),
)
_GIVING: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_FIRST, (0,)),
    **dict.fromkeys(("SUMIF", "AVERAGEIF"), (2, 0)),
    **dict.fromkeys(("IFERROR", "IFNA"), (0, 1)),
    **dict.fromkeys(("VLOOKUP", "SUBTOTAL"), (1,)),
    "IF": (1, 2),
    "IFS": (1, 3, 5),
    "XLOOKUP": (2,),
    "LOOKUP": (2, 1),
}
"""Functions whose result looks like what they are given: which argument, best first."""
_COMPARING = frozenset(("&", "=", "<", ">", "<>", "<=", ">="))
_DEPTH, _ROWS = 40, 3
"""How far references are followed, and how many rows of a range are looked at."""
_MOMENTS = ("DATE", "DATE_TIME")
Form = dict[str, Any] | None


class Inference:
    """Infers formats cell by cell; each cell once."""

    def __init__(self, book: Book) -> None:
        """Look at a book whose rows are loaded."""
        self._book = book
        self._known: dict[tuple[str, int, int, int], Form] = {}

    def of(self, grid: Grid, row: int, column: int, *, shift: int = 0, depth: int = 0) -> Form:
        """The number format of a cell: the user's, else what its formula leads to.

        Args:
            grid: The cell's sheet.
            row: From 0.
            column: From 0.
            shift: For a cell that the formula spills into: how many columns further right.
            depth: How many references were followed so far.
        """
        own: Form = grid.format(row, column + shift).get("numberFormat")
        if own is not None:
            return own
        found = grid.rows.get(row)
        formula = found.formulas.get(letters(column), "") if found else ""
        if not formula or depth > _DEPTH:
            return None
        place = (grid.record.id, row, column, shift)
        if place not in self._known:
            self._known[place] = None
            parts = [t for t in tokens(formula, self._book.locale.decimal) if t.kind != "space"]
            self._known[place] = self._follow(grid, parts, shift, depth)
        return self._known[place]

    def _follow(self, grid: Grid, parts: list[Token], shift: int, depth: int) -> Form:
        operands, signs = _split(parts)
        if signs & _COMPARING:
            return None
        if len(operands) == 1:
            return self._operand(grid, operands[0], shift, depth)
        forms = [form for one in operands if (form := self._operand(grid, one, shift, depth))]
        if len(forms) > 1 and "/" in signs:
            return None
        if "-" in signs and sum(form["type"] in _MOMENTS for form in forms) > 1:
            # The difference of two dates is a number of days.
            return None
        return forms[0] if forms else None

    def _operand(self, grid: Grid, parts: list[Token], shift: int, depth: int) -> Form:
        if not parts:
            return None
        head = parts[0]
        if head.kind == "ref" and len(parts) == 1:
            return self._referred(grid, head, shift, depth)
        if head.text == "(" and parts[-1].text == ")":
            return self._follow(grid, parts[1:-1], shift, depth)
        if head.kind != "func" or parts[-1].text != ")":
            return None
        name = head.text.upper()
        if name in _KINDS:
            kind = _KINDS[name]
            return {"type": kind, "pattern": default_pattern(kind, self._book.locale)}
        arguments = split_arguments(parts[2:-1], ";" if self._book.locale.decimal == "," else ",;")
        if name == "VLOOKUP" and len(arguments) > 2 and arguments[2][:1] and arguments[2][0].text.isdigit():
            shift += int(arguments[2][0].text) - 1
        for at in _GIVING.get(name, ()):
            if at < len(arguments) and (form := self._follow(grid, arguments[at], shift, depth)):
                return form
        return None

    def _referred(self, grid: Grid, token: Token, shift: int, depth: int) -> Form:
        wanted = reference(token.text)
        on = grid if wanted.sheet is None else self._book.titled(wanted.sheet)
        if on is None:
            return None
        where = wanted.clipped(on.record.rows, on.record.columns)
        column = where.left + (shift if shift < where.width else 0)
        for index in range(where.top, min(where.bottom, where.top + _ROWS)):
            form = self.of(on, index, column, depth=depth + 1)
            if form is not None and form.get("type") != "TEXT":
                return form
        return None


def _split(parts: list[Token]) -> tuple[list[list[Token]], set[str]]:
    """The operands of an expression, and the operators between them."""
    operands: list[list[Token]] = [[]]
    signs, depth = set(), 0
    for part in parts:
        if part.kind == "op":
            depth += (part.text in "({") - (part.text in ")}")
            if depth == 0 and part.text not in "(){}%":
                signs.add(part.text)
                operands.append([])
                continue
        operands[-1].append(part)
    return [one for one in operands if one], signs
