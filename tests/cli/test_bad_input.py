"""Bad input is one clear line and a status that is not 0, never a traceback, and loses nothing."""

import socket
from pathlib import Path

import pytest

from support.command import Tenure
from support.tasks import copy_reply
from tenure.engine.plan import END_STATE, RECORD

RUN = ("run", "carry", "--model", "tenure/oracle")


def run_of(task: Path, runs: Path, *more: object, model: str = "tenure/oracle") -> list[object]:
    """Words of a run."""
    return ["run", "carry", "--task", task, "--model", model, "--attempts", 1, "--runs", runs, *more]


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["runn"], "No such command 'runn'"),
        (["run"], "Missing argument 'SUITE'"),
        (["run", "carry"], "Missing option '--model'"),
        (["run", "carri", "--model", "tenure/oracle"], "suites: carry, operate, build, grow"),
        (["run", "grow", "--model", "openai/gpt-5.4"], "--grader: grow needs a model that seeds and grades"),
        ([*RUN, "--task", "carry/nothing"], "no task 'carry/nothing'"),
        ([*RUN, "--task", "./nowhere"], "there is no task './nowhere'"),
        ([*RUN, "--attempts", "0"], "'--attempts': 0 is not in the range"),
        ([*RUN, "--attempts", "x"], "'x' is not a valid integer"),
        ([*RUN, "--interface", "telepathy"], "'telepathy' is not one of"),
        ([*RUN, "--agent", "native"], "--agent native: carry has loops of its own"),
        ([*RUN, "--registries"], "--registries goes with build and grow only"),
        ([*RUN, "--release", "docs"], "--release goes with released operate tasks only"),
        (["prove", "carry/nothing"], "no task 'carry/nothing'"),
        (["prove", "--tier", "great"], "'great' is not one of"),
        (["open", "carry/nothing"], "no task 'carry/nothing'"),
        (["open"], "Missing argument 'TASK'"),
        (["list", "carri"], "there is no suite 'carri'"),
        (["grade", "nowhere.tenure"], "nowhere.tenure: no end state here"),
        (["report", "nowhere"], "nowhere"),
        (["report"], "Missing argument 'FOLDERS...'"),
    ],
)
def test_unknown_names(
    tenure: Tenure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in tenure.complains(*words)
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


# -- models and money ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("nobody/model", "nobody"),
        ("gpt", "gpt"),
        ("tenure/genius", "there is no stand-in tenure/genius"),
        ("tenure/oracle:mutant=none", "has no mutant 'none'"),
    ],
)
def test_unknown_models(tenure: Tenure, reply: Path, tmp_path: Path, model: str, says: str) -> None:
    assert says in tenure.complains(*run_of(reply, tmp_path / "runs", model=model))
    assert not list(tmp_path.rglob(RECORD))


