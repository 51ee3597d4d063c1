"""A grow product where it is seeded and graded: a fresh machine, an empty database, and its code alone.

Whatever an earlier workspace held beside the code (other files, records, packages, what was started by
hand) is not there (protocols, Grow 6, 7, 12). Archives are made and read inside machines only.
"""

import asyncio
import hashlib
import inspect
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import ModuleType

from tenure.schema import BadInput, Fault
from tenure.schema.grow import Product
from tenure.schema.verdict import Cause
from tenure.workspace import archive, launch
from tenure.workspace.choose import Opening, open_machine
from tenure.workspace.locks import PIP_LOCK, locked
from tenure.workspace.machine import APP, GIBI, MEBI, Finished, Limits, Machine, MachineSpec, TooMuch
from tenure.workspace.ready import Workspace, open_workspace
from tenure.workspace.stock import NPM_LOCK, stock_layers

SEEDING = f"{APP}/.seeding"
"""Where a seeding script and its files lie; never part of a snapshot."""
SEED_SCRIPT = "seed.sh"
LIMITS = Limits(memory=8 * GIBI, cpus=4)
"""Of every workspace of a product, the builder's too (protocols, Grow 6)."""
START_SECONDS = 60
"""A product has these to answer (ViBench 1.0: 30 s, on hosts that grade one at a time)."""
SCRIPT_SECONDS = 600
"""A set-up or seeding script has these to end."""
FILES, BYTES, PACKED = 200_000, GIBI, 256 * MEBI
"""What a snapshot may hold: entries, bytes, and bytes once packed."""
DEPENDENCIES = ("node_modules", ".venv", "venv")
"""Left out of a snapshot that would be too large with them: a set-up script brings them back."""
_ARCHIVE_SECONDS = 300
_NOT_FETCHED = "not fetched"
"""Provenance: why what the code's lock files name is not there."""
_TAIL = 1500
"""Characters of a log that are told."""
_END = f'tail -c {_TAIL} "$HOME/$0.log"'
_NONE = 73
_RUN = f"""[ -f "$0" ] || exit {_NONE}
chmod +x "$0"
exec "$0" > "$HOME/$1.log" 2>&1 < /dev/null"""


class NotStanding(Exception):
    """The product does not come to stand, for its own fault or its seed's.

    Attributes:
        cause: Whose.
        reason: A line that says what happened, and what its log says last.
    """

    def __init__(self, cause: Cause, reason: str) -> None:
        """Say why."""
        super().__init__(reason)
        self.cause, self.reason = cause, reason


@asynccontextmanager
async def open_code(
    task: Product,
    code: Path | bytes,
    *,
    kind: str | None = None,
    environment: Mapping[str, str] | None = None,
    opening: Opening = open_machine,
) -> AsyncIterator[Workspace]:
    """A fresh workspace with an empty database and a product's code at /app, nothing of it run.

    What the code's lock files name can be installed there without a network, from a read-only cache.

    Args:
        task: The product.
        code: A snapshot.
        kind: The machine's kind, as for ``open_workspace``.
        environment: What a plan sets otherwise than the product.
        opening: Opens the machine.

    Raises:
        BadInput: Something is not installed.
        Fault: The workspace does not open, or the snapshot is none.
    """
    packed = code if isinstance(code, bytes) else code.read_bytes()
    spec = MachineSpec(environment=dict(environment or {}), limits=LIMITS)
    with TemporaryDirectory(prefix="tenure-locks-") as folder:
        async with open_workspace(task, kind, spec, opening=opening) as place:
            await unpack(place.machine, packed)
            locks = await _locks(place, Path(folder))
            if not locks:
                yield place
                return
        async with open_workspace(task, kind, replace(spec, locks=locks), opening=opening) as place:
            await unpack(place.machine, packed)
            yield place


async def _locks(place: Workspace, folder: Path) -> tuple[Path, ...]:
    """The code's lock files, in a folder of the host, when what they name can be had."""
    files = await locked(place.machine)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    locks = tuple(folder / name for name in (PIP_LOCK, NPM_LOCK) if name in files)
    try:
        await asyncio.to_thread(stock_layers, locks)
    except (BadInput, Fault) as error:
        place.provenance[_NOT_FETCHED] = str(error)
        return ()
    return locks


async def set_up(place: Workspace, task: Product) -> None:
    """Run the set-up script.

    Raises:
        NotStanding: There is none, it fails, or it does not end.
        Fault: It fails, and what the code's lock file names cannot be fetched.
    """
    try:
        await _ran(place.machine, f"./{task.setup}", "setup", Cause.START)
    except NotStanding as error:
        if _NOT_FETCHED in place.provenance:
            raise Fault(place.provenance[_NOT_FETCHED]) from error
        raise


