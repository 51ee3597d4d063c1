"""SQLite: no server, but a file that the app makes in its machine and the grader reads a copy of.

A copy, because the file is the app's: the grader takes no lock on it, follows no link, and what a
hostile file does to the reader it does to a few bytes in memory.
"""

import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from tenure.schema import Fault
from tenure.workspace.machine import Machine, TooMuch
from tenure.workspace.services.base import QUERY_TIMEOUT, ROWS, QueryFailed, SqlService, one_line
from tenure.workspace.services.values import plain

_LARGEST = 256 << 20
"""Bytes of the largest file that is read."""
_LONGEST = 16 << 20
"""Bytes of the longest value that is read."""
_STEPS = 10_000
"""The virtual machine's steps between two looks at the clock."""
_BESIDE = ("-wal", "-journal")
_TRIES = 5


class Sqlite(SqlService):
    """One SQLite database at a fixed path in a machine."""

    name = "sqlite"
    port = 0

    def __init__(self, machine: Machine, path: str = "/app/app.db") -> None:
        """A database that need not exist yet.

        Args:
            machine: Where the app runs.
            path: The file's path in there.
        """
        self._machine = machine
        self._path = path
        self._kept: dict[str, bytes] = {}

    @property
    def address(self) -> None:
        """Nothing to relay."""
        return None

    async def start(self) -> None:
        """See ``Service.start``: no file, so that the app starts empty."""
        self._kept = {}
        await self.reset()

    async def stop(self) -> None:
        """See ``Service.stop``: the file goes with its machine."""

    def url(self, host: str = "127.0.0.1", port: int | None = None) -> str:
        """``sqlite:////app/app.db``; host and port mean nothing here."""
        return f"sqlite:///{self._path}"

    async def template(self) -> None:
        """See ``Service.template``; the app's open files stay open."""
        self._kept = await self._files()

    async def reset(self) -> None:
        """See ``Service.reset``; an app that runs must be started again, for it keeps the old file open."""
        names = [f"{self._path}{part}" for part in ("", "-wal", "-shm", "-journal")]
        done = await self._machine.run(["rm", "-f", "--", *names])
        if done.returncode != 0:
            raise Fault(f"{self._path} cannot be reset: {done.stderr.decode('utf-8', 'replace').strip()}")
        for part, content in self._kept.items():
            await self._machine.write(f"{self._path}{part}", content)

    async def save(self, archive: Path) -> None:
        """See ``Service.save``: the machine's files are kept by whoever keeps its folder."""
        raise Fault(f"{self._path} is kept with its machine's files")

    async def probe(self) -> dict[str, Any]:
        """``ready`` (the file is there and is one), ``version`` and ``source`` of the reader's library."""
        facts: dict[str, Any] = {"ready": False, "version": apsw.sqlite_lib_version(), "source": "apsw"}
        try:
            await self.rows("SELECT count(*) FROM sqlite_schema")
            facts["ready"] = True
        except QueryFailed as error:
            facts["error"] = one_line(error)
        return facts

    async def rows(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        *,
        limit: int = ROWS,
        timeout: float = QUERY_TIMEOUT,
    ) -> list[dict[str, Any]]:
        """See ``SqlService.rows``; placeholders are ``?``."""
        try:
            files = await self._files()
        except (OSError, TooMuch) as error:
            raise QueryFailed(f"{self._path} cannot be read: {one_line(error)}") from error
        if "" not in files:
            raise QueryFailed(f"there is no file {self._path}")
        return await asyncio.to_thread(_query, files, sql, parameters, limit, timeout)

    async def _files(self) -> dict[str, bytes]:
        """The database and the log beside it, of one moment: until the log stays the same meanwhile."""
        for _ in range(_TRIES):
            before = await self._read(*_BESIDE)
            files = await self._read("")
            if before == await self._read(*_BESIDE):
                break
        return files | before

    async def _read(self, *parts: str) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for part in parts:
            try:
                found[part] = await self._machine.read(f"{self._path}{part}", limit=_LARGEST)
            except FileNotFoundError:
                continue
        return found


def _query(
    files: Mapping[str, bytes], sql: str, parameters: Sequence[Any], limit: int, timeout: float
) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="tenure-sqlite-") as folder:
        for part, content in files.items():
            (Path(folder) / f"copy{part}").write_bytes(content)
        end = time.monotonic() + timeout
        connection = apsw.Connection(f"{folder}/copy")
        try:
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
            connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
            connection.execute("PRAGMA query_only = 1")
            cursor = connection.execute(sql, tuple(parameters))
            rows: list[dict[str, Any]] = []
            while len(rows) < limit and (row := cursor.fetchone()) is not None:
                names = [column[0] for column in cursor.description]
                rows.append({name: plain(item) for name, item in zip(names, row, strict=True)})
            return rows
        except apsw.InterruptError:
            raise QueryFailed(f"the query took longer than {timeout:g} s") from None
        except (apsw.Error, TypeError) as error:
            raise QueryFailed(one_line(error)) from error
        finally:
            connection.close()
