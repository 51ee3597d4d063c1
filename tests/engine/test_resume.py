"""A run's folder is the truth: whatever stops a run, the same command makes only what is missing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.endpoint import Endpoint, Heard, Said, oracle, scripted
from support.tasks import KEY, REPLY, copy_reply, make, run_of
from tenure.engine.plan import END_STATE, ENDED, RECORD, RunFolder, read_spec
from tenure.engine.run import make_missing
from tenure.schema import Backend, BadInput, Interface, Outcome
from tenure.twins.wire import built

TENURE = [sys.executable, "-m", "tenure.cli.main"]


def command(task: Path, runs: Path, endpoint: Endpoint, *more: str) -> list[str]:
    """A run of five attempts with a model behind an endpoint."""
    words = ["run", "carry", "--task", str(task), "--model", "openai/gpt-4o", "--runs", str(runs)]
    words += ["--base-url", f"{endpoint.url}/v1", "--attempts", "5", "--parallel", "1", *more]
    return [*TENURE, *words]


def records(runs: Path) -> dict[Path, int]:
    """The finished attempts and when each was written."""
    return {path: path.stat().st_mtime_ns for path in runs.rglob(RECORD)}


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_where_it_was(reply: Path, tmp_path: Path, stop: signal.Signals) -> None:
    runs, does = tmp_path / "runs", oracle(reply)
    slow = True

    def model(heard: Heard) -> Said:
        said = does(heard)
        return Said(said.text, said.calls, delay=60 if slow and len(records(runs)) == 2 else 0)

    with Endpoint(model) as endpoint:
        words = command(reply, runs, endpoint)
        process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        deadline = time.monotonic() + 60
        while len(records(runs)) < 2 or len(list(runs.rglob("gateway.jsonl"))) < 3:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(stop)
        _, said = process.communicate(timeout=30)
        if stop is signal.SIGINT:
            assert process.returncode == 130
            assert said.splitlines()[-1] == "tenure: stopped; what is finished is kept"
        assert "Traceback" not in said
        before = records(runs)
        assert len(before) == 2

        slow = False
        again = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert again.returncode == 0, again.stderr
        assert "3 attempts with openai/gpt-4o (2 of 5 are done)" in again.stderr
        assert "5 passed" in again.stdout
        assert {path: records(runs)[path] for path in before} == before, "finished attempts are not touched"
        assert len(records(runs)) == 5

        asked = len(endpoint.requests)
        third = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert third.returncode == 0
        assert "All 5 attempts of this run are done; --new starts over." in third.stderr
        assert len(endpoint.requests) == asked


def test_new_starts_over(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    make_missing(run)
    before = records(tmp_path)
    run.start_over()
    assert run.missing() == run.planned()
    make_missing(run)
    after = records(tmp_path)
    assert after.keys() == before.keys()
    assert after != before


def test_an_attempt_killed_before_its_grade_is_graded_not_made_again(reply: Path, tmp_path: Path) -> None:
    with Endpoint(oracle(reply)) as endpoint:
        run = run_of(reply, tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
        (first,) = make_missing(run)
        (planned,) = run.planned()
        (planned.folder / RECORD).unlink()
        asked = len(endpoint.requests)
        (again,) = make_missing(run)
        assert len(endpoint.requests) == asked
    assert again == first


def test_a_half_made_attempt_is_made_again_from_the_start(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    (planned,) = run.planned()
    planned.folder.mkdir(parents=True)
    (planned.folder / "journal.jsonl").write_text("half a li")
    (planned.folder / f"{END_STATE}.part").write_text("half")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.PASSED
    assert sorted(path.name for path in planned.folder.iterdir()) == [
        RECORD,
        END_STATE,
        ENDED,
        "gateway.jsonl",
        "journal.jsonl",
    ]


def test_a_damaged_record_is_one_line_and_costs_nothing(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path, attempts=2)
    make_missing(run)
    first, second = (planned.folder / RECORD for planned in run.planned())
    first.write_bytes(first.read_bytes()[:500])
    kept = second.read_bytes()
    with pytest.raises(
        BadInput, match=r"attempt.json is damaged; remove its folder and run the same command"
    ):
        make_missing(run)
    assert second.read_bytes() == kept


def test_a_damaged_run_file_is_one_line(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    (run.path / "run.json").write_text("{")
    with pytest.raises(BadInput, match=r"run.json is damaged"):
        RunFolder(run.path, run.spec)


def test_two_commands_cannot_work_in_one_folder(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    with run.alone(), pytest.raises(BadInput, match="under way in another command"), run.alone():
        pass
    with run.alone():
        pass


def test_the_folder_is_named_by_what_decides_a_number(reply: Path, tmp_path: Path) -> None:
    spec = run_of(reply, tmp_path).spec
    assert spec.folder(tmp_path) == run_of(reply, tmp_path).spec.folder(tmp_path)
    relative = run_of(Path(os.path.relpath(reply)), tmp_path).spec
    assert relative.key == spec.key, "how the task was named does not matter"
    other = copy_reply(tmp_path / "other", instruction=("Do not send it", "Never send it"))
    for changed in (
        run_of(other, tmp_path),
        run_of(reply, tmp_path, "tenure/idle"),
        run_of(reply, tmp_path, seeds=(5,)),
        run_of(reply, tmp_path, attempts=2),
        run_of(reply, tmp_path, max_cost=1.0),
        run_of(reply, tmp_path, commit="another"),
    ):
        assert changed.spec.key != spec.key


def test_attempts_beyond_the_seed_list_start_the_list_over(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path, attempts=4, seeds=(5, 6))
    assert [planned.seed for planned in run.planned()] == [5, 6, 5, 6]
    assert run.spec.row.seeds == (5, 6, 5, 6)
    assert [record.seed for record in make_missing(run)] == [5, 6, 5, 6]


def test_parallel_attempts_do_not_meet(reply: Path, tmp_path: Path) -> None:
    made = make(reply, tmp_path / "a", attempts=6, seeds=(11,))
    (alone,) = make(reply, tmp_path / "b", seeds=(11,))
    assert [record.outcome for record in made] == [Outcome.PASSED] * 6
    for record in made:
        assert record.journal == alone.journal
        assert record.connections == alone.connections
    assert len(list((tmp_path / "a").rglob("*.db"))) == 1, "one base for all"


def test_a_task_that_changes_under_a_run_stops_it(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    (reply / "instruction.md").write_text("Something else.")
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "has changed since the run began" in record.error


def test_no_file_of_a_run_holds_a_key(reply: Path, tmp_path: Path) -> None:
    from tenure.report import write_report

    with Endpoint(oracle(reply)) as endpoint:
        for name in ("openai/gpt-4o", "anthropic/claude-sonnet-4-5"):
            made = make(reply, tmp_path / "runs", name, base_url=endpoint.base_url(name))
            write_report(made, tmp_path / "runs" / "report")
        assert all(KEY in str(headers) for _, headers, _ in endpoint.requests)
    import zipfile

    files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
        if path.suffix == ".eval":
            from inspect_ai.log import read_eval_log

            assert KEY not in read_eval_log(str(path)).model_dump_json()
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                assert all(KEY.encode() not in archive.read(name) for name in archive.namelist())


def test_a_key_that_a_provider_repeats_is_not_kept(
    reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")  # It has the same value, and its name could be the one told.
    said = Said(status=401, error={"message": f"Incorrect API key provided: {KEY}."})
    with Endpoint(scripted(said)) as endpoint:
        run = run_of(reply, tmp_path, "openai/gpt-4o", base_url=f"{endpoint.url}/v1")
        (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "Incorrect API key provided: $OPENAI_API_KEY." in record.error
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.rglob("*.json"))


def test_an_example_of_ours_stays_as_it_is() -> None:
    assert not list(REPLY.rglob("*.json")), "running a task writes nothing into its folder"


def test_another_build_of_the_screens_is_another_row_and_stops_a_run(
    reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built, "FOLDER", tmp_path)
    (tmp_path / "built").write_text("one\n")
    screen = {"interface": Interface.SCREEN, "backend": Backend.PAGE}
    run = run_of(reply, tmp_path, **screen)
    assert run.spec.row.screens == "one"
    (tmp_path / "built").write_text("two\n")
    later = run_of(reply, tmp_path, **screen)
    assert later.spec.row != run.spec.row and later.path != run.path
    assert run_of(reply, tmp_path).spec.row.screens == "none", "an api attempt shows none"
    (record,) = make_missing(run)
    assert record.outcome is Outcome.ERROR
    assert "the screens were built anew since the run began" in record.error


def test_a_run_on_disk_is_of_the_same_row(reply: Path, tmp_path: Path) -> None:
    run = run_of(reply, tmp_path)
    assert read_spec(run.path / "run.json").row == run.spec.row
