"""A build that is killed goes on at its stage: code, home folder, database and conversation as they were."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.endpoint import Endpoint, Heard, Said
from support.grown import SHELF, build, records, run_of, stage_of
from support.machines import isolated
from tenure.oracle import Action
from tenure.schema import Ending
from tenure.schema.folder import find_grow

pytestmark = isolated
STAGES = [placed.path.name for placed in find_grow(str(SHELF)).stages]
TESTS = Path(__file__).parents[2]
CLAUDE = "anthropic/claude-sonnet-4-5"
ROW = """\
import asyncio, asyncpg, os, sys
async def run():
    db = await asyncpg.connect(os.environ["POSTGRES_DATABASE_URL"])
    await db.execute("CREATE TABLE IF NOT EXISTS kept (stage text)")
    await db.execute("INSERT INTO kept VALUES ($1)", sys.argv[1])
    print("rows", [row[0] for row in await db.fetch("SELECT stage FROM kept ORDER BY stage")])
asyncio.run(run())
"""
BUILD = """\
import sys; sys.path.insert(0, sys.argv[1])
from pathlib import Path; from support.grown import build, run_of
build(run_of(Path(sys.argv[2]), sys.argv[4], base_url=sys.argv[3], agent=sys.argv[5]))
"""


def leaves_marks(tool: str, argument: str) -> Callable[[Heard], Said]:
    """A model that leaves a mark of each stage everywhere, then looks at all marks."""

    def model(heard: Heard) -> Said:
        stage, results = stage_of(heard)
        if results:
            return Said(f"{stage} is done.")
        files = f"echo {stage} >> /app/marks; echo {stage} >> $HOME/marks; cat /app/marks $HOME/marks"
        command = f"{files}; python3 -c '{ROW}' {stage}; ls $HOME/requests"
        return Said(calls=(Action(tool, {argument: command}),))

    return model


def seen(heard: Heard) -> str:
    """What the command of a stage printed."""
    return stage_of(heard)[1][0]


def killed(
    runs: Path, endpoint: Endpoint, name: str, when: Callable[[], bool], agent: str = "native"
) -> None:
    """Build in a process of its own, and kill that at a moment."""
    words = [sys.executable, "-c", BUILD, str(TESTS), str(runs), endpoint.base_url(name), name, agent]
    process = subprocess.Popen(words, start_new_session=True)
    deadline = time.monotonic() + 240
    while not when():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize(
    "stage", [pytest.param(1, marks=pytest.mark.full), 2, pytest.param(3, marks=pytest.mark.full)]
)
def test_a_build_killed_at_a_stage_goes_on_there(stage: int, tmp_path: Path) -> None:
    slow, reached, last = True, 0, {}
    plain = leaves_marks("bash", "command")

    def model(heard: Heard) -> Said:
        nonlocal reached
        said, now = plain(heard), stage_of(heard)[0]
        waits = slow and now == STAGES[stage - 1] and not said.calls
        reached += waits
        if not said.calls:
            last[now] = heard
        return Said(said.text, said.calls, delay=60 if waits else 0)

    with Endpoint(model) as endpoint:
        killed(tmp_path, endpoint, CLAUDE, lambda: reached > 0)
        run = run_of(tmp_path, CLAUDE, base_url=endpoint.base_url(CLAUDE))
        (planned,) = run.planned()
        before = {p: p.stat().st_mtime_ns for p in (planned.folder / "stages").glob("*.json")}
        assert [r.stage for r in records(planned.folder)] == STAGES[: stage - 1]
        assert not (planned.folder / "ended.json").exists()
        slow = False
        ended, folder = build(run)
    assert (ended.ending, ended.error) == (Ending.DONE, "")
    assert {path: path.stat().st_mtime_ns for path in before} == before, (
        "stages that were over are not touched"
    )
    assert ended.also.get("resumed") == (STAGES[stage - 1] if stage > 1 else None)
    assert (ended.usage.steps, [r.steps for r in records(folder)]) == (6, [2, 2, 2])
    marks = "".join(f"{one}\n" for one in STAGES)
    assert seen(last[STAGES[-1]]).startswith(f"{marks}{marks}rows {STAGES}\n"), "each stage has left one mark"
    said = str(last[STAGES[-1]].said)
    assert all(said.count(f"{one} is done.") == 1 for one in STAGES[:-1]), "one conversation"
    assert [m["stage"] for m in ended.transcript if "stage" in m] == STAGES


def test_under_v1s_rules_a_feature_is_built_on_what_it_depends_on_in_a_conversation_of_its_own(
    tmp_path: Path,
) -> None:
    copy = shutil.copytree(SHELF, tmp_path / "shelf")
    task, last = copy / "task.toml", copy / "stages" / STAGES[2] / "stage.toml"
    task.write_text(task.read_text().replace("\n[", '\nrules = "v1"\n[', 1))
    last.write_text(re.sub(r"depends_on = .*", 'depends_on = ["things"]', last.read_text()))
    plain, heard_at = leaves_marks("bash", "command"), {}

    def model(heard: Heard) -> Said:
        said, heard_at[stage_of(heard)[0]] = plain(heard), heard
        stops = stage_of(heard)[0] == STAGES[1] and not said.calls
        return Said(stop="max_tokens") if stops else said

    with Endpoint(model) as endpoint:
        run = run_of(tmp_path, CLAUDE, task=copy, base_url=endpoint.base_url(CLAUDE))
        ended, folder = build(run)
    made = records(folder)
    assert [r.ending for r in made] == [Ending.DONE, Ending.NO_VALID_ANSWER, Ending.DONE], "parts are apart"
    assert ended.ending is Ending.DONE and "resumed" not in ended.also
    for stage, marks in ((STAGES[1], STAGES[:2]), (STAGES[2], [STAGES[0], STAGES[2]])):
        heard, own = heard_at[stage], "".join(f"{one}\n" for one in marks)
        assert seen(heard).startswith(f"{own}{stage}\nrows {marks}\n{stage}\n"), "code and database, no more"
        assert heard.users == 1 and STAGES[0] not in heard.request


def test_a_stage_whose_record_is_missing_is_made_again(tmp_path: Path) -> None:
    """However much of it was written: its record comes last."""
    run = run_of(tmp_path)
    _, folder = build(run)
    (folder / "ended.json").unlink()
    (folder / "code.tar.gz").unlink()
    (folder / "stages" / f"{STAGES[2]}.json").unlink()
    (folder / "stages" / f"{STAGES[2]}.tar.gz").write_bytes(b"half of i")
    (folder / "stages" / f"{STAGES[2]}.part").write_bytes(b"half")
    ended, _ = build(run)
    assert ended.ending is Ending.DONE
    assert ended.also["resumed"] == STAGES[2]
    assert [r.stage for r in records(folder)] == STAGES
    assert (folder / "code.tar.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_a_damaged_stage_is_said_and_nothing_is_built(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    _, folder = build(run)
    (folder / "ended.json").unlink()
    (folder / "stages" / f"{STAGES[1]}.messages.json").write_text("{")
    ended, _ = build(run)
    assert ended.ending is Ending.FAULT
    assert f"{STAGES[1]}.json: damaged; remove it and run the same command again" in ended.error
