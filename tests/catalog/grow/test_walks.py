"""The finished reference passes a plan in a browser; bugs are of all kinds. The proof does the rest."""

import pytest

from support.machines import isolated
from tenure.oracle.grow import load_bugs, load_walks, packed, reference_at, seeding_of, walked
from tenure.oracle.grow.direct import direct
from tenure.schema.folder import GrowFolder
from tenure.scoring.grow.audit import BugKind
from tenure.workspace.product import standing


@isolated
@pytest.mark.anyio
async def test_the_reference_passes_where_two_go_for_one_seat(folder: GrowFolder) -> None:
    plan = next(plan for plan in folder.plans if plan.id == "last-seat")
    code = packed(reference_at(folder, len(folder.stages)))
    async with (
        standing(folder.task, code, seeding=seeding_of(folder, plan)) as place,
        direct(folder, place) as hands,
    ):
        verdicts, error = await walked(folder, plan, hands)
    assert not error and all(step.passed for step in verdicts)
    assert all(check.quotes for step in verdicts for check in step.checks)


def test_every_plan_has_a_walk(folder: GrowFolder) -> None:
    assert len(load_walks(folder)) == len(folder.plans)


def test_bugs_are_of_all_kinds_and_fit_the_finished_reference(folder: GrowFolder) -> None:
    bugs = load_bugs(folder)
    assert {bug.kind for bug in bugs} == set(BugKind) and len(bugs) >= 12
