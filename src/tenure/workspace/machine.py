"""What a machine is: commands, files and ports of a place that an agent works in (design §5)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from tenure.schema import Fault

MEBI = 1 << 20
GIBI = 1 << 30
APP = "/app"
HOME = "/home/agent"
AGENT = "agent"
"""The one user of a machine: without privileges, without a password."""
OUTPUT = 10 * MEBI

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Target = Path | int | Handler
"""Where an offered port leads: a Unix socket, a loopback port of the host, or a function."""
Root = Literal["pinned", "host"]


class MachineLost(Fault):
    """The machine is gone: closed, out of its lifetime, or ended from outside."""


class TooMuch(Fault):
    """A file is larger than the reader asked for."""


@dataclass(frozen=True)
class Finished:
    """How a command ended.

    Attributes:
        returncode: Its exit status; 128 + n when signal n ended it, 124 when its time was up.
        stdout: What it wrote, at most the asked number of bytes.
        stderr: Likewise.
        timed_out: Its time was up, and its process group was killed.
        cut: It wrote more than is kept here.
    """

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Limits:
    """What a machine may use.

    Attributes:
        memory: Bytes of memory of all its processes.
        disk: Bytes of all files below /app, /home/agent, /tmp and /var/tmp.
        shared_memory: Bytes below /dev/shm.
        processes: Processes and threads at one time.
        cpus: Processors, a fraction allowed; ``None`` for no limit.
        open_files: Open files of one process.
        lifetime: Seconds after which the machine is ended; ``None`` for no limit.
    """

    memory: int = 4 * GIBI
    disk: int = 8 * GIBI
    shared_memory: int = 512 * MEBI
    processes: int = 1024
    cpus: float | None = None
    open_files: int = 8192
    lifetime: float | None = None


@dataclass(frozen=True)
class MachineSpec:
    """A machine to open.

    Attributes:
        root: ``pinned`` (a hashed copy of listed packages, the default where there is dpkg) or
            ``host`` (the host's own /usr, for development).
        system: The host's packages that a pinned machine has, with all that they need, instead of the
            usual ones.
        packages: Python distributions that are installed beside Tenure and appear, with all that
            they need, in /opt/packages.
        locks: Lock files (``package-lock.json``, requirements for pip): what they name can be installed
            without a network.
        binds: (folder or file of the host, absolute path inside): visible read-only, as far
            as its modes let everybody.
        environment: Variables of every command, beyond PATH, HOME, USER, LOGNAME, LANG, PYTHONPATH.
        path: Folders inside that come first in PATH.
        limits: What it may use.
    """

    root: Root | None = None
    system: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    locks: tuple[Path, ...] = ()
    binds: tuple[tuple[Path, str], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    limits: Limits = Limits()


class Machine(Protocol):
    """An isolated machine. Commands run as its user ``agent``; nothing outlives ``close``."""

    @property
    def kind(self) -> str:
        """``bubblewrap`` or ``process``."""
        ...

    @property
    def image(self) -> str:
        """What the machine's files are, mode and hash, for provenance; rows of two images never pool."""
        ...

    @property
    def provenance(self) -> Mapping[str, str]:
        """All that decides what it is: kind, form, image, layers, limits and who enforces them."""
        ...

    async def run(
        self,
        command: Sequence[str],
        *,
        cwd: str = APP,
        env: Mapping[str, str] | None = None,
        input: bytes | str | None = None,
        user: str = AGENT,
        timeout: float | None = None,
        limit: int = OUTPUT,
    ) -> Finished:
        """Run a command to its end.

        What it leaves in the background goes on; should that still hold the output, the rest of
        the output is waited for only briefly.

        Args:
            command: Program (found on the machine's PATH) and arguments.
            cwd: Working directory; a relative one is below /app.
            env: Variables beyond the machine's own.
            input: What it reads; nothing by default.
            user: ``agent``, the only one.
            timeout: Seconds after which its process group is killed.
            limit: Bytes of stdout, and of stderr, that are kept.

        Raises:
            BadInput: The user is unknown.
            MachineLost: The machine is gone.
        """
        ...

    async def read(self, path: str, *, limit: int = 100 * MEBI) -> bytes:
        """A regular file's bytes, with links resolved inside the machine; relative to /app.

        Raises:
            FileNotFoundError: There is none, or it is no regular file.
            IsADirectoryError: It is a directory.
            PermissionError: The agent may not read it.
            TooMuch: It has more than ``limit`` bytes.
            MachineLost: The machine is gone.
        """
        ...

    async def write(self, path: str, content: bytes) -> None:
        """Write a file, and the directories above it, as the agent.

        Raises:
            IsADirectoryError: It is a directory.
            PermissionError: The agent may not write there.
            OSError: The disk is full (ENOSPC), or the path cannot be one.
            MachineLost: The machine is gone.
        """
        ...

    async def connect(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a loopback port inside (127.0.0.1, else ::1).

        Raises:
            ConnectionRefusedError: Nothing listens there.
            MachineLost: The machine is gone.
        """
        ...

    async def publish(self, port: int) -> int:
        """A free loopback port of the host that leads to a port inside, until ``close``."""
        ...

    async def offer(self, port: int, target: Target) -> None:
        """Listen on 127.0.0.1:port inside and lead whoever connects to a target outside.

        Raises:
            BadInput: The port is taken inside.
            MachineLost: The machine is gone.
        """
        ...

    def shell(self) -> list[str]:
        """A command of the host that opens a shell inside, for a person at a terminal."""
        ...

    async def close(self) -> None:
        """End everything inside and remove what was made for it."""
        ...
