import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.machines import isolated
from support.tasks import cache_folder
from tenure.engine.build.settings import Agent, cli_version
from tenure.schema import BadInput

__all__ = ["cache_folder", "isolated"]

with_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
CACHE = Path.home() / ".cache" / "tenure"
INSTALLER = Path(__file__).resolve().parents[3] / "scripts" / "agents"


@pytest.fixture(scope="session", autouse=True)
def machines(cache_folder: None) -> None:
    """Machines' files are the user's own: read-only, named by their hash, and slow to make."""
    here = Path(os.environ["XDG_CACHE_HOME"]) / "tenure" / "machines"
    if not here.exists():
        (CACHE / "machines").mkdir(parents=True, exist_ok=True)
        here.parent.mkdir(parents=True, exist_ok=True)
        here.symlink_to(CACHE / "machines")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command lines, from the registry where they are not there yet."""
    folder = Path(os.environ.get("TENURE_AGENTS", CACHE / "agents"))
    monkeypatch.setenv("TENURE_AGENTS", str(folder))
    try:
        cli_version(Agent.CLAUDE_CODE), cli_version(Agent.CODEX)
    except BadInput:
        done = subprocess.run([INSTALLER], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"npm cannot install the command lines: {done.stderr.strip()[-300:]}")
