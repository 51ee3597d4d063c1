"""The partial score of one carry attempt: for downloads only, it never ranks (protocols, Carry 2)."""

from collections.abc import Sequence

from tenure.schema import CheckFinding, Outcome


def did_new_work(findings: Sequence[CheckFinding]) -> bool:
    """Whether some required check that the untouched world does not satisfy passed (Carry 5)."""
    return any(f.required and not f.guard and f.outcome is Outcome.PASSED for f in findings)


def partial_score(findings: Sequence[CheckFinding]) -> float | None:
    """Weight of what passed over the weight of what was to be graded, in 0..1.

    A guard earns only beside required new work (Carry 5). ``unjudged`` leaves both sums (Carry 6);
    every other outcome, a grader's ``error`` included, keeps its weight in the denominator.

    Returns:
        The share, or ``None`` when there was nothing to grade.
    """
    counted = [f for f in findings if f.outcome is not Outcome.UNJUDGED]
    if not counted:
        return None
    worked = did_new_work(counted)
    earned = sum(f.weight for f in counted if f.outcome is Outcome.PASSED and (worked or not f.guard))
    return earned / sum(f.weight for f in counted)


def judged_weight_share(findings: Sequence[CheckFinding]) -> float:
    """Share of the weight, in 0..1, that judged checks carry, answered or not (Carry 10)."""
    total = sum(f.weight for f in findings)
    return sum(f.weight for f in findings if f.judged) / total if total else 0.0
