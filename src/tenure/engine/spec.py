"""What one command runs: its arguments as a shape, and the folder that they name."""

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
from pydantic import Field, model_validator

from tenure.apps.recipe import task_hash
from tenure.apps.release import Release
from tenure.engine.build.settings import Agent, Sampling, settings_of
from tenure.engine.usual import STAND_IN, TWO_HOURS, refuse, sampling_for, usual
from tenure.schema import Backend, Interface, Row, Shape, Suite
from tenure.schema.folder import AnyFolder, BuildFolder, GrowFolder, OperateFolder, TaskFolder, find_folder
from tenure.schema.provenance import harness_commit
from tenure.twins.wire.built import screens_hash
from tenure.world.prepare import world_hash

RELEASE_SEEDS = (11, 23, 47)
"""The seeds of this release: attempt i of a task uses the i-th, starting over when they run out."""
GROW_TOOLS = ("bash", "file editor", "task list")
BROWSER_ACTIONS = 22


class Price(Shape):
    """Dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class TaskRef(Shape):
    """One task of a run."""

    name: str
    """As the command gave it: ``suite/name`` or a folder's path."""
    id: str
    hash: str
    """Of everything that decides the task: folder, for carry world and twins, for operate the apps."""

    @classmethod
    def of(cls, name: str, folder: AnyFolder) -> "TaskRef":
        """A reference to a loaded task."""
        return cls(name=name, id=folder.task.id, hash=hash_now(folder))


def hash_now(folder: AnyFolder) -> str:
    """The hash of everything that decides a task, as it lies on disk."""
    if isinstance(folder, OperateFolder):
        return task_hash(folder)
    return world_hash(folder) if isinstance(folder, TaskFolder) else folder.hash


def _screens_shown(given: dict[str, Any]) -> str:
    return screens_hash() if given.get("backend") else "none"


def packages_of(tasks: Sequence[TaskRef]) -> set[str]:
    """The distributions that tasks have in their machines."""
    folders = [find_folder(ref.name) for ref in tasks]
    machined = [folder for folder in folders if isinstance(folder, BuildFolder | GrowFolder)]
    return {package for folder in machined for package in folder.task.packages}


