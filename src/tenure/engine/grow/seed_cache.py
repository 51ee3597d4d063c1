"""Seeding scripts that worked, kept by all that decides them: code, plan, seeding agent, machine."""

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from tenure.engine.grow.stored import SEED, keep, keep_files, kept, kept_files
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import SeedRecord
from tenure.world.prepare import cache_folder


def seed_key(
    folder: GrowFolder, plan: Plan, code: str, seeder: Mapping[str, Any], script: Mapping[str, bytes] | None
) -> str:
    """What a seeding script is kept by.

    Args:
        folder: The product.
        plan: What is seeded, its seed files included.
        code: Hash of the finished code.
        seeder: The seeding agent's settings, and the machine's.
        script: A stand-in's own script.
    """
    task = folder.task
    said = {
        "code": code,
        "seed": plan.seed.model_dump(mode="json"),
        "files": {file: _hash((folder.assets / file).read_bytes()) for file in plan.seed.files},
        "product": [task.service, task.setup, task.start, task.port, list(task.packages), task.environment],
        "seeder": dict(seeder),
        "script": {name: _hash(data) for name, data in (script or {}).items()},
    }
    return _hash(orjson.dumps(said, option=orjson.OPT_SORT_KEYS))


def cached_seed(key: str) -> tuple[SeedRecord, dict[str, bytes]] | None:
    """A script that worked before, and how it was made."""
    record = kept(_place(key) / SEED, SeedRecord)
    if record is None:
        return None
    return record.model_copy(update={"cached": True}), kept_files(_place(key))


def cache_seed(key: str, record: SeedRecord, files: Mapping[str, bytes]) -> None:
    """Keep a script that worked; the folder appears whole or not at all."""
    place = _place(key)
    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{key[:16]}.", dir=place.parent))
    try:
        keep_files(work, files)
        keep(work / SEED, record)
        work.rename(place)
    except OSError:  # Another run has kept one meanwhile: it is as good.
        shutil.rmtree(work, ignore_errors=True)


def _place(key: str) -> Path:
    return cache_folder() / "seeds" / key[:32]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
