import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.machines import CACHE, isolated, machines
from support.tasks import cache_folder
from tenure.engine.build.settings import Agent, cli_version
from tenure.schema import BadInput

__all__ = ["cache_folder", "isolated", "machines"]

with_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
INSTALLER = Path(__file__).resolve().parents[3] / "scripts" / "agents"


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