@pytest.mark.parametrize(
    ("model", "key"),
    [("openai/gpt-4o", "OPENAI_API_KEY"), ("anthropic/claude-opus-4-6", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key(
    tenure: Tenure, reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, key: str
) -> None:
    monkeypatch.delenv(key)
    assert key in tenure.complains(*run_of(reply, tmp_path / "runs", model=model))


def test_a_judge_without_a_key_is_found_before_anything_is_spent(
    tenure: Tenure, reply: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    said = tenure.complains(*run_of(reply, tmp_path / "runs", "--judge", "openai/gpt-4o"))
    assert "model openai/gpt-4o" in said
    assert "OPENAI_API_KEY" in said
    assert not list(tmp_path.rglob(RECORD))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--price", "three"], "--price 'three': write it as INPUT/OUTPUT, such as 3/15"),
        (["--price", "3"], "write it as INPUT/OUTPUT"),
        (["--price", "3/-1"], "write it as INPUT/OUTPUT"),
        (["--price", "nan/1"], "write it as INPUT/OUTPUT"),
        (["--max-cost", "0"], "--max-cost: Input should be greater than 0"),
        (["--max-cost", "-3"], "--max-cost"),
        (["--max-cost", "nan"], "--max-cost"),
        (["--max-tokens", "0"], "--max-tokens"),
        (["--time-limit", "0"], "--time-limit"),
        (["--interface", "screen"], "screen"),
        (["--judge", "a/a", "--judge", "b/b", "--judge", "c/c"], "--judge"),
        (["--base-url", "ftp://x"], "--base-url"),
        (["--base-url", "http://user:secret@host/v1"], "--base-url"),
    ],
)
def test_wrong_values(tenure: Tenure, reply: Path, tmp_path: Path, more: list[str], says: str) -> None:
    said = tenure.complains(*run_of(reply, tmp_path / "runs", *more))
    assert says in said
    assert "secret" not in said
    assert not (tmp_path / "runs").exists()


def test_a_budget_without_a_price(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    words = run_of(reply, tmp_path / "runs", "--max-cost", 5, model="openai/gpt-4o")
    said = tenure.complains(*words)
    assert said.startswith("no price is known for openai/gpt-4o, so a budget cannot be kept; give --price")


# -- task folders --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"task": ("[persona]", "[persona")}, "task.toml is not TOML"),
        ({"task": ('version = "1-0"', 'version = "1.0"')}, "task.toml: version: "),
        ({"task": ('title = "Draft', 'titel = "Draft')}, "task.toml: title: Field required"),
        ({"task": ('world = "./world"', 'world = "moon"')}, "task.toml: world: there is no"),
        ({"task": ('twins = ["gmail"]', 'twins = ["gmial"]')}, "gmial"),
        ({"task": ('"{persona_email}"', '"{persona}"')}, "no fact is called 'persona'"),
        ({"task": ('"{persona_email}"', '"eva@harbor.example"')}, "no account eva@harbor.example"),
        ({"instruction": ("{customer_name}", "{customer}")}, "instruction.md: no fact is called 'customer'"),
        ({"instruction": ("{customer_name}", "{customer_name")}, "instruction.md: "),
        ({"story": ("    base, chance", "    1 / 0\n    base, chance")}, "seed 11 cannot be built: ZeroDiv"),
        ({"story": ("import random", "import randomly")}, "story.py cannot be imported: ModuleNotFoundError"),
        ({"checks": ("checks = Checks()", "checks = Checks(")}, "checks.py cannot be imported: SyntaxError"),
        ({"oracle": ("async def solve(", "async def solves(")}, "oracle.py has no async def solve"),
        ({"mutants": ("MUTANTS = [", "MUTANT = [")}, "mutants.py must have MUTANTS and VANDALS"),
    ],
)
def test_a_broken_task_folder(
    tenure: Tenure, tmp_path: Path, edits: dict[str, tuple[str, str]], says: str
) -> None:
    task = copy_reply(tmp_path, **edits)
    assert says in tenure.complains("prove", task)


@pytest.mark.parametrize(
    "name", ["task.toml", "instruction.md", "story.py", "checks.py", "oracle.py", "mutants.py"]
)
def test_a_missing_file(tenure: Tenure, reply: Path, tmp_path: Path, name: str) -> None:
    (reply / name).unlink()
    assert tenure.complains("prove", reply).endswith(f"the task folder has no {name}")


def test_what_breaks_within_an_attempt_is_an_error_of_that_attempt(tenure: Tenure, tmp_path: Path) -> None:
    task = copy_reply(tmp_path, story=("    base, chance", "    1 / 0\n    base, chance"))
    said = tenure(*run_of(task, tmp_path / "runs"))
    assert said.status == 1
    assert "the world for seed 11 cannot be built: ZeroDivisionError" in said.err
    assert "1 of 1 attempts ended in an error that was not the agent's" in said.err
    assert "Traceback" not in said.err + said.out


# -- stored files --------------------------------------------------------------------------------


@pytest.fixture
def state(tenure: Tenure, reply: Path, tmp_path: Path) -> Path:
    """The end state of a finished run."""
    assert tenure(*run_of(reply, tmp_path / "runs")).status == 0
    return next((tmp_path / "runs").rglob(END_STATE))


@pytest.mark.parametrize("keep", [0, 1, 100, -200, -1])
def test_a_damaged_end_state(tenure: Tenure, state: Path, keep: int) -> None:
    whole = state.read_bytes()
    state.write_bytes(whole[:keep])
    assert str(state) in tenure.complains("grade", state)
    state.write_bytes(whole)
    assert "the same as the stored grade" in tenure("grade", state).out


def test_a_text_file_is_no_end_state(tenure: Tenure, tmp_path: Path) -> None:
    path = tmp_path / "x.tenure"
    path.write_text("hello")
    assert "is not an end-state file" in tenure.complains("grade", path)


def test_a_base_that_cannot_be_had(tenure: Tenure, state: Path, reply: Path, tmp_path: Path) -> None:
    for base in tmp_path.rglob("bases/*.db"):
        base.unlink()
    assert "the same as the stored grade" in tenure("grade", state).out, "it is built again"
    for base in tmp_path.rglob("bases/*.db"):
        base.unlink()
    story = reply / "story.py"
    story.write_text(story.read_text().replace("The truck is late.", "The truck is very late."))
    assert "another base" in tenure.complains("grade", state)


def test_a_task_that_is_gone(tenure: Tenure, state: Path, reply: Path, tmp_path: Path) -> None:
    moved = reply.rename(tmp_path / "moved")
    assert "there is no task" in tenure.complains("grade", state)
    assert "the same as the stored grade" in tenure("grade", state, "--task", moved).out


@pytest.mark.parametrize("name", [RECORD, "run.json"])
def test_a_damaged_file_of_a_run(tenure: Tenure, state: Path, tmp_path: Path, name: str) -> None:
    path = next((tmp_path / "runs").rglob(name))
    path.write_bytes(path.read_bytes()[:200])
    assert str(path) in tenure.complains("report", tmp_path / "runs", "--out", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_report_of_nothing(tenure: Tenure, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    assert "runs" in tenure.complains("report", tmp_path / "runs", "--out", tmp_path / "site")


def test_a_port_in_use(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["open", "--port", port, "--runs", tmp_path / "runs", reply]
        assert f"cannot listen on 127.0.0.1:{port}" in tenure.complains(*words)
    assert list((tmp_path / "runs").iterdir()) == []


def test_an_outside_command_that_does_not_exist(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    words = ["open", "--runs", tmp_path / "runs", reply, "--", "no-such-program"]
    assert "no-such-program: no such program" in tenure.complains(*words)
    assert list((tmp_path / "runs").iterdir()) == []


def test_two_tasks_of_one_name(tenure: Tenure, reply: Path, tmp_path: Path) -> None:
    other = copy_reply(tmp_path / "other")
    words = run_of(reply, tmp_path / "runs", "--task", other)
    assert tenure.complains(*words) == "two of the tasks are called carry/reply; run them apart"
