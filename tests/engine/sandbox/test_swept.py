"""What an engine has of harness processes that were killed, and of others."""

import os
from pathlib import Path

import pytest

from support.engine import Engine
from tenure.engine.sandbox.docker import _sweep
from tenure.workspace.owner import owner


def test_only_containers_of_processes_that_are_gone_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(tmp_path)
    monkeypatch.setenv("PATH", f"{engine.path}:{os.environ['PATH']}")
    space, _, begun = owner().rpartition(".")
    engine.put("container", "of-this-process", tenure_harness=owner())
    engine.put("container", "of-a-number-given-again", tenure_harness=f"{space}.{int(begun) - 1}")
    engine.put("container", "of-another-host", tenure_harness=f"another-boot.1.999999999.{begun}")
    engine.put("container", "of-nobody-of-ours")
    _sweep()
    assert engine.there() == ["of-this-process", "of-another-host", "of-nobody-of-ours"]
