"""From Sheets' formulas to the engine's: open ranges, world time, seeded chance, Sheets' own functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tenure.twins.sheets.a1 import area
from tenure.twins.sheets.formula import Corner, Reference, Token, reference, split_arguments, tokens
from tenure.twins.sheets.functions import ENGINE

CONSTANTS = {"TRUE", "FALSE"}
_MAPPED = {"VLOOKUP": 0, "HLOOKUP": 0, "XLOOKUP": 0, "MATCH": 0, "COUNTIF": 1, "SUMIF": 1, "AVERAGEIF": 1}
"""Functions whose sought value may be a range inside ARRAYFORMULA, and which argument that is."""
_VOLATILE = {"NOW", "TODAY", "RAND", "RANDBETWEEN"}
_EMAIL = r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$"
_URL = r"^(https?://|www\.)?[\w-]+(\.[\w-]+)+(/\S*)?$"


@dataclass(frozen=True)
class Surroundings:
    """What a formula may refer to.

    Attributes:
        title: The formula's own sheet.
        grids: Casefolded title → (name in the engine, rows, columns).
        names: Casefolded named range → (sheet title, ``B2:C9``).
        tables: Casefolded table → (sheet title, ``B2:C9``, column names).
        decimal: The locale's decimal separator.
        now: World time in the spreadsheet's zone, as a serial.
        chance: A fresh number in [0, 1) for the formula's cell.
        known: Formulas translated before in the same surroundings; time and chance apart.
    """

    title: str
    grids: Mapping[str, tuple[str, int, int]]
    names: Mapping[str, tuple[str, str]]
    tables: Mapping[str, tuple[str, str, tuple[str, ...]]]
    decimal: str
    now: float
    chance: Callable[[], float]
    known: dict[str, str] = field(default_factory=dict)


Call = Callable[["_Writer", list[list[Token]]], str]


class _Writer:
    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.array = False
        self.lasting = True
        """Nothing of it follows the time or chance."""

    # -- pieces ------------------------------------------------------------------------------

    def write(self, parts: Sequence[Token]) -> str:
        out: list[str] = []
        at = 0
        while at < len(parts):
            token = parts[at]
            if token.kind == "func" or (token.kind == "op" and token.text in "{("):
                end = _closing(parts, at)
                out.append(self._group(token, parts[at:end]))
                at = end
                continue
            out.append(self._single(token))
            at += 1
        return "".join(out)

    def _single(self, token: Token) -> str:
        match token.kind:
            case "ref":
                return self.reference(reference(token.text))
            case "number":
                return token.text.replace(self.around.decimal, ".")
            case "name":
                return self._name(token.text)
            case "table":
                return self._table(token.text)
            case "op" if token.text == ";":
                return ","
        return token.text

    def _group(self, token: Token, parts: Sequence[Token]) -> str:
        if token.text == "(":
            return f"({self.write(parts[1:-1])})"
        if token.text == "{":
            return self._literal(parts[1:-1])
        name = token.text.upper()
        opening = next(i for i, part in enumerate(parts) if part.text == "(")
        arguments = split_arguments(parts[opening + 1 : -1], self.separators)
        if len(arguments) == 1 and not any(part.kind != "space" for part in arguments[0]):
            arguments = []
        call = _OWN.get(name)
        self.lasting = self.lasting and name not in _VOLATILE
        if call is not None:
            return call(self, arguments)
        if name not in ENGINE:
            return "#NAME?"
        if self.array and name in _MAPPED and len(arguments) > _MAPPED[name]:
            return self._mapped(name, arguments)
        return self.plain(name, arguments)

    @property
    def separators(self) -> str:
        return ";" if self.around.decimal == "," else ",;"

    def plain(self, name: str, arguments: list[list[Token]]) -> str:
        return f"{name}({','.join(self.write(part) for part in arguments)})"

    def _mapped(self, name: str, arguments: list[list[Token]]) -> str:
        sought = _MAPPED[name]
        if not any(part.kind == "ref" and ":" in part.text for part in arguments[sought]):
            return self.plain(name, arguments)
        written = [self.write(part) for part in arguments]
        over, written[sought] = written[sought], "each_"
        return f"MAP({over},LAMBDA(each_,{name}({','.join(written)})))"

    def _literal(self, parts: Sequence[Token]) -> str:
        columns = "\\" if self.around.decimal == "," else ","
        rows = [split_arguments(row, columns) for row in split_arguments(parts, ";")]
        if any(part.kind in ("ref", "func", "name", "table") for part in parts):
            lines = [f"HSTACK({','.join(self.write(cell) for cell in row)})" for row in rows]
            return f"VSTACK({','.join(lines)})"
        return "{" + ";".join(",".join(self.write(cell) for cell in row) for row in rows) + "}"

    def _name(self, text: str) -> str:
        if text.upper() in CONSTANTS:
            return text.upper()
        found = self.around.names.get(text.casefold()) or self.around.tables.get(text.casefold(), ())[:2]
        return self._fixed(*found) if found else text

    def _table(self, text: str) -> str:
        name, _, column = text[:-1].partition("[")
        found = self.around.tables.get(name.casefold())
        if found is None:
            return "#REF!"
        title, where, columns = found
        folded = [one.casefold() for one in columns]
        if column.casefold() not in folded:
            return "#REF!"
        whole, at = area(where), folded.index(column.casefold())
        return self._fixed(
            title,
            str(whole._replace(top=whole.top + 1, left=whole.left + at, right=whole.left + at + 1)),
        )

    def _fixed(self, title: str, where: str) -> str:
        whole = area(where)
        first = Corner(whole.top, whole.left, True, True)
        last = Corner(whole.bottom - 1, whole.right - 1, True, True)
        return self.reference(Reference(title, first, None if first == last else last))

    def reference(self, wanted: Reference) -> str:
        title = self.around.title if wanted.sheet is None else wanted.sheet
        grid = self.around.grids.get(title.casefold())
        if grid is None:
            return "#REF!"
        name, rows, columns = grid
        where = wanted.clipped(rows, columns)
        if wanted.last is None and (where.bottom > rows or where.right > columns):
            return "#REF!"
        if where.top >= min(where.bottom, rows) or where.left >= min(where.right, columns):
            return "#REF!"
        first = wanted.first._replace(row=where.top, column=where.left)
        last = (wanted.last or wanted.first)._replace(
            row=min(where.bottom, rows) - 1, column=min(where.right, columns) - 1
        )
        prefix = "" if wanted.sheet is None else "'" + name.replace("'", "''") + "'!"
        return f"{prefix}{first}" + ("" if wanted.last is None else f":{last}")


def _closing(parts: Sequence[Token], at: int) -> int:
    depth = 0
    for i in range(at, len(parts)):
        if parts[i].kind == "op":
            depth += (parts[i].text in "({") - (parts[i].text in ")}")
            if depth == 0:
                return i + 1
    raise ValueError("a bracket stays open")


def translated(formula: str, around: Surroundings) -> str:
    """A formula as the engine reads it, with its ``=``.

    Raises:
        ValueError: Its brackets do not match.
    """
    if (known := around.known.get(formula)) is not None:
        return known
    writer = _Writer(around)
    text = _written(writer, tokens(formula, around.decimal))
    if writer.lasting:
        around.known[formula] = text
    return text


def _written(writer: _Writer, parts: Sequence[Token]) -> str:
    text = writer.write(parts)
    if len(parts) == 1 and parts[0].kind == "ref" and ":" not in parts[0].text:
        # An empty cell shows as empty where it is referred to; the engine would say 0.
        return f'=IF(ISBLANK({text}),"",{text})'
    return f"={text}"


# -- Sheets' own functions ---------------------------------------------------------------------


def _text(writer: _Writer, arguments: list[list[Token]], at: int, default: str = "") -> str:
    return writer.write(arguments[at]) if at < len(arguments) else default


def _array_formula(writer: _Writer, arguments: list[list[Token]]) -> str:
    before, writer.array = writer.array, True
    try:
        return f"({_text(writer, arguments, 0)})"
    finally:
        writer.array = before


def _chance_between(writer: _Writer, arguments: list[list[Token]]) -> str:
    low, high = _text(writer, arguments, 0, "0"), _text(writer, arguments, 1, "0")
    return f"(INT({writer.around.chance():.15f}*(({high})-({low})+1))+({low}))"


def _keys(writer: _Writer, arguments: list[list[Token]], over: str) -> str:
    pairs = []
    for at in range(0, len(arguments), 2):
        key = writer.write(arguments[at])
        column = key if any(t.kind in ("ref", "func") for t in arguments[at]) else f"INDEX({over},0,{key})"
        pairs.append(f"{column},IF({_text(writer, arguments, at + 1, 'TRUE')},1,-1)")
    return ",".join(pairs)


def _sort(writer: _Writer, arguments: list[list[Token]]) -> str:
    over = _text(writer, arguments, 0)
    rest = arguments[1:]
    return f"SORTBY({over},{_keys(writer, rest, over)})" if rest else f"SORT({over})"


def _sort_n(writer: _Writer, arguments: list[list[Token]]) -> str:
    over, count, rest = _text(writer, arguments, 0), _text(writer, arguments, 1, "1"), arguments[3:]
    inner = f"SORTBY({over},{_keys(writer, rest, over)})" if rest else f"SORT({over})"
    return f"TAKE({inner},MIN({count},ROWS({over})))"


def _filter(writer: _Writer, arguments: list[list[Token]]) -> str:
    conditions = "*".join(f"({writer.write(part)})" for part in arguments[1:])
    return f"FILTER({_text(writer, arguments, 0)},{conditions})"


def _joined(by: str, blanks: str, parts: list[str]) -> str:
    over = f"TOCOL(VSTACK({','.join(parts)}),{blanks})"
    return f'REDUCE("",{over},LAMBDA(so_far_,each_,IF(so_far_="",""&each_,so_far_&{by}&each_)))'


def _text_join(writer: _Writer, arguments: list[list[Token]]) -> str:
    if not any(token.kind == "func" for part in arguments[2:] for token in part):
        return writer.plain("TEXTJOIN", arguments)
    parts = [writer.write(part) for part in arguments[2:]]
    return _joined(writer.write(arguments[0]), f"IF({writer.write(arguments[1])},1,0)", parts)


def _join(writer: _Writer, arguments: list[list[Token]]) -> str:
    by, parts = _text(writer, arguments, 0), [writer.write(part) for part in arguments[1:]]
    if any(token.kind == "func" for part in arguments[1:] for token in part):
        return _joined(by, "0", parts)
    return f"TEXTJOIN({by},FALSE,{','.join(parts)})"


def _split(writer: _Writer, arguments: list[list[Token]]) -> str:
    by = _text(writer, arguments, 1)
    each = _text(writer, arguments, 2, "TRUE").upper() != "FALSE"
    if each and by.startswith('"') and len(by) > 3:
        quoted = [f'"{letter}"' if letter != '"' else '""""' for letter in by[1:-1].replace('""', '"')]
        by = "{" + ",".join(quoted) + "}"
    pieces = f"TEXTSPLIT({_text(writer, arguments, 0)},{by},,{_text(writer, arguments, 3, 'TRUE')})"
    return f"MAP({pieces},LAMBDA(each_,IFERROR(VALUE(each_),each_)))"


