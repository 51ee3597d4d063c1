"""The operate suite's tables."""

from collections.abc import Sequence

from tenure.report.downloads import Table, attempt_line, identity, row_line
from tenure.schema import AttemptRecord, Outcome
from tenure.schema.operate import OperateDomain, Track
from tenure.scoring.operate import RowScore


def attempts_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per attempt."""
    return [
        attempt_line(
            r,
            card.ending if card else None,
            card.reason if card else "",
            domain=card and card.domain,
            track=card and card.track,
            apps=" ".join(card.apps) if card else None,
            resolved=card and card.resolved,
            checkpoint=card and card.checkpoint,
            claimed=card and card.claimed,
            checks=len(card.findings) if card else None,
            checks_passed=sum(f.outcome is Outcome.PASSED for f in card.findings) if card else None,
            notes="; ".join(card.notes) if card else None,
        )
        for r in records
        for card in [r.operate]
    ]


def checks_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per check of each graded attempt, in the task's order."""
    return [
        {
            **identity(r),
            "place": place,
            "check": f.check,
            "says": f.says,
            "app": f.app,
            "kind": f.kind,
            "guard": f.guard,
            "weight": f.weight,
            "outcome": f.outcome,
            "saw": f.saw,
            "error": f.error,
            "judges": "; ".join(f"{v.judge}: {v.passed}" for v in f.verdicts),
        }
        for r in records
        if r.operate is not None
        for place, f in enumerate(r.operate.findings, 1)
    ]


def rows_table(scores: Sequence[RowScore]) -> Table:
    """One line per row. Scores are in 0..100, shares in 0..1."""
    return [
        row_line(
            s,
            text_only=s.text_only,
            checkpoint=s.checkpoint,
            resolved=s.resolved,
            union=s.union,
            **{f"checkpoint_at_{k}": value for k, value in s.checkpoint_at.items()},
            **{f"resolved_at_{k}_first": value for k, value in s.resolved_at_first.items()},
            **{f"resolved_at_{k}_unbiased": value for k, value in s.resolved_at_unbiased.items()},
            **{f"track_{t}": s.tracks[t].checkpoint if t in s.tracks else None for t in Track},
            **{f"domain_{d}": s.domains[d].checkpoint if d in s.domains else None for d in OperateDomain},
            early=s.early.rate,
            late=s.late.rate,
            check_rate=s.check_rate,
            expected_resolved=s.expected_resolved,
            unjudged_weight=s.unjudged_weight,
            error_weight=s.error_weight,
        )
        for s in scores
    ]
