"""Contracts with Inspect: each guards a trap that was found by running it."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from support.tasks import copy_reply, make, run_of
from tenure.engine.plan import RECORD, read_record
from tenure.engine.run import make_missing
from tenure.schema import Outcome

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, *words: str) -> str:
    """What some code prints in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_inspect_is_pinned_exactly_and_is_what_is_installed() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (pin,) = [one for one in wanted if one.startswith("inspect-ai")]
    assert pin == f"inspect-ai=={version('inspect-ai')}"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished run: its task, its folder and an end state."""
    folder = tmp_path_factory.mktemp("done")
    task, runs = copy_reply(folder), folder / "runs"
    words = ["run", "carry", "--task", str(task), "--model", "tenure/oracle", "--attempts", "1"]
    run = [sys.executable, "-m", "tenure.cli.main", *words, "--runs", str(runs)]
    subprocess.run(run, check=True, capture_output=True)
    return {"task": task, "runs": runs, "out": folder / "site", "state": next(runs.rglob("end.tenure"))}


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "run --help",
        "list",
        "list carry --json",
        "grade {state}",
        "report {runs} --out {out}",
        "prove {task}",
        "run carry --task {task} --model tenure/oracle --attempts 1 --runs {runs}",
    ],
)
def test_verbs_that_run_no_model_never_import_inspect(done: dict[str, Path], words: str) -> None:
    code = (
        "import sys\nfrom tenure.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print('\\n' + str([m for m in sys.modules if m.split('.')[0] == 'inspect_ai']))"
    )
    assert python(code, *words.format(**done).split()).splitlines()[-1] == "[]"


def test_tenure_itself_imports_nothing_heavy() -> None:
    heavy = "('pydantic', 'apsw', 'rich', 'orjson', 'httpx')"
    code = f"import sys, tenure, tenure.cli.main; print([m for m in {heavy} if m in sys.modules])"
    assert python(code).strip() == "[]"


def test_only_the_engine_imports_inspect() -> None:
    found = {
        path.relative_to(ROOT / "src/tenure").parts[0]
        for path in (ROOT / "src/tenure").rglob("*.py")
        if "inspect_ai" in path.read_text()
        and any(
            line.lstrip().startswith(("import inspect_ai", "from inspect_ai"))
            for line in path.read_text().splitlines()
        )
    }
    assert found == {"engine"}


def test_private_parts_of_inspect_are_one_import() -> None:
    lines = [
        line
        for path in (ROOT / "src/tenure/engine").glob("*.py")
        for line in path.read_text().splitlines()
        if "inspect_ai._" in line or "inspect_ai.util._" in line or "inspect_ai.model._" in line
    ]
    assert lines == ["from inspect_ai._util.error import PrerequisiteError"]


def test_a_run_needs_no_network(reply: Path, tmp_path: Path) -> None:
    """No tokenizer, no binary, nothing is fetched: every connection attempt is an error here."""
    code = (
        "import sys, socket\nfrom pathlib import Path\n"
        "def refuse(*words): raise OSError('no network in this test')\n"
        "socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse\n"
        "sys.path.insert(0, sys.argv[3])\n"
        "from support.tasks import make\n"
        "records = make(Path(sys.argv[1]), Path(sys.argv[2]), attempts=2)\n"
        "print([r.outcome for r in records])"
    )
    said = python(code, str(reply), str(tmp_path / "runs"), str(ROOT / "tests"))
    assert said.splitlines()[-1].count("passed") == 2


def test_inspects_own_command_runs_the_suite(reply: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    words = [
        str(Path(sys.executable).with_name("inspect")),
        "eval",
        "tenure/carry",
        "--model",
        "tenure/oracle",
    ]
    words += ["-T", f"task={reply}", "-T", "attempts=2", "-T", f"runs={runs}", "-T", "seeds=11,23"]
    words += ["--log-dir", str(tmp_path / "logs"), "--log-format", "json", "--display", "none"]
    for _ in range(2):
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-2_000:]
    found = sorted(runs.rglob(RECORD))
    assert [read_record(path).outcome for path in found] == [Outcome.PASSED] * 2
    first, second = (json.loads(path.read_text()) for path in sorted((tmp_path / "logs").glob("*.json")))
    for log in (first, second):
        means = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}
        assert means == {"passed": 1, "clean_pass": 1}
        assert log["results"]["completed_samples"] == 2
    assert second["stats"]["model_usage"] == {}, "finished attempts are shown, not made again"


def test_a_solvers_exception_stays_in_inspects_own_denominator(
    reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tenure.world.door import Door

    def fails(self: Door, tool: str, arguments: dict[str, object]) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Door, "use", fails)
    run = run_of(reply, tmp_path / "runs", attempts=2)
    records = make_missing(run)
    assert [record.outcome for record in records] == [Outcome.ERROR] * 2
    assert all("a fault of ours" in record.error for record in records)
    from inspect_ai.log import list_eval_logs, read_eval_log

    results = read_eval_log(list_eval_logs(str(run.path / "logs"))[0]).results
    assert results is not None
    assert (results.total_samples, results.completed_samples) == (2, 2)
    assert [score.metrics["mean"].value for score in results.scores] == [0, 0]


def test_two_runs_in_one_process_do_not_mix(reply: Path, tmp_path: Path) -> None:
    good, bad = make(reply, tmp_path / "runs"), make(reply, tmp_path / "runs", "tenure/idle")
    assert [good[0].outcome, bad[0].outcome] == [Outcome.PASSED, Outcome.FAILED]


def test_the_help_is_quick() -> None:
    """About 0.2 s on a quiet machine: measured as processor time, so that a busy one does not matter."""
    code = (
        "import resource, subprocess, sys\n"
        "words = [sys.executable, '-m', 'tenure.cli.main', '--help']\n"
        "subprocess.run(words, check=True, capture_output=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(used.ru_utime + used.ru_stime)"
    )
    assert min(float(python(code)) for _ in range(3)) < 0.3
