"""Snapshots: an app is filled once by its seeded generator, stopped, and kept with a hash."""

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tenure.apps.program import Program, Say, apps_folder
from tenure.apps.recipe import Recipe
from tenure.apps.running import ARCHIVE, DATABASE, INSIDE, MANIFEST, RunningApp, hook
from tenure.schema.errors import Fault
from tenure.workspace.layers import contents_hash
from tenure.workspace.services.postgres import find
from tenure.workspace.together import to_the_end

FORMAT = 1
"""Rises when snapshots are made differently; older ones are then made anew."""
SEED = 0
"""The number that data are made from, where none is given."""
_TURN = 0.2
"""Seconds between two tries for the lock of one snapshot."""


@dataclass(frozen=True)
class Snapshot:
    """An app's state, as every attempt starts from it.

    Attributes:
        folder: ``app.tar``, its files' hashes in ``manifest``, ``inside`` of the recipe, and
            ``database.tar`` where a server keeps rows.
        hash: SHA-256 over all of it.
        seed: What it was made from.
    """

    folder: Path
    hash: str
    seed: int


async def snapshot_of(recipe: Recipe, program: Program, seed: int, say: Say) -> Snapshot:
    """An app's snapshot, verified; made when it is not there yet.

    Args:
        recipe: The app.
        program: Installed.
        seed: What its data are made from.
        say: Told what is going on.

    Raises:
        Fault: The app cannot be started or filled, or the snapshot is not what it was.
    """
    made_of = [str(FORMAT), recipe.hash, program.layer.hash if program.layer else "", str(seed)]
    made_of += [f"{name}={version}" for name, version in sorted(program.versions.items())]
    if recipe.database and recipe.database.kind == "postgres":
        made_of.append(str(await asyncio.to_thread(find)))
    digest = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
    folder = apps_folder() / f"{recipe.name}-{digest[:16]}-seed{seed}"
    record = folder.with_name(f"{folder.name}.json")
    if not record.exists():
        apps_folder().mkdir(parents=True, exist_ok=True)
        async with _alone(folder.with_name(f"{folder.name}.lock")):
            if not record.exists():
                await _make(folder, record, recipe, program, seed, say)
    with contextlib.suppress(OSError):
        # What nobody uses for a month goes when the app is installed anew.
        os.utime(record)
    known: str = json.loads(record.read_text("utf-8"))["hash"]
    if await asyncio.to_thread(contents_hash, folder) != known:
        raise Fault(f"{recipe.name}: its snapshot was changed; remove {record} and it is made anew")
    return Snapshot(folder, known, seed)


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[None]:
    """Hold a lock file without a thread, so that whoever waits can be cancelled."""
    with path.open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(_TURN)
        yield


async def _make(folder: Path, record: Path, recipe: Recipe, program: Program, seed: int, say: Say) -> None:
    for left in (folder, *(each for each in folder.parent.glob(f"{folder.name}.*") if each.is_dir())):
        shutil.rmtree(left, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        work.chmod(0o755)
        inside = work / INSIDE
        if (recipe.path / INSIDE).is_dir():
            shutil.copytree(recipe.path / INSIDE, inside, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            inside.mkdir()
        say(f"{recipe.name}: filling it with data of seed {seed} (once)")
        app = RunningApp(recipe, program, snapshot=None, inside=inside)
        try:
            await _fill(app, seed)
            await app.stop()
            (work / ARCHIVE).write_bytes(await app.archive())
            if app.service is not None:
                await app.service.save(work / DATABASE)
        finally:
            await to_the_end(app.close())
        await asyncio.to_thread(_list, work)
        work.rename(folder)
        half = record.with_suffix(".half")
        half.write_text(json.dumps({"hash": contents_hash(folder), "seed": seed}), "utf-8")
        half.rename(record)
    finally:
        shutil.rmtree(work, ignore_errors=True)


async def _fill(app: RunningApp, seed: int) -> None:
    await app.open()
    await app.configure()
    for command in app.recipe.seed.before:
        await app.run(app.filled(command))
    await app.start()
    load = hook(app.recipe, "seed")
    if load is not None:
        await load(app, seed)


def _list(work: Path) -> None:
    """Write the hash of each file of the archive, as ``sha256sum`` does."""
    lines = []
    with tarfile.open(work / ARCHIVE) as archive:
        for entry in archive:
            held = archive.extractfile(entry) if entry.isreg() else None
            if held is not None:
                lines.append(f"{hashlib.sha256(held.read()).hexdigest()}  {entry.name}\n")
    (work / MANIFEST).write_text("".join(lines), "utf-8")