class RunSpec(Shape):
    """The arguments of ``tenure run`` that decide a number. Equal arguments share a folder."""

    suite: Suite
    tasks: tuple[TaskRef, ...] = Field(min_length=1)
    model: str
    agent: Agent | None = None
    """Who works, in all suites but carry."""
    agent_version: str = ""
    """Of an agent of others."""
    grader: str | None = None
    """The model that seeds and grades, in the grow suite."""
    vision: bool = True
    """Whether the model takes pictures, in the operate suite."""
    release: Release | None = None
    """Where released apps are made from, in the operate suite."""
    unproven: bool = False
    """Whether tasks that cannot be proven may judge a model, in a row that does not rank."""
    sandbox: str = "none"
    """Kind of the machine that is built in."""
    image: str = "none"
    """What the files of the run's machines are, the packages of all its tasks included."""
    registries: bool = False
    """Whether a machine that is built in can reach package registries."""
    interface: Interface | None = Interface.API
    """Of carry; the other suites have none."""
    backend: Backend | None = None
    """How the screen is made; with the screen interface only, and then always."""
    screens: str = Field(default_factory=_screens_shown)
    """Which build of the twins' screens is shown."""
    attempts: int = Field(default=3, ge=1)
    seeds: tuple[int, ...] = Field(default=RELEASE_SEEDS, min_length=1)
    max_cost: float | None = Field(default=None, gt=0)
    """Dollars for the whole run."""
    max_attempt_cost: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    """Tokens of one attempt, in and out."""
    max_steps: int | None = Field(default=None, gt=0)
    """Model turns of one attempt; in grow, of one stage."""
    time_limit: float = Field(default=TWO_HOURS, gt=0)
    """Seconds of one attempt; in grow, of one stage."""
    judges: tuple[str, ...] = Field(default=(), max_length=2)
    base_url: str | None = Field(default=None, pattern=r"^https?://[^@]+$")
    """An endpoint; without credentials, which belong into the environment."""
    price: Price | None = None
    grader_price: Price | None = None
    """What the grader's tokens cost, where the engine's price list does not say."""
    commit: str = Field(default_factory=harness_commit)
    proofs: dict[str, str] = Field(default_factory=dict, exclude=True)
    """Task → key of its proof; goes into provenance and does not make another run."""

    @model_validator(mode="before")
    @classmethod
    def _of_its_suite(cls, given: Any) -> Any:
        return usual(given, packages_of) if isinstance(given, dict) and given.get("suite") else given

    @model_validator(mode="after")
    def _fits_its_suite(self) -> "RunSpec":
        refuse(self)
        return self

    @model_validator(mode="after")
    def _backend_where_screen(self) -> "RunSpec":
        if (self.interface is Interface.SCREEN) != (self.backend is not None):
            if self.backend is None:
                raise ValueError("--interface screen needs --backend desktop (of record) or --backend page")
            raise ValueError("--backend goes with --interface screen only")
        return self

    def seed_of(self, attempt: int) -> int:
        """The seed of an attempt (1-based)."""
        return self.seeds[(attempt - 1) % len(self.seeds)]

    def hash_of(self, task: str) -> str:
        """The hash of one of the run's tasks, by id."""
        return next(ref.hash for ref in self.tasks if ref.id == task)

    @cached_property
    def key(self) -> str:
        """Hash of the arguments; how a task was named does not matter, what it is does."""
        fields = self.model_dump(mode="json", exclude={"tasks": {"__all__": {"name"}}})
        data = orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(data).hexdigest()

    def folder(self, root: Path) -> Path:
        """The run's folder below ``root``."""
        words = f"{self.suite}-{self.model}-{self.agent or self.backend or self.interface}".lower()
        name = re.sub(r"[^a-z0-9.]+", "-", words).strip("-")
        return root / f"{name}-{self.key[:10]}"

    @property
    def stand_in(self) -> bool:
        """Whether the model is one of our scripts."""
        return self.model.startswith(STAND_IN)

    @property
    def effort(self) -> str | None:
        """Reasoning effort that is asked for (protocols, Carry 8)."""
        name = self.model.lower()
        return "high" if "claude" in name or "gemini" in name else None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings record of this agent and model."""
        offered: dict[str, Any]
        if self.agent is not None and self.suite is Suite.OPERATE:
            own = {"agent": self.agent, "agent_version": self.agent_version or "tenure's own"}
            loop = "tenure browser loop" if self.agent is Agent.NATIVE else f"{self.agent}'s own"
            offered = {"loop": loop, "actions": BROWSER_ACTIONS, "vision": self.vision}
            made_of = {} if self.release is None else {"release": self.release.hash}
            return {**own, **offered, **made_of, "sampling": "provider defaults", **self._limits}
        if self.agent is not None:
            sampling = sampling_for(self.suite, self.model) or Sampling(0.0)
            grow = self.suite is Suite.GROW
            tools = GROW_TOOLS if grow else ()
            own = settings_of(self.agent, self.agent_version, sampling, tools, web=not grow)
            graded = {"grader": self.grader} if self.grader is not None else {}
            return {**own, **graded, "registries": self.registries, **self._limits}
        offered = {"loop": "tenure api loop", "tools": ["http_request", "mcp"]}
        if self.backend is not None:
            offered = {"loop": "tenure screen loop", "tools": ["computer"]}
        return {
            **offered,
            "reasoning_effort": self.effort or "default",
            "sampling": "provider defaults",
            **self._limits,
        }

    @property
    def _limits(self) -> dict[str, Any]:
        steps = {} if self.max_steps is None else {"step_limit": self.max_steps}
        return {
            **steps,
            "fallbacks": "off",
            "time_limit_seconds": self.time_limit,
            "token_limit": self.max_tokens,
            "attempt_budget_dollars": self.max_attempt_cost,
            "run_budget_dollars": self.max_cost,
            "judges": list(self.judges),
            "endpoint": self.base_url or "provider",
        }

    @cached_property
    def row(self) -> Row:
        """The leaderboard row that the run's attempts belong to."""
        return Row(
            agent=self.agent or "tenure",
            model=self.model,
            interface=self.interface,
            backend=self.backend,
            screens=self.screens,
            settings=orjson.dumps(self.settings, option=orjson.OPT_SORT_KEYS).decode(),
            commit=self.commit,
            task_hashes=tuple(sorted((task.id, task.hash) for task in self.tasks)),
            seeds=tuple(self.seed_of(n) for n in range(1, self.attempts + 1)),
            sandbox=self.sandbox,
            image=self.image,
            ranks=not (self.stand_in or self.unproven or self.backend is Backend.PAGE),
        )
