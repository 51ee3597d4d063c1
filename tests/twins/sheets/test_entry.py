"""USER_ENTERED by locale, and how values are shown."""

from typing import Any

import pytest

from tenure.twins.sheets.display import shown
from tenure.twins.sheets.entry import Entry, entered, raw
from tenure.twins.sheets.locales import LOCALES, locale

DATE, CURRENCY, PERCENT, NUMBER = "DATE", "CURRENCY", "PERCENT", "NUMBER"


def typed(text: Any, name: str = "en_US") -> tuple[Any, str, str]:
    """(value or formula, format type, pattern)."""
    found = entered(text, locale(name), 2026)
    form = found.format or {}
    return found.formula or found.value, form.get("type", ""), form.get("pattern", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello", ("hello", "", "")),
        (" padded ", (" padded ", "", "")),
        ("", (None, "", "")),
        ("12", (12, "", "")),
        ("-1.5", (-1.5, "", "")),
        (".5", (0.5, "", "")),
        ("007", (7, "", "")),
        ("1,234", (1234, NUMBER, "#,##0")),
        ("1,234.5", (1234.5, NUMBER, "#,##0.00")),
        ("1,23", ("1,23", "", "")),
        ("(5)", (-5, "", "")),
        ("10%", (0.1, PERCENT, "0%")),
        ("12.3%", (0.123, PERCENT, "0.00%")),
        ("$5", (5, CURRENCY, '"$"#,##0')),
        ("-$1,200.50", (-1200.5, CURRENCY, '"$"#,##0.00')),
        ("5€", (5, CURRENCY, '"€"#,##0')),
        ("1e3", (1000, "SCIENTIFIC", "0.00E+00")),
        ("12345678901234567890", (1.2345678901234567e19, "", "")),
        ("1e999", ("1e999", "", "")),
        ("9" * 400, ("9" * 400, "", "")),
        (12345678901234567890, (1.2345678901234567e19, "", "")),
        ("TRUE", (True, "", "")),
        ("false", (False, "", "")),
        ("'123", ("123", "", "")),
        ("'=A1", ("=A1", "", "")),
        ("=A1", ("=A1", "", "")),
        ('=sum(a1:$b2)+data!c3&"a1"', ('=SUM(A1:$B2)+data!C3&"a1"', "", "")),
        ("=", ("=", "", "")),
        ("+A1", ("=+A1", "", "")),
        ("+49170", (49170, "", "")),
        ("+49 170 55", ("=+49 170 55", "", "")),
        ("1/2/2026", (46024, DATE, "m/d/yyyy")),
        ("1/2", (46024, DATE, "m/d/yyyy")),
        ("1/2/99", (36162, DATE, "m/d/yyyy")),
        ("2026-01-15", (46037, DATE, "yyyy-mm-dd")),
        ("Jan 5, 2026", (46027, DATE, "m/d/yyyy")),
        ("5 January 2026", (46027, DATE, "m/d/yyyy")),
        ("2026-13-01", ("2026-13-01", "", "")),
        ("31/31/2026", ("31/31/2026", "", "")),
        ("1.2.2026", ("1.2.2026", "", "")),
        ("12:30", (0.5208333333333334, "TIME", "h:mm:ss am/pm")),
        ("6:00 PM", (0.75, "TIME", "h:mm:ss am/pm")),
        ("13:00 PM", ("13:00 PM", "", "")),
        ("2026-01-15 18:00", (46037.75, "DATE_TIME", "yyyy-mm-dd h:mm:ss am/pm")),
        ("2026-01-15T18:00:00Z", ("2026-01-15T18:00:00Z", "", "")),
        ("1-800-555", ("1-800-555", "", "")),
        ("12 apples", ("12 apples", "", "")),
        (5, (5, "", "")),
        (5.0, (5, "", "")),
        (True, (True, "", "")),
        (None, (None, "", "")),
    ],
)
def test_american_entries(text: Any, expected: tuple[Any, str, str]) -> None:
    assert typed(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("en_GB", "1/2/2026", (46054, DATE, "dd/mm/yyyy")),
        ("en_GB", "£5", (5, CURRENCY, '"£"#,##0')),
        ("de_DE", "1.234,5", (1234.5, NUMBER, "#,##0.00")),
        ("de_DE", "1,5", (1.5, "", "")),
        ("de_DE", "1.5", (46143, DATE, "dd.mm.yyyy")),
        ("de_DE", "15.01.2026", (46037, DATE, "dd.mm.yyyy")),
        ("de_DE", "15. Januar 2026", (46037, DATE, "dd.mm.yyyy")),
        ("de_DE", "5,00 €", (5, CURRENCY, '#,##0.00 "€"')),
        ("de_DE", "12,5 %", (0.125, PERCENT, "0.00%")),
        ("de_DE", "WAHR", (True, "", "")),
        ("de_DE", "=SUM(A1;0,5)", ("=SUM(A1;0,5)", "", "")),
        ("fr_FR", "1 234,5", (1234.5, NUMBER, "#,##0.00")),
        ("fr_FR", "15/01/2026", (46037, DATE, "dd/mm/yyyy")),
        ("fr_FR", "15 janvier 2026", (46037, DATE, "dd/mm/yyyy")),
        ("fr_FR", "18:00", (0.75, "TIME", "hh:mm:ss")),
    ],
)
def test_entries_follow_the_locale(name: str, text: str, expected: tuple[Any, str, str]) -> None:
    assert typed(text, name) == expected


