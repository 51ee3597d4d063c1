"""A run that is killed leaves no process, port or file behind, and the same command finishes it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from support.endpoint import Endpoint, Heard, Said
from support.machines import isolated
from support.operating import CASHBOOK
from tenure.engine.plan import RECORD
from tenure.oracle import Action
from tenure.prove.record import ProofRecord, Tier, proof_key, store_proof
from tenure.schema.folder import find_operate

pytestmark = [pytest.mark.usefixtures("apps", "proven"), isolated]
GONE = 20.0
"""Seconds in which everything that a killed run had started must have ended."""


def below(root: int) -> set[int]:
    """A process and all that came of it."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def running(pids: Iterable[int]) -> set[int]:
    """Those that still run; ended ones that nobody has waited for do not."""
    found = set()
    for pid in pids:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.add(pid)
        except OSError:
            continue
    return found


def listening(pids: Iterable[int]) -> set[int]:
    """Loopback ports that these processes listen on, in the host's network."""
    inodes = {
        os.readlink(link) for pid in pids for link in Path(f"/proc/{pid}/fd").glob("*") if link.is_symlink()
    }
    found = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
            found.add(int(fields[1].split(":")[1], 16))
    return found


def reached(port: int) -> bool:
    """Whether something listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def proven() -> None:
    """A model may be run: proving the task is a test of its own."""
    folder = find_operate(str(CASHBOOK))
    told = {"task": folder.task.id, "version": folder.task.version, "tier": Tier.QUICK, "seeds": ()}
    key = proof_key(folder, Tier.QUICK)
    empty = {"interfaces": (), "rules": (), "columns": (), "matrix": {}, "seconds": 0.0}
    store_proof(folder, ProofRecord(**told, key=key, **empty))


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files of the run's own; its name is short, for sockets lie in it."""
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_leaves_nothing_and_is_finished_by_the_same_command(
    tmp_path: Path, scratch: Path, stop: signal.Signals
) -> None:
    slow = True

    def model(heard: Heard) -> Said:
        if not heard.results:
            return Said(calls=(Action("navigate", {"url": "cashbook.localhost"}),))
        return Said("Done.", delay=60 if slow else 0)

    with Endpoint(model) as endpoint:
        words = [sys.executable, "-m", "tenure.cli.main", "run", "operate", "--task", str(CASHBOOK)]
        words += ["--model", "openai/gpt-4o", "--attempts", "1", "--runs", str(tmp_path)]
        words += ["--base-url", f"{endpoint.url}/v1"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 120
        while len(endpoint.requests) < 2:
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.05)
        started = below(process.pid)
        names = {Path(f"/proc/{pid}/comm").read_text().strip() for pid in running(started)}
        assert {"bwrap", "chromium-headle"} <= names
        ports = listening(started)
        assert ports
        process.send_signal(stop)
        process.communicate(timeout=60)

        deadline = time.monotonic() + GONE
        while left := running(started):
            assert time.monotonic() < deadline, [Path(f"/proc/{pid}/cmdline").read_text() for pid in left]
            time.sleep(0.1)
        assert not [port for port in ports if reached(port)]
        if stop is signal.SIGINT:
            assert list(scratch.iterdir()) == []

        slow = False
        again = subprocess.run(words, capture_output=True, text=True, timeout=300)
        assert again.returncode == 0, again.stderr
    assert len(list(tmp_path.rglob(RECORD))) == 1
    assert not list(tmp_path.rglob("browser"))
    assert list(scratch.iterdir()) == [], "what a killed run left is removed by the next one"
