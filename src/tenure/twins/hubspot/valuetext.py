"""One text for one value: what the twin stores is always written the same way.

Equal work must end in equal records, so a number is stored as ``1500`` whether it came as ``1500``
or ``1500.00``, and a time always in ISO 8601 with milliseconds.
"""

import re
from decimal import Decimal

from tenure.twins.hubspot.times import DAY_MS, day, iso, moment

MOST = 1e30
"""Largest number that a property holds: sums and products of such stay finite."""
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def as_text(value: str | int | float | bool | None) -> str:
    """A JSON value as the vendor writes it: ``true``, ``1200``, ``0.5``, empty for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def number_text(text: str) -> str:
    """A number's one text: plain decimal digits, no needless zeros.

    Raises:
        ValueError: It is no number, or one beyond ``MOST``.
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text) or abs(float(text)) > MOST:
        raise ValueError(text)
    plain = format(Decimal(text), "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain in {"", "-", "-0"} else plain


def time_text(kind: str, text: str) -> str:
    """A ``date``'s or ``datetime``'s one text.

    Raises:
        ValueError: It is no time, or a date that is not at midnight UTC.
    """
    at = moment(text)
    if at is None:
        raise ValueError(f"{text} was not a valid {'date' if kind == 'date' else 'timestamp'}.")
    if kind == "datetime":
        return iso(at)
    if at % DAY_MS:
        raise ValueError(f"{text} is at {iso(at)[11:23]} UTC, not midnight!")
    return day(at)


def typed_text(kind: str, text: str) -> str:
    """A value's one text, by its property's type.

    Raises:
        ValueError: It is not of the type.
    """
    if not text:
        return ""
    if kind == "number":
        return number_text(text)
    return time_text(kind, text) if kind in {"date", "datetime"} else text
