"""A product's walks: one per plan, on the pages of its reference."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from tenure.oracle.grow.walk import Hands, Walk
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import StepVerdict

Walking: TypeAlias = Callable[[Walk], Awaitable[None]]
_TOLD = 300


def load_walks(folder: GrowFolder) -> dict[str, Walking]:
    """Plan → its walk.

    Raises:
        BadInput: ``walkthroughs.py`` has no ``WALKS``, or not one for each plan.
    """
    walks: dict[str, Walking] = getattr(folder.module("walkthroughs"), "WALKS", {})
    plans = {plan.id for plan in folder.plans}
    if missing := sorted(plans ^ walks.keys()):
        raise BadInput(f"{folder.path}/walkthroughs.py: WALKS has one walk per plan; see {missing[0]}")
    return walks


async def walked(folder: GrowFolder, plan: Plan, hands: Hands) -> tuple[tuple[StepVerdict, ...], str]:
    """A plan's verdicts, and why the walk ended early, if it did: what it did not see has failed.

    Raises:
        BadInput: The plan has no walk.
    """
    walk, error = Walk(plan, hands), ""
    walking = load_walks(folder)[plan.id]
    try:
        await walking(walk)
    except Exception as caught:
        error = " ".join(f"{type(caught).__name__}: {caught}".split())[:_TOLD]
    return walk.verdicts(), error
