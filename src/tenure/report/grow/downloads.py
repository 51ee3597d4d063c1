"""The grow suite's tables."""

from collections.abc import Sequence
from typing import Any

from tenure.report.downloads import Table, attempt_line, identity, row_line
from tenure.schema import AttemptRecord, Outcome
from tenure.schema.grow import PlanKind, Subset
from tenure.scoring.grow import Pair, RowScore
from tenure.scoring.statistics import Interval


def attempts_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per build."""
    lines = []
    for r in records:
        card = r.grow
        lines.append(
            attempt_line(
                r,
                card.ending if card else None,
                card.reason if card else "",
                subset=card and card.subset,
                plan_pass_rate=card and card.plan_pass_rate,
                short_by=card and card.short_by,
                stages=card and len(card.stages),
                planned_stages=card and card.planned_stages,
                summaries=card and sum(stage.summaries for stage in card.stages),
                plans=card and len(card.findings),
                **{
                    f"plans_{outcome.value}": card and sum(f.outcome is outcome for f in card.findings)
                    for outcome in Outcome
                },
                grades=card and sum(len(f.grades) for f in card.findings),
            )
        )
    return lines


def stages_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per stage that ran."""
    return [
        {
            **identity(r),
            "number": n,
            "stage": stage.stage,
            "ending": stage.ending,
            "steps": stage.steps,
            "minutes": stage.seconds / 60,
            "cost_usd": stage.cost,
            "summaries": stage.summaries,
            "reason": stage.reason,
        }
        for r in records
        if r.grow is not None
        for n, stage in enumerate(r.grow.stages, 1)
    ]


def plans_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per plan of each build."""
    return [
        {
            **identity(r),
            "plan": f.plan,
            "title": f.title,
            "kind": f.kind,
            "features": " ".join(f.features),
            "outcome": f.outcome,
            "cause": f.cause,
            "reason": f.reason,
            "grades": len(f.grades),
            "grades_pass": sum(grade.passed is True for grade in f.grades),
            "grades_fail": sum(grade.passed is False for grade in f.grades),
            "grades_without_count": sum(grade.passed is None for grade in f.grades),
        }
        for r in records
        if r.grow is not None
        for f in r.grow.findings
    ]


def grades_table(records: Sequence[AttemptRecord]) -> Table:
    """One line per grade of each plan, with the checks that it fails."""
    return [
        {
            **identity(r),
            "plan": f.plan,
            "vote": grade.vote,
            "try": grade.attempt,
            "standing": grade.standing,
            "passed": grade.passed,
            "failed_checks": " ".join(c.check for step in grade.steps for c in step.checks if not c.passed),
            "reason": grade.reason,
            "grader": grade.grader,
            "minutes": grade.seconds / 60,
            "cost_usd": grade.cost,
        }
        for r in records
        if r.grow is not None
        for f in r.grow.findings
        for grade in f.grades
    ]


def rows_table(scores: Sequence[RowScore]) -> Table:
    """One line per row."""
    return [
        row_line(
            s,
            **_scores(s),
            **_ends("pass_1", s.pass_1_interval),
            **_ends("plan_pass_rate", s.plan_pass_rate_interval),
            **{
                f"{subset.value}_{k}": v
                for subset in Subset
                for k, v in _scores(s.by_subset.get(subset)).items()
            },
            mean_minutes=s.mean_minutes,
            mean_cost_usd=s.mean_cost,
            **{f"plans_{outcome.value}": s.plan_counts[outcome] for outcome in Outcome},
            **{f"{_word(kind)}_plans_missed": s.failures[kind].count for kind in PlanKind},
            **{f"{_word(kind)}_plans_judged": s.failures[kind].of for kind in PlanKind},
            failed_builds=s.failed_builds,
            short_by_one=s.short_by_one,
            short_by_two=s.short_by_two,
            only_combined=s.only_combined,
            complete_failures=len(s.complete_failures),
            no_grades=len(s.no_grades),
        )
        for s in scores
    ]


def products_table(scores: Sequence[RowScore]) -> Table:
    """One line per row and product."""
    return [
        {
            "agent": s.row.agent,
            "model": s.row.model,
            "task": task,
            "builds": own.builds,
            **{outcome.value: own.counts[outcome] for outcome in Outcome},
            **_scores(own),
            "mean_minutes": own.mean_minutes,
            "mean_cost_usd": own.mean_cost,
        }
        for s in scores
        for task, own in s.by_product.items()
    ]


def _scores(pair: Pair | None) -> dict[str, Any]:
    return {"pass_1": pair and pair.pass_1, "plan_pass_rate": pair and pair.plan_pass_rate}


def _ends(name: str, found: Interval | None) -> dict[str, Any]:
    return {f"{name}_low": found and found.low, f"{name}_high": found and found.high}


def _word(kind: PlanKind) -> str:
    return kind.value.replace("-", "_")
