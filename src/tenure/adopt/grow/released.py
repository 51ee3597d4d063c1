"""ViBench 1.0's plans and its own rules (protocols, Grow 17).

A step earns its points when everything in it passes. What is not marked as non-fatal is fatal: failing it
ends the plan, later steps earn nothing, earlier points stay. A plan is graded once, and passes with full
points. The MVP and each feature are parts of their own, each built in a fresh conversation.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Literal

from tenure.adopt.grow.units import Unit, UnitKind
from tenure.schema.shape import Shape
from tenure.schema.v1 import PartScore, PlanScore, V1Score
from tenure.schema.verdict import Grade, PlanFinding, Standing, StepVerdict
from tenure.schema.words import Outcome

FINAL = "final"
"""The part of plans that are for the finished product only."""


class V1Rules(Shape):
    """The declared profile of an adopted product."""

    grades_per_plan: int = 1
    conversation: Literal["fresh"] = "fresh"
    """Each feature is built in one of its own, on the MVP."""
    parts: Literal["apart"] = "apart"
    """MVP and features are graded each for itself."""
    fatal: Literal["unmarked"] = "unmarked"
    """What ends a plan when it fails: all that is not marked as non-fatal."""
    failed_seeding: Literal["fails"] = "fails"
    """A plan whose seeding fails has no points."""


class ReleasedStep(Shape):
    """One step of a released plan."""

    name: str
    """In our form; the adopted plan's step of the name."""
    released: str
    """As released."""
    points: int
    text: str
    """The step's own text as released: actions and verifications in their order, for whoever walks it."""
    units: tuple[Unit, ...]
    commentary: tuple[str, ...] = ()
    """Its ``[Commentary: …]`` blocks: variants that are to pass."""


class ReleasedPlan(Shape):
    """What a released plan says beyond what plans of ours do."""

    plan: str
    """The adopted plan's id."""
    part: str
    """The stage that it grades, or ``final``."""
    regression: bool = False
    """Whether it checks a feature's build against the MVP's behaviour."""
    full_points: int
    steps: tuple[ReleasedStep, ...]


class StepScore(Shape):
    """What one step earned."""

    step: str
    points: int
    """At most."""
    earned: int
    reached: bool
    """Whether no fatal failure came before it."""
    failed: tuple[str, ...] = ()
    """Its units that failed, as ``action 2`` or ``check 1``."""


def check_id(step: str, number: int) -> str:
    """The id of an adopted plan's check, from its step and number."""
    return f"{step}.{number}"


def v1_step_scores(plan: ReleasedPlan, verdicts: Sequence[StepVerdict]) -> tuple[StepScore, ...]:
    """Points of each step, from one finished grade.

    Args:
        plan: The released plan.
        verdicts: The grade's steps. An action passed unless it is among the undone.

    Raises:
        ValueError: A step that the plan came to has no verdict, or one of its checks has none.
    """
    by_name = {verdict.step: verdict for verdict in verdicts}
    scores: list[StepScore] = []
    reached = True
    for step in plan.steps:
        failed = _failed(step, by_name.get(step.name), plan.plan) if reached else []
        earned = step.points if reached and not failed else 0
        told = tuple(f"{unit.kind} {unit.number}" for unit in failed)
        scores.append(
            StepScore(step=step.name, points=step.points, earned=earned, reached=reached, failed=told)
        )
        reached = reached and not any(unit.fatal for unit in failed)
    return tuple(scores)


def _failed(step: ReleasedStep, verdict: StepVerdict | None, plan: str) -> list[Unit]:
    if verdict is None:
        raise ValueError(f"{plan}: step {step.name} has no verdict")
    passed = {check.check: check.passed for check in verdict.checks}
    failed = []
    for unit in step.units:
        key = check_id(step.name, unit.number)
        if unit.kind is UnitKind.CHECK and key not in passed:
            raise ValueError(f"{plan}: check {key} has no verdict")
        if not (unit.number not in verdict.undone if unit.kind is UnitKind.ACTION else passed[key]):
            failed.append(unit)
    if not failed and not verdict.passed:
        # A step without verifications is asked whether its actions could be done.
        failed = list(step.units)
    return failed


def v1_score(plans: Iterable[ReleasedPlan], findings: Iterable[PlanFinding]) -> V1Score:
    """A product's scores. A blocked plan has no points, one that was never judged is left out.

    Args:
        plans: The released plans.
        findings: What was found about the adopted ones, by the same ids.

    Raises:
        ValueError: A grade that counts does not answer what the plan asks.
    """
    found = {finding.plan: finding for finding in findings}
    scores: list[PlanScore] = []
    unjudged: list[str] = []
    for plan in plans:
        finding = found.get(plan.plan)
        if finding is None or finding.outcome in (Outcome.UNJUDGED, Outcome.ERROR, Outcome.NOT_RUN):
            unjudged.append(plan.plan)
            continue
        earned = sum(score.earned for score in _of_finding(plan, finding))
        scores.append(
            PlanScore(
                plan=plan.plan,
                part=plan.part,
                earned=earned,
                points=plan.full_points,
                passed=earned == plan.full_points,
            )
        )
    by_part: dict[str, list[PlanScore]] = {}
    for score in scores:
        by_part.setdefault(score.part, []).append(score)
    parts = tuple(_part(by_part))
    return V1Score(
        pass_1=sum(part.passed for part in parts) / len(parts) if parts else None,
        score=fsum(part.score for part in parts) / len(parts) if parts else None,
        parts=parts,
        plans=tuple(scores),
        unjudged=tuple(unjudged),
    )


def _of_finding(plan: ReleasedPlan, finding: PlanFinding) -> Sequence[StepScore]:
    counting: list[Grade] = [g for g in finding.grades if g.standing is Standing.COUNTS]
    return v1_step_scores(plan, counting[0].steps) if counting else ()


def _part(by_part: Mapping[str, Sequence[PlanScore]]) -> Iterable[PartScore]:
    for name, own in by_part.items():
        shares = [score.earned / score.points if score.points else 0.0 for score in own]
        yield PartScore(
            part=name,
            plans=len(own),
            passed=all(score.passed for score in own),
            score=fsum(shares) / len(shares),
        )
