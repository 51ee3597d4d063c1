"""Whole grow attempts with stand-ins, in real machines: built, seeded, graded, stored, scored again."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.grown import SHELF, run_of
from tenure.engine.grow import plans, seeder
from tenure.engine.grow.findings import findings_of, score_stored
from tenure.engine.grow.plans import NO_CODE
from tenure.engine.grow.stored import GRADE, SEED, START, StartRecord, kept
from tenure.engine.observer import Silent
from tenure.engine.plan import ENDED, GRADED, RECORD, Planned, RunFolder
from tenure.engine.run import make_missing
from tenure.schema import AttemptRecord, BadInput, Fault, Outcome
from tenure.schema.folder import find_grow
from tenure.schema.grow import Plan
from tenure.schema.verdict import Cause, Grade, Standing

from .conftest import isolated

pytestmark = isolated
CENTS = "tenure/oracle:bug=half a cent for repairs is cut off"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "ALIVE_SECONDS", 0.2)
    monkeypatch.setattr(plans, "PAUSES", (0.0, 0.0))


def outcomes(record: AttemptRecord) -> dict[str, Outcome]:
    assert record.grow is not None, record.error
    return {finding.plan: finding.outcome for finding in record.grow.findings}


def folder_of(run: RunFolder) -> Path:
    (planned,) = run.planned()
    return planned.folder


def made_at(folder: Path) -> dict[Path, int]:
    """When each thing that is done for good was written."""
    done = (ENDED, START, SEED, GRADE)
    paths = [path for path in folder.rglob("*.json") if path.name in done or path.parent.name == "stages"]
    return {path: path.stat().st_mtime_ns for path in paths}


class Ear(Silent):
    def __init__(self) -> None:
        self.where: list[str] = []

    def reached(self, planned: Planned, where: str) -> None:
        self.where.append(where)


def test_the_oracle_passes_every_plan_and_files_alone_say_so_again(tmp_path: Path) -> None:
    run, ear = run_of(tmp_path), Ear()
    (record,) = make_missing(run, observer=ear)
    card = record.grow
    assert card is not None
    assert record.outcome is Outcome.PASSED, [f.reason for f in card.findings]
    assert (card.plan_pass_rate, card.short_by, card.planned_stages, len(card.stages)) == (1.0, 0, 3, 3)
    assert set(outcomes(record).values()) == {Outcome.PASSED}
    assert [len(finding.grades) for finding in card.findings] == [1, 1, 1, 1]
    seeds = {f.plan: f.seed for f in card.findings}
    assert all(seed is not None and seed.ok for seed in seeds.values())
    assert {plan for plan, seed in seeds.items() if seed and seed.tries} == {"back", "lent"}
    assert record.usage.steps == sum(stage.steps for stage in card.stages)
    assert record.usage.seconds == pytest.approx(sum(stage.seconds for stage in card.stages))
    provenance = record.provenance
    assert {"Python", "Node.js", "database", "browser"} <= provenance.versions.keys()
    assert provenance.versions["database"].startswith("PostgreSQL ")
    assert (provenance.settings["grader"], provenance.settings["grading_cost"]) == ("tenure/oracle", 0.0)
    assert (provenance.sandbox, provenance.image) == ("bubblewrap", run.spec.image)
    assert ear.where[:3] == ["stage 1 of 3", "stage 2 of 3", "stage 3 of 3"]
    assert {"plan 2 of 4, vote 1", "plan 1 of 4, seeding"} <= set(ear.where)

    folder = folder_of(run)
    assert score_stored(find_grow(str(SHELF)), folder) == card
    before = made_at(folder)
    (folder / RECORD).unlink()
    assert make_missing(run) == [record], "recorded again from the files, without a machine"
    (folder / RECORD).unlink()
    (folder / GRADED).unlink()
    assert make_missing(run) == [record]
    assert made_at(folder) == before


def test_a_planted_bug_fails_its_plan_alone_by_three_grades_that_agree(tmp_path: Path) -> None:
    run = run_of(tmp_path, CENTS)
    (record,) = make_missing(run)
    assert {plan for plan, outcome in outcomes(record).items() if outcome is not Outcome.PASSED} == {"cents"}
    assert record.grow is not None
    (cents,) = [finding for finding in record.grow.findings if finding.plan == "cents"]
    assert [grade.passed for grade in cents.grades] == [False, False, False]
    assert (record.outcome, cents.outcome, record.grow.short_by) == (Outcome.FAILED, Outcome.FAILED, 1)
    assert cents.reason.startswith("3 of 3 grades fail it: repairs")


def test_the_idle_builder_blocks_every_plan(tmp_path: Path) -> None:
    (record,) = make_missing(run_of(tmp_path, "tenure/idle"))
    assert record.grow is not None
    assert {(f.outcome, f.cause) for f in record.grow.findings} == {(Outcome.BLOCKED, Cause.START)}
    assert (record.outcome, record.grow.plan_pass_rate) == (Outcome.BLOCKED, 0.0)


def test_code_that_does_not_start_blocks_every_plan_and_shows_its_log(tmp_path: Path) -> None:
    run = run_of(tmp_path, "tenure/oracle:skip=01-things")
    (record,) = make_missing(run)
    assert record.grow is not None
    assert {(f.outcome, f.cause) for f in record.grow.findings} == {(Outcome.BLOCKED, Cause.START)}
    assert record.grow.reason.startswith("setup.sh: there is none")
    start = kept(folder_of(run) / START, StartRecord)
    assert start is not None and not start.ok and start.versions


def test_no_code_is_said(tmp_path: Path) -> None:
    run = run_of(tmp_path, "tenure/idle")
    (record,) = make_missing(run)
    (folder_of(run) / "code.tar.gz").unlink(missing_ok=True)
    for name in (RECORD, GRADED, START):
        (folder_of(run) / name).unlink()
    (record,) = make_missing(run)
    assert record.grow is not None and record.grow.reason == NO_CODE


def test_a_plan_whose_configuration_the_product_does_not_bear_is_blocked_alone(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    start = copy / "reference" / "01-things" / "start.sh"
    refuses = (
        '#!/bin/sh\n[ "$DEPOSIT" = 5.00 ] || { echo "I want 5.00"; exit 4; }\nexec python3 server.py serve\n'
    )
    start.write_text(refuses)
    (record,) = make_missing(run_of(tmp_path / "runs", task=copy))
    assert record.grow is not None
    (cents,) = [finding for finding in record.grow.findings if finding.outcome is not Outcome.PASSED]
    assert (cents.plan, cents.outcome, cents.cause) == ("cents", Outcome.BLOCKED, Cause.START)
    assert cents.reason == "start.sh: it ended with status 4:\nI want 5.00"
    assert record.outcome is Outcome.FAILED


def faulty(monkeypatch: pytest.MonkeyPatch, broken: Callable[[Plan], bool]) -> list[str]:
    """Let grading break for some plans, on our side; returns the plans whose grades were tried."""
    real, tried = plans.grade_plan, list[str]()

    async def grade(model: Any, folder: Any, plan: Plan, place: Any, **given: Any) -> Grade:
        tried.append(plan.id)
        if broken(plan):
            raise Fault("the browser is gone")
        return await real(model, folder, plan, place, **given)

    monkeypatch.setattr(plans, "grade_plan", grade)
    return tried


def test_a_fault_of_ours_is_tried_again_and_is_no_vote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = faulty(monkeypatch, lambda plan: plan.id == "cents" and tried.count("cents") < 3)
    (record,) = make_missing(run_of(tmp_path))
    assert tried.count("cents") == 3
    assert record.outcome is Outcome.PASSED
    assert record.grow is not None
    assert {len(finding.grades) for finding in record.grow.findings} == {1}


def test_a_fault_that_stays_is_an_error_that_the_same_command_goes_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(tmp_path)
    with monkeypatch.context() as patch:
        faulty(patch, lambda plan: plan.id == "cents")
        (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert record.error.startswith("plan cents: Fault: the browser is gone")
    assert {p: o for p, o in outcomes(record).items() if o is not Outcome.PASSED} == {
        "cents": Outcome.NOT_RUN
    }
    before = made_at(folder_of(run))
    (record,) = make_missing(run)
    assert record.outcome is Outcome.PASSED
    after = made_at(folder_of(run))
    assert {path: after[path] for path in before} == before, "what was made is not made again"
    assert len(after) == len(before) + 1


def test_grades_that_break_a_rule_are_made_again(tmp_path: Path) -> None:
    (record,) = make_missing(run_of(tmp_path, grader="tenure/oracle:rude"))
    assert record.grow is not None
    assert record.outcome is Outcome.PASSED
    for finding in record.grow.findings:
        standing = [grade.standing for grade in finding.grades]
        assert standing == [Standing.THROWN_OUT, Standing.COUNTS], finding


def test_stored_files_that_were_changed_are_found_out(tmp_path: Path) -> None:
    run = run_of(tmp_path, CENTS)
    (record,) = make_missing(run)
    folder, product = folder_of(run), find_grow(str(SHELF))
    claims = folder / "grades" / "cents" / "3-1" / "claims.json"
    assert score_stored(product, folder) == record.grow
    claims.write_text(claims.read_text().replace('"passed": false', '"passed": true'))
    assert score_stored(product, folder) != record.grow
    shutil.rmtree(folder / "grades" / "cents" / "2-1")
    with pytest.raises(BadInput, match="do not follow the protocol"):
        findings_of(product, folder)
    (folder / GRADED).write_text("{")
    with pytest.raises(BadInput, match="is damaged"):
        score_stored(product, folder)
    (folder / GRADED).unlink()
    with pytest.raises(BadInput, match="holds no graded build"):
        score_stored(product, folder)


def test_a_product_that_changed_is_not_run(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    run = run_of(tmp_path / "runs", task=copy)
    (copy / "stages" / "01-things" / "prd.md").write_text("Another.\n")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "has changed since the run began" in record.error
