"""The record of one attempt: all that the report and the scores need, and nothing live."""

from typing import Any

from pydantic import Field

from tenure.schema.build import BuildScorecard
from tenure.schema.finding import Scorecard
from tenure.schema.operate import OperateScorecard
from tenure.schema.shape import Shape
from tenure.schema.verdict import GrowScorecard
from tenure.schema.words import Backend, Interface, Outcome, Suite, Via


class Usage(Shape):
    """What an attempt consumed."""

    steps: int = 0
    """Model turns that counted."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """Dollars, or ``None`` when no price is known."""
    seconds: float = 0.0


class Provenance(Shape):
    """Everything that must be equal before two attempts may be pooled, and what else was there."""

    commit: str
    task_hash: str
    """Of everything that decides the task: folder, world, twins."""
    world_hash: str
    """Of the world's generator alone."""
    proof_hash: str | None = None
    model: str
    settings: dict[str, Any] = Field(default_factory=dict)
    """Sampling, reasoning effort, limits, tool set: one record per (agent, model)."""
    versions: dict[str, str] = Field(default_factory=dict)
    sandbox: str = "none"
    image: str = "none"
    screens: str = "none"
    """Which build of the twins' screens was shown, at a screen."""


class Row(Shape):
    """The identity of a leaderboard row: attempts that differ in any of these are never pooled."""

    agent: str
    model: str
    interface: Interface | None
    """Of carry attempts; the other suites have one way each."""
    settings: str
    """Canonical JSON of the settings record."""
    commit: str
    task_hashes: tuple[tuple[str, str], ...]
    """(task, hash) of every task of the run, sorted."""
    seeds: tuple[int, ...]
    sandbox: str = "none"
    image: str = "none"
    screens: str = "none"
    """Which build of the twins' screens was shown, where the interface is one."""
    backend: Backend | None = None
    """How the screen was made, where the interface is one."""
    ranks: bool = True
    """False for outside agents, page-backend screens and stand-ins that may not rank."""

    @property
    def suite(self) -> Suite:
        """The suite of its tasks, by their names; carry where there is none."""
        names = {task.partition("/")[0] for task, _ in self.task_hashes}
        return next((suite for suite in Suite if suite.value in names), Suite.CARRY)

    @property
    def reached_by(self) -> str:
        """The interface as reports name it, the backend of a screen with it."""
        if self.interface is None:
            return "browser" if self.suite is Suite.OPERATE else "workspace"
        return f"{self.interface} ({self.backend})" if self.backend else str(self.interface)


class JournalEntry(Shape):
    """One change of one record, as the world's journal holds it."""

    seq: int
    at: int
    """World time, epoch milliseconds."""
    actor: str
    via: Via
    cause: int | None = None
    """Sequence number of the change that led to this one."""
    kind: str
    id: str
    fields: dict[str, tuple[Any, Any]]
    """Changed field → (before, after)."""
    incidental: bool = False


class Connection(Shape):
    """One exchange that the gateway carried or refused."""

    n: int
    at: int
    """World time, epoch milliseconds."""
    host: str
    method: str
    path: str
    status: int
    actor: str = ""
    via: Via = Via.REST
    tool: str = ""
    """MCP tool, when the exchange was a tool call."""
    records: tuple[tuple[str, str], ...] = ()
    """(kind, id) of the records that the response returned."""
    changed: int = 0
    """How many journal entries the exchange wrote."""
    fault: str = ""
    """Traceback, when the twin itself failed."""


class AttemptRecord(Shape):
    """One attempt as stored in ``attempt.json``."""

    suite: Suite
    task: str
    title: str
    attempt: int
    """1-based number within the row."""
    seed: int
    row: Row
    outcome: Outcome
    scorecard: Scorecard | None = None
    """Of a carry attempt."""
    build: BuildScorecard | None = None
    """Of a build attempt."""
    grow: GrowScorecard | None = None
    """Of a grow attempt."""
    operate: OperateScorecard | None = None
    """Of an operate attempt."""
    usage: Usage = Usage()
    provenance: Provenance
    started: str
    """Real time, ISO 8601, UTC."""
    ended: str
    instruction: str = ""
    answer: str = ""
    """The agent's last words; never graded."""
    error: str = ""
    transcript: tuple[dict[str, Any], ...] = ()
    """Messages: ``{role, text, calls?: [{tool, arguments}], tool?, image?, stage?}``."""
    journal: tuple[JournalEntry, ...] = ()
    connections: tuple[Connection, ...] = ()

    @property
    def card(self) -> Scorecard | BuildScorecard | GrowScorecard | OperateScorecard | None:
        """The scorecard of its suite; ``None`` where grading never began."""
        return self.scorecard or self.build or self.grow or self.operate
