"""What an exported task's test script runs, on real products."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from tenure.engine.export.verify import SCORECARD, build, grow, main
from tenure.oracle.build import stand_up
from tenure.oracle.grow import load_bugs, reference_at
from tenure.schema import BadInput
from tenure.schema.folder import BuildFolder, GrowFolder, find_grow
from tenure.workspace.ready import open_workspace
from tenure.workspace.services.base import free_port

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


def notes(place: Path) -> BuildFolder:
    """The smallest build task, on a port that is free."""
    shutil.copytree(EXAMPLES / "notes", place)
    text = (place / "task.toml").read_text()
    (place / "task.toml").write_text(text.replace("port = 8000", f"port = {free_port()}"))
    return BuildFolder(place)


def graded(folder: BuildFolder, logs: Path) -> int:
    """Stand the reference up as plain processes, and grade it as the container would."""

    async def run() -> int:
        async with open_workspace(folder.task, "process") as place:
            await stand_up(folder, place.machine)
            app = logs.parent / "app"
            shutil.copytree(folder.reference, app)
            reader = logs.parent / "reader.url"
            assert place.service is not None
            reader.write_text(place.service.url() + "\n")
            logs.mkdir()
            return await asyncio.to_thread(build, folder, app, logs, reader)

    return asyncio.run(run())


def test_a_running_build_is_graded_by_its_graph(tmp_path: Path) -> None:
    folder, logs = notes(tmp_path / "task"), tmp_path / "logs"
    assert graded(folder, logs) == 0
    rewards = json.loads((logs / "reward.json").read_text())
    assert rewards == {"reward": 1.0, "coverage": 1.0}
    assert float((logs / "reward.txt").read_text()) == 1.0
    assert json.loads((logs / SCORECARD).read_text())["outcome"] == "passed"


def test_a_build_that_does_not_run_earns_nothing(tmp_path: Path) -> None:
    folder, logs, reader = notes(tmp_path / "task"), tmp_path / "logs", tmp_path / "reader.url"
    reader.write_text("postgresql://grader:none@127.0.0.1:1/app")
    (tmp_path / "app").mkdir()
    words = ["build", str(folder.path), str(tmp_path / "app"), str(logs), str(reader)]
    assert main(words) == 0
    assert json.loads((logs / "reward.json").read_text())["reward"] == 0.0


def code(folder: GrowFolder, app: Path, bug: str = "") -> Path:
    edits = next((each.edits for each in load_bugs(folder) if each.plan == bug), ())
    for name, data in reference_at(folder, len(folder.stages), edits).items():
        path = app / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755)
    return app


def test_a_product_without_a_grader_gets_no_reward_and_its_code_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = find_grow(str(EXAMPLES / "shelf"))
    app = code(folder, tmp_path / "app")
    assert main(["grow", str(folder.path), str(app), str(tmp_path / "logs"), ""]) == 2
    assert "TENURE_GRADER is not set" in capsys.readouterr().err
    assert (tmp_path / "logs" / "code.tar.gz").stat().st_size > 0
    assert not list((tmp_path / "logs").glob("reward.*"))


def test_a_task_that_is_none_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow", str(tmp_path), str(tmp_path), str(tmp_path / "logs"), "m"]) == 2
    assert capsys.readouterr().err.startswith("tenure: ")


@pytest.mark.full
@pytest.mark.parametrize(("bug", "reward", "rate"), [("", 1.0, 1.0), ("cents", 0.0, 0.75)])
def test_a_finished_product_is_graded_plan_by_plan(
    tmp_path: Path, bug: str, reward: float, rate: float
) -> None:
    folder = find_grow(str(EXAMPLES / "shelf"))
    logs = tmp_path / "logs"
    logs.mkdir()
    assert grow(folder, code(folder, tmp_path / "app", bug), logs, "tenure/oracle") == 0
    assert json.loads((logs / "reward.json").read_text()) == {"reward": reward, "plan_pass_rate": rate}


def test_a_grader_that_cannot_be_had_gives_no_reward(tmp_path: Path) -> None:
    folder = find_grow(str(EXAMPLES / "shelf"))
    (tmp_path / "logs").mkdir()
    with pytest.raises(BadInput):
        grow(folder, code(folder, tmp_path / "app"), tmp_path / "logs", "nobody/none")
    assert not list((tmp_path / "logs").glob("reward.*"))
