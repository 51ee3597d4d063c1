"""Builds through the native loop in a real machine: graded as left, stored, scored again from the files."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from support.builds import NOTES, builder, make, run_of
from support.endpoint import Endpoint, Heard, Said
from support.tasks import KEY
from tenure.engine.build.leaks import Ran
from tenure.engine.build.stored import COMMANDS, score_stored
from tenure.engine.plan import ENDED, GRADED, RECORD
from tenure.engine.run import make_missing
from tenure.oracle import Action
from tenure.schema import AttemptRecord, BadInput, Ending, Outcome
from tenure.schema.folder import find_build

from .conftest import isolated

pytestmark = isolated


def outcomes(record: AttemptRecord) -> dict[str, Outcome]:
    assert record.build is not None
    return {finding.node: finding.outcome for finding in record.build.findings}


def test_the_oracle_builds_starts_and_passes(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (record,) = make_missing(run)
    card = record.build
    assert card is not None
    assert (record.outcome, card.score, card.coverage) == (Outcome.PASSED, 100, 1)
    assert set(outcomes(record).values()) == {Outcome.PASSED}
    assert record.usage.steps == 5
    assert record.instruction.startswith("## Rule of conduct")
    assert record.row.image == run.spec.image
    provenance = record.provenance
    assert (provenance.sandbox, provenance.image) == ("bubblewrap", run.spec.image)
    assert provenance.settings["image"] == run.spec.image
    assert provenance.settings["postgres source"]
    assert float(provenance.settings["postgres version"]) >= 15
    assert "layer /opt/packages" in provenance.settings

    (folder,) = (run.path / "attempts").iterdir()
    graded = json.loads((folder / GRADED).read_text())
    assert graded["frozen"] == dict.fromkeys(["app.tar.gz", "logs.tar.gz", "database.sql.gz"], "kept")
    with tarfile.open(folder / "evidence" / "app.tar.gz") as app:
        assert {"./server.py", "./start.sh", "./task.md"} <= set(app.getnames())

    again = score_stored(find_build(str(NOTES)), folder)
    assert again == card
    (folder / RECORD).unlink()
    before = (folder / ENDED).stat().st_mtime_ns
    assert make_missing(run) == [record], "scored from the files, without a machine"
    assert (folder / ENDED).stat().st_mtime_ns == before


def test_the_idle_agent_scores_nothing_from_one_root(tmp_path: Path) -> None:
    record = make(tmp_path, "tenure/idle")
    assert record.build is not None
    assert (record.outcome, record.build.score) == (Outcome.FAILED, 0)
    assert outcomes(record).pop("HEALTH") is Outcome.FAILED
    assert {finding.root for finding in record.build.findings} == {"", "HEALTH"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("mutant", "fails"), [("readers may write", "READER"), ("a new note is answered with 200", "CREATE")]
)
def test_a_mutant_fails_its_node_alone(tmp_path: Path, mutant: str, fails: str) -> None:
    record = make(tmp_path, f"tenure/oracle:mutant={mutant}")
    assert {node for node, outcome in outcomes(record).items() if outcome is not Outcome.PASSED} == {fails}


@pytest.mark.full
def test_a_skipped_step_is_left_out(tmp_path: Path) -> None:
    record = make(tmp_path, "tenure/oracle:skip=start")
    assert outcomes(record)["HEALTH"] is Outcome.FAILED
    run = run_of(tmp_path, "tenure/oracle:skip=nothing")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "oracle has no step nothing" in record.error


def test_names_of_stand_ins_are_checked_before_anything_starts(tmp_path: Path) -> None:
    for name, says in (
        ("vandal", "no stand-in"),
        ("oracle:mutant=none", "no mutant"),
        ("oracle:x=y", "no stand-in"),
    ):
        with pytest.raises(BadInput, match=says):
            make(tmp_path, f"tenure/{name}")


def test_out_of_steps_is_graded_as_it_stands(tmp_path: Path) -> None:
    with Endpoint(builder("bash", "write_file")) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=endpoint.base_url("openai/gpt-4o"), max_steps=4)
        assert len(endpoint.requests) == 4
    assert record.build is not None
    assert record.build.ending is Ending.OUT_OF_STEPS
    assert (record.outcome, record.build.score, record.usage.steps) == (Outcome.PASSED, 100, 4)
    assert "the server" not in record.answer
    assert record.usage.input_tokens == 400


def test_out_of_time_is_graded_as_it_stands(tmp_path: Path) -> None:
    def model(heard: Heard) -> Said:
        calls = (Action("bash", {"command": "echo begun > begun; sleep 600", "timeout": 900}),)
        return Said(calls=calls)

    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=endpoint.base_url("openai/gpt-4o"), time_limit=3)
    assert record.build is not None
    assert record.build.ending is Ending.OUT_OF_TIME
    assert (record.outcome, record.build.score) == (Outcome.FAILED, 0)
    (packed,) = tmp_path.rglob("app.tar.gz")
    with tarfile.open(packed) as app:
        assert "./begun" in app.getnames()


def test_foreign_source_scores_nothing_and_the_evidence_is_shown(tmp_path: Path) -> None:
    """The oracle's work is whole; what was fetched makes it worth nothing."""
    run = run_of(tmp_path)
    make_missing(run)
    (folder,) = (run.path / "attempts").iterdir()
    (folder / RECORD).unlink()
    ran = json.loads((folder / COMMANDS).read_text())
    ran.append(Ran(command="git clone https://github.com/a/b", output="Cloning into 'b'...").model_dump())
    (folder / COMMANDS).write_text(json.dumps(ran))
    (record,) = make_missing(run)
    assert record.build is not None
    assert (record.outcome, record.build.score) == (Outcome.FAILED, 0)
    assert record.build.leaked == ("a repository was cloned or pulled: git clone https://github.com/a/b",)


