"""Running an outside client, such as a vendor's SDK, against a world on the real hostnames."""

import functools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tenure.schema import Connection
from tenure.world.namespace import run_in_namespace
from tenure.world.server import ServerSpec


@dataclass(frozen=True)
class Outside:
    """How a client's run ended.

    Attributes:
        returncode: Exit status; 128 + n when signal n ended it.
        stdout: What it printed.
        stderr: What it complained about.
        connections: The gateway's log, in order.
        end_state: The frozen world, for ``tenure.world.reopen`` (with the same base).
        journal: The world's journal.
    """

    returncode: int
    stdout: str
    stderr: str
    connections: list[Connection]
    end_state: Path
    journal: Path

    def check(self) -> "Outside":
        """Fail the test, with the client's own words, unless it ended well."""
        assert self.returncode == 0, f"exit status {self.returncode}\n{self.stdout}\n{self.stderr}"
        return self


@functools.cache
def _refusal() -> str:
    # Asks the system, not our own code: a bug of ours must fail tests, never skip them.
    for flags in (("--net",), ("--user", "--net")):
        try:
            tried = subprocess.run(["unshare", *flags, "true"], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return "no unshare on this system"
        if tried.returncode == 0:
            return ""
    return tried.stderr.strip()


def require() -> None:
    """Skip the test, with one line that says why, where the system forbids private networks."""
    if reason := _refusal():
        pytest.skip(reason)


def run_client(
    base: Path,
    twins: Sequence[str],
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    hide: Sequence[Path] = (),
    horizon_ms: int = 0,
    timeout: float = 60,
) -> Outside:
    """Run a client in a private network where the twins' hostnames lead to a fresh world.

    Skips the test where the system does not allow private networks. The client inherits PATH, HOME
    and the like plus the variables that make httpx, requests, urllib3, httplib2, curl, Node and
    OpenSSL trust the world's certificate; everything else (tokens) comes with ``env``.

    Args:
        base: The seeded base; its folder is where the run's own folder is made.
        twins: ``module:attribute`` names, such as ``tenure.twins.gmail:TWIN``.
        command: Program and arguments; ``python`` means the interpreter that runs the tests.
        env: Variables for the client.
        cwd: Its working directory.
        hide: Folders and files that appear empty to it (the base always does).
        horizon_ms: World time that passes before the freeze.
        timeout: Seconds after which it is killed and ``TimeoutError`` raised.
    """
    require()
    folder = Path(tempfile.mkdtemp(prefix="outside-", dir=base.parent))
    world = folder / "world"
    spec = ServerSpec(
        base=base, twins=tuple(twins), journal=world / "journal.jsonl", log=world / "gateway.jsonl"
    )
    program = sys.executable if command[0] == "python" else shutil.which(command[0]) or command[0]
    end_state = folder / "end.zip"
    out, err = folder / "stdout", folder / "stderr"
    with out.open("wb") as stdout, err.open("wb") as stderr, Path("/dev/null").open("rb") as stdin:
        code = run_in_namespace(
            [program, *command[1:]],
            spec,
            env=env,
            hide=hide,
            cwd=cwd,
            end_state=end_state,
            horizon_ms=horizon_ms,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            timeout=timeout,
        )
    lines = (world / "gateway.jsonl").read_bytes().splitlines()
    return Outside(
        code,
        out.read_text(errors="replace"),
        err.read_text(errors="replace"),
        [Connection.model_validate_json(line) for line in lines],
        end_state,
        world / "journal.jsonl",
    )
