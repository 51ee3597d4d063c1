from datetime import date

import pytest

from tenure.grading.operate.state import (
    answered,
    near,
    new_rows,
    one_file,
    one_row,
    row_count,
    same,
    same_file,
    same_rows,
    sent_once,
)
from tenure.schema.evidence import KeptFile, Response, SentMessage

INVOICES = [
    {
        "id": 1,
        "number": "INV-7",
        "customer": "Baker & Sons",
        "total": "48.50",
        "due": "2026-04-01",
        "paid": 0,
    },
    {"id": 2, "number": "INV-70", "customer": "Baker & Sons", "total": 170, "due": None, "paid": 1},
]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("48.50", 48.5),
        ("1,700.00", 1700),
        (170, "170"),
        ("  baker  & Sons ", "Baker & Sons"),
        ("2026-04-01T10:00:00Z", date(2026, 4, 1)),
        (1, True),
        (False, False),
        (None, None),
        ("", None),
    ],
)
def test_equal_values(value, expected):
    assert same(value, expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1700, 170),
        ("INV-70", "INV-7"),
        ("2026-04-02", date(2026, 4, 1)),
        (0, True),
        (True, False),
        (True, 1),
        (None, 0),
        (None, "none"),
        ("x", None),
        ([170], "170"),
    ],
)
def test_near_misses(value, expected):
    assert not same(value, expected)


def test_one_row_is_found_by_name_and_compared_by_type():
    due = date(2026, 4, 1)
    assert one_row(INVOICES, {"number": "INV-7"}, {"total": 48.5, "due": due, "paid": False}).ok
    missed = one_row(INVOICES, {"number": "INV-7"}, {"total": 48, "due": due})
    assert missed == (False, "total: 48.50")
    assert one_row(INVOICES, {"number": "INV-77"}) == (False, "0 rows with number: INV-77")
    assert not one_row(INVOICES, {"customer": "Baker & Sons"}).ok, "a second row must not hide"
    with pytest.raises(KeyError, match="no column sum"):
        one_row(INVOICES, {"sum": 1})


def test_row_counts_are_exact():
    assert row_count(INVOICES, {"customer": "Baker & Sons"}, 2).ok
    assert row_count([], {"customer": "Baker & Sons"}, 0).ok
    assert not row_count(INVOICES, {"customer": "Baker & Sons"}, 1).ok


@pytest.mark.parametrize(
    "after",
    [INVOICES[:1], [*INVOICES, {**INVOICES[0], "id": 3}], [INVOICES[0], {**INVOICES[1], "paid": 0}]],
)
def test_a_guard_over_rows_sees_what_is_gone_new_or_changed(after):
    assert same_rows(INVOICES, list(reversed(INVOICES)), "id").ok
    assert not same_rows(INVOICES, after, "id").ok
    assert same_rows(INVOICES, after, "id", but=(2, 3)).ok
    with pytest.raises(ValueError, match="does not name rows"):
        same_rows(INVOICES, INVOICES, "customer")


def test_new_rows_are_told_by_their_name():
    third = {**INVOICES[0], "id": 3}
    assert new_rows(INVOICES, [{**INVOICES[0], "paid": 1}, third]) == [third]
    assert new_rows(INVOICES, [third, {**third, "number": "INV-8"}], key="number") == [
        {**third, "number": "INV-8"}
    ]


@pytest.mark.parametrize(
    ("value", "ok"),
    [(50, True), ("50.05", True), (49.95, True), ("50.06", False), (None, False), ("n/a", False)],
)
def test_numbers_with_tolerance_end_where_it_says(value, ok):
    assert near(value, 50, 0.05).ok is ok
    assert near(50, 50).ok and not near(50.01, 50).ok
    with pytest.raises(ValueError, match="no expectation"):
        near(50, 50, -1)


def test_answers_of_an_api():
    response = Response(status=200, body={"items": [{"total": "48.50", "lines": []}], "count": 1})
    assert answered(response, {"items.0.total": 48.5, "count": 1}).ok
    assert answered(response, {"items.1.total": 48.5}) == (False, "items.1.total: None")
    assert not answered(response, {"items.0.total": 485}).ok
    assert not answered(response, {"items.0.total.cents": 50}).ok
    assert answered(Response(status=404), {}) == (False, "status 404")
    assert answered(Response(status=404), {}, status=404).ok


FILES = [
    KeptFile(path="in/offer.pdf", size=9, sha256="a" * 64, text="Total: €1,700.00, due 1 April 2026"),
    KeptFile(path="in/photo.jpg", size=9, sha256="b" * 64),
]


def test_files():
    assert one_file(FILES, "offer.pdf", (1700, "2026-04-01")).ok
    assert not one_file(FILES, "offer.pdf", (170,)).ok
    assert one_file(FILES, "Offer.pdf") == (False, "0 files called Offer.pdf")
    assert not one_file([*FILES, FILES[0].model_copy(update={"path": "out/offer.pdf"})], "offer.pdf").ok
    assert not one_file(FILES, "photo.jpg", ("a jar",)).ok
    assert same_file(FILES, "photo.jpg", "b" * 64).ok
    assert not same_file(FILES, "photo.jpg", "a" * 64).ok
    assert not same_file(FILES, "none.jpg", "a" * 64).ok


LETTER = SentMessage(
    sender="me@example.com",
    to=("Ada <ada@example.com>",),
    bcc=("bo@example.com",),
    subject="Offer 17",
    text="The total is €1,700.",
    attachments=("offer.pdf",),
)


def test_a_message_goes_once_to_exactly_its_addresses():
    to = ("bo@example.com", "ADA@example.com")
    assert sent_once([LETTER], to, subject="offer 17", says=(1700,), attached=("offer.pdf",)).ok
    assert not sent_once([LETTER, LETTER], to).ok
    assert not sent_once([LETTER], ("ada@example.com",)).ok, "a hidden address counts"
    assert not sent_once([LETTER], to, says=(170,)).ok
    assert not sent_once([LETTER], to, subject="Offer 1").ok
    assert not sent_once([LETTER], to, attached=("bill.pdf",)).ok
    assert not sent_once([], to).ok
