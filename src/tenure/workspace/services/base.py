"""A service: one database server (or file) of one attempt, behind one small interface."""

import os
import re
import secrets
import socket
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self, TypeAlias

from tenure.workspace.together import to_the_end

Address: TypeAlias = Path | int
"""Where the machine's relay finds a server: a Unix socket, or a port on 127.0.0.1."""
ROWS = 1000
"""Rows that a query reads unless its caller says otherwise."""
QUERY_TIMEOUT = 10.0
"""Seconds that a query may take."""


class QueryFailed(Exception):
    """A query gave no rows: bad SQL, a missing table, no right, or too slow. One line."""


class Service(ABC):
    """One service of one attempt: fresh at ``start``, gone after ``stop`` or when we die.

    Nothing of it listens outside loopback, its credentials are random and new at each start, and
    two of them share neither a process, a user, a port nor a file.

    Attributes:
        name: What ``open_service`` calls it.
        port: The engine's standard port, where the app finds it inside its machine; 0 where
            there is no server.
        saved: An archive of ``save`` by the same engine: ``start`` begins with what it holds.
    """

    name: ClassVar[str]
    port: ClassVar[int]
    saved: Path | None = None

    @property
    @abstractmethod
    def address(self) -> Address | None:
        """What the machine's relay connects to, after ``start``; ``None`` where there is no server."""

    @abstractmethod
    async def start(self) -> None:
        """Start empty, and return once the engine answers. ``stop`` clears up after a failure, too.

        Raises:
            BadInput: The engine is not installed; the text says what to install.
            Fault: It does not come up.
        """

    @abstractmethod
    async def stop(self) -> None:
        """End the server and remove its files. Harmless when it is not running."""

    @abstractmethod
    def url(self, host: str = "127.0.0.1", port: int | None = None) -> str:
        """The app's connection string, credentials included, as the app's machine sees it.

        Args:
            host: Where the relay listens in there.
            port: The port there; the standard one by default.
        """

    @abstractmethod
    async def template(self) -> None:
        """Keep the present state for ``reset``. The app's connections are cut."""

    @abstractmethod
    async def reset(self) -> None:
        """Go back to the template, or to empty where none was taken. The app's connections are cut."""

    @abstractmethod
    async def save(self, archive: Path) -> None:
        """Keep the whole state in a file, for a later ``start``. The service can only be stopped then.

        Raises:
            Fault: It cannot be kept.
        """

    @abstractmethod
    async def probe(self) -> dict[str, Any]:
        """For provenance: ``ready``, ``version``, ``source`` (where the binary is from), and more.

        Never raises: a server that does not answer is ``{"ready": False, …}``.
        """

    async def __aenter__(self) -> Self:
        """``start``."""
        try:
            await self.start()
        except BaseException:
            await to_the_end(self.stop())
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """``stop``."""
        await to_the_end(self.stop())


class Rows(Protocol):
    """What answers SQL, wherever it runs."""

    async def rows(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        limit: int = ROWS,
        timeout: float = QUERY_TIMEOUT,
    ) -> list[dict[str, Any]]:
        """See ``SqlService.rows``."""
        ...


class SqlService(Service):
    """A service that answers SQL."""

    @abstractmethod
    async def rows(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        limit: int = ROWS,
        timeout: float = QUERY_TIMEOUT,
    ) -> list[dict[str, Any]]:
        """The rows of one query, read as the grader: read-only, and sees every row of the app.

        Args:
            sql: One statement in the engine's dialect and placeholder style.
            parameters: JSON-able values; text is converted to what the placeholder needs.
            limit: Rows read at most; the rest is left. A caller that must know asks for one more.
            timeout: Seconds; the statement is then cancelled.

        Returns:
            One object per row, keys in column order, values as ``services.values`` says.

        Raises:
            QueryFailed: The statement cannot be run, is not a read, or takes too long.
        """


def secret() -> str:
    """A new password that needs no quoting in a URL or in SQL."""
    return secrets.token_hex(24)


def free_port() -> int:
    """A port on loopback that nobody listens on, for engines that cannot listen on a socket file."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        number: int = listener.getsockname()[1]
        return number


def one_line(error: BaseException) -> str:
    """An engine's message in one line."""
    return re.sub(r"\s+", " ", str(error)).strip() or type(error).__name__


def version_in(text: str) -> str:
    """The first version number in what a program prints for ``--version``."""
    found = re.search(r"\d+(?:\.\d+)+", text)
    return found.group() if found else text.strip()


def privileged() -> bool:
    """Whether we may become another user."""
    return os.geteuid() == 0
