import json
import subprocess
import sys
from pathlib import Path

import pytest

from adopt.operated import pantry, shelves, task
from adopt.released import folder, graph, node, step
from adopt.vibench import apart
from support.machines import isolated
from tenure.schema.folder import find_operate

TENURE = Path(sys.executable).parent / "tenure"


def tenure(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([TENURE, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def released(tmp_path):
    chain = (step("P04", path="/"), step("P15", status=200), step("P21", url="ws://x/y"))
    odd = node("ODD", step("P15", status=200), scoring={"category": "Reactions"})
    return folder(tmp_path / "task_parcels", graph(node("UP", *chain), odd))


def test_the_anomalies_are_a_table_and_the_folder_is_written(released, tmp_path):
    done = tenure("adopt", "build", released, "--domain", "CG", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for shown in (
        "severity",
        "not_run",
        "R_WEBSOCKET",
        "build/parcels: 2 nodes, 4 points",
        "BusinessLogic_Reactions",
    ):
        assert shown in done.stdout, shown
    assert (tmp_path / "adopted-parcels" / "task.toml").is_file()


def test_json_is_one_document_and_check_writes_nothing(released, tmp_path):
    done = tenure("adopt", "build", released, "--check", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert found["folder"] is None and not (tmp_path / "adopted-parcels").exists()
    assert {one["severity"] for one in found["anomalies"]} >= {"changed", "lost"}


def test_a_grow_product_is_adopted_under_its_own_rules(tmp_path):
    product = apart(tmp_path, **{"prd__base-prd.md": "old"})
    done = tenure("adopt", "grow", product, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "stray_file" in done.stdout
    assert "grow/shelves: 3 stages, 5 plans, 10 steps, 60 points, " in done.stdout
    assert (tmp_path / "adopted-shelves" / "plans" / "mvp.test1.toml").is_file()
    told = json.loads(tenure("adopt", "grow", product, "--check", "--json", cwd=tmp_path).stdout)
    assert (told["task"], told["profile"], told["plans"], told["folder"]) == ("grow/shelves", "v1", 5, None)


def test_tasks_of_operate_are_adopted_together(tmp_path):
    shop, shelf = pantry(tmp_path / "release"), shelves(tmp_path / "release")
    done = tenure("adopt", "operate", tmp_path / "release", "--no-run", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "steps_not_parsed" in done.stdout
    assert "operate: 2 tasks, 5 checks, 8 points, " in done.stdout
    for name in (shop, shelf):
        assert (tmp_path / "adopted-operate" / name / "task.toml").is_file()


def test_a_task_that_cannot_be_adopted_stops_no_other_and_is_named(tmp_path):
    release = tmp_path / "release"
    task(release, "agriculture_900", verifier="check(")
    task(release, "agriculture_950", verifier="finish()")  # No check at all: seen when it is written.
    task(release, "agriculture_951", task_id="../../escaped")
    kept = [pantry(release), shelves(release)]
    before = sorted(path.name for path in tmp_path.iterdir())
    done = tenure("adopt", "operate", release, "--no-run", "--json", "--out", "deep/out", cwd=tmp_path)
    assert done.returncode == 2
    folders = [f"tasks/multi-m/Agriculture/agriculture_{n}" for n in (900, 951, 950)]
    assert done.stderr.strip().endswith(f"3 of 5 tasks cannot be adopted: {', '.join(folders)}")
    assert done.stderr.count("\n") == 1
    told = json.loads(done.stdout)
    assert (told["tasks"], told["checks"]) == (2, 5)
    assert [one["where"] for one in told["anomalies"] if one["code"] == "not_adopted"] == folders
    assert sorted(path.name for path in (tmp_path / "deep" / "out").iterdir()) == sorted(kept)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "deep"])
    checked = tenure("adopt", "operate", release, "--no-run", "--check", cwd=tmp_path)
    assert checked.returncode == 2 and "not_adopted" in checked.stdout
    assert checked.stderr == done.stderr


def test_one_task_that_cannot_be_adopted_is_one_line(tmp_path):
    folder = task(tmp_path, "agriculture_952", verifier="check(")
    done = tenure("adopt", "operate", folder, "--no-run", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "agriculture_952: verify.py: is no Python" in done.stderr


def test_what_a_folder_is_called_does_not_steer_the_terminal(tmp_path):
    task(tmp_path, "agriculture_953\x1b[2J", task_id="agriculture_953", verifier="check(")
    done = tenure("adopt", "operate", tmp_path, "--no-run", cwd=tmp_path)
    assert "agriculture_953 [2J: verify.py: is no Python" in done.stderr


@isolated
def test_a_verifier_is_run_without_apps(tmp_path):
    name = pantry(tmp_path / "release")
    done = tenure("adopt", "operate", tmp_path / "release", "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert (told["task"], told["tasks"], told["checks"]) == (f"operate/{name}", 1, 4)
    assert "passes_without_apps" in {one["code"] for one in told["anomalies"]}
    task = find_operate(str(tmp_path / f"adopted-{name}")).task
    assert [check.id for check in task.checks if check.guard] == ["0"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "nowhere"), "nowhere: no such folder; give the folder of one released task"),
        (("build", "."), "give the folder of one released task"),
        (("carry", "."), "'carry' is not one of 'build', 'grow', 'operate'"),
        (("grow", "nowhere"), "nowhere: no such folder; give prds/APP or prds-multiagent/APP"),
        (("grow", ".", "--domain", "CG"), "--domain is for build; a grow product is adopted as it is"),
        (("grow", ".", "--profile", "protocol"), "--profile is for build"),
        (("operate", "nowhere"), "nowhere: no such folder; give the release's folder"),
        (("operate", "."), "holds no folder with meta.json and description.md"),
        (("operate", ".", "--prd", "x"), "--prd is for build; a task of operate is adopted as it is"),
        (("grow", ".", "--no-run"), "--no-run is for operate"),
        (("build",), "Missing argument 'PATH'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, message, tmp_path):
    done = tenure("adopt", *words, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and done.stderr.count("\n") == 1
