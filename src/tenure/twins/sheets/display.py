"""Showing values: number formats as text."""

import re
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Any

from tenure.twins.sheets.locales import Locale
from tenure.twins.sheets.records import Scalar
from tenure.twins.sheets.times import moment

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_PIECE = re.compile(
    r"""(?P<quoted>"[^"]*")|\\(?P<escaped>.)|(?P<bracket>\[[^\]]*\])|(?P<half>(?i:am/pm|a/p))
    |(?P<date>(?i:y+|m+|d+|h+|s+))|(?P<number>[#0?][#0?,]*(?:\.[#0?]*,*)?|\.[#0?]+,*)
    |(?P<exponent>E[+-]0+)|(?P<skip>[_*].)|(?P<text>.)""",
    re.VERBOSE | re.DOTALL,
)
_MOMENTS = {"DATE", "TIME", "DATE_TIME"}
_WIDE = Context(prec=400)
_DIGITS = 10
"""Significant digits of a number without a format."""


def default_pattern(kind: str, locale: Locale) -> str:
    """The pattern of a number format that names only its type."""
    return {
        "NUMBER": "#,##0.00",
        "PERCENT": "0.00%",
        "CURRENCY": locale.money,
        "DATE": locale.date,
        "TIME": locale.time,
        "DATE_TIME": f"{locale.date} {locale.time}",
        "SCIENTIFIC": "0.00E+00",
        "TEXT": "@",
    }.get(kind, "")


def is_moment(form: dict[str, Any] | None) -> bool:
    """Whether a number format shows dates or times."""
    return bool(form) and (form or {}).get("type") in _MOMENTS


