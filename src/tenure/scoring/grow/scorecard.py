"""From findings and stages to the scorecard of one build (protocols, Grow 2, 8 and 11–13)."""

from collections.abc import Sequence
from enum import StrEnum

from tenure.schema.grow import Product
from tenure.schema.v1 import V1Score
from tenure.schema.verdict import Cause, GrowScorecard, PlanFinding, StageRecord
from tenure.schema.words import Ending, Outcome
from tenure.scoring.outcome import ENDING_TEXT

UNGRADED = frozenset({Outcome.ERROR, Outcome.NOT_RUN})
"""Outcomes of plans that say nothing about the product, and keep their place in the denominator."""


class Ruin(StrEnum):
    """Why a build failed every plan (seed 001 §4.3)."""

    START = "start"
    """The product did not start."""
    SEED = "seed"
    """Seeding failed for every plan that was not failed otherwise."""
    PLANS = "plans"
    """It ran and was graded, and no plan passed."""


def score_build(
    product: Product,
    findings: Sequence[PlanFinding],
    stages: Sequence[StageRecord],
    *,
    planned_stages: int,
    error: str = "",
    v1: V1Score | None = None,
) -> GrowScorecard:
    """Add up one build. A pure function: equal arguments, equal scorecard.

    Args:
        product: The product.
        findings: One per plan; empty when grading never began.
        stages: The stages that ran, in order.
        planned_stages: How many the product has.
        error: What kept the build from being made or graded, if something of ours did.
        v1: Its points, if it is scored by ViBench 1.0's rules.
    """
    ending = stages[-1].ending if stages else Ending.FAULT
    judged = judged_plans(findings)
    passed = sum(finding.outcome is Outcome.PASSED for finding in judged)
    outcome, reason = _outcome(findings, ending, error)
    measured = outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.BLOCKED)
    return GrowScorecard(
        task=product.id,
        version=product.version,
        subset=product.subset,
        rules=product.rules,
        outcome=outcome,
        ending=ending,
        reason=reason or _stopped(stages, planned_stages),
        plan_pass_rate=passed / len(judged) if measured else None,
        short_by=len(judged) - passed if measured else None,
        stages=tuple(stages),
        planned_stages=planned_stages,
        findings=tuple(findings),
        v1=v1 if measured else None,
    )


def judged_plans(findings: Sequence[PlanFinding]) -> list[PlanFinding]:
    """The plans that both scores count: all but those that no grade of finished (Grow 11)."""
    return [finding for finding in findings if finding.outcome is not Outcome.UNJUDGED]


def ruin_of(card: GrowScorecard) -> Ruin | None:
    """Why a build failed every plan; ``None`` for a build that passed one, or was not measured."""
    if card.plan_pass_rate is None or card.plan_pass_rate > 0:
        return None
    causes = {finding.cause for finding in judged_plans(card.findings)}
    if Cause.START in causes:
        return Ruin.START
    return Ruin.SEED if causes == {Cause.SEED} else Ruin.PLANS


def _outcome(findings: Sequence[PlanFinding], ending: Ending, error: str) -> tuple[Outcome, str]:
    if error or ending is Ending.FAULT:
        return Outcome.ERROR, error or ENDING_TEXT[Ending.FAULT]
    if not findings:
        return Outcome.ERROR, "no plan was graded"
    judged = judged_plans(findings)
    if not judged:
        return Outcome.UNJUDGED, "no grade of any plan finished"
    if all(finding.outcome is Outcome.NOT_RUN for finding in judged):
        return Outcome.NOT_RUN, "no plan was graded"
    ungraded = next((finding for finding in judged if finding.outcome in UNGRADED), None)
    if ungraded is not None:
        return Outcome.ERROR, f"plan {ungraded.plan} was not graded: {ungraded.reason or ungraded.outcome}"
    if all(finding.outcome is Outcome.BLOCKED for finding in judged):
        return Outcome.BLOCKED, judged[0].reason
    passed = all(finding.outcome is Outcome.PASSED for finding in judged)
    return (Outcome.PASSED if passed else Outcome.FAILED), ""


def _stopped(stages: Sequence[StageRecord], planned: int) -> str:
    """How a build ended before its last stage, in one line."""
    if not stages or (len(stages) == planned and stages[-1].ending is Ending.DONE):
        return ""
    last = stages[-1]
    where = f"stage {len(stages)} of {planned}, {last.stage}: {ENDING_TEXT[last.ending]}"
    return where if last.ending is not Ending.DONE else f"{where}; the build went no further"
