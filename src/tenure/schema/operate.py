"""The operate suite's shapes: a task over real apps, what was found in them, and the scorecard."""

import hashlib
import re
from enum import StrEnum
from pathlib import PurePosixPath

from pydantic import Field, field_validator, model_validator

from tenure.schema.finding import JudgeVerdict
from tenure.schema.shape import Shape
from tenure.schema.task import VERSION
from tenure.schema.words import Ending, Outcome, Suite

TODO = "todo.md"
"""The agent's list of things to do, among its files."""
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
"""What a task, or a check, may be called."""


class Track(StrEnum):
    """Whether a task needs eyes (seed 002, main table)."""

    TEXT = "text"
    MULTIMODAL = "multimodal"


class OperateDomain(StrEnum):
    """The six domains of SaaS-Bench."""

    SOFTWARE = "software"
    BUSINESS = "business"
    HEALTHCARE = "healthcare"
    TEAMWORK = "teamwork"
    AGRICULTURE = "agriculture"
    MEDIA = "media"


class CheckKind(StrEnum):
    """How a check is answered (seed 002, key design 4)."""

    STATE = "state"
    """From a database, an API's answer, a number, a file or a message."""
    CONTENT = "content"
    """By extraction, pattern or structured fields of a text."""
    JUDGED = "judged"
    """By a model."""
    SCRIPT = "script"
    """By a released ``verify.py``, which does not say how."""


class Account(Shape):
    """How the agent signs in to an app."""

    username: str
    """Empty where the app asks for a password alone."""
    password: str


class TaskInput(Shape):
    """A file that the agent is given."""

    file: str
    """Path below the task's ``inputs/``, and nowhere else."""
    type: str = Field(pattern=r"^(image|pdf)$")
    role: str = ""
    """What it is, in free words."""

    @field_validator("file")
    @classmethod
    def _below(cls, value: str) -> str:
        path = PurePosixPath(value)
        if not path.name or path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{value!r} must be the path of a file below inputs/")
        return value


class OperateCheck(Shape):
    """One check (the paper's checkpoint): a sentence that is true when it passes."""

    id: str = Field(pattern=NAME)
    """The same in every attempt, whatever came out; union scores are by it."""
    says: str
    weight: float = Field(default=1.0, gt=0)
    kind: CheckKind = CheckKind.STATE
    guard: bool = False
    """A guard holds on the untouched apps and earns only beside new work (protocols, Operate 2)."""
    app: str = ""
    """The app that it looks into, where it is one."""

    @model_validator(mode="after")
    def _no_judged_guard(self) -> "OperateCheck":
        if self.guard and self.kind is CheckKind.JUDGED:
            raise ValueError("a guard cannot be judged: it must hold on the untouched apps for certain")
        return self


class OperateTask(Shape):
    """An operate task's declaration, as its ``task.toml`` gives it."""

    suite: Suite
    name: str = Field(pattern=NAME)
    title: str
    version: str
    canary: str = Field(min_length=32)
    domain: OperateDomain
    track: Track = Track.TEXT
    apps: tuple[str, ...] = Field(min_length=1)
    """Names of app recipes; only these are reachable."""
    credentials: dict[str, Account] = Field(default_factory=dict)
    """App → the account that the agent gets."""
    inputs: tuple[TaskInput, ...] = ()
    steps: tuple[str, ...] = ()
    """What the agent's ``todo.md`` starts with."""
    verifier: str = ""
    """A released script that answers the checks, instead of ``checks.py``."""
    checks: tuple[OperateCheck, ...] = Field(min_length=1)
    """In the order in which the work comes: the first half are the early ones."""

    @field_validator("version")
    @classmethod
    def _version(cls, value: str) -> str:
        if not VERSION.match(value):
            raise ValueError(f"version {value!r} must look like 1-0")
        return value

    @model_validator(mode="after")
    def _agrees(self) -> "OperateTask":
        if self.suite is not Suite.OPERATE:
            raise ValueError(f"suite: {self.suite} is not operate")
        for what, names in (("apps", self.apps), ("checks", [check.id for check in self.checks])):
            if len(set(names)) < len(names):
                raise ValueError(f"{what}: a name is given twice")
        if all(check.guard for check in self.checks):
            raise ValueError("checks: at least one must need new work")
        named = {*self.credentials, *(check.app for check in self.checks if check.app)}
        if strangers := sorted(named.difference(self.apps)):
            raise ValueError(f"apps: {', '.join(strangers)} is used and not listed")
        if self.inputs and self.track is Track.TEXT:
            raise ValueError("track: a task with inputs is multimodal")
        return self

    @property
    def id(self) -> str:
        """``suite/name``, the name that commands take."""
        return f"{self.suite}/{self.name}"


class OperateFinding(Shape):
    """The answer to one check about the apps that an attempt left."""

    check: str
    says: str
    outcome: Outcome
    weight: float
    kind: CheckKind
    guard: bool = False
    app: str = ""
    saw: str = ""
    """The evidence, in one line."""
    error: str = ""
    """Why the check could not be answered."""
    verdicts: tuple[JudgeVerdict, ...] = ()


class OperateScorecard(Shape):
    """The graded result of one operate attempt. Pure function of the findings and the ending."""

    task: str
    version: str
    domain: OperateDomain
    track: Track
    apps: tuple[str, ...]
    outcome: Outcome
    """``passed`` when resolved; ``error`` when a check could not be answered; ``failed`` when one
    failed; ``unjudged`` when all but judged ones passed and no judge answered those."""
    ending: Ending
    reason: str = ""
    resolved: bool
    """Every check passed."""
    checkpoint: float | None = None
    """Checkpoint score, 0..1, over the weights of all checks; ``None`` when nothing was graded."""
    claimed: bool | None = None
    """Whether the agent itself said that it succeeded; ``None`` when it did not say."""
    findings: tuple[OperateFinding, ...] = ()
    """In the task's order."""
    notes: tuple[str, ...] = ()
    """What was odd about the grading, a line each: a script's own score that disagrees, …"""


_NUMBERED = re.compile(
    r"""\s* (?: (?P<id> \d++ (?:\.\d++)*+ [a-z]?) [.):]        # 7.  7a)  3.1:
              | (?P<part> \d++ (?:\.\d++)++ [a-z]?) (?=\s|$) )  # 3.1 with nothing behind it
        \s* (?P<says> .*)""",
    re.DOTALL | re.VERBOSE,
)
"""A number is taken whole or not at all: ``3.1`` and ``3.2`` are two checks, and neither is check 3."""
LONGEST = 80
"""Letters of an id that is made of words."""


def released_check(label: str) -> tuple[str, str]:
    """The id and the sentence of a released check, from its label.

    The leading number is the id: it stays when the words after it change with the outcome. ``7. Total is
    right`` gives ``("7", "Total is right")``. A label without a number is its own id, in plain letters.
    """
    told = _NUMBERED.match(label)
    if told:
        return told["id"] or told["part"], told["says"].strip()
    says = label.strip()
    words = re.sub(r"[^a-z0-9]+", "-", says.lower()).strip("-")
    if 0 < len(words) <= LONGEST:
        return words, says
    # Cut short, or without any plain letter, labels would share an id.
    digest = hashlib.sha256(says.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{words[: LONGEST - 9].rstrip('-') or 'check'}-{digest}", says


def released_variable(app: str) -> str:
    """How the names of a released app's variables begin: ``E_LABEL`` for ``e-label``."""
    return app.upper().replace("-", "_")
