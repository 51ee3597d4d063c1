"""A product that runs as plain processes on loopback: in tests, for authors, in others' containers."""

import asyncio
import os
from pathlib import Path

from tenure.grading.dag.patterns import glob
from tenure.grading.dag.places import DEPTH, ENTRIES, SKIPPED, Place
from tenure.grading.dag.system import BODY_LIMIT, Unmet
from tenure.workspace.commands import execute
from tenure.workspace.machine import Finished
from tenure.workspace.services.base import Rows


class LocalSystem(Place):
    """A product at a loopback address, with its files in a folder and its rows in a database."""

    def __init__(
        self,
        base_url: str,
        folder: Path,
        database: Rows | None = None,
        environment: dict[str, str] | None = None,
        user: str = "",
    ) -> None:
        """Grade what answers at ``base_url``.

        Args:
            base_url: The address.
            folder: The app's folder.
            database: Answers SQL.
            environment: What commands get beside PATH.
            user: Whom commands run as; as this process's user without it.
        """
        super().__init__(base_url, base_url, database)
        self._folder = folder.resolve()
        self._left: set[asyncio.ReadTransport] = set()
        self._as = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"] if user else []
        self._environment = {"PATH": os.environ.get("PATH", os.defpath), **(environment or {})}

    async def __aexit__(self, *details: object) -> None:
        for transport in self._left:
            transport.close()
        await super().__aexit__(*details)

    async def run(self, command: str, *, timeout: float) -> Finished:
        """See ``System.run``."""
        return await execute(
            [
                *self._as,
                "/bin/sh",
                "-c",
                'cd -- "$1" && exec /bin/sh -c "$2"',
                "run",
                str(self._folder),
                command,
            ],
            timeout=timeout,
            limit=BODY_LIMIT,
            env=self._environment,
            left=self._left,
        )

    async def read(self, path: str, *, limit: int = BODY_LIMIT, tail: bool = False) -> bytes | None:
        """See ``System.read``; a link that leads out of the folder is no file."""
        return await asyncio.to_thread(self._read, path, limit, tail)

    async def files(self, pattern: str) -> list[str]:
        """See ``System.files``."""
        wanted = glob(pattern)
        return [one for one in await asyncio.to_thread(self._walk) if wanted.match(one.rstrip("/"))]

    def _read(self, path: str, limit: int, tail: bool) -> bytes | None:
        whole = (self._folder / path).resolve()
        if not whole.is_relative_to(self._folder) or not whole.is_file():
            return None
        with whole.open("rb") as file:
            if tail:
                file.seek(max(0, whole.stat().st_size - limit))
            return file.read(limit)

    def _walk(self) -> list[str]:
        found: list[str] = []
        for folder, folders, files in os.walk(self._folder):
            at = os.path.relpath(folder, self._folder)
            prefix = "" if at == "." else f"{at}/"
            found += [f"{prefix}{name}/" for name in folders] + [prefix + name for name in files]
            deep = prefix.count("/") + 1 >= DEPTH
            folders[:] = [] if deep else [name for name in folders if name not in SKIPPED]
            if len(found) > ENTRIES:
                raise Unmet(f"more than {ENTRIES:,} files")
        return sorted(found)
