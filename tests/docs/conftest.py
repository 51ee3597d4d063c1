"""Makes the documentation's generator and examples importable, and runs the example task once."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs" / "examples")]


def tenure(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command at the root."""
    command = [sys.executable, "-m", "tenure.cli.main", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Bases and proofs of these tests are made anew and leave the user's alone."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def example_run(cache_folder: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[str]]:
    """The example task by the oracle: the run's folder and the lines that were printed."""
    runs = tmp_path_factory.mktemp("runs")
    done = tenure(
        "run", "carry", "--task", "docs/examples/reply", "--model", "tenure/oracle", "--runs", str(runs)
    )
    assert done.returncode == 0, done.stderr
    return next(runs.iterdir()), done.stdout.splitlines()
