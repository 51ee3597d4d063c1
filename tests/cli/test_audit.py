import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command import Tenure
from tenure.engine.grow.audit.runner import ADJUDICATION
from tenure.engine.grow.stored import GRADE
from tenure.scoring.grow.adjudication import read, write

SHELF = Path(__file__).parents[2] / "docs" / "examples" / "shelf"
ORACLE = ("--grader", "tenure/oracle", "--product", SHELF)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--study", "wrong-passes"], "needs --second"),
        (["--study", "failures"], "needs --run"),
        (["--second", "tenure/oracle"], "is the first grader too"),
        (["--plan", "lost"], "no product has such a plan"),
        (["--bug", "no such bug"], "no planted bug's name holds that"),
        (["--bug", "cent", "--study", "choice"], "--bug goes with --study planted-bugs"),
        (["--run", "nowhere"], "is no run's folder"),
        (["--sandbox", "vm"], "--sandbox vm: unknown"),
        (["--grader", "tenure/oracle:wrong=much"], "tenure/oracle:wrong=much"),
    ],
)
def test_what_does_not_fit_is_said_in_a_line(
    tenure: Tenure, tmp_path: Path, words: list[str], says: str
) -> None:
    assert says in tenure.complains("audit", "grow", *ORACLE, *words, "--folder", tmp_path)


def test_help_has_examples(tenure: Tenure) -> None:
    said = tenure("audit", "--help")
    assert (
        said.status == 0 and "tenure audit grow " in said.out.split("Examples:")[1] and "--json" in said.out
    )


@pytest.mark.full
def test_the_oracle_is_consistent_catches_planted_bugs_and_is_told_apart_from_a_wrong_one(
    tenure: Tenure, tmp_path: Path
) -> None:
    words = ["audit", "grow", *ORACLE, "--folder", tmp_path, "--times", 2]
    said = tenure(*words, "--plan", "cents", "--study", "consistency", "--study", "planted-bugs")
    assert said.status == 0, said.err
    assert "4 grades to make; 0 of 4 are kept" in said.err
    table = "\n".join(" ".join(line.split()) for line in said.out.splitlines())
    assert "consistency 1 1 100.0 20.7 to 100.0 plans with one verdict in every grade" in table
    assert "planted bugs 0 2 0.0" in table and "control 0 1 0.0" in table
    again = tenure(*words, "--plan", "cents", "--study", "planted-bugs", "--json")
    found = json.loads(again.out)
    assert "to make" not in again.err
    assert found["audit"]["planted_bugs"]["caught"] == 1 and found["grades"] == 3
    wrong = ("--grader", "tenure/oracle:wrong=1.0", "--study", "choice", "--plan", "cents")
    ranked = json.loads(tenure(*words, *wrong, "--json").out)["audit"]["choice"]
    assert [(c["grader"], c["wrong"]["count"]) for c in ranked] == [
        ("tenure/oracle", 0),
        ("tenure/oracle:wrong=1.0", 2),
    ]


@pytest.mark.full
def test_a_person_settles_what_a_second_grader_disputes(tenure: Tenure, tmp_path: Path) -> None:
    second = ("--second", "tenure/oracle:wrong=1.0", "--study", "wrong-passes", "--plan", "first")
    words = ("audit", "grow", *ORACLE, *second, "--folder", tmp_path)
    said = tenure(*words)
    assert said.status == 0, said.err
    assert "1 case to decide" in said.out and "1 undecided" in " ".join(said.out.split())
    path = tmp_path / ADJUDICATION
    held = read(path.read_text())
    (case,) = held.dispute
    model = case.model_copy(update={"decision": "first", "by": "tenure/oracle", "why": "I say so"})
    path.write_text(write(held.model_copy(update={"dispute": (model,)})))
    refused = tenure(*words, "--json")
    assert "is a model; a person decides" in refused.err
    assert json.loads(refused.out)["audit"]["wrong_passes"]["rate"]["count"] == 0
    person = model.model_copy(update={"by": "Ada Person"})
    path.write_text(write(held.model_copy(update={"dispute": (person,)})))
    found = json.loads(tenure(*words, "--json").out)
    assert (found["audit"]["wrong_passes"]["rate"]["count"], found["undecided"]) == (1, 0)


@pytest.mark.full
def test_a_killed_audit_goes_on(tenure: Tenure, tmp_path: Path) -> None:
    words = [*ORACLE, "--folder", tmp_path, "--study", "consistency", "--times", "1", "--parallel", "1"]
    command = [sys.executable, "-m", "tenure.cli.main", "audit", "grow", *map(str, words)]
    started = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 240
    while not list(tmp_path.rglob(GRADE)) and time.monotonic() < deadline:
        time.sleep(0.2)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    kept = len(list(tmp_path.rglob(GRADE)))
    assert 1 <= kept < 4
    said = tenure("audit", "grow", *words, "--json")
    assert said.status == 0 and f"{4 - kept} grade" in said.err
    assert json.loads(said.out)["grades"] == 4


@pytest.mark.full
def test_builds_of_a_run_are_audited_and_their_failed_plans_listed(tenure: Tenure, tmp_path: Path) -> None:
    bug = "half a cent for repairs is cut off"
    task = ("--task", SHELF, "--attempts", 1, "--runs", tmp_path / "runs")
    assert tenure("run", "grow", "--model", f"tenure/oracle:bug={bug}", *task).status == 0
    (run,) = (tmp_path / "runs").iterdir()
    words = ("audit", "grow", "--grader", "tenure/oracle", "--run", run, "--folder", tmp_path / "audit")
    narrow = ("--study", "failures", "--study", "wrong-fails", "--times", 1)
    said = tenure(*words, *narrow, "--json")
    assert said.status == 0, said.err
    found = json.loads(said.out)
    assert (found["audit"]["failures"]["audited"], found["undecided"]) == (1, 1)
    assert found["audit"]["wrong_fails"]["of"] == 3, "what the run failed is not known to work"
    (case,) = read((tmp_path / "audit" / ADJUDICATION).read_text()).failure
    assert (case.plan, case.first, case.says) == ("cents", "tenure/oracle", "3 of 3 grades fail it: repairs")


@pytest.mark.full
def test_the_page_shows_an_audit_as_it_is_printed(tenure: Tenure, tmp_path: Path) -> None:
    page = (SHELF.parents[1] / "audit.md").read_text("utf-8")
    block = page.split("<!-- audit -->")[1].split("```")[1].splitlines()[1:]
    (line,) = (line for line in page.splitlines() if line.startswith("tenure audit grow --grader tenure/"))
    words = line.replace("./docs/examples/shelf", str(SHELF)).split()[1:]
    said = tenure(*words, "--folder", tmp_path)
    assert said.status == 0, said.err
    assert [line.rstrip() for line in said.out.strip().splitlines()] == [line.rstrip() for line in block]
