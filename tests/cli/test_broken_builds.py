"""A broken build task is said in one line, before a machine is opened or a model is asked."""

import shutil
from pathlib import Path

import pytest

from support.command import Tenure
from support.endpoint import Endpoint, Said
from tenure.engine.plan import RECORD, read_record
from tenure.schema.build import SERVICES
from tenure.workspace.services import choose

NOTES = Path(__file__).parent.parent.parent / "docs" / "examples" / "notes"
FOURTH = '[users.guest]\nemail = "guest@notes.test"\npassword = "guest-pass"\nrole = "guest"\n'
DAG, TOML, KNOWLEDGE = "dag/notes.json", "task.toml", "knowledge_base.json"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return Path(shutil.copytree(NOTES, tmp_path / "notes"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (DAG, "[\n", "[{\n", "dag/notes.json is not JSON: "),
        (DAG, "[\n", '{"nodes": [\n', "dag/notes.json is not JSON: "),
        (
            DAG,
            '"says": "The server',
            '"sayz": "The server',
            "dag/notes.json: node HEALTH: says: Field required",
        ),
        (DAG, '"method": "weighted"', '"method": "half"', "dag/notes.json: node LOGIN: method: "),
        (KNOWLEDGE, "{", "", "knowledge_base.json is not JSON: "),
        (KNOWLEDGE, "clarifications", "answers", "knowledge_base.json must hold clarifications"),
        (TOML, '"postgres"', '"oracle"', "task.toml: service: 'oracle' is none of postgres, "),
        (TOML, "[users.reader]", f"{FOURTH}[users.reader]", "task.toml: users: three evaluation users"),
        (TOML, "[login]", "[log_in]", "task.toml: login: Field required"),
        (TOML, '"PC"', '"XX"', "task.toml: domain: "),
        (TOML, "port = 8000", "port = 80", "task.toml: port: "),
        (TOML, '["asyncpg"]', '["no-such-thing"]', "packages: no-such-thing is not installed beside Tenure"),
    ],
)
def test_a_broken_document(
    tenure: Tenure, notes: Path, tmp_path: Path, file: str, old: str, new: str, says: str
) -> None:
    edit(notes / file, old, new)
    runs = tmp_path / "runs"
    said = tenure.complains("run", "build", "--task", notes, "--model", "tenure/oracle", "--runs", runs)
    assert says in said
    assert not runs.exists()


@pytest.mark.parametrize("name", [TOML, "prd.md", KNOWLEDGE, "dag", "oracle.py", "mutants.py"])
def test_a_missing_file(tenure: Tenure, notes: Path, name: str) -> None:
    (notes / name).rename(notes.parent / "elsewhere")
    assert tenure.complains("prove", notes).endswith(f"the task folder has no {name}")


def test_a_missing_reference(tenure: Tenure, notes: Path) -> None:
    shutil.rmtree(notes / "reference")
    assert tenure.complains("prove", notes).endswith("reference/start.sh is missing")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"P09"', '"P99"', "TABLE: step 1 (P99): no such primitive"),
        ('"title": "First"', '"title": "{{nope}}"', "CREATE: step 1 (P04): {{nope}} is provided on no"),
        (
            '"prerequisites": ["HEALTH"]',
            '"prerequisites": ["CREATE"]',
            "TABLE: waits for itself: TABLE → CREATE",
        ),
        ('"prerequisites": ["HEALTH"]', '"prerequisites": ["NONE"]', "TABLE: prerequisite NONE is no node"),
        ('"category": "Deployment"', '"category": "Odd"', "HEALTH: category 'Odd' belongs to no backbone"),
        ('"source": "§1"', '"source": "§9"', "HEALTH: there is no §9"),
    ],
)
def test_a_faulty_graph_is_not_proven_and_nothing_is_stood_up(
    tenure: Tenure, notes: Path, old: str, new: str, says: str
) -> None:
    edit(notes / DAG, old, new)
    said = tenure("prove", notes)
    assert said.status == 1
    (broken,) = [line for line in " ".join(said.out.split()).split("broken ")[1:]]
    assert says in broken
    assert "reference" not in said.out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('kills=("READER",)', "kills=()", "'readers may write' must name a node that it kills"),
        ('"readers may write"', '"a new note is answered with 200"', "each with a name of its own"),
        ("MUTANTS = [", "MUTANTS = [(", "mutants.py cannot be imported: SyntaxError"),
        (
            '{"admin", "writer"}',
            '{"admin", "wrister"}',
            'reference/server.py holds \'{"admin", "wrister"}\' 0 times',
        ),
    ],
)
def test_a_faulty_mutant(tenure: Tenure, notes: Path, old: str, new: str, says: str) -> None:
    edit(notes / "mutants.py", old, new)
    assert says in tenure.complains("prove", notes)


