"""Whole grow attempts with stand-ins, in real machines: built, seeded, graded, stored, scored again."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.grown import SHELF, run_of
from tenure.engine.grow import plans, seeder
from tenure.engine.grow.findings import findings_of, score_stored
from tenure.engine.grow.plans import NO_CODE
from tenure.engine.grow.stored import CODE, GRADE, SEED, START, StartRecord, kept
from tenure.engine.observer import Silent
from tenure.engine.plan import ENDED, GRADED, RECORD, Planned, RunFolder
from tenure.engine.run import make_missing
from tenure.schema import AttemptRecord, BadInput, Fault, Outcome
from tenure.schema.folder import find_grow
from tenure.schema.grow import Plan
from tenure.schema.verdict import Cause, Grade, Standing
from tenure.workspace import browsing

from .conftest import isolated

pytestmark = isolated
CENTS = "tenure/oracle:bug=half a cent for repairs is cut off"


@pytest.fixture(scope="module", autouse=True)
def _quick(machines: None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seeder, "ALIVE_SECONDS", 0.2)
        patch.setattr(plans, "PAUSES", (0.0, 0.0))
        yield


class Ear(Silent):
    def __init__(self) -> None:
        self.where: list[str] = []

    def reached(self, planned: Planned, where: str) -> None:
        self.where.append(where)


class Grown(NamedTuple):
    """A finished attempt: its run, folder, record, and where it has been."""

    run: RunFolder
    folder: Path
    record: AttemptRecord
    where: list[str]


def grow(runs: Path, model: str = "tenure/oracle", **fields: Any) -> Grown:
    run, ear = run_of(runs, model, **fields), Ear()
    (record,) = make_missing(run, observer=ear)
    return Grown(run, folder_of(run), record, ear.where)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory, _quick: None) -> Grown:
    """The reference, built and graded."""
    return grow(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="module")
def bug(tmp_path_factory: pytest.TempPathFactory, _quick: None) -> Grown:
    """The same with a bug."""
    return grow(tmp_path_factory.mktemp("bug"), CENTS)


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


def test_the_oracle_passes_every_plan(oracle: Grown) -> None:
    record, card = oracle.record, oracle.record.grow
    assert card is not None
    assert record.outcome is Outcome.PASSED, [f.reason for f in card.findings]
    assert (card.plan_pass_rate, card.short_by, card.planned_stages, len(card.stages)) == (1.0, 0, 3, 3)
    assert set(outcomes(record).values()) == {Outcome.PASSED}
    assert all(finding.grades[-1].passed for finding in card.findings)
    assert all(finding.seed is not None and finding.seed.ok for finding in card.findings)
    assert {f.plan for f in card.findings if f.seed and f.seed.tries} == {"back", "lent"}
    assert record.usage.steps == sum(stage.steps for stage in card.stages)
    assert record.usage.seconds == pytest.approx(sum(stage.seconds for stage in card.stages))


def test_a_record_says_what_was_really_there(oracle: Grown) -> None:
    provenance, spec = oracle.record.provenance, oracle.run.spec
    assert {"Python", "Node.js", "database", "browser"} <= provenance.versions.keys()
    assert provenance.versions["database"].startswith("PostgreSQL ")
    assert "Chrom" in provenance.versions["browser"]
    assert (provenance.settings["grader"], provenance.settings["grading_cost"]) == ("tenure/oracle", 0.0)
    assert (provenance.sandbox, provenance.image) == ("bubblewrap", spec.image)


def test_whoever_follows_hears_stages_plans_and_votes(oracle: Grown, bug: Grown) -> None:
    assert oracle.where[:3] == ["stage 1 of 3", "stage 2 of 3", "stage 3 of 3"]
    assert {"plan 2 of 4, vote 1", "plan 1 of 4, seeding"} <= set(oracle.where)
    assert "plan 2 of 4, vote 3" in bug.where


def test_files_alone_say_the_same_again(oracle: Grown) -> None:
    run, folder, record, _ = oracle
    assert score_stored(find_grow(str(SHELF)), folder) == record.grow
    before = made_at(folder)
    for gone in ([RECORD], [RECORD, GRADED]):
        for name in gone:
            (folder / name).unlink()
        assert make_missing(run) == [record]
    assert made_at(folder) == before


def test_a_planted_bug_fails_its_plan_alone_by_three_grades_that_agree(bug: Grown) -> None:
    record = bug.record
    assert {plan for plan, outcome in outcomes(record).items() if outcome is not Outcome.PASSED} == {"cents"}
    assert record.grow is not None
    (cents,) = [finding for finding in record.grow.findings if finding.plan == "cents"]
    assert [grade.passed for grade in cents.grades] == [False, False, False]
    assert (record.outcome, cents.outcome, record.grow.short_by) == (Outcome.FAILED, Outcome.FAILED, 1)
    assert cents.reason.startswith("3 of 3 grades fail it: repairs")


def test_stored_files_that_were_changed_are_found_out(bug: Grown, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bug.folder, tmp_path / "copy"))
    product = find_grow(str(SHELF))
    claims = folder / "grades" / "cents" / "3-1" / "claims.json"
    assert score_stored(product, folder) == bug.record.grow
    claims.write_text(claims.read_text().replace('"passed": false', '"passed": true'))
    assert score_stored(product, folder) != bug.record.grow
    shutil.rmtree(folder / "grades" / "cents" / "2-1")
    with pytest.raises(BadInput, match="do not follow the protocol"):
        findings_of(product, folder)
    (folder / GRADED).write_text("{")
    with pytest.raises(BadInput, match="is damaged"):
        score_stored(product, folder)
    (folder / GRADED).unlink()
    with pytest.raises(BadInput, match="holds no graded build"):
        score_stored(product, folder)


def test_the_idle_builder_blocks_every_plan(tmp_path: Path) -> None:
    run, folder, record, _ = grow(tmp_path, "tenure/idle")
    assert record.grow is not None
    assert {(f.outcome, f.cause) for f in record.grow.findings} == {(Outcome.BLOCKED, Cause.START)}
    assert (record.outcome, record.grow.plan_pass_rate) == (Outcome.BLOCKED, 0.0)
    assert record.grow.reason.startswith("setup.sh: there is none")
    start = kept(folder / START, StartRecord)
    assert start is not None and not start.ok and start.versions

    for name in (RECORD, GRADED, START, CODE):
        (folder / name).unlink()
    (record,) = make_missing(run)
    assert record.grow is not None and record.grow.reason == NO_CODE


@pytest.mark.full
def test_code_that_does_not_start_blocks_every_plan(tmp_path: Path) -> None:
    record = grow(tmp_path, "tenure/oracle:skip=01-things").record
    assert record.grow is not None
    assert {(f.outcome, f.cause) for f in record.grow.findings} == {(Outcome.BLOCKED, Cause.START)}


@pytest.mark.full
def test_a_plan_whose_configuration_the_product_does_not_bear_is_blocked_alone(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    start = copy / "reference" / "01-things" / "start.sh"
    refuses = (
        '#!/bin/sh\n[ "$DEPOSIT" = 5.00 ] || { echo "I want 5.00"; exit 4; }\nexec python3 server.py serve\n'
    )
    start.write_text(refuses)
    record = grow(tmp_path / "runs", task=copy).record
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


@pytest.mark.full
def test_a_fault_of_ours_is_tried_again_and_is_no_vote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = faulty(monkeypatch, lambda plan: plan.id == "cents" and tried.count("cents") < 3)
    record = grow(tmp_path).record
    assert tried.count("cents") == 3
    assert record.outcome is Outcome.PASSED
    assert record.grow is not None
    assert {len(finding.grades) for finding in record.grow.findings} == {1}


@pytest.mark.full
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


@pytest.mark.full
def test_grades_that_break_a_rule_are_made_again(tmp_path: Path) -> None:
    record = grow(tmp_path, grader="tenure/oracle:rude").record
    assert record.grow is not None
    assert record.outcome is Outcome.PASSED
    for finding in record.grow.findings:
        standing = [grade.standing for grade in finding.grades]
        assert standing == [Standing.THROWN_OUT, Standing.COUNTS], finding


def test_a_product_that_changed_is_not_run(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(SHELF, tmp_path / "shelf"))
    run = run_of(tmp_path / "runs", task=copy)
    (copy / "stages" / "01-things" / "prd.md").write_text("Another.\n")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "has changed since the run began" in record.error


def test_where_no_browser_can_be_opened_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "PROGRAM", "no-such-browser")
    run = run_of(tmp_path)
    with pytest.raises(BadInput, match="install the package of that name"):
        make_missing(run)
    assert not folder_of(run).exists()


@pytest.mark.full
def test_inspects_own_command_runs_the_suite(tmp_path: Path) -> None:
    words = [
        str(Path(sys.executable).with_name("inspect")),
        "eval",
        "tenure/grow",
        "--model",
        "tenure/oracle",
    ]
    words += ["-T", f"task={SHELF}", "-T", "attempts=1", "-T", f"runs={tmp_path / 'runs'}"]
    done = subprocess.run(
        [*words, "--log-dir", str(tmp_path / "logs"), "--display", "none"],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    (record,) = [AttemptRecord.model_validate_json(p.read_bytes()) for p in tmp_path.rglob(RECORD)]
    assert record.outcome is Outcome.PASSED
