"""Values are compared typed and whole: near misses do not pass, other spellings do."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.grading.values import (
    addresses,
    day,
    mentions,
    number,
    numbers,
    plain,
    same_number,
    states,
    states_number,
)

AMOUNTS = st.integers(min_value=0, max_value=10**9)
CENTS = st.decimals(min_value=0, max_value=10**7, places=2, allow_nan=False)


@given(CENTS)
def test_a_number_is_the_same_in_every_usual_spelling(value: Decimal) -> None:
    english = f"{value:,.2f}"
    german = english.replace(",", "_").replace(".", ",").replace("_", ".")
    spaced, quoted = english.replace(",", "\u202f"), english.replace(",", "'")
    for written in (
        str(value),
        english,
        german,
        spaced,
        quoted,
        f"${english}",
        f"{german} €",
        f"EUR {english}",
    ):
        assert number(written) == value, written


@given(AMOUNTS)
def test_a_number_stands_in_a_text_as_itself_and_in_no_other(value: int) -> None:
    text = f"We agreed on ${value:,} per year, payable in advance."
    assert states_number(text, value)
    assert not states_number(text, value * 10 + 1)
    assert not states_number(text, value + 1)


@given(AMOUNTS, st.integers(min_value=0, max_value=9))
def test_a_longer_number_does_not_hold_a_shorter_one(value: int, digit: int) -> None:
    longer = int(f"{digit + 1}{value}")
    assert not states_number(f"total: {longer}", value) or longer == value
    assert not states(f"total: {value}{digit}", str(value)) or value == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1700", 170),
        ("17.00", 1700),
        ("170.5", 170),
        ("ID170", 170),
        ("170th", 170),
        ("v1.170", 170),
        ("2026-03-09", 9),
        ("10.0.0.170", 170),
    ],
)
def test_near_misses(text: str, value: int) -> None:
    assert not states_number(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It is 170.", 170),
        ("(170)", 170),
        ("170, 24 and 36", 24),
        ("€48,500", 48_500),
        ("48.500,00 EUR", 48_500),
        ("48 500", 48_500),
        ("12% off", 12),
        ("-5 degrees", -5),
        ("1,234,567.89", Decimal("1234567.89")),
    ],
)
def test_spellings_in_text(text: str, value: int | Decimal) -> None:
    assert states_number(text, value)


def test_leading_zeros_do_not_change_a_number_but_make_another_identifier() -> None:
    assert same_number("000000170", 170)
    assert not mentions("order 000000170", "170")


@pytest.mark.parametrize("none", [None, "", "soon", True, False, "1.2.3", "12 apples", "1,23,4"])
def test_what_is_no_number(none: str | bool | None) -> None:
    assert number(none) is None
    assert not same_number(none, none)


def test_the_order_of_numbers_is_kept_and_years_do_not_melt_into_them() -> None:
    assert numbers("In 2026 48,500; in 2027 50,000.") == [2026, 48_500, 2027, 50_000]


@pytest.mark.parametrize(
    ("text", "phrase", "held"),
    [
        ("see https://shop.example/order/1.", "/order/1", True),
        ("see https://shop.example/order/12", "/order/1", False),
        ("Order AB-12 shipped", "ab-12", True),
        ("Order AB-123 shipped", "ab-12", False),
        ("ﬁnal oﬀer: Ａcme", "final offer: acme", True),
        ("Zoë\u00a0 Brandt", "zoe\u0308 brandt", True),
        ("anything", "", False),
        ("a+b", "a+b", True),
        ("aab", "a+b", False),
    ],
)
def test_a_phrase_is_held_as_a_whole(text: str, phrase: str, held: bool) -> None:
    assert mentions(text, phrase) is held


@given(st.text())
def test_plain_text_is_stable(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_a_day_is_stated_in_its_usual_spellings_and_not_by_a_neighbour(value: date) -> None:
    following = date.fromordinal(value.toordinal() + 1)
    for written in (
        f"{value.isoformat()}",
        f"on {value.day} {value:%B} {value.year}",
        f"{value:%b} {value.day}, at noon",
        f"{value:%m/%d/%Y}",
        f"{value:%d.%m.%Y}",
    ):
        assert states(written, value.isoformat()), written
        assert not states(written, following.isoformat()), written


def test_a_day_in_october() -> None:
    assert states("See you on October 21st!", "2026-10-21")
    assert states("See you on 21 Oct", "2026-10-21")
    assert not states("See you on October 21st!", "2026-10-02")


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("2026-03-09", date(2026, 3, 9)),
        ("2026-03-09T23:30:00Z", date(2026, 3, 9)),
        ("2026-03-09T23:30:00+01:00", date(2026, 3, 9)),
        (1_773_014_400_000, date(2026, 3, 9)),
        ("1773014400000", date(2026, 3, 9)),
        ("", None),
        (None, None),
        ("soon", None),
        ("2026-02-30", None),
    ],
)
def test_a_date_however_a_record_keeps_it(kept: str | int | None, read: date | None) -> None:
    assert day(kept) == read


def test_lists_are_stated_element_by_element() -> None:
    assert states("Ann, Bo and 12 seats", ["Ann", "Bo", 12])
    assert not states("Ann and 12 seats", ["Ann", "Bo", 12])
    assert states("true story", True)


def test_addresses_are_bare_and_whole() -> None:
    assert addresses('"Novak, Ana" <Ana@Harbor.example>, bo@x.example', ["Cy <cy@x.example>"]) == {
        "ana@harbor.example",
        "bo@x.example",
        "cy@x.example",
    }
    assert addresses("nobody", "") == set()
