"""The harness's side of ``docker`` for a released verifier: containers by name, three verbs.

Three verbs are understood, because released verifiers use no others: ``exec``, ``cp`` out of a container, and
``inspect`` of its start. Infrastructure that fails is noted here, where a verifier cannot reach.
"""

import asyncio
import base64
import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tenure.apps.containers import LARGEST, SECONDS, Container
from tenure.schema import TenureError
from tenure.workspace import Finished
from tenure.workspace.relay import while_there

REFUSED = 125
"""Exit status for what this is not, as the real program's for its own errors."""
_STARTED = ("{{.State.StartedAt}}", "{{ .State.StartedAt }}")
_CLIENT = re.compile(r"\b(?:psql|pg_dump|mysql|mariadb)\b")
"""Clients of databases; released verifiers also call them through a shell or ``env``."""
_NO_DATABASE = re.compile(
    rb"could not connect to server|connection to server .* failed"
    rb"|ERROR (?:1045|1049|2002|2003|2005|2006|2013)\b"
)
"""What database clients say when the database, and not the query, is at fault."""


class StubContainer:
    """No app at all: every command fails. What a check says then, it says without any work."""

    started = "2026-01-01T00:00:00Z"

    async def run(
        self, command: Sequence[str], *, env: Mapping[str, str], input: bytes, timeout: float
    ) -> Finished:
        """Fail; only a token file is there, without which two released verifiers print no check."""
        if list(command[:1]) == ["cat"] and command[-1].endswith("/conf.json"):
            return Finished(0, b'{"api": {"token": "dry-run"}}\n', b"")
        return Finished(1, b"", b"there is no app in a dry run\n")

    async def tar(self, path: str) -> Finished:
        """Fail."""
        return Finished(1, b"", b"there is no app in a dry run\n")


class Answer(NamedTuple):
    """What ``docker`` shall do.

    Attributes:
        code: Exit status.
        stdout: Bytes to write.
        stderr: Likewise.
        copied: A tar archive to unpack at the last word.
    """

    code: int
    stdout: bytes = b""
    stderr: bytes = b""
    copied: bytes | None = None


@dataclass(frozen=True)
class _Exec:
    """The words of ``exec``."""

    container: str
    command: list[str]
    env: dict[str, str]


class Broker:
    """Answers ``docker`` for one verifier, and notes each failure that is ours."""

    def __init__(self, containers: Mapping[str, Container]) -> None:
        """Offer containers by name."""
        self._containers = containers
        self.faults: list[str] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the program; whatever else connects gets no answer."""
        try:
            length = min(int(await reader.readline()), LARGEST)
            request = json.loads(await reader.readexactly(length))
            words, data = [str(word) for word in request["words"]], base64.b64decode(request["input"])
        except (ValueError, KeyError, TypeError, asyncio.IncompleteReadError):
            return
        answer = await while_there(reader, self.answer(words, data))
        if answer is None:
            self.faults.append(f"docker {' '.join(words)[:200]}: no answer before the verifier gave up")
            return
        told = {
            "code": answer.code,
            "stdout": base64.b64encode(answer.stdout).decode(),
            "stderr": base64.b64encode(answer.stderr).decode(),
            "copied": None if answer.copied is None else base64.b64encode(answer.copied).decode(),
        }
        writer.write(json.dumps(told).encode())
        await writer.drain()

    async def answer(self, words: Sequence[str], input: bytes = b"") -> Answer:
        """What the program does for these words."""
        match list(words):
            case ["exec", *rest] if called := _exec_of(rest):
                return await self._exec(called, input)
            case ["cp", source, _] if ":" in source:
                return await self._copy(*source.split(":", 1))
            case ["inspect", "--format" | "-f", form, name] if form in _STARTED:
                container = self._containers.get(name)
                return _unknown(name) if container is None else Answer(0, f"{container.started}\n".encode())
        shown = " ".join(words)[:200]
        return Answer(
            REFUSED,
            stderr=f"docker: {shown}: only exec [-i] [-e NAME=VALUE], cp NAME:PATH TARGET and "
            f"inspect --format {_STARTED[0]} are there\n".encode(),
        )

    async def _exec(self, called: _Exec, input: bytes) -> Answer:
        container = self._containers.get(called.container)
        if container is None:
            return _unknown(called.container)
        try:
            done = await container.run(called.command, env=called.env, input=input, timeout=SECONDS)
        except TenureError as error:
            return self._fault(f"{called.container}: {error}")
        program = posixpath.basename(called.command[0])
        if done.timed_out:
            self.faults.append(f"{called.container}: {program} took more than {SECONDS:g} seconds")
            return Answer(done.returncode, done.stdout, done.stderr)
        client, said = _CLIENT.search(" ".join(called.command)), _NO_DATABASE.search(done.stderr)
        if client and said:  # Whatever the exit status: a shell around the client may end well.
            self.faults.append(f"{called.container}: {client[0]}: {said[0].decode(errors='replace')}")
        return Answer(done.returncode, done.stdout, done.stderr)

    async def _copy(self, name: str, path: str) -> Answer:
        container = self._containers.get(name)
        if container is None:
            return _unknown(name)
        try:
            done = await container.tar(path)
        except TenureError as error:
            return self._fault(f"{name}: {error}")
        if done.returncode:
            return Answer(1, stderr=f"Could not find the file {path} in container {name}\n".encode())
        return Answer(0, copied=done.stdout)

    def _fault(self, text: str) -> Answer:
        self.faults.append(text)
        return Answer(1, stderr=f"docker: {text}\n".encode())


def _unknown(name: str) -> Answer:
    # Some verifiers try one name after the other: that a name is unknown is no fault of anybody's.
    return Answer(1, stderr=f"Error response from daemon: No such container: {name}\n".encode())


def _exec_of(words: Sequence[str]) -> _Exec | None:
    """The words after ``exec``; ``None`` for options that no released verifier uses."""
    env: dict[str, str] = {}
    left = list(words)
    while left and left[0].startswith("-"):
        option = left.pop(0)
        if option in ("-e", "--env") and left and "=" in left[0]:
            name, _, value = left.pop(0).partition("=")
            env[name] = value
        elif option not in ("-i", "--interactive"):
            return None
    return _Exec(left[0], left[1:], env) if len(left) > 1 else None
