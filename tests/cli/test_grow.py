"""The grow suite through the command: run, go on, grade again, report."""

import json
from pathlib import Path

import pytest

from engine.build.conftest import machines
from support.command import Tenure
from support.grown import SHELF
from support.machines import isolated
from tenure.engine.grow import seeder
from tenure.engine.plan import GRADED, RECORD, read_record
from tenure.schema import Outcome

__all__ = ["machines"]

pytestmark = isolated
CENTS = "tenure/oracle:bug=half a cent for repairs is cut off"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeder, "ALIVE_SECONDS", 0.2)


def words(runs: Path, model: str) -> list[object]:
    return ["run", "grow", "--task", SHELF, "--model", model, "--attempts", 1, "--runs", runs]


def test_a_product_is_grown_graded_again_and_reported(tenure: Tenure, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    said = tenure(*words(runs, "tenure/oracle"))
    assert said.status == 0, said.err
    assert "Grow" in said.out and "100.0" in said.out, said.out
    assert "passed, 4/4 plans" in said.err
    (path,) = runs.rglob(RECORD)
    record = read_record(path)
    assert (record.outcome, record.row.ranks) == (Outcome.PASSED, False)

    again = tenure(*words(runs, "tenure/oracle"))
    assert again.status == 0 and "All 1 attempts of this run are done" in again.err

    graded = tenure("grade", runs, "--json")
    assert graded.status == 0, graded.err
    (card,) = json.loads(graded.out)
    assert card["same"] is True and card["scorecard"]["plan_pass_rate"] == 1
    assert card["end_state"].endswith(GRADED)

    shown = tenure("report", runs, "--out", tmp_path / "site")
    assert shown.status == 0, shown.err
    assert "grow/shelf" in (tmp_path / "site" / "index.html").read_text("utf-8")


def test_what_a_bug_failed_is_shown_with_its_votes(tenure: Tenure, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    said = tenure(*words(runs, CENTS))
    assert said.status == 0, said.err
    assert "failed, 3/4 plans" in said.err
    graded = tenure("grade", runs)
    assert graded.status == 0, graded.err
    assert "3/4 plans passed" in graded.out and "fail fail fail" in graded.out
    assert "failed, 75.0 % of plans passed" in " ".join(graded.out.split())
    assert "the same as the stored grade" in graded.out

    (path,) = runs.rglob("3-1/claims.json")
    path.write_text(path.read_text().replace('"passed": false', '"passed": true'))
    assert "differs from the stored grade" in tenure("grade", runs).out
    path.write_text("{")
    assert "a file of this grade is missing or damaged" in tenure.complains("grade", runs)


def test_judges_are_not_asked_about_a_grown_product(tenure: Tenure, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    tenure(*words(runs, "tenure/idle"))
    assert "no judge can look" in tenure.complains("grade", runs, "--judge", "openai/any")


def test_what_cannot_be_grown_is_said_before_anything_starts(tenure: Tenure, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for model, says in (("tenure/vandal", "no stand-in"), ("tenure/oracle:bug=none", "has no bug")):
        assert says in tenure.complains(*words(runs, model))
    assert "--grader" in tenure.complains(*words(runs, "openai/gpt-4o"))
    assert "stand-in" in tenure.complains(*words(runs, "tenure/oracle"), "--grader", "tenure/vandal")