def test_raw_keeps_texts() -> None:
    assert [raw(value) for value in ("=A1", "01/02/2026", "'x", 7, "")] == [
        Entry("=A1"),
        Entry("01/02/2026"),
        Entry("'x"),
        Entry(7),
        Entry(None),
    ]


def form(pattern: str, kind: str = NUMBER) -> dict[str, str]:
    return {"type": kind, "pattern": pattern}


@pytest.mark.parametrize(
    ("value", "given", "text"),
    [
        (1234.5, None, "1234.5"),
        (5, None, "5"),
        (1 / 3, None, "0.3333333333"),
        (0.1 + 0.2, None, "0.3"),
        (3141.59265359, None, "3141.592654"),
        (123456789012345, None, "123456789012345"),
        (1.5e20, None, "1.5E+20"),
        (0.00000012, None, "1.2E-07"),
        (True, None, "TRUE"),
        ("x", None, "x"),
        (1234.5, form("#,##0.00"), "1,234.50"),
        (1234567, form("#,##0"), "1,234,567"),
        (-1234.5, form("#,##0.00"), "-1,234.50"),
        (1.005, form("0.00"), "1.01"),
        (2.5, form("0"), "3"),
        (-0.001, form("0.00"), "0.00"),
        (0.5, form("#.##"), ".5"),
        (0.256, form("0.0%", PERCENT), "25.6%"),
        (5, form('"$"#,##0.00', CURRENCY), "$5.00"),
        (-5, form('"$"#,##0.00', CURRENCY), "-$5.00"),
        (-5, form('"$"#,##0;("$"#,##0)', CURRENCY), "($5)"),
        (0, form('0;-0;"none"'), "none"),
        ("x", form('0;-0;0;"<"@">"'), "<x>"),
        (7, form("000"), "007"),
        (1500, form('0.0,"k"'), "1.5k"),
        (12345, form("0.00E+00", "SCIENTIFIC"), "1.23E+04"),
        (5, {"type": CURRENCY}, "$5.00"),
        (0.5, {"type": PERCENT}, "50.00%"),
        (46023, {"type": DATE}, "1/1/2026"),
        (46023, form("yyyy-mm-dd", DATE), "2026-01-01"),
        (46023, form("mmm d, yyyy", DATE), "Jan 1, 2026"),
        (46023, form("dddd", DATE), "Thursday"),
        (46023, form("d/m/yy", DATE), "1/1/26"),
        (46023.75, form("hh:mm", "TIME"), "18:00"),
        (46023.75, form("h:mm am/pm", "TIME"), "6:00 PM"),
        (46023.7508, form("mm:ss", "TIME"), "01:09"),
        (1.5, form("[h]:mm", "TIME"), "36:00"),
        (46023.5, {"type": "DATE_TIME"}, "1/1/2026 12:00:00 PM"),
        (5, {"type": "TEXT", "pattern": "@"}, "5"),
        (5, form("[$£-809]#,##0.00", CURRENCY), "£5.00"),
        (5, form('#,##0" items"'), "5 items"),
    ],
)
def test_shown_in_america(value: Any, given: Any, text: str) -> None:
    assert shown(value, given, locale("en_US")) == text


@pytest.mark.parametrize(
    ("name", "value", "given", "text"),
    [
        ("de_DE", 1234.5, form("#,##0.00"), "1.234,50"),
        ("de_DE", 1234.5, {"type": CURRENCY}, "1.234,50 €"),
        ("de_DE", 0.5, None, "0,5"),
        ("de_DE", 46023, {"type": DATE}, "01.01.2026"),
        ("fr_FR", 1234.5, form("#,##0.00"), "1\u202f234,50"),
        ("en_GB", 46023, {"type": DATE}, "01/01/2026"),
        ("en_GB", 5, {"type": CURRENCY}, "£5.00"),
    ],
)
def test_shown_elsewhere(name: str, value: Any, given: Any, text: str) -> None:
    assert shown(value, given, locale(name)) == text


@pytest.mark.parametrize("name", LOCALES)
def test_what_is_shown_is_read_again(name: str) -> None:
    where = locale(name)
    for text in ("1", "0.5", "1234.5"):
        value = float(text)
        for kind in ("", "NUMBER", "CURRENCY", "PERCENT"):
            again = entered(shown(value, {"type": kind} if kind else None, where), where, 2026)
            assert again.value == value, (name, kind)
    for kind, value in (("DATE", 46037), ("TIME", 0.75), ("DATE_TIME", 46037.75)):
        assert entered(shown(value, {"type": kind}, where), where, 2026).value == value, (name, kind)
