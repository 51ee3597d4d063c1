"""What openings of released apps leave on the engine: nothing, and nothing of others is touched."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from support.engine import Engine
from tenure.apps.docker import DockerApp, Released, open_released
from tenure.schema import BadInput, Fault
from tenure.workspace.owner import owner

pytestmark = pytest.mark.anyio
COMPOSE = {
    "services": {
        "app": {"container_name": "$prefix", "labels": {"its": "own"}},
        "database": {"container_name": "$prefix-postgres"},
    },
    "volumes": {"data": {}, "shared": {"external": True, "name": "shared"}},
}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine on which every app is well at once."""

    async def healthy(*_: object) -> None:
        pass

    made = Engine(tmp_path)
    monkeypatch.setenv("PATH", f"{made.path}:{os.environ['PATH']}")
    monkeypatch.setattr(DockerApp, "_healthy", healthy)
    return made


@pytest.fixture
def composes(tmp_path: Path) -> Released:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "mattermost.yml").write_text(json.dumps(COMPOSE))
    return Released(composes=folder)


async def test_all_that_is_made_says_whose_it_is_and_goes(engine: Engine, composes: Released) -> None:
    async with open_released(["grocy", "mattermost"], composes) as apps:
        assert len(engine.there("container")) == 3
        assert len(engine.there("network")) == 2
        ours = [labels for labels in engine.labels() if labels]
        assert len(ours) == 6 and {labels["tenure.owner"] for labels in ours} == {owner()}
        assert [labels["its"] for labels in ours if "its" in labels] == ["own"]
        await apps.restore()
        assert len(engine.there("container")) == 3
    assert engine.there() == ["shared"] * 2


@pytest.mark.parametrize("command", [1, 5, 6, 7, 8, 9, 10, 12, 14])
async def test_a_run_that_is_stopped_removes_all(engine: Engine, composes: Released, command: int) -> None:
    async def stop(scope: anyio.CancelScope) -> None:
        while engine.commands() < command:
            await anyio.sleep(0.005)
        scope.cancel()

    engine.set(slow=0.05)
    async with anyio.create_task_group() as group:
        group.start_soon(stop, group.cancel_scope)
        async with open_released(["grocy", "mattermost"], composes):
            await anyio.sleep_forever()
    assert set(engine.there()) <= {"shared"}


async def test_a_run_that_is_stopped_when_all_is_open_removes_all(engine: Engine, composes: Released) -> None:
    with anyio.CancelScope() as scope:
        async with open_released(["grocy", "mattermost"], composes):
            assert len(engine.there("container")) == 3
            scope.cancel()
            await anyio.sleep_forever()
    assert engine.there() == ["shared"]


async def test_a_task_that_is_cancelled_removes_all(engine: Engine) -> None:
    async def work() -> None:
        async with open_released(["grocy"]):
            up.set()
            await asyncio.sleep(60)

    up = asyncio.Event()
    working = asyncio.create_task(work())
    await up.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert engine.there() == []


async def test_an_app_that_does_not_come_up_takes_the_others_with_it(engine: Engine) -> None:
    with pytest.raises(BadInput, match="app pretix: its release starts it by a compose file"):
        async with open_released(["grocy", "pretix"]):
            pass
    assert engine.there() == []


async def test_what_a_killed_harness_left_goes_and_what_lives_stays(
    engine: Engine, composes: Released, tmp_path: Path
) -> None:
    program = tmp_path / "left.py"
    program.write_text(
        "import asyncio, os, signal\n"
        "from pathlib import Path\n"
        "from tenure.apps.docker import DockerApp, Released, open_released\n"
        "async def healthy(*_): pass\n"
        "DockerApp._healthy = healthy\n"
        "async def main():\n"
        f"    release = Released(composes=Path({str(composes.composes)!r}))\n"
        "    async with open_released(['grocy', 'mattermost'], release):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    await asyncio.to_thread(subprocess.run, [sys.executable, str(program)])
    assert len(engine.there()) == 7
    space, _, begun = owner().rpartition(".")
    elsewhere = f"another-boot.1.{os.getpid()}.{begun}"
    engine.put("container", "of-another-host", tenure_owner=elsewhere)
    engine.put("container", "of-this-process", tenure_owner=owner())
    engine.put("network", "of-a-number-given-again", tenure_owner=f"{space}.{int(begun) - 1}")
    engine.put("volume", "of-a-number-alone", tenure_owner="1")
    async with open_released(["grocy"]):
        pass
    assert engine.there() == ["shared", "of-another-host", "of-this-process", "of-a-number-alone"]


async def test_what_cannot_be_removed_is_said(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    async with open_released(["grocy"]) as apps:
        (name,) = engine.there("container")
        engine.set(stuck=[name])
        with pytest.raises(Fault, match=f"container {name} cannot be removed: .*it is in use"):
            await apps.restore()
    assert f"note: left behind: container {name} cannot be removed" in capsys.readouterr().err
    assert engine.there() == [name]
