"""Footprints: what a task may create, change and delete; everything else is a stray."""

import pytest

from tenure.grading import strays
from tenure.schema import BadInput, Footprint
from tenure.world.difference import Difference

MADE = Difference("toy.note", "1", None, {"title": "a"}, {"title": (None, "a")})
CHANGED = Difference("toy.note", "2", {"title": "a"}, {"title": "b"}, {"title": ("a", "b")})
GONE = Difference("toy.note", "3", {"title": "a"}, None, {"title": ("a", None)})
ALL = (MADE, CHANGED, GONE)


@pytest.mark.parametrize(
    ("footprint", "left"),
    [
        (Footprint(), "123"),
        (Footprint(create=("toy.note",)), "23"),
        (Footprint(change={"toy.note": ("*",)}), "13"),
        (Footprint(delete={"toy.note": ("*",)}), "12"),
        (Footprint(change={"toy.note": ("3",)}, delete={"toy.note": ("2",)}), "123"),
        (Footprint(change={"toy.note": ("$second",)}, delete={"toy.note": ("$last",)}), "1"),
        (Footprint(create=("toy.other",), change={"toy.other": ("*",)}), "123"),
    ],
)
def test_only_what_a_footprint_allows_is_no_stray(footprint: Footprint, left: str) -> None:
    facts = {"second": "toy.note/2", "last": ["toy.note/3", "toy.note/4"]}
    found = strays(footprint, facts, ALL)
    assert [line.split()[1].rstrip(":") for line in found] == list(left)


def test_a_stray_says_what_happened() -> None:
    assert strays(Footprint(), {}, ALL) == (
        "toy.note 1: created",
        "toy.note 2: changed title",
        "toy.note 3: deleted",
    )


def test_a_footprint_that_names_no_fact_is_refused() -> None:
    with pytest.raises(BadInput, match="no fact is called 'gone'"):
        strays(Footprint(delete={"toy.note": ("$gone",)}), {}, ALL)
