"""What grading finds and the scorecard that holds it."""

from pydantic import Field

from tenure.schema.check import Expect
from tenure.schema.shape import Shape
from tenure.schema.words import Ending, Outcome


class JudgeVerdict(Shape):
    """One judge's answer to one criterion."""

    judge: str
    """The judge's model name."""
    passed: bool | None
    """``None`` when the judge gave no usable answer."""
    reason: str = ""


class CheckFinding(Shape):
    """The answer to one check about one end state."""

    check: str
    says: str
    outcome: Outcome
    required: bool
    weight: float
    guard: bool = False
    judged: bool = False
    saw: str = ""
    """What the check saw: the evidence, in one line."""
    error: str = ""
    """The exception's text when the outcome is ``error``."""
    expects: tuple[Expect, ...] = ()
    """Where the values that the check demands can be learned, as its declaration says."""
    verdicts: tuple[JudgeVerdict, ...] = ()
    """Both judges' answers, first judge first (judged checks only)."""


class Scorecard(Shape):
    """The graded result of one carry attempt. Pure function of the end state and the ending."""

    task: str
    """``suite/name``."""
    version: str
    outcome: Outcome
    ending: Ending
    reason: str = ""
    """Why the attempt failed, when the ending or an error decided it."""
    passed: bool
    """The paper's pass: every required check passed and the agent ended on its own."""
    clean_pass: bool
    """``passed`` and nothing outside the footprint changed."""
    partial: float | None = None
    """Weighted share in 0..1; goes into downloads and never ranks. ``None`` when nothing was graded."""
    findings: tuple[CheckFinding, ...] = Field(default=())
    strays: tuple[str, ...] = ()
    """Changes outside the footprint, one line each."""
    patterns: tuple[str, ...] = ()
    """Failure patterns (protocols, Carry 9) that this attempt shows, by id."""
    judged_weight_share: float = 0.0
