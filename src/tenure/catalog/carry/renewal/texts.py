"""Typed values in free text: how long, and which day. Numbers are ``tenure.grading.values``' part."""

import re
from datetime import date

_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "twelve": 12, "twenty-four": 24, "thirty-six": 36}
_SPAN = re.compile(
    r"(?<![\w.,])(\d+|" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")[\s\-‑]*(month|year)s?\b",
    re.IGNORECASE,
)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = "(" + "|".join(f"{month}|{month[:3]}" for month in _MONTHS) + r"|sept)\.?"
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}(?:,?\s+(\d{{4}}))?(?!\w)", re.IGNORECASE
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(\d{{4}}))?(?!\w)", re.IGNORECASE
)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d/.\-])(\d{1,2})[/.\-](\d{1,2})[/.\-](\d{4})(?!\d)")


def spans(text: str) -> set[int]:
    """Every length of time in a text, in months: ``24 months``, ``24-month``, ``two years``."""
    found = set()
    for count, unit in _SPAN.findall(text):
        n = _WORDS.get(count.lower()) or int(count)
        found.add(n * 12 if unit.lower() == "year" else n)
    return found


def names_day(text: str, day: date) -> bool:
    """Whether a text names a day, in any usual spelling; without a year it is taken to be meant."""
    for n, month, year in _DAY_FIRST.findall(text):
        if _same(day, n, month, year):
            return True
    for month, n, year in _MONTH_FIRST.findall(text):
        if _same(day, n, month, year):
            return True
    if any((int(y), int(m), int(d)) == (day.year, day.month, day.day) for y, m, d in _ISO.findall(text)):
        return True
    return any(
        int(y) == day.year and (int(a), int(b)) in {(day.day, day.month), (day.month, day.day)}
        for a, b, y in _NUMERIC.findall(text)
    )


def _same(day: date, n: str, month: str, year: str) -> bool:
    return (
        int(n) == day.day
        and _MONTHS[day.month - 1].startswith(month.lower())
        and (not year or int(year) == day.year)
    )
