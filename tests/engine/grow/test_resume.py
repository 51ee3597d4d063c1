"""A grow attempt that is killed at any moment goes on from its files: nothing that was made is made again."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.grown import run_of
from tenure.engine.grow import seeder
from tenure.engine.grow.stored import GRADE, SEED, START
from tenure.engine.plan import ENDED, RECORD
from tenure.engine.run import make_missing
from tenure.schema import Outcome
from tenure.world.prepare import cache_folder

from .conftest import isolated

pytestmark = [isolated, pytest.mark.full]
MODEL = "tenure/oracle:bug=half a cent for repairs is cut off"
SCRIPT = """\
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from support.grown import run_of
from tenure.engine.grow import seeder
from tenure.engine.run import make_missing
seeder.ALIVE_SECONDS = 4
make_missing(run_of(Path(sys.argv[2]), sys.argv[3]))
"""


def finished(folder: Path) -> dict[Path, int]:
    """What is made for good, and when it was."""
    names = (ENDED, START, SEED, GRADE)
    paths = [path for path in folder.rglob("*.json") if path.name in names or path.parent.name == "stages"]
    return {path: path.stat().st_mtime_ns for path in paths}


def in_first_stage(folder: Path) -> bool:
    return folder.exists() and not list(folder.glob("stages/*.json"))


def between_stages(folder: Path) -> bool:
    return (folder / "stages" / "01-things.json").exists()


def while_seeding(folder: Path) -> bool:
    return (folder / START).exists() and not (folder / "seeds" / "back" / SEED).exists()


def in_a_grade(folder: Path) -> bool:
    seeded, graded = folder / "seeds" / "first" / SEED, folder / "grades" / "first" / "1-1" / GRADE
    return seeded.exists() and not graded.exists()


def between_votes(folder: Path) -> bool:
    return (folder / "grades" / "cents" / "1-1" / GRADE).exists()


@pytest.mark.parametrize(
    ("moment", "pause"),
    [
        (in_first_stage, 1.5),
        (between_stages, 0.0),
        (while_seeding, 1.0),
        (in_a_grade, 1.0),
        (between_votes, 0.0),
        (between_votes, 3.0),
    ],
)
def test_a_killed_attempt_goes_on(
    moment: Callable[[Path], bool], pause: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeder, "ALIVE_SECONDS", 0.2)
    shutil.rmtree(cache_folder() / "seeds", ignore_errors=True)
    run = run_of(tmp_path, MODEL)
    (planned,) = run.planned()
    words = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[2]), str(tmp_path), MODEL]
    process = subprocess.Popen(words, start_new_session=True)
    deadline = time.monotonic() + 180
    while not moment(planned.folder):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    time.sleep(pause)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (planned.folder / RECORD).exists(), "it was killed too late to show anything"
    before = finished(planned.folder)

    (record,) = make_missing(run)
    after = finished(planned.folder)
    assert {path: after[path] for path in before} == before, "what was made is not made again"
    assert record.grow is not None, record.error
    assert (record.outcome, len(record.grow.stages)) == (Outcome.FAILED, 3)
    votes = {f.plan: [(g.vote, g.attempt, g.passed) for g in f.grades] for f in record.grow.findings}
    assert votes.pop("cents") == [(1, 1, False), (2, 1, False), (3, 1, False)]
    assert set(map(tuple, votes.values())) == {((1, 1, True),)}
    assert not list(planned.folder.rglob("*.part"))


def test_what_a_killed_build_has_cost_is_counted_once(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (whole,) = make_missing(run)
    (planned,) = run.planned()
    for name in (RECORD, ENDED, "findings.json"):
        (planned.folder / name).unlink()
    (again,) = make_missing(run)
    assert again.usage == whole.usage
    assert again.grow == whole.grow
