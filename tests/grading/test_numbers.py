"""Numbers in free text: each as a whole, however it is written."""

from decimal import Decimal

import pytest

from tenure.grading.values import numbers, states_number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From 1 September 2026, 63,080 EUR a year", ["1", "2026", "63080"]),
        ("190, 24 and 63,080", ["190", "24", "63080"]),
        ("63,080 24 months", ["63080", "24"]),
        ("EUR63,080 or 63,080EUR or €63,080.", ["63080", "63080", "63080"]),
        ("63 080,00 and 63’080 and 63\u00a0080", ["63080", "63080", "63080"]),
        ("63.080,00 and 1.063.080,50", ["63080", "1063080.5"]),
        ("63,080.- a year", ["63080"]),
        ("17%, (190), '24', 24-month", ["17", "190", "24", "24"]),
        ("in 2026 190 seats", ["2026", "190"]),
        ("-3.5 and 1,5", ["-3.5", "1.5"]),
    ],
)
def test_every_number_of_a_text_is_read_as_a_whole(text: str, expected: list[str]) -> None:
    assert numbers(text) == [Decimal(one) for one in expected]


@pytest.mark.parametrize(
    "text", ["1700", "000170", "1,170", "0.170", "x170", "170x", "192.170.0.1", "17 0", "1 170"]
)
def test_a_number_inside_another_is_not_stated(text: str) -> None:
    assert states_number(text, 170) is (text == "000170")
