"""What a walk says of what it read, with hands that show prepared pages."""

import asyncio
from typing import Any

import pytest

from tenure.oracle.grow import Act, Walk
from tenure.schema.grow import Plan, PlanCheck, PlanKind, PlanStep
from tenure.schema.verdict import CheckVerdict

PLAN = Plan(
    id="p",
    title="P",
    kind=PlanKind.SINGLE,
    users=("ann",),
    steps=(PlanStep(name="s", checks=(PlanCheck(id="one", says="so"), PlanCheck(id="other", says="so"))),),
)


class Shown:
    """Hands before a page that shows one text after the other, the last one for good."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    async def act(self, *acts: Act) -> str:
        return self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]


def verdict(hands: Shown, method: str, *arguments: str, **named: Any) -> CheckVerdict:
    """The verdict on a check after one method of a walk; the other check was never come to."""
    walk = Walk(PLAN, hands)
    asyncio.run(getattr(walk, method)("one", "ann", *arguments, **named))
    one, other = walk.verdicts()[0].checks
    assert (other.passed, other.quotes) == (False, ())
    return one


@pytest.mark.parametrize(
    ("shown", "passed", "quotes"),
    [
        ("Credit: €8.33", True, ("€8.33",)),
        ("Credit: €18.33", False, ("Credit: €18.33",)),
        ("Credit: €8.335", False, ("Credit: €8.335",)),
        ("", False, ("(an empty page)",)),
    ],
)
def test_a_text_is_read_whole(shown: str, passed: bool, quotes: tuple[str, ...]) -> None:
    check = verdict(Shown(shown), "reads", "€8.33")
    assert (check.passed, check.quotes) == (passed, quotes)


def test_a_page_may_take_its_time_where_the_plan_says_so() -> None:
    assert not verdict(Shown("3 free", "2 free"), "reads", "2 free").passed
    assert verdict(Shown("3 free", "2 free"), "reads", "2 free", within=2).passed


def test_what_must_not_be_there_is_looked_for() -> None:
    assert verdict(Shown("My bookings"), "lacks", "Wool").passed
    check = verdict(Shown("My bookings Wool spinning"), "lacks", "Wool")
    assert not check.passed and check.quotes == ("My bookings Wool spinning",)


def test_an_order_is_one() -> None:
    assert verdict(Shown("cleo ann"), "order", "cleo", "ann").passed
    assert not verdict(Shown("ann cleo"), "order", "cleo", "ann").passed
    assert not verdict(Shown("cleo"), "order", "cleo", "ann").passed


def test_a_field_holds_what_it_holds() -> None:
    assert verdict(Shown("12.40"), "holds", "Amount", "12.40").passed
    assert not verdict(Shown(""), "holds", "Amount", "12.40").passed


def test_a_long_page_is_quoted_by_whole_words() -> None:
    check = verdict(Shown("warp " * 40), "reads", "weft")
    assert len(check.quotes[0]) <= 90 and set(check.quotes[0].split()) == {"warp"}
