"""Walks of a grow product's proof that showed what the proof wants, kept until the proof holds."""

import hashlib
import shutil
from pathlib import Path

from pydantic import ValidationError

from tenure.prove.record import Tier, proof_key
from tenure.schema import Outcome, Shape
from tenure.schema.folder import GrowFolder
from tenure.world.prepare import cache_folder


class Cell(Shape):
    """What one plan's walk found of one system."""

    outcome: Outcome
    """``passed``, ``failed``, or ``blocked`` where the system does not stand."""
    passed: frozenset[str] = frozenset()
    """The checks that passed."""
    says: str = ""
    """The checks that failed with what was there instead, or why it does not stand."""


class Cells:
    """Cells of one product by system and plan. A second run of a stopped proof goes on with them.

    Every tier walks alike, so a higher one begins with what a lower one has shown. What shows something
    else than the proof wants is not kept: it is looked at anew.
    """

    def __init__(self, folder: GrowFolder) -> None:
        """Of a product, as it and what grades it are now; others of it are removed."""
        name = f"{folder.task.suite}-{folder.task.name}-cells"
        self._place = cache_folder() / "proofs" / f"{name}-{proof_key(folder, Tier.QUICK)[:16]}"
        for stale in self._place.parent.glob(f"{name}-*"):
            if stale != self._place:
                shutil.rmtree(stale, ignore_errors=True)

    def find(self, system: str, plan: str) -> Cell | None:
        """The cell of one plan on one system; ``None`` when there is none yet."""
        try:
            return Cell.model_validate_json(self._path(system, plan).read_bytes())
        except (OSError, ValidationError):
            return None

    def keep(self, system: str, plan: str, cell: Cell) -> None:
        """Keep a cell, whole or not at all."""
        path = self._path(system, plan)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(cell.model_dump_json(), "utf-8")
        part.replace(path)

    def clear(self) -> None:
        """Remove them all."""
        shutil.rmtree(self._place, ignore_errors=True)

    def _path(self, system: str, plan: str) -> Path:
        digest = hashlib.sha256(f"{system}/{plan}".encode()).hexdigest()
        return self._place / f"{digest[:32]}.json"
