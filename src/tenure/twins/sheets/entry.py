"""USER_ENTERED: what a typed text means in a locale."""

import math
import re
from datetime import date
from typing import NamedTuple

from tenure.twins.sheets.formula import tidied
from tenure.twins.sheets.locales import Locale
from tenure.twins.sheets.records import Scalar
from tenure.twins.sheets.times import DAY_SECONDS, serial_of

_EXACT = 10**15
"""Integers from here on are kept as floating point."""
_LONGEST = 300
"""Digits of a number; longer runs of digits stay text."""
_SYMBOLS = ("R$", "CHF", "$", "€", "£", "¥", "₹")
_TRUE = {"true", "wahr", "vrai", "verdadero", "vero", "waar", "verdadeiro"}
_FALSE = {"false", "falsch", "faux", "falso", "onwaar"}
_MONTHS = (
    ("january", "januar", "janvier", "jan", "janv", "jän", "jänner"),
    ("february", "februar", "février", "feb", "févr"),
    ("march", "märz", "mars", "mar", "mär"),
    ("april", "avril", "apr", "avr"),
    ("may", "mai"),
    ("june", "juni", "juin", "jun"),
    ("july", "juli", "juillet", "jul", "juil"),
    ("august", "août", "aug"),
    ("september", "septembre", "sep", "sept"),
    ("october", "oktober", "octobre", "oct", "okt"),
    ("november", "novembre", "nov"),
    ("december", "dezember", "décembre", "dec", "dez", "déc"),
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2})?)?")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([^\W\d]+)\.?(?:,?[ -](\d{4}|\d{2}))?")
_MONTH_DAY = re.compile(r"([^\W\d]+)\.?[ -](\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AaPp])\.?[Mm]\.?)?")


class Entry(NamedTuple):
    """What was entered.

    Attributes:
        value: Typed; ``None`` clears the cell.
        formula: With its ``=``; empty for a value.
        format: The number format that the text's form asks for, if any.
    """

    value: Scalar | None = None
    formula: str = ""
    format: dict[str, str] | None = None


def raw(value: Scalar | None) -> Entry:
    """RAW: the value as it is. Numbers are doubles: long integers lose digits, as in the product."""
    if isinstance(value, float) and not math.isfinite(value):
        return Entry(str(value))
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    elif isinstance(value, int) and abs(value) >= _EXACT:
        value = float(value)
    return Entry(None if value == "" else value)


def entered(value: Scalar | None, locale: Locale, year: int) -> Entry:
    """USER_ENTERED: as if typed.

    Args:
        value: Numbers and booleans are taken as they are, texts are read.
        locale: The spreadsheet's.
        year: The current one, for dates without a year.
    """
    if not isinstance(value, str):
        return raw(value)
    if value.startswith("'"):
        return Entry(value[1:])
    text = value.strip()
    if len(text) > 1 and text.startswith("="):
        return Entry(formula=tidied(text))
    if text.lower() in _TRUE | _FALSE:
        return Entry(text.lower() in _TRUE)
    found = _number(text, locale) or _moment(text, locale, year)
    if found is not None:
        return found
    if len(text) > 1 and text.startswith("+"):
        return Entry(formula=tidied(f"={text}"))
    return raw(value)


def _digits(text: str, locale: Locale) -> tuple[float, bool, int] | None:
    """(number, whether it is grouped, decimals) of an unsigned number."""
    groups = {locale.group, " ", "\u00a0", "\u202f"} if locale.group.isspace() else {locale.group}
    for group in groups:
        text = text.replace(group, "\u0001")
    body, mark, decimals = text.partition(locale.decimal)
    grouped = "\u0001" in body
    if grouped and not re.fullmatch(r"\d{1,3}(?:\x01\d{3})+", body):
        return None
    plain = body.replace("\u0001", "")
    if len(plain) > _LONGEST:
        return None
    if not re.fullmatch(r"\d*", plain) or not re.fullmatch(r"\d*", decimals) or not (plain or decimals):
        return None
    return float(f"{plain or '0'}.{decimals or '0'}") if mark else float(int(plain)), grouped, len(decimals)


