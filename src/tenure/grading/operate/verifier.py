"""Running a released ``verify.py`` unmodified, in a sandbox that reaches the task's apps and nothing else.

The sandbox holds the script, the task's input files where the script looks for them, our ``docker`` first on
PATH, and one port for each app. Variables are those of the release (formats §1.1). Questions to its judge
arrive at a door of the harness; no key is in there.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from tenure.apps.containers import Container, ReleasedApp
from tenure.grading.judge import Judge
from tenure.grading.operate.containers import Broker, StubContainer
from tenure.grading.operate.door import JudgeDoor
from tenure.grading.operate.programs.docker import PORT as DOCKER
from tenure.grading.operate.released import Record, VerifierRun
from tenure.schema.errors import BadInput, Fault
from tenure.schema.folder import OperateFolder
from tenure.schema.operate import released_variable
from tenure.workspace import Limits, Machine, MachineSpec, open_machine
from tenure.workspace.relay import Dial, Streams, leading_to

SECONDS = 300.0
"""What a verifier may take, as in the release."""
JUDGE = 2376
FIRST = 8100
"""The port inside of the first app; further ones follow."""
CLOSED = 9
"""A port that nobody listens on, for an app that is not there."""
HOST = "127.0.0.1"
ROOT, BIN, RECORDS, LAUNCHER = "/app", "/app/bin", "/app/records.jsonl", "/app/launch.py"
PLACE = f"{ROOT}/tasks/multi-m/domain/task"
"""Where the script lies: the release's own depth, from which it finds ``../../inputs``."""
INPUTS = f"{ROOT}/tasks/multi-m/inputs"
PACKAGES = ("requests",)
"""What verifiers import beyond the standard library."""
LIMITS = Limits(memory=1 << 30, disk=1 << 30, processes=128)
_PROGRAMS = files("tenure.grading.operate.programs")


async def run_verifier(
    folder: OperateFolder,
    apps: Mapping[str, ReleasedApp],
    *,
    judge: Judge | None = None,
    kind: str | None = None,
    seconds: float = SECONDS,
) -> VerifierRun:
    """Run an adopted task's verifier against running apps.

    Args:
        folder: The task.
        apps: App → how it is reached.
        judge: Answers its questions; without one they are refused, and their checks unjudged.
        kind: The kind of machine; an isolated one by default.
        seconds: When it is ended.

    Raises:
        BadInput: An app of the task is not given, or the machine cannot be opened here.
        Fault: The machine did not start.
    """
    if missing := sorted(set(folder.task.apps).difference(apps)):
        raise BadInput(f"{folder.task.id}: its verifier needs {', '.join(missing)}, which is not running")
    source = (folder.path / folder.task.verifier).read_bytes()
    inputs = {one.file: (folder.path / "inputs" / one.file).read_bytes() for one in folder.task.inputs}
    async with _sandbox(kind) as sandbox:
        return await sandbox.run(source, inputs, apps, judge, seconds)


DryRun = Callable[[Path, Sequence[str], Sequence[Path]], Awaitable[VerifierRun]]
"""Runs a script, of a task with these apps and these input files."""


@asynccontextmanager
async def dry_runs(kind: str | None = None) -> AsyncIterator[DryRun]:
    """A place where verifiers run with no app and no judge there: it shows their checks.

    Args:
        kind: As in ``run_verifier``.
    """
    async with _sandbox(kind) as sandbox:

        async def run(script: Path, apps: Sequence[str], inputs: Sequence[Path]) -> VerifierRun:
            stub = StubContainer()
            nothing = {app: ReleasedApp(None, stub, stub) for app in apps}
            held = {path.name: path.read_bytes() for path in inputs}
            return await sandbox.run(script.read_bytes(), held, nothing, None, SECONDS)

        yield run


