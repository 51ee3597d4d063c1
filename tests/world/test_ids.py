"""Ids are a function of (seed, kind, n), and never meet."""

import pytest

from tenure.world import ids


@pytest.mark.parametrize("make", [ids.hex_id, ids.decimal_id])
def test_ids_never_meet_within_a_kind(make) -> None:
    assert len({make(7, "message", n) for n in range(100_000)}) == 100_000


def test_ids_never_meet_across_kinds_and_seeds() -> None:
    made = {
        ids.hex_id(seed, kind, n)
        for seed in range(10)
        for kind in ("message", "thread")
        for n in range(5_000)
    }
    assert len(made) == 100_000


def test_ids_are_what_they_always_were() -> None:
    """A change of any of these breaks every stored proof."""
    assert ids.hex_id(7, "message", 1) == "5e2fa610f0f2a8dd"
    assert ids.decimal_id(7, "contact", 1) == "20000000136"


@pytest.mark.parametrize("digits", [12, 15, 16, 32])
def test_hex_ids_have_the_vendors_length_and_no_leading_zero(digits: int) -> None:
    made = [ids.hex_id(7, "message", n, digits) for n in range(2_000)]
    assert {len(id) for id in made} == {digits}
    assert not any(id.startswith("0") for id in made)
    assert all(set(id) <= set("0123456789abcdef") for id in made)


def test_decimal_ids_grow_with_their_number() -> None:
    made = [ids.decimal_id(7, "contact", n) for n in range(1, 2_000)]
    assert made == sorted(made) and {len(id) for id in made} == {11}
    assert made != [ids.decimal_id(8, "contact", n) for n in range(1, 2_000)]
