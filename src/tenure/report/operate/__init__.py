"""The operate suite's part of a report."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.report.operate.downloads import attempts_table, checks_table, rows_table
from tenure.report.operate.views import attempt_view, cell_label, claims, task_views
from tenure.report.pages import AttemptPage, Page, SuitePages
from tenure.report.views import row_views, span
from tenure.schema import AttemptRecord, Outcome, Row
from tenure.schema.operate import OperateDomain, Track
from tenure.scoring import Plan
from tenure.scoring.operate import score_rows


def pages(
    records: Sequence[AttemptRecord], planned: Mapping[Row, Plan] | None, screens: Mapping[str, Path]
) -> SuitePages:
    """All pages and tables of the operate attempts.

    Raises:
        BadInput: The records cannot be scored.
    """
    scores = score_rows(records, planned=planned)
    rows = row_views(scores, records, cell_label)
    by_row = {view.score.row: view for view in rows}
    counts = {outcome: sum(score.counts[outcome] for score in scores) for outcome in Outcome}
    tables = {
        "operate-attempts": attempts_table(records),
        "operate-checks": checks_table(records),
        "operate-rows": rows_table(scores),
    }
    return SuitePages(
        name="Operate",
        home=Page(
            "operate/index.html",
            {
                "rows": rows,
                "tasks": task_views(rows, records),
                "counts": counts,
                "planned": sum(counts.values()),
                "tracks": [t for t in Track if any(t in score.tracks for score in scores)],
                "domains": [d for d in OperateDomain if any(d in score.domains for score in scores)],
                "spans": sorted({name for score in scores for name in score.apps}),
                "largest_k": max((k for score in scores for k in score.resolved_at_first), default=0),
                "claims": {view.key: claims(view.score.calibration) for view in rows},
                **span(records),
            },
        ),
        attempts=[
            AttemptPage("operate/attempt.html", attempt_view(record, by_row[record.row], screens))
            for record in records
        ],
        tables=tables,
        document={
            "rows": [score.model_dump(mode="json") for score in scores],
            "attempts": tables["operate-attempts"],
            "checks": tables["operate-checks"],
        },
    )
