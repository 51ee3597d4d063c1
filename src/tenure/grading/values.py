"""Values as checks compare them: typed, canonical, never by containment of text."""

import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from email.utils import getaddresses

_UNIT = r"(?:eur|usd|gbp|[€$£])"
_GROUPED = r"\d{1,3}([,.'’ \u00a0\u2009\u202f])\d{3}(?:\2\d{3})*(?:[.,]\d+)?"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?<!\d[-/]){_UNIT}?([-+]?(?:{_GROUPED}|\d+(?:[.,]\d+)?))(?![.,/-]?\d){_UNIT}?(?!\w)",
    re.IGNORECASE,
)


def plain(text: str | None) -> str:
    """Text for comparison: Unicode composed, case folded, white space single, ends trimmed."""
    return " ".join(unicodedata.normalize("NFKC", text or "").casefold().split())


def number(text: str | int | float | Decimal | None) -> Decimal | None:
    """A number however it is written (``48,500.00``, ``48.500,00``, ``$48 500``); ``None`` if it is none.

    A single separator followed by exactly three digits groups thousands.
    """
    if text is None or isinstance(text, bool):
        return None
    if isinstance(text, int | float | Decimal):
        return Decimal(str(text))
    cleaned = re.sub(r"[\s '$€£]|usd|eur|gbp", "", text.strip().lower())
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", cleaned):
        cleaned = cleaned.replace(",", "")
    elif re.fullmatch(r"[-+]?\d{1,3}(\.\d{3})+(,\d+)?", cleaned) and (
        "," in cleaned or cleaned.count(".") > 1
    ):
        cleaned = cleaned.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[-+]?\d+,\d{1,2}", cleaned):
        cleaned = cleaned.replace(",", ".")
    try:
        return Decimal(cleaned) if re.fullmatch(r"[-+]?\d+(\.\d+)?", cleaned) else None
    except InvalidOperation:
        return None


def numbers(text: str) -> list[Decimal]:
    """Every number that stands on its own in a text.

    A currency may touch it (``€48,500``, ``48,500EUR``); a comma or space before the next number
    ends it (``190, 24``), unless exactly three digits follow the same separator (``48 500``). Parts of
    dates, ranges and fractions (``2026-03-09``, ``3/9``) are no numbers of their own.
    """
    values = (number(match.group(1).replace("’", "'")) for match in _NUMBER.finditer(text))
    return [value for value in values if value is not None]


def same_number(left: str | int | float | Decimal | None, right: str | int | float | Decimal | None) -> bool:
    """Whether two values are the same number, and both are numbers."""
    a, b = number(left), number(right)
    return a is not None and a == b


def states_number(text: str, value: str | int | float | Decimal) -> bool:
    """Whether a free text states a number, as a whole and not as part of another."""
    wanted = number(value)
    return wanted is not None and wanted in numbers(text)


def addresses(*fields: str | list[str]) -> set[str]:
    """The bare, lower-case e-mail addresses in header fields."""
    flat = [one for field in fields for one in ([field] if isinstance(field, str) else field)]
    return {address.lower() for _, address in getaddresses(flat) if "@" in address}


def day(value: str | int | None) -> date | None:
    """A date however a record keeps it: ``YYYY-MM-DD``, ISO time, or epoch milliseconds (UTC)."""
    if value is None or value == "":
        return None
    if isinstance(value, int) or re.fullmatch(r"-?\d{9,}", value):
        return datetime.fromtimestamp(int(value) / 1000, UTC).date()
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")).date()
    except ValueError:
        return None


def mentions(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase as a whole: ``/order/1`` is not in ``/order/12``."""
    wanted = plain(phrase)
    if not wanted:
        return False
    before = r"(?<!\w)" if re.match(r"\w", wanted) else ""
    after = r"(?!\w)" if re.search(r"\w$", wanted) else ""
    return re.search(before + re.escape(wanted) + after, plain(text)) is not None


def states(text: str, value: object) -> bool:
    """Whether a text states a value in one of its usual written forms.

    Numbers are compared as numbers, dates in their common spellings, lists element by element.
    """
    if isinstance(value, list):
        return all(states(text, one) for one in value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return states_number(text, value)
    written = str(value)
    try:
        spellings = _spellings(date.fromisoformat(written))
    except ValueError:
        spellings = [written]
    return any(mentions(text, one) for one in spellings) or (
        number(written) is not None and states_number(text, written)
    )


def _spellings(day: date) -> list[str]:
    midnight = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
    n = day.day
    ordinal = f"{n}{'th' if 10 < n < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
    return [
        day.isoformat(),
        str(midnight),
        f"{day:%m/%d/%Y}",
        f"{day:%d.%m.%Y}",
        *(f"{d} {day:{m}}" for d in (n, ordinal) for m in ("%B", "%b")),
        *(f"{day:{m}} {d}" for d in (n, ordinal) for m in ("%B", "%b")),
    ]
