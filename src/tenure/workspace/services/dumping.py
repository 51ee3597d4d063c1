"""The app's database as a file, and back: by PostgreSQL's own programs, as the app's own user."""

import asyncio
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from tenure.workspace.services.base import Service
from tenure.workspace.services.postgres import Postgres, find

LIMIT = 256 << 20
"""Packed bytes of one file."""
_SECONDS = 120.0
_CHUNK = 1 << 18
_FORMATS = {True: ("--format=plain", "--compress=6"), False: ("--format=custom",)}


async def dump(service: Service | None, *, readable: bool = False, limit: int = LIMIT) -> bytes:
    """What is in the app's database, packed.

    Args:
        service: The database.
        readable: Whether it shall be gzipped SQL, for a person; else it is what ``restore`` reads, which
            holds no commands that a shell could take for its own.
        limit: Bytes of it, at most.

    Raises:
        LookupError: It is no PostgreSQL, or there is no program for it.
        OSError: The program fails.
        TimeoutError: It takes too long.
        ValueError: There is more than ``limit``.
    """
    program, words, password = await _program(service, "pg_dump")
    out = bytearray()
    with tempfile.TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(
            str(program), *words, *_FORMATS[readable], env=password, stdout=PIPE, stderr=said
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout(_SECONDS):
                # As it comes: it may be far more than there is memory.
                while part := await process.stdout.read(_CHUNK):
                    out += part
                    if len(out) > limit:
                        raise ValueError(f"more than {limit} bytes")
                await process.wait()
        finally:
            await _ended(process)
        _check(process, said)
    return bytes(out)


async def restore(service: Service | None, dumped: bytes) -> None:
    """Put back what ``dump`` took, in the place of what is there.

    Args:
        service: The database.
        dumped: What ``dump`` gave.

    Raises:
        LookupError: It is no PostgreSQL, or there is no program for it.
        OSError: The program fails; part of it may be there.
        TimeoutError: It takes too long.
    """
    program, words, password = await _program(service, "pg_restore")
    with tempfile.TemporaryFile() as said, tempfile.NamedTemporaryFile() as file:
        file.write(dumped)
        file.flush()
        process = await asyncio.create_subprocess_exec(
            str(program),
            *words,
            *("--clean", "--if-exists", file.name),
            env=password,
            stdout=DEVNULL,
            stderr=said,
        )
        try:
            async with asyncio.timeout(_SECONDS):
                await process.wait()
        finally:
            await _ended(process)
        _check(process, said)


async def _program(service: Service | None, name: str) -> tuple[Path, list[str], dict[str, str]]:
    """One of PostgreSQL's programs, the words that lead it to the app's database, and the password."""
    if not isinstance(service, Postgres):
        raise LookupError("only PostgreSQL is dumped")
    binaries, _ = await asyncio.to_thread(find)
    program, url = binaries / name, urlsplit(service.url())
    if not program.exists():
        raise LookupError(f"there is no {name} here")
    words = ["-h", str(service.address.parent), "-p", str(service.port), "-U", str(url.username), "-d", "app"]
    return program, words, {"PGPASSWORD": str(url.password)}


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


def _check(process: asyncio.subprocess.Process, said: IO[bytes]) -> None:
    if process.returncode:
        said.seek(0)
        raise OSError(said.read(_CHUNK).decode("utf-8", "replace").strip().rpartition("\n")[2])