def test_a_faulty_graph_is_told_to_whoever_runs_it(tenure: Tenure, notes: Path, tmp_path: Path) -> None:
    edit(notes / DAG, '"P09"', '"P99"')
    said = tenure("run", "build", "--task", notes, "--model", "tenure/idle", "--runs", tmp_path / "runs")
    assert "build/notes: the graph has 1 fault; tenure prove" in said.err
    assert "TABLE: step 1 (P99): no such primitive" in said.err


def test_a_reference_that_does_not_start_is_said(tenure: Tenure, notes: Path, tmp_path: Path) -> None:
    (notes / "reference" / "start.sh").write_text("#!/bin/sh\necho the plug is out; exit 3\n")
    edit(notes / "oracle.py", "from", "import tenure.oracle.build as build\n\nbuild.START_SECONDS = 1\nfrom")
    said = tenure("run", "build", "--task", notes, "--model", "tenure/oracle", "--runs", tmp_path / "runs")
    assert "The script could not go on: " in said.err and "the plug is out" in said.err


def test_every_service_of_a_task_can_be_asked_for() -> None:
    assert set(SERVICES) == {*choose.SERVICES, "none"}


def test_a_browser_that_is_missing_is_said_before_anything_is_spent(
    tenure: Tenure, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(
        notes / DAG,
        '"chain": [{"primitive": "P09"',
        '"chain": [{"primitive": "SCREENSHOT", "inputs": {"path": "/"}}, {"primitive": "P09"',
    )
    monkeypatch.setattr("tenure.grading.dag.pages.PROGRAM", "no-such-browser")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    words = ["run", "build", "--task", notes, "--model", "tenure/oracle", "--runs", tmp_path / "runs"]
    said = tenure.complains(*words)
    assert "no-such-browser does not start" in said and "install it" in said
    assert not list(tmp_path.rglob(RECORD))


def test_a_task_without_a_reference_judges_no_model(
    tenure: Tenure, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (notes / "mutants.py").unlink()
    said = tenure.complains(
        "run", "build", "--task", notes, "--model", "openai/gpt-4o", "--runs", tmp_path / "r"
    )
    assert said.startswith("build/notes cannot be proven, so it may not judge a model: ")
    assert said.endswith("the task folder has no mutants.py (--unproven lets it, and the row does not rank)")


def test_one_that_cannot_be_proven_judges_a_model_when_asked_to_and_does_not_rank(
    tenure: Tenure, notes: Path, tmp_path: Path
) -> None:
    (notes / "mutants.py").unlink()
    words = ["run", "build", "--task", notes, "--model", "openai/gpt-4o", "--unproven", "--max-steps", 1]
    with Endpoint(lambda heard: Said("I cannot.")) as endpoint:
        said = tenure(*words, "--base-url", f"{endpoint.url}/v1", "--runs", tmp_path / "r")
    assert "The row does not rank: no proof covers build/notes" in said.err
    (record,) = (read_record(path) for path in (tmp_path / "r").rglob(RECORD))
    assert (record.row.ranks, record.provenance.proof_hash) == (False, None)