def _number(text: str, locale: Locale) -> Entry | None:
    body, negative = text, False
    if re.fullmatch(r"\(.+\)", body):
        body, negative = body[1:-1].strip(), True
    scientific = re.fullmatch(rf"[+-]?\d+(?:{re.escape(locale.decimal)}\d*)?[eE][+-]?\d+", body)
    if scientific and not negative:
        value = float(body.replace(locale.decimal, "."))
        if not math.isfinite(value):
            return None
        return raw(value)._replace(format={"type": "SCIENTIFIC", "pattern": "0.00E+00"})
    symbol = ""
    percent = body.endswith("%")
    body = body[:-1].rstrip() if percent else body
    for _ in range(2):
        if body[:1] in ("+", "-"):
            negative, body = negative != (body[0] == "-"), body[1:].lstrip()
        if not symbol and not percent:
            for one in _SYMBOLS:
                if body.startswith(one):
                    symbol, body = one, body[len(one) :].lstrip()
                elif body.endswith(one):
                    symbol, body = one, body[: -len(one)].rstrip()
                if symbol:
                    break
    found = _digits(body, locale)
    if found is None:
        return None
    value, grouped, decimals = found
    value = -value if negative else value
    form: dict[str, str] | None = None
    number = "#,##0.00" if decimals else "#,##0"
    if percent:
        # Decimal places of the text decide the value: 12.3% is 0.123, not 0.12300000000000001.
        value, form = (
            round(value / 100, decimals + 2),
            {"type": "PERCENT", "pattern": "0.00%" if decimals else "0%"},
        )
    elif symbol:
        pattern = locale._replace(currency=symbol).amount(number)
        form = {"type": "CURRENCY", "pattern": pattern}
    elif grouped:
        form = {"type": "NUMBER", "pattern": number}
    return raw(value)._replace(format=form)


def _moment(text: str, locale: Locale, year: int) -> Entry | None:
    clock = _clock(text)
    if clock is not None:
        serial, halves = clock
        pattern = "h:mm:ss am/pm" if halves else locale.time
        return Entry(serial, format={"type": "TIME", "pattern": pattern})
    day = _day(text, locale, year)
    if day is not None:
        found, pattern = day
        return Entry(found, format={"type": "DATE", "pattern": pattern})
    head, _, tail = text.partition(" ")
    for cut in range(len(text) - 1, 0, -1):
        if text[cut] != " ":
            continue
        head, tail = text[:cut].rstrip(","), text[cut + 1 :]
        clock, day = _clock(tail), _day(head, locale, year)
        if clock is not None and day is not None:
            pattern = f"{day[1]} {'h:mm:ss am/pm' if clock[1] else locale.time}"
            return Entry(day[0] + clock[0], format={"type": "DATE_TIME", "pattern": pattern})
    return None


def _clock(text: str) -> tuple[float, bool] | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if match[4]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[4].lower() == "p" else 0)
    if minute > 59 or second > 59:
        return None
    return (hour * 3600 + minute * 60 + second) / DAY_SECONDS, bool(match[4])


def _day(text: str, locale: Locale, year: int) -> tuple[int, str] | None:
    if match := _ISO.fullmatch(text):
        mark = match[2]
        return _serial(int(match[1]), int(match[3]), int(match[4]), f"yyyy{mark}mm{mark}dd")
    if match := _NUMERIC.fullmatch(text):
        one, other = int(match[1]), int(match[3])
        if match[2] == "." and "." not in locale.date:
            return None
        month, day = (other, one) if locale.order == "DMY" else (one, other)
        return _serial(_year(match[4], year), month, day, locale.date)
    match = _DAY_MONTH.fullmatch(text)
    if match and match[2].lower() in _MONTH:
        return _serial(_year(match[3], year), _MONTH[match[2].lower()], int(match[1]), locale.date)
    match = _MONTH_DAY.fullmatch(text)
    if match and match[1].lower() in _MONTH:
        return _serial(_year(match[3], year), _MONTH[match[1].lower()], int(match[2]), locale.date)
    return None


def _year(text: str | None, now: int) -> int:
    if not text:
        return now
    number = int(text)
    if len(text) == 4:
        return number
    return number + (2000 if number < 30 else 1900)


def _serial(year: int, month: int, day: int, pattern: str) -> tuple[int, str] | None:
    try:
        return serial_of(date(year, month, day)), pattern
    except ValueError:
        return None
