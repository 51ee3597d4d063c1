"""One text for one value: what the twin stores is always written the same way.

Equal work must end in equal records, so a number is stored as ``1500`` whether it came as ``1500``
or ``1500.00``, and a time always in ISO 8601 with milliseconds.
"""

import math

from tenure.twins.hubspot.times import DAY_MS, day, iso, moment


def as_text(value: str | int | float | bool | None) -> str:
    """A JSON value as the vendor writes it: ``true``, ``1200``, ``0.5``, empty for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def number_text(text: str) -> str:
    """A number's one text.

    Raises:
        ValueError: It is no finite number.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    plain = text.strip().lstrip("+")
    if "e" in plain.lower() or "_" in plain:
        plain = repr(value)
    if "." in plain and "e" not in plain:
        plain = plain.rstrip("0").rstrip(".")
    return plain or "0"


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