class _Sandbox:
    """A machine that verifiers run in."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._broker = Broker({})
        self._judge = JudgeDoor(None)

    async def prepare(self) -> None:
        """Put the programs in place and open the harness's doors."""
        await self._machine.write(f"{BIN}/docker", _PROGRAMS.joinpath("docker.py").read_bytes())
        await self._machine.write(LAUNCHER, _PROGRAMS.joinpath("launch.py").read_bytes())
        await self._must("chmod", "755", f"{BIN}/docker")
        await self._machine.offer(DOCKER, self._docker)
        await self._machine.offer(JUDGE, self._ask)

    async def run(
        self,
        source: bytes,
        inputs: Mapping[str, bytes],
        apps: Mapping[str, ReleasedApp],
        judge: Judge | None,
        seconds: float,
    ) -> VerifierRun:
        """Run one verifier. A machine serves the ports of real apps once."""
        self._broker = broker = Broker(_containers(apps))
        self._judge = door = JudgeDoor(judge)
        await self._must("rm", "-rf", f"{ROOT}/tasks", RECORDS)
        await self._machine.write(f"{PLACE}/verify.py", source)
        for name, content in inputs.items():
            await self._machine.write(f"{INPUTS}/{name}", content)
        env = {"SERVER_HOSTNAME": HOST, "MINDRA_BASE_URL": f"http://{HOST}:{JUDGE}/v1"}
        env |= {"MINDRA_API_KEY": "in-the-harness", "MINDRA_MODEL": judge.name if judge else "none"}
        for port, (name, app) in enumerate(apps.items(), FIRST):
            if app.dial is not None:
                await self._machine.offer(port, leading_to(_noting(name, app.dial, broker.faults)))
            env |= _variables(name, app, CLOSED if app.dial is None else port)
        done = await self._machine.run(
            ["python3", LAUNCHER, f"{PLACE}/verify.py", RECORDS], cwd=ROOT, env=env, timeout=seconds
        )
        return VerifierRun(
            records=await self._records(),
            stdout=done.stdout.decode("utf-8", "replace"),
            stderr=done.stderr.decode("utf-8", "replace"),
            returncode=done.returncode,
            timed_out=done.timed_out,
            faults=tuple(dict.fromkeys(broker.faults)),
            asked=tuple(door.asked),
        )

    async def _records(self) -> tuple[Record, ...]:
        try:
            held = await self._machine.read(RECORDS)
        except FileNotFoundError:
            return ()
        return tuple(Record(*json.loads(line)) for line in held.splitlines())

    async def _must(self, *command: str) -> None:
        done = await self._machine.run(command, timeout=60)
        if done.returncode:
            raise Fault(
                f"the verifier's sandbox: {command[0]}: {done.stderr.decode(errors='replace').strip()}"
            )

    async def _docker(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._broker.handle(reader, writer)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._judge.handle(reader, writer)


@asynccontextmanager
async def _sandbox(kind: str | None) -> AsyncIterator[_Sandbox]:
    async with open_machine(kind, MachineSpec(packages=PACKAGES, path=(BIN,), limits=LIMITS)) as machine:
        sandbox = _Sandbox(machine)
        await sandbox.prepare()
        yield sandbox


def _names(app: str) -> tuple[str, str]:
    """The names of an app's container and of its database's."""
    return f"released_0_{app}", f"released_0_{app}-db"


def _containers(apps: Mapping[str, ReleasedApp]) -> dict[str, Container]:
    held: dict[str, Container] = {}
    for name, app in apps.items():
        own, database = _names(name)
        held[own] = app.container
        if app.database is not None:
            held[database] = app.database
    return held


def _variables(name: str, app: ReleasedApp, port: int) -> dict[str, str]:
    """What a verifier is told of one app."""
    stem, (own, database) = released_variable(name), _names(name)
    told = {f"{stem}_PORT": str(port), f"{stem}_CONTAINER": own}
    return told | ({f"{stem}_DB_CONTAINER": database} if app.database is not None else {})


def _noting(name: str, dial: Dial, faults: list[str]) -> Dial:
    """A dial that notes an app that does not answer."""

    async def dialled() -> Streams:
        try:
            return await dial()
        except (OSError, Fault) as error:
            faults.append(f"{name} does not answer: {error}")
            raise ConnectionRefusedError(str(error)) from error

    return dialled
