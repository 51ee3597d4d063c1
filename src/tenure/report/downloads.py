"""The tables that a report offers for download."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tenure.report.text import slug, visible
from tenure.schema import AttemptRecord, Outcome
from tenure.scoring import RowScore

FORMULA = frozenset("=+-@")
"""First characters that make a spreadsheet run a cell."""


def attempts_table(records: Sequence[AttemptRecord]) -> list[dict[str, Any]]:
    """One line per attempt."""
    return [
        {
            **_identity(r),
            "page": f"attempts/{slug(r)}.html",
            "title": r.title,
            "seed": r.seed,
            "outcome": r.outcome,
            "ending": r.scorecard and r.scorecard.ending,
            "reason": (r.scorecard and r.scorecard.reason) or r.error,
            "passed": r.scorecard and r.scorecard.passed,
            "clean_pass": r.scorecard and r.scorecard.clean_pass,
            "partial": r.scorecard and r.scorecard.partial,
            "patterns": " ".join(r.scorecard.patterns) if r.scorecard else None,
            "strays": len(r.scorecard.strays) if r.scorecard else None,
            "steps": r.usage.steps,
            "input_tokens": r.usage.input_tokens,
            "output_tokens": r.usage.output_tokens,
            "minutes": r.usage.seconds / 60,
            "cost_usd": r.usage.cost,
            "started": r.started,
            "ended": r.ended,
            "task_hash": r.provenance.task_hash,
            "world_hash": r.provenance.world_hash,
            "proof_hash": r.provenance.proof_hash,
        }
        for r in records
    ]


def checks_table(records: Sequence[AttemptRecord]) -> list[dict[str, Any]]:
    """One line per check of each graded attempt."""
    return [
        {
            **_identity(r),
            "check": f.check,
            "says": f.says,
            "outcome": f.outcome,
            "required": f.required,
            "guard": f.guard,
            "judged": f.judged,
            "weight": f.weight,
            "saw": f.saw,
            "error": f.error,
            "judges": "; ".join(f"{v.judge}: {v.passed}" for v in f.verdicts),
        }
        for r in records
        if r.scorecard is not None
        for f in r.scorecard.findings
    ]


def rows_table(scores: Sequence[RowScore]) -> list[dict[str, Any]]:
    """One line per row."""
    return [
        {
            "rank": s.rank,
            "agent": s.row.agent,
            "model": s.row.model,
            "interface": s.row.reached_by,
            "ranks": s.row.ranks,
            "tasks": len(s.plan),
            "planned": s.planned,
            **{outcome.value: s.counts[outcome] for outcome in Outcome},
            "pass_1": s.pass_1,
            "pass_1_low": s.pass_1_interval and s.pass_1_interval.low,
            "pass_1_high": s.pass_1_interval and s.pass_1_interval.high,
            "pass_1_exact_range": s.pass_1_interval and s.pass_1_interval.exact,
            "pass_3": s.pass_3,
            "clean_pass": s.clean_pass,
            "mean_partial": s.mean_partial,
            **{f"unbiased_pass_at_{k}": value for k, value in s.unbiased_pass_at.items()},
            **{f"unbiased_pass_hat_{k}": value for k, value in s.unbiased_pass_hat.items()},
            "median_steps": s.median_steps,
            "median_tokens": s.median_tokens,
            "median_minutes": s.median_minutes,
            "median_cost_usd": s.median_cost,
            **{f"failed_{p.id}": p.share for p in s.patterns},
            "judge_checks": s.judge_checks,
            "judge_agreement": s.judge_agreement,
            "settings": s.row.settings,
            "commit": s.row.commit,
            "seeds": " ".join(map(str, s.row.seeds)),
            "sandbox": s.row.sandbox,
            "image": s.row.image,
        }
        for s in scores
    ]


def to_csv(table: Sequence[Mapping[str, Any]]) -> str:
    """Comma-separated text that no spreadsheet takes for formulas; what is not measured is empty."""
    columns = list(dict.fromkeys(name for line in table for name in line))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(line.get(name)) for name in columns] for line in table)
    return out.getvalue()


def to_json(
    title: str, scores: Sequence[RowScore], attempts: Iterable[Mapping[str, Any]], checks: Iterable[Any]
) -> str:
    """The whole report, less the attempts' journals, logs and transcripts, which have their own files."""
    document = {
        "title": title,
        "rows": [score.model_dump(mode="json") for score in scores],
        "attempts": list(attempts),
        "checks": list(checks),
    }
    return json.dumps(document, indent=1) + "\n"


def _identity(record: AttemptRecord) -> dict[str, Any]:
    row = record.row
    return {
        "suite": record.suite,
        "agent": row.agent,
        "model": row.model,
        "interface": row.reached_by,
        "task": record.task,
        "attempt": record.attempt,
    }


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = visible(value)
    # Spreadsheets skip leading space, and some fold full-width signs.
    first = unicodedata.normalize("NFKC", text.lstrip()[:1])
    return f"'{text}" if first in FORMULA or text[:1].isspace() else text
