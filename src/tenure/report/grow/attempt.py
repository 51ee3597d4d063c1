"""What the page of one grow build shows, computed from its record: no markup here."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenure.report.views import AttemptView, RowView, Turn, common_view
from tenure.schema import AttemptRecord, Outcome
from tenure.schema.verdict import CheckVerdict, Grade, GrowScorecard, PlanFinding, StageRecord, StepVerdict
from tenure.scoring.grow import RowScore, judged_plans
from tenure.scoring.outcome import ENDING_TEXT

ORDER = (
    Outcome.BLOCKED,
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.UNJUDGED,
    Outcome.NOT_RUN,
    Outcome.PASSED,
)
"""How plans are listed: what was missed first."""


@dataclass(frozen=True)
class Picture:
    """A screenshot in which a quotation was seen; a page holds each one once."""

    number: int
    file: Path


@dataclass(frozen=True)
class Quote:
    """What a grader says was on screen."""

    text: str
    look: int
    """0 when no look shows it."""
    picture: int | None
    """Number of the screenshot."""


@dataclass(frozen=True)
class CheckLine:
    """A grader's answer to one check."""

    verdict: CheckVerdict
    says: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class StepLine:
    """A grader's answer to one step."""

    verdict: StepVerdict
    checks: tuple[CheckLine, ...]


@dataclass(frozen=True)
class GradeView:
    """One grade, and the screenshots that it is the first to show."""

    grade: Grade
    steps: tuple[StepLine, ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class PlanView:
    """One plan with its grades."""

    finding: PlanFinding
    grades: tuple[GradeView, ...]
    log: str
    """What its reason says beyond the first line."""

    @property
    def telling(self) -> GradeView | None:
        """The first grade that fails the plan: it says why."""
        return next((it for it in self.grades if it.grade.passed is False), None)


@dataclass(frozen=True)
class StageView:
    """One stage and what was said in it."""

    number: int
    stage: StageRecord
    ending: str
    share: float
    """Of the longest stage's seconds, 0..100."""


@dataclass(frozen=True)
class Talk:
    """A part of the transcript."""

    stage: str
    """Empty for what belongs to none."""
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class GrowView(AttemptView[RowScore]):
    """One build's page."""

    card: GrowScorecard | None
    counts: dict[Outcome, int]
    judged: int
    passed: int
    stages: tuple[StageView, ...]
    plans: tuple[PlanView, ...]
    grades: int
    thrown_out: int
    grading_cost: float | None
    talks: tuple[Talk, ...]


def attempt_view(record: AttemptRecord, row: RowView[RowScore], screens: Mapping[str, Path]) -> GrowView:
    """One recorded build's page.

    Args:
        record: The build.
        row: Its row's view.
        screens: Screenshots' files by name.
    """
    card = record.grow
    findings = card.findings if card else ()
    counted = Counter(f.outcome for f in findings)
    grades = [grade for f in findings for grade in f.grades]
    costs = [grade.cost for grade in grades]
    common = common_view(record, row, screens)
    pictures: dict[str, Picture] = {}
    return GrowView(
        **common,
        card=card,
        counts={outcome: counted[outcome] for outcome in Outcome},
        judged=len(judged_plans(findings)),
        passed=counted[Outcome.PASSED],
        stages=_stages(card.stages if card else ()),
        plans=tuple(_plan(f, screens, pictures) for f in sorted(findings, key=_place)),
        grades=len(grades),
        thrown_out=sum(grade.passed is None for grade in grades),
        grading_cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        talks=tuple(_talks(record, common["turns"])),
    )


def _place(found: PlanFinding) -> tuple[int, str]:
    return ORDER.index(found.outcome), found.plan


def _stages(stages: Sequence[StageRecord]) -> tuple[StageView, ...]:
    longest = max((stage.seconds for stage in stages), default=0.0) or 1.0
    return tuple(
        StageView(n, stage, ENDING_TEXT[stage.ending], 100 * stage.seconds / longest)
        for n, stage in enumerate(stages, 1)
    )


def _plan(found: PlanFinding, screens: Mapping[str, Path], pictures: dict[str, Picture]) -> PlanView:
    return PlanView(
        finding=found,
        grades=tuple(_grade(grade, found.checks, screens, pictures) for grade in found.grades),
        log=found.reason.partition("\n")[2],
    )


def _grade(
    grade: Grade, says: Mapping[str, str], screens: Mapping[str, Path], pictures: dict[str, Picture]
) -> GradeView:
    before = len(pictures)
    for step in grade.steps:
        for name in (name for check in step.checks for name in check.pictures):
            if name in screens:
                pictures.setdefault(name, Picture(len(pictures) + 1, screens[name]))
    return GradeView(
        grade=grade,
        steps=tuple(
            StepLine(
                step, tuple(CheckLine(c, says.get(c.check, ""), _quotes(c, pictures)) for c in step.checks)
            )
            for step in grade.steps
        ),
        pictures=tuple(pictures.values())[before:],
    )


def _quotes(check: CheckVerdict, pictures: Mapping[str, Picture]) -> tuple[Quote, ...]:
    """A check's quotations; a grade that a person made has no looks."""
    looks = (*check.looks, *[0] * len(check.quotes))
    names = (*check.pictures, *[""] * len(check.quotes))
    return tuple(
        Quote(text, look, pictures[name].number if name in pictures else None)
        for text, look, name in zip(check.quotes, looks, names, strict=False)
    )


def _talks(record: AttemptRecord, turns: Sequence[Turn]) -> Iterator[Talk]:
    """The transcript in parts: a message that names a stage begins one."""
    name, own = "", list[Turn]()
    for message, turn in zip(record.transcript, turns, strict=True):
        if (stage := message.get("stage")) and isinstance(stage, str):
            if own:
                yield Talk(name, tuple(own))
            name, own = stage, []
        own.append(turn)
    if own:
        yield Talk(name, tuple(own))
