"""Who seeds and grades a run's builds: one model for both, its money, and how many plans at a time."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import GenerateConfig, Model

from tenure.engine.budget import Purse, priced
from tenure.engine.models import open_model
from tenure.engine.spec import Price, RunSpec
from tenure.engine.usual import STAND_IN
from tenure.oracle.grow import seeding_of
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan

LEDGER = "grading.txt"
EFFORT = "medium"
"""Reasoning effort of seeders and graders (seed 001 §2.1)."""
RETRIES = 7
"""Tries again of one request that the provider did not answer."""
MEMORY_PER_PLAN = 2 << 30
"""What a product, its database and a browser may take at once, in bytes."""
SEEDS_PER_PLAN = 3
"""Plans that are seeded for each that is graded."""


@dataclass(frozen=True)
class Crew:
    """What seeds and grades.

    Attributes:
        name: The model's name.
        model: Seeds and grades.
        purse: Pays for it; the builder's money is another.
        kind: Of the machines that products run in.
        slots: One for each plan that is being graded.
        seeding: One for each plan that is being seeded, which is mostly waiting.
        settings: All of it that decides what the model makes.
    """

    name: str
    model: Model
    purse: Purse
    kind: str
    slots: anyio.CapacityLimiter
    seeding: anyio.CapacityLimiter
    settings: Mapping[str, Any]

    @classmethod
    def open(
        cls,
        name: str,
        folder: Path,
        machine: Mapping[str, str],
        *,
        plans: int | None = None,
        price: Price | None = None,
    ) -> "Crew":
        """A crew by its model's name.

        Args:
            name: The model's name.
            folder: Its ledger is there.
            machine: Kind and image of the machines, as ``machine_of`` names them.
            plans: Graded at a time; what this host can bear without it.
            price: What the model costs, where the engine's list does not say it.

        Raises:
            BadInput: The model cannot be had.
        """
        plans = plans or plans_at_a_time()
        config = GenerateConfig(
            reasoning_effort=EFFORT, max_retries=RETRIES, max_connections=(1 + SEEDS_PER_PLAN) * plans
        )
        return cls(
            name,
            open_model(name, config),
            Purse(priced(name, price), folder / LEDGER),
            machine["sandbox"],
            anyio.CapacityLimiter(plans),
            anyio.CapacityLimiter(SEEDS_PER_PLAN * plans),
            {"model": name, "effort": EFFORT, **machine},
        )

    @classmethod
    def of_run(cls, spec: RunSpec, folder: Path) -> "Crew":
        """The crew of a run.

        Args:
            spec: The run.
            folder: The run's folder.

        Raises:
            BadInput: The model cannot be had.
        """
        assert spec.grader is not None
        machine = {"sandbox": spec.sandbox, "image": spec.image}
        return cls.open(spec.grader, folder, machine, price=spec.grader_price)

    def own_seed(self, folder: GrowFolder, plan: Plan) -> dict[str, bytes] | None:
        """What a stand-in seeds a plan with: the product's own script, which is no part of its settings."""
        return seeding_of(folder, plan) if self.name.startswith(STAND_IN) else None


def plans_at_a_time() -> int:
    """How many plans are graded at a time on this host: two a processor, as memory allows."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(2 * (os.cpu_count() or 1), memory // MEMORY_PER_PLAN))