def _distinct(writer: _Writer, arguments: list[list[Token]]) -> str:
    over = ",".join(writer.write(part) for part in arguments)
    return f"IFERROR(ROWS(UNIQUE(TOCOL(VSTACK({over}),1))),0)"


def _rounded(name: str) -> Call:
    def call(writer: _Writer, arguments: list[list[Token]]) -> str:
        return f"{name}({_text(writer, arguments, 0)},{_text(writer, arguments, 1, '1')})"

    return call


def _capped(name: str, limit: int, writer: _Writer, arguments: list[list[Token]]) -> str:
    """A function whose work grows with its arguments: beyond a limit they are out of its domain."""
    written = [writer.write(part) for part in arguments]
    return f"{name}({','.join(f'IF(ABS({one})>{limit},-1,{one})' for one in written)})"


def _between(sign: str, writer: _Writer, arguments: list[list[Token]]) -> str:
    return f"(({_text(writer, arguments, 0)}){sign}({_text(writer, arguments, 1)}))"


def _as(pattern: str, writer: _Writer, arguments: list[list[Token]]) -> str:
    return pattern.format(*(writer.write(part) for part in arguments))


def _own(pattern: str) -> Call:
    return partial(_as, pattern)


_OPERATORS = {
    "ADD": "+",
    "MINUS": "-",
    "MULTIPLY": "*",
    "DIVIDE": "/",
    "POW": "^",
    "EQ": "=",
    "NE": "<>",
    "GT": ">",
    "GTE": ">=",
    "LT": "<",
    "LTE": "<=",
}
_OWN: dict[str, Call] = {
    "NOW": lambda writer, arguments: f"{writer.around.now:.10f}",
    "TODAY": lambda writer, arguments: str(int(writer.around.now)),
    "RAND": lambda writer, arguments: f"{writer.around.chance():.15f}",
    "RANDBETWEEN": _chance_between,
    "ARRAYFORMULA": _array_formula,
    "ARRAY_CONSTRAIN": _own("TAKE({0},{1},{2})"),
    "SORT": _sort,
    "SORTN": _sort_n,
    "FILTER": _filter,
    "TEXTJOIN": _text_join,
    "JOIN": _join,
    "SPLIT": _split,
    "FLATTEN": lambda w, a: f"TOCOL(VSTACK({','.join(w.write(part) for part in a)}))",
    "COUNTUNIQUE": _distinct,
    "REGEXMATCH": _own("REGEXTEST({0},{1})"),
    "IFERROR": lambda w, a: f"IFERROR({_text(w, a, 0)},{_text(w, a, 1) or chr(34) * 2})",
    "CEILING": _rounded("CEILING"),
    "FLOOR": _rounded("FLOOR"),
    "FACT": partial(_capped, "FACT", 170),
    "COMBIN": partial(_capped, "COMBIN", 1_000_000),
    "COMBINA": partial(_capped, "COMBINA", 1_000_000),
    "PERMUT": partial(_capped, "PERMUT", 1_000_000),
    "WRAPROWS": _own("WRAPROWS({0},MIN({1},18278))"),
    "WRAPCOLS": _own("WRAPCOLS({0},MIN({1},18278))"),
    "AVERAGE.WEIGHTED": _own("(SUMPRODUCT({0},{1})/SUM({1}))"),
    "TO_TEXT": _own('({0}&"")'),
    "TO_DATE": _own("({0})"),
    "TO_DOLLARS": _own("({0})"),
    "TO_PERCENT": _own("({0})"),
    "TO_PURE_NUMBER": _own("({0})"),
    "EPOCHTODATE": _own("(({0})/86400+25569)"),
    "UMINUS": _own("(-({0}))"),
    "UPLUS": _own("({0})"),
    "UNARY_PERCENT": _own("(({0})/100)"),
    "ISEMAIL": lambda w, a: f'REGEXTEST({_text(w, a, 0)},"{_EMAIL}")',
    "ISURL": lambda w, a: f'REGEXTEST({_text(w, a, 0)},"{_URL}")',
    **{name: partial(_between, sign) for name, sign in _OPERATORS.items()},
}
SUPPORTED: tuple[str, ...] = tuple(sorted(ENGINE | _OWN.keys()))
"""Every function that a formula may use."""
