"""The proof record: what was shown, for which exact task, world, twins, graders and oracle."""

import hashlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from tenure.apps.recipe import task_hash
from tenure.schema import Interface, Outcome, Shape, Suite
from tenure.schema.folder import AnyFolder, OperateFolder, TaskFolder
from tenure.schema.tree import tree_hash
from tenure.twins.wire.built import screens_hash
from tenure.world.prepare import cache_folder, world_hash

SHOWN = 8
"""Problems of one rule that are listed."""
_PACKAGE = Path(__file__).resolve().parent.parent
_ROOMS: dict[Suite, tuple[str, ...]] = {
    Suite.CARRY: ("grading", "scoring", "oracle", "world", "prove"),
    Suite.BUILD: ("grading", "scoring", "oracle", "workspace", "prove"),
    Suite.GROW: ("grading", "scoring", "oracle", "workspace", "prove"),
    Suite.OPERATE: ("grading", "scoring", "oracle", "workspace", "apps", "prove", "engine"),
}
_OTHERS: dict[Suite, tuple[str, ...]] = {
    Suite.CARRY: ("dag", "build", "build.py", "grow", "grow.py", "operate", "operate.py"),
    Suite.BUILD: ("screen", "grow", "grow.py", "operate", "operate.py"),
    Suite.GROW: ("screen", "operate", "operate.py"),
    Suite.OPERATE: ("dag", "build", "build.py", "grow", "grow.py", "recipes"),
}
"""Parts of those rooms, and of the engine, that belong to other suites alone, and other apps' recipes."""


class Tier(StrEnum):
    """How much is shown.

    ``quick``: one seed, api, direct driver. ``full``: three seeds, the stand-ins through the real
    loop as well, every interface that the task's twins have. ``exhaustive``: every planted bug under
    every plan of a grow product.
    """

    QUICK = "quick"
    FULL = "full"
    EXHAUSTIVE = "exhaustive"


class RuleFinding(Shape):
    """Whether one rule of proof (design, section 6) holds."""

    rule: str
    holds: bool
    detail: str = ""
    """What breaks it, or what was counted."""


def found(rules: Mapping[str, Sequence[str]]) -> list[RuleFinding]:
    """Each rule with what breaks it."""
    return [
        RuleFinding(
            rule=rule, holds=not lines, detail="; ".join(lines[:SHOWN]) + (" …" if len(lines) > SHOWN else "")
        )
        for rule, lines in rules.items()
    ]


class ProofRecord(Shape):
    """One task's proof in one tier."""

    task: str
    version: str
    tier: Tier
    key: str
    seeds: tuple[int, ...]
    interfaces: tuple[str, ...]
    rules: tuple[RuleFinding, ...]
    columns: tuple[str, ...]
    """Oracles, idle, mutants and vandals, in the order of the matrix."""
    matrix: dict[str, tuple[Outcome, ...]]
    """Check → the worst-for-the-proof outcome over the seeds, by column."""
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether every rule holds."""
        return all(rule.holds for rule in self.rules)


def proof_key(folder: AnyFolder, tier: Tier) -> str:
    """Hash of everything that a proof depends on: it is stale when this changes."""
    task = folder.hash
    if isinstance(folder, TaskFolder):
        task = world_hash(folder)
    elif isinstance(folder, OperateFolder):
        task = task_hash(folder)
    rooms, others = _ROOMS[folder.task.suite], _OTHERS[folder.task.suite]
    if tier is not Tier.QUICK and "engine" not in rooms:
        rooms = (*rooms, "engine")
        if isinstance(folder, TaskFolder) and Interface.SCREEN in folder.task.interfaces:
            task = f"{task}/{screens_hash()}"
    parts = [tier, task, *(tree_hash(_PACKAGE / room, others) for room in rooms)]
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def _path(folder: AnyFolder, tier: Tier, key: str) -> Path:
    return cache_folder() / "proofs" / f"{folder.task.suite}-{folder.task.name}-{tier}-{key[:16]}.json"


def stored_proof(folder: AnyFolder, tier: Tier) -> ProofRecord | None:
    """The proof of exactly this task in a tier, if one was made and holds."""
    key = proof_key(folder, tier)
    try:
        record = ProofRecord.model_validate_json(_path(folder, tier, key).read_bytes())
    except (OSError, ValidationError):
        return None
    return record if record.key == key and record.holds else None


def best_proof(folder: AnyFolder) -> ProofRecord | None:
    """The strongest stored proof of a task, if any holds."""
    tiers = reversed(Tier)
    return next((proof for tier in tiers if (proof := stored_proof(folder, tier)) is not None), None)


def store_proof(folder: AnyFolder, record: ProofRecord) -> None:
    """Keep a proof, so that it is made again only when it is stale."""
    path = _path(folder, record.tier, record.key)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(record.model_dump_json(indent=1), "utf-8")
    part.replace(path)
