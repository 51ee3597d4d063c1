"""Copies of the smallest task, to run and to break."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenure.engine.plan import RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.schema import AttemptRecord, Suite
from tenure.schema.folder import find_task

REPLY = Path(__file__).resolve().parents[2] / "docs" / "examples" / "reply"
KEY = "sk-fake-4c1d7f0a9e"
"""What stands for a key in the environment; no file may hold it."""


def copy_reply(folder: Path, **edits: tuple[str, str]) -> Path:
    """A copy of the example task.

    Args:
        folder: Where the copy goes.
        edits: File stem → (old, new), replaced once in the copy.
    """
    copy = Path(shutil.copytree(REPLY, folder / "reply", ignore=shutil.ignore_patterns("__pycache__")))
    for stem, (old, new) in edits.items():
        path = next(copy.glob(f"{stem}.*"))
        text = path.read_text()
        assert text.count(old) == 1, f"{path.name} holds {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new))
    return copy


@pytest.fixture
def reply(tmp_path: Path) -> Path:
    """A copy of the example task."""
    return copy_reply(tmp_path)


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Bases and proofs of these tests stay out of the user's cache; fake keys stand for real ones."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    patch.setenv("OPENAI_API_KEY", KEY)
    patch.setenv("ANTHROPIC_API_KEY", KEY)
    yield
    patch.undo()


def run_of(task: Path, runs: Path, model: str = "tenure/oracle", **fields: Any) -> RunFolder:
    """A run's folder; one attempt by default."""
    ref = TaskRef.of(str(task), find_task(str(task)))
    spec = RunSpec(suite=Suite.CARRY, tasks=(ref,), model=model, **{"attempts": 1, "commit": "test"} | fields)
    return RunFolder(spec.folder(runs), spec)


def make(task: Path, runs: Path, model: str = "tenure/oracle", **fields: Any) -> list[AttemptRecord]:
    """Make a run's missing attempts."""
    return make_missing(run_of(task, runs, model, **fields))
