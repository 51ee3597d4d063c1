"""The smallest grow product, its finished code, and who seeds and grades it."""

from collections.abc import Sequence
from pathlib import Path

import anyio
from inspect_ai.model import GenerateConfig, ModelCost

from tenure.engine import registry
from tenure.engine.budget import Purse
from tenure.engine.grow.crew import Crew
from tenure.engine.models import open_model
from tenure.oracle.build import Edit
from tenure.oracle.grow import packed, reference_at
from tenure.schema.folder import GrowFolder, find_grow

SHELF = Path(__file__).parent.parent.parent / "docs" / "examples" / "shelf"
__all__ = ["PRICE", "SHELF", "code_of", "crew_of", "registry", "shelf"]


PRICE = ModelCost(input=1, output=10, input_cache_write=1, input_cache_read=1)
"""Dollars per million tokens; a turn of a scripted model reads 100 and writes 20."""


def shelf(folder: Path = SHELF) -> GrowFolder:
    """The product, or a copy of it."""
    return find_grow(str(folder))


def code_of(folder: GrowFolder, edits: Sequence[Edit] = (), **files: str) -> bytes:
    """The finished code as a snapshot.

    Args:
        folder: The product.
        edits: A patch.
        files: Name, dots as ``_dot_`` → another text of a file.
    """
    built = reference_at(folder, len(folder.stages), edits)
    return packed(built | {name.replace("_dot_", "."): text.encode() for name, text in files.items()})


def crew_of(folder: Path, model: str = "tenure/oracle", base_url: str | None = None) -> Crew:
    """Who seeds and grades; its ledger is below a folder."""
    config = GenerateConfig(max_retries=0)
    return Crew(
        model,
        open_model(model, config, base_url, retries=False),
        Purse(PRICE, folder / "grading.txt"),
        "bubblewrap",
        anyio.CapacityLimiter(4),
        anyio.CapacityLimiter(4),
        {"model": model},
    )
