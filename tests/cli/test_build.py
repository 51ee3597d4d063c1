"""The build suite through the command: run, resume, grade, report, list, prove."""

import json
import shutil
from pathlib import Path

import pytest

from support.command import Tenure
from support.machines import isolated
from tenure.engine.plan import RECORD, read_record
from tenure.schema import Outcome

NOTES = Path(__file__).parent.parent.parent / "docs" / "examples" / "notes"

pytestmark = isolated


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return Path(shutil.copytree(NOTES, tmp_path / "notes"))


def test_a_build_runs_is_graded_again_and_reported(tenure: Tenure, notes: Path, tmp_path: Path) -> None:
    words = ["run", "build", "--task", notes, "--model", "tenure/oracle", "--runs", tmp_path / "runs"]
    said = tenure(*words)
    assert said.status == 0, said.err
    assert "Build" in said.out and "100.0" in said.out, said.out
    assert "score 100.0" in said.err
    (record,) = (tmp_path / "runs").rglob(RECORD)
    attempt = read_record(record)
    assert attempt.outcome is Outcome.PASSED and attempt.build is not None
    assert (attempt.provenance.sandbox, attempt.provenance.image) == (attempt.row.sandbox, attempt.row.image)

    again = tenure(*words)
    assert again.status == 0 and "All 1 attempts of this run are done" in again.err

    graded = tenure("grade", tmp_path / "runs", "--json")
    assert graded.status == 0, graded.err
    (card,) = json.loads(graded.out)
    assert card["same"] is True and card["scorecard"]["score"] == 100

    shown = tenure("report", tmp_path / "runs", "--out", tmp_path / "site")
    assert shown.status == 0, shown.err
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "build/notes" in page and "100.0" in page


def test_an_idle_agent_scores_nothing(tenure: Tenure, notes: Path, tmp_path: Path) -> None:
    said = tenure(
        "run", "build", "--task", notes, "--model", "tenure/idle", "--runs", tmp_path / "runs", "--json"
    )
    assert said.status == 0, said.err
    (row,) = json.loads(said.out)["rows"]
    assert row["score"] == 0 and row["coverage"] == 0
    assert row["failures"]["T5"] == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--interface", "api"], "build has no --interface"),
        (["--attempts", "3"], "a build is one attempt"),
        (["--judge", "a/b", "--judge", "c/d"], "one judge scores"),
    ],
)
def test_what_a_build_does_not_take(tenure: Tenure, notes: Path, words: list[str], says: str) -> None:
    said = tenure("run", "build", "--task", notes, "--model", "tenure/oracle", *words)
    assert said.status == 2
    assert says in said.err and said.err.count("\n") == 1


def test_judges_cannot_look_at_a_machine_that_is_gone(tenure: Tenure, notes: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    tenure("run", "build", "--task", notes, "--model", "tenure/idle", "--runs", runs)
    said = tenure("grade", runs, "--judge", "openai/any")
    assert said.status == 2 and "machine is gone" in said.err


def test_list_shows_builds(tenure: Tenure) -> None:
    rows = {row["task"]: row for row in json.loads(tenure("list", "build", "--json").out)}
    desk = rows["build/helpdesk"]
    assert desk["nodes"] >= 120 and desk["services"] == ["postgres"] and desk["domain"] == "CG"


def test_a_build_task_is_proven(tenure: Tenure, notes: Path) -> None:
    said = tenure("prove", notes, "--json")
    assert said.status == 0, said.out
    (proof,) = json.loads(said.out)
    assert all(rule["holds"] for rule in proof["rules"])
    assert {"reference", "reference again", "idle"} < set(proof["columns"])


def test_a_mutant_that_names_what_is_not_there_breaks_the_proof(tenure: Tenure, notes: Path) -> None:
    mutants = notes / "mutants.py"
    text = mutants.read_text("utf-8")
    mutants.write_text(text.replace("kills=(", 'kills=("NO_SUCH_NODE",', 1), "utf-8")
    said = tenure("prove", notes)
    assert said.status == 1 and "there is no node NO_SUCH_NODE" in " ".join(said.out.split())
