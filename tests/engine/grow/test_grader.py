"""Stand-in graders through the real loop and browser: right ones, wrong ones and rude ones."""

import asyncio
import json
from pathlib import Path

import pytest

from support.crews import code_of, shelf
from support.grading import graded
from tenure.engine.grow.grading.script import Manner, check_grader
from tenure.engine.grow.grading.stored import HAPPENED, MADE, TRANSCRIPT, derived
from tenure.oracle.grow import PlantedBug, load_bugs
from tenure.schema import BadInput
from tenure.schema.folder import find_grow
from tenure.schema.grow import Plan
from tenure.schema.verdict import Standing

from .conftest import isolated

FOLDER = shelf()
PLANS = {plan.id: plan for plan in FOLDER.plans}
BUGS = load_bugs(FOLDER)


@isolated
@pytest.mark.parametrize("name", PLANS)
def test_the_reference_passes_at_the_first_try_and_the_grade_is_derived_from_its_files(
    tmp_path: Path, name: str
) -> None:
    plan = PLANS[name]
    (made,) = asyncio.run(graded(FOLDER, plan, code_of(FOLDER), tmp_path))
    grade = made.grade
    assert (grade.standing, grade.passed, grade.reason) == (Standing.COUNTS, True, "")
    assert grade.grader == "tenure/oracle" and grade.seconds > 0
    assert derived(made.into, plan) == grade
    pictures = {picture for step in grade.steps for check in step.checks for picture in check.pictures}
    assert pictures and all((made.screens / picture).read_bytes()[:4] == b"\x89PNG" for picture in pictures)
    transcript = json.loads((made.into / TRANSCRIPT).read_text())
    assert plan.title in transcript[1]["text"]
    assert {call["tool"] for said in transcript for call in said.get("calls", ())} == {
        "run_script",
        "record_step",
        "finish",
    }


@isolated
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_fails_its_plan_and_a_turned_verdict_passes_it(tmp_path: Path, bug: PlantedBug) -> None:
    code, plan = code_of(FOLDER, bug.edits), PLANS[bug.plan]
    right, turned = asyncio.run(
        graded(FOLDER, plan, code, tmp_path, ("tenure/oracle", "tenure/oracle:wrong=1"))
    )
    assert (right.grade.standing, right.grade.passed) == (Standing.COUNTS, False)
    assert (turned.grade.standing, turned.grade.passed) == (Standing.COUNTS, True)


@isolated
def test_a_pass_is_turned_with_quotes_that_stay_real_and_a_broken_rule_throws_out(tmp_path: Path) -> None:
    plan = PLANS["back"]
    turned, rude = asyncio.run(
        graded(FOLDER, plan, code_of(FOLDER), tmp_path, ("tenure/oracle:wrong=1", "tenure/oracle:rude"))
    )
    assert (turned.grade.standing, turned.grade.passed) == (Standing.COUNTS, False)
    assert rude.grade.standing is Standing.THROWN_OUT and rude.grade.reason.startswith("page_edit: ")
    assert derived(rude.into, plan) == rude.grade
    (rude.into / HAPPENED).write_text("[]")
    assert derived(rude.into, plan).standing is Standing.UNFINISHED
    (rude.into / MADE).unlink()
    with pytest.raises(BadInput, match="missing or damaged"):
        derived(rude.into, plan)


def test_a_coin_turns_the_share_of_grades_that_it_is_asked_to_and_always_the_same_ones() -> None:
    manner = Manner.of("oracle:wrong=0.2,seed=7")
    turned = [manner.turns(f"plan-{n}", 1, 1) for n in range(4000)]
    assert 0.17 < sum(turned) / len(turned) < 0.23
    assert turned == [manner.turns(f"plan-{n}", 1, 1) for n in range(4000)]
    votes = [manner.turns("plan", vote, 1) for vote in range(1, 200)]
    assert any(votes) and not all(votes)
    assert not any(Manner.of("oracle").turns("plan", vote, 1) for vote in range(50))


@pytest.mark.parametrize("name", ["idle", "oracle:wrong=2", "oracle:wrong=x", "oracle:rude=1", "oracle:kind"])
def test_there_is_no_other_stand_in(name: str) -> None:
    with pytest.raises(BadInput, match="no stand-in tenure/"):
        check_grader(FOLDER, name)


def test_the_known_ones_are_there() -> None:
    for name in ("oracle", "oracle:wrong=0.2,seed=7", "oracle:rude"):
        check_grader(FOLDER, name)


LOOMHOUSE = find_grow("grow/loomhouse")


@isolated
@pytest.mark.full
@pytest.mark.parametrize("plan", LOOMHOUSE.plans, ids=lambda plan: plan.id)
def test_every_plan_of_the_first_product_passes_at_the_first_try(tmp_path: Path, plan: Plan) -> None:
    (made,) = asyncio.run(graded(LOOMHOUSE, plan, code_of(LOOMHOUSE), tmp_path))
    assert (made.grade.standing, made.grade.passed, made.grade.reason) == (Standing.COUNTS, True, "")


PLANTED = load_bugs(LOOMHOUSE)


@isolated
@pytest.mark.full
@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_every_planted_bug_of_it_fails_its_plan(tmp_path: Path, bug: PlantedBug) -> None:
    walked = next(one for one in LOOMHOUSE.plans if one.id == bug.plan)
    (made,) = asyncio.run(graded(LOOMHOUSE, walked, code_of(LOOMHOUSE, bug.edits), tmp_path))
    assert (made.grade.standing, made.grade.passed) == (Standing.COUNTS, False)