def test_a_model_that_cannot_be_had_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    def model(heard: Heard) -> Said:
        return Said(status=401, error={"message": f"bad key {KEY}", "type": "authentication_error"})

    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=endpoint.base_url("openai/gpt-4o"))
        assert len(endpoint.requests) == 1
    assert record.build is not None
    assert (record.outcome, record.build.ending) == (Outcome.ERROR, Ending.FAULT)
    assert KEY not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))


def test_a_busy_gateway_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenure.engine.build.patience.SHORTEST", 0.01)
    tries = 0

    def model(heard: Heard) -> Said:
        nonlocal tries
        tries += 1
        if tries <= 5:
            return Said(status=503, error={"message": "busy"})
        return Said("Done.")

    with Endpoint(model) as endpoint:
        record = make(tmp_path, "openai/gpt-4o", base_url=endpoint.base_url("openai/gpt-4o"))
    assert (tries, record.usage.steps) == (6, 1)
    assert record.outcome is Outcome.FAILED


def test_a_task_that_changed_is_not_run(tmp_path: Path) -> None:
    copy = shutil.copytree(NOTES, tmp_path / "notes")
    run = run_of(tmp_path / "runs", task=copy)
    (copy / "prd.md").write_text("# Another\n")
    (record,) = make_missing(run)
    assert "has changed since the run began" in record.error
    assert record.outcome is Outcome.ERROR


def test_machines_that_changed_are_not_pooled(tmp_path: Path) -> None:
    (record,) = make_missing(run_of(tmp_path, sandbox="bubblewrap", image="pinned:of-another-day"))
    assert "image has changed since the run began" in record.error
    assert record.outcome is Outcome.ERROR


@pytest.mark.full
def test_a_killed_build_is_made_again(tmp_path: Path) -> None:
    script = "\n".join(
        [
            "import sys; sys.path.insert(0, sys.argv[1])",
            "from pathlib import Path; from support.builds import make",
            "make(Path(sys.argv[2]), 'openai/gpt-4o', base_url=sys.argv[3])",
        ]
    )
    slow = True

    def model(heard: Heard) -> Said:
        said = builder("bash", "write_file")(heard)
        return Said(said.text, said.calls, delay=60 if slow and len(heard.results) == 2 else 0)

    with Endpoint(model) as endpoint:
        url = endpoint.base_url("openai/gpt-4o")
        words = [sys.executable, "-c", script, str(Path(__file__).parents[2]), str(tmp_path), url]
        process = subprocess.Popen(words, start_new_session=True)
        deadline = time.monotonic() + 60
        while len(endpoint.requests) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert not list(tmp_path.rglob(RECORD))
        slow = False
        record = make(tmp_path, "openai/gpt-4o", base_url=url)
    assert (record.outcome, record.usage.steps) == (Outcome.PASSED, 5)


@pytest.mark.full
def test_inspects_own_command_runs_the_suite(tmp_path: Path) -> None:
    words = [
        str(Path(sys.executable).with_name("inspect")),
        "eval",
        "tenure/build",
        "--model",
        "tenure/oracle",
    ]
    words += ["-T", f"task={NOTES}", "-T", f"runs={tmp_path / 'runs'}", "--log-dir", str(tmp_path / "logs")]
    done = subprocess.run(
        [*words, "--display", "none"], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    (record,) = [AttemptRecord.model_validate_json(p.read_bytes()) for p in tmp_path.rglob(RECORD)]
    assert record.outcome is Outcome.PASSED
