"""What stands for a container of a released app: whatever a verifier runs commands in and copies from."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from tenure.workspace.machine import Finished, Machine
from tenure.workspace.relay import Dial

SECONDS = 120.0
"""What one verb may take."""
LARGEST = 256 << 20
"""Bytes of one request or answer."""


class Container(Protocol):
    """One container, whatever it is made of."""

    started: str
    """When it started, RFC 3339."""

    async def run(
        self, command: Sequence[str], *, env: Mapping[str, str], input: bytes, timeout: float
    ) -> Finished:
        """Run a command in it.

        Raises:
            TenureError: It is gone.
        """
        ...

    async def tar(self, path: str) -> Finished:
        """A file or folder as a tar archive on stdout, by its last name; links are followed.

        Raises:
            TenureError: It is gone.
        """
        ...


class MachineContainer:
    """The machine that a native app runs in, for a container: its files, its database clients."""

    def __init__(self, machine: Machine, environment: Mapping[str, str] | None = None) -> None:
        """Stand for a machine.

        Args:
            machine: Where commands run.
            environment: Of every command: how clients find the database (``PGHOST``, ``PGPASSWORD``,
                ``MYSQL_HOST``). It goes before what a verifier sets: its passwords are those of images.
        """
        self.started = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        self._machine = machine
        self._environment = dict(environment or {})

    async def run(
        self, command: Sequence[str], *, env: Mapping[str, str], input: bytes, timeout: float
    ) -> Finished:
        """See ``Container``."""
        return await self._machine.run(
            command, cwd="/", env=dict(env) | self._environment, input=input, timeout=timeout, limit=LARGEST
        )

    async def tar(self, path: str) -> Finished:
        """See ``Container``."""
        folder, name = posixpath.split(posixpath.normpath(posixpath.join("/", path)))
        command = ["tar", "-C", folder or "/", "-chf", "-", "--", name]
        return await self._machine.run(command, cwd="/", timeout=SECONDS, limit=LARGEST)


@dataclass(frozen=True)
class ReleasedApp:
    """One app as a verifier reaches it.

    Attributes:
        dial: Opens a connection to its web address; ``None`` when nothing is there.
        container: What stands for its container.
        database: What stands for its database's container, where verifiers are told of one.
    """

    dial: Dial | None
    container: Container
    database: Container | None = None