def shown(value: Scalar, form: dict[str, Any] | None, locale: Locale) -> str:
    """A value as a cell shows it.

    Args:
        value: Typed.
        form: The vendor's ``NumberFormat``, ``None`` for automatic.
        locale: The spreadsheet's.
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    pattern = ""
    if form:
        pattern = form.get("pattern") or default_pattern(form.get("type", ""), locale)
    if isinstance(value, str):
        sections = _sections(pattern)
        return _text_section(sections[3], value) if len(sections) > 3 else value
    if not pattern or pattern.lower() == "general" or pattern == "@":
        return _automatic(value, locale)
    return _numeric(value, pattern, locale)


def _automatic(value: int | float, locale: Locale) -> str:
    if value == 0:
        return "0"
    if isinstance(value, int) or value.is_integer():
        if abs(value) < 1e15:
            return str(int(value))
        mantissa, _, exponent = f"{value:.5E}".partition("E")
        text = f"{mantissa.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    elif abs(value) < 1e-6:
        mantissa, _, exponent = f"{value:.5E}".partition("E")
        text = f"{mantissa.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    else:
        text = f"{value:.{_DIGITS}g}"
        if "e" in text:
            text = f"{value:.0f}"
    return text.replace(".", locale.decimal)


@lru_cache(maxsize=2_000)
def _sections(pattern: str) -> tuple[str, ...]:
    found, depth = [""], False
    escaped = False
    for letter in pattern:
        depth = depth != (letter == '"' and not escaped)
        if letter == ";" and not depth and not escaped:
            found.append("")
            continue
        escaped = letter == "\\" and not escaped
        found[-1] += letter
    return tuple(found)


@lru_cache(maxsize=2_000)
def _pieces(section: str) -> tuple[tuple[str, str], ...]:
    return tuple((m.lastgroup or "text", m[m.lastgroup or 0]) for m in _PIECE.finditer(section))


def _text_section(section: str, value: str) -> str:
    out = []
    for kind, text in _pieces(section):
        out.append(text[1:-1] if kind == "quoted" else value if text == "@" else text)
    return "".join(out)


def _numeric(value: int | float, pattern: str, locale: Locale) -> str:
    sections = _sections(pattern)
    section, sign = sections[0], "-" if value < 0 else ""
    if value < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    pieces = _pieces(section)
    kinds = {kind for kind, _ in pieces}
    if "date" in kinds or "half" in kinds:
        return _moment(value, pieces)
    number = abs(value) * 100 ** sum(text == "%" and kind == "text" for kind, text in pieces)
    pattern_number = "".join(text for kind, text in pieces if kind == "number")
    exponent = next((text for kind, text in pieces if kind == "exponent"), "")
    if sign and pattern_number and not exponent:
        sign = sign if re.search("[1-9]", _body(number, pattern_number, locale)) else ""
    out, used = [], False
    for kind, text in pieces:
        if kind == "quoted":
            out.append(text[1:-1])
        elif kind == "number":
            body = _scientific(number, text, exponent, locale) if exponent else _body(number, text, locale)
            out.append("" if used else body)
            used = True
        elif kind in ("bracket", "skip", "exponent"):
            out.append(text[2:-1].partition("-")[0] if text.startswith("[$") else "")
        elif text == "@":
            out.append(_automatic(abs(value), locale))
        else:
            out.append(text)
    return sign + "".join(out)


def _body(number: float, pattern: str, locale: Locale) -> str:
    scaled = pattern.rstrip(",")
    number /= 1000 ** (len(pattern) - len(scaled))
    head, _, tail = scaled.partition(".")
    least, most = tail.count("0"), len(tail)
    # Fifteen digits first, as the product does: what is kept of 1.005 is 1.00499999999999989.
    text = str(Decimal(f"{number:.15g}").quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP, _WIDE))
    integer, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(least, "0") if len(decimals) > least else decimals
    zeros = head.replace(",", "").count("0")
    integer = integer.lstrip("0").rjust(zeros, "0")
    if "," in head:
        integer = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", lambda _: locale.group, integer)
    return integer + (locale.decimal + decimals if decimals or (tail and least) else "")


def _scientific(number: float, pattern: str, exponent: str, locale: Locale) -> str:
    decimals = len(pattern.rstrip(",").partition(".")[2])
    mantissa, _, power = f"{number:.{decimals}E}".partition("E")
    digits = len(exponent) - 2
    shown_sign = "-" if int(power) < 0 else "+" if "+" in exponent else ""
    return f"{mantissa.replace('.', locale.decimal)}E{shown_sign}{abs(int(power)):0{digits}d}"


def _moment(value: float, pieces: tuple[tuple[str, str], ...]) -> str:
    at = moment(value)
    half = any(kind == "half" for kind, _ in pieces)
    out: list[str] = []
    for i, (kind, text) in enumerate(pieces):
        low = text.lower()
        if kind == "quoted":
            out.append(text[1:-1])
        elif kind == "half":
            out.append(("AM" if at.hour < 12 else "PM")[: 1 if low == "a/p" else 2])
        elif kind == "bracket" and low.strip("[]") in ("h", "hh", "m", "mm", "s", "ss"):
            unit = {"h": 3600, "m": 60, "s": 1}[low[1]]
            out.append(str(int(round(value * 86_400) // unit)).rjust(len(low) - 2, "0"))
        elif kind == "date":
            minutes = low[0] == "m" and _is_minute(pieces, i)
            out.append(_part(at, low, half, minutes))
        elif kind == "number" or kind not in ("bracket", "skip", "exponent"):
            out.append(text)
    return "".join(out)


def _is_minute(pieces: tuple[tuple[str, str], ...], at: int) -> bool:
    before = next((t.lower()[0] for k, t in reversed(pieces[:at]) if k == "date"), "")
    before = before or next((t.lower()[1] for k, t in reversed(pieces[:at]) if k == "bracket"), "")
    after = next((t.lower()[0] for k, t in pieces[at + 1 :] if k == "date"), "")
    return before == "h" or after == "s"


def _part(at: datetime, text: str, half: bool, minutes: bool) -> str:
    size = len(text)
    match text[0]:
        case "y":
            return f"{at.year:04d}" if size > 2 else f"{at.year % 100:02d}"
        case "m" if minutes:
            return f"{at.minute:0{min(size, 2)}d}"
        case "m":
            name = _MONTHS[at.month - 1]
            return {3: name[:3], 4: name, 5: name[0]}.get(size, f"{at.month:0{min(size, 2)}d}")
        case "d":
            name = _DAYS[at.weekday()]
            return f"{at.day:0{size}d}" if size < 3 else name[:3] if size == 3 else name
        case "h":
            hour = (at.hour - 1) % 12 + 1 if half else at.hour
            return f"{hour:0{min(size, 2)}d}"
    return f"{at.second:0{min(size, 2)}d}"
