"""What graders of the grow suite say about a finished product, and the scorecard that holds it."""

from enum import StrEnum

from pydantic import Field

from tenure.schema.grow import PlanKind, Rules, Subset
from tenure.schema.shape import Shape
from tenure.schema.v1 import V1Score
from tenure.schema.words import Ending, Outcome


class CheckVerdict(Shape):
    """A grader's answer to one check."""

    check: str
    passed: bool
    quotes: tuple[str, ...] = ()
    """What was on screen, in its own words: at least one."""
    note: str = ""
    looks: tuple[int, ...] = ()
    """For each quotation the newest look that shows it, 0 for none; filled by the harness alone."""
    pictures: tuple[str, ...] = ()
    """For each quotation the screenshot of that look, by its file's name, or nothing; likewise."""


class StepVerdict(Shape):
    """A grader's answer to one step. Whether the step passed is derived, never claimed."""

    step: str
    checks: tuple[CheckVerdict, ...]
    undone: tuple[int, ...] = ()
    """Numbers, from 1, of the step's actions that could not be done. Their checks tell the rest."""
    note: str = ""
    """What happened that the plan asks to write down."""

    @property
    def passed(self) -> bool:
        """Whether every check passed; a step without one does not."""
        return bool(self.checks) and all(check.passed for check in self.checks)


class Standing(StrEnum):
    """What became of one grade."""

    COUNTS = "counts"
    THROWN_OUT = "thrown_out"
    """It lacks evidence, or its grader broke a rule."""
    UNFINISHED = "unfinished"
    """Its grader failed, or ran out of time."""


class Grade(Shape):
    """One grader's walk through one plan."""

    vote: int = Field(ge=1)
    """Which of the plan's votes it was made for."""
    attempt: int = Field(ge=1)
    """Which try at that vote."""
    standing: Standing
    reason: str = ""
    """Why it does not count."""
    steps: tuple[StepVerdict, ...] = ()
    grader: str = ""
    """The grader's model name."""
    seconds: float = 0.0
    cost: float | None = None
    """Dollars, or ``None`` when no price is known."""

    @property
    def passed(self) -> bool | None:
        """Whether the plan passed; ``None`` for a grade that does not count."""
        if self.standing is not Standing.COUNTS:
            return None
        return bool(self.steps) and all(step.passed for step in self.steps)


class Cause(StrEnum):
    """Why a plan could not be graded at all (protocols, Grow 12)."""

    START = "start"
    """The product did not start: every plan of the build is blocked."""
    SEED = "seed"
    """Seeding failed for this plan."""


class SeedRecord(Shape):
    """How the script that seeds a plan was made, or why the plan cannot be started at all."""

    ok: bool
    cause: Cause | None = None
    """What blocks the plan, when it is not ok."""
    reason: str = ""
    """Why, in one line and what the log said last."""
    report: str = ""
    """The seeding agent's own words; nothing where no script is needed."""
    seeder: str = ""
    """The seeding agent's model name."""
    tries: int = 0
    """How often a script of its was tried in a fresh workspace."""
    cached: bool = False
    """Whether it was made before, for the same code and plan: this build has not paid for it."""
    seconds: float = 0.0
    cost: float | None = None
    """Dollars, or ``None`` when no price is known."""


class PlanFinding(Shape):
    """The answer to one plan about one build."""

    plan: str
    title: str
    kind: PlanKind
    features: tuple[str, ...] = ()
    checks: dict[str, str] = Field(default_factory=dict)
    """The plan's checks: id → sentence."""
    outcome: Outcome
    """``blocked`` when ``cause`` says why, ``unjudged`` when no grade finished."""
    cause: Cause | None = None
    reason: str = ""
    seed: SeedRecord | None = None
    """How its starting data came about; ``None`` when that was never reached."""
    grades: tuple[Grade, ...] = ()
    """Every grade that was made, thrown-out ones too, in order."""


class StageRecord(Shape):
    """How one stage of a build went."""

    stage: str
    ending: Ending
    """``done`` or ``out_of_steps`` lead on to the next stage; any other ends the build."""
    steps: int = 0
    seconds: float = 0.0
    cost: float | None = None
    summaries: int = 0
    """How often the conversation's older part was summarised."""
    reason: str = ""


class GrowScorecard(Shape):
    """The graded result of one build of one product. Pure function of its findings and stages."""

    task: str
    version: str
    subset: Subset
    rules: Rules = Rules.PROTOCOL
    outcome: Outcome
    """``passed`` when every judged plan passed, ``blocked`` when no plan could be graded for the
    product's own fault, ``unjudged`` when no grade of any plan finished, ``error`` for our fault."""
    ending: Ending
    """Of the last stage that ran."""
    reason: str = ""
    plan_pass_rate: float | None = None
    """Share of judged plans that passed, 0..1; ``None`` when no plan was judged."""
    short_by: int | None = None
    """How many judged plans did not pass; ``None`` likewise."""
    stages: tuple[StageRecord, ...] = ()
    planned_stages: int = 0
    findings: tuple[PlanFinding, ...] = ()
    v1: V1Score | None = None
    """Points and parts of a product under ViBench 1.0's rules, where they were graded."""