async def seed(place: Workspace, files: Mapping[str, bytes]) -> None:
    """Run a seeding script, between set-up and start.

    Args:
        place: Where the product is set up.
        files: ``seed.sh`` and what it needs, by path below ``SEEDING``.

    Raises:
        NotStanding: There is no script, it fails, or it does not end.
    """
    await place.machine.run(["rm", "-rf", SEEDING], timeout=_ARCHIVE_SECONDS)
    for name, data in files.items():
        await place.machine.write(f"{SEEDING}/{name}", data)
    await _ran(place.machine, f"{SEEDING}/{SEED_SCRIPT}", "seed", Cause.SEED)


async def start(place: Workspace, task: Product) -> None:
    """Start the product in the background, until it answers on its port and still does a second later.

    Raises:
        NotStanding: There is no start script, it fails, or nothing answers within ``START_SECONDS``.
    """
    program = [task.start, str(task.port), str(START_SECONDS), "start"]
    done = await place.machine.run(_python(launch, *program), timeout=START_SECONDS + 30)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip() or "it took too long"
        raise NotStanding(Cause.START, f"{task.start}: {said}{await _tail(place.machine, 'start')}")


@asynccontextmanager
async def standing(
    task: Product,
    code: Path | bytes,
    *,
    kind: str | None = None,
    environment: Mapping[str, str] | None = None,
    seeding: Mapping[str, bytes] | None = None,
    opening: Opening = open_machine,
) -> AsyncIterator[Workspace]:
    """A product that runs in a fresh workspace: set up, seeded, started, on the machine's ``task.port``.

    Args:
        task: The product.
        code: A snapshot.
        kind: As for ``open_code``; so are the others.
        environment: What the plan sets.
        seeding: The seeding script and its files, where the plan needs records.
        opening: Opens the machine.

    Raises:
        NotStanding: The product does not come to stand.
        BadInput: Something is not installed.
        Fault: The workspace does not open, or the snapshot is none.
    """
    async with open_code(task, code, kind=kind, environment=environment, opening=opening) as place:
        await set_up(place, task)
        if seeding is not None:
            await seed(place, seeding)
        await start(place, task)
        yield place


async def snapshot(machine: Machine, folder: str = APP, without: Sequence[str] = ()) -> bytes:
    """What is below a folder: files, folders and links, in one archive that the same files always give.

    Installed dependencies are left out when it would be too large with them.

    Args:
        machine: Where it is.
        folder: The folder.
        without: Names of folders that are left out, at any depth; ``/name`` at the top alone.

    Raises:
        TooMuch: It is too large without them, too.
        Fault: It cannot be made.
    """
    packed = await _packed(machine, folder, without)
    if packed is None:
        packed = await _packed(machine, folder, (*without, *DEPENDENCIES))
    if packed is None:
        raise TooMuch(
            f"{folder} holds more than {FILES:,} files, {BYTES // MEBI} MiB, or {PACKED // MEBI} MiB packed, "
            f"without {', '.join(DEPENDENCIES)}"
        )
    return packed


async def _packed(machine: Machine, folder: str, without: Sequence[str]) -> bytes | None:
    """The archive; ``None`` where it is too large."""
    given = ["pack", folder, str(FILES), str(BYTES), f"/{PurePosixPath(SEEDING).name}", *without]
    done = await machine.run(_python(archive, *given), timeout=_ARCHIVE_SECONDS, limit=PACKED)
    if done.cut or done.returncode == archive.TOO_MUCH:
        return None
    if done.returncode != 0:
        raise Fault(f"the code cannot be packed: {_last(done)}")
    return done.stdout


async def unpack(machine: Machine, code: bytes, folder: str = APP) -> None:
    """Put a snapshot's files below a folder.

    Raises:
        Fault: It is none, or there is no room.
    """
    done = await machine.run(_python(archive, "unpack", folder), input=code, timeout=_ARCHIVE_SECONDS)
    if done.returncode != 0:
        raise Fault(f"the code cannot be unpacked: {_last(done)}")


def code_hash(code: bytes) -> str:
    """SHA-256 of a snapshot."""
    return hashlib.sha256(code).hexdigest()


def _python(program: ModuleType, *arguments: str) -> list[str]:
    """A command that runs one of our programs inside, past everything that lies in /app."""
    return ["python3", "-I", "-c", inspect.getsource(program), *arguments]


async def _ran(machine: Machine, script: str, log: str, cause: Cause) -> None:
    done = await machine.run(["sh", "-c", _RUN, script, log], timeout=SCRIPT_SECONDS)
    if done.returncode != 0:
        what = f"ended with status {done.returncode}"
        if done.timed_out:
            what = f"did not end in {SCRIPT_SECONDS} s"
        elif done.returncode == _NONE:
            what = "there is none"
        raise NotStanding(cause, f"{PurePosixPath(script).name}: {what}{await _tail(machine, log)}")


async def _tail(machine: Machine, log: str) -> str:
    """The end of a log, after a colon; nothing where it is empty."""
    done = await machine.run(["sh", "-c", _END, log], timeout=_ARCHIVE_SECONDS)
    said = done.stdout.decode("utf-8", "replace").strip()
    return f":\n{said}" if said else ""


def _last(done: Finished) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "it takes too long" if done.timed_out else lines[-1] if lines else "no reason is given"
