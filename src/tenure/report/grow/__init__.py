"""The grow suite's part of a report."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.report.grow.attempt import attempt_view
from tenure.report.grow.downloads import (
    attempts_table,
    grades_table,
    plans_table,
    products_table,
    rows_table,
    stages_table,
)
from tenure.report.grow.views import cell_label, product_views
from tenure.report.pages import AttemptPage, Page, SuitePages
from tenure.report.views import row_views, span
from tenure.schema import AttemptRecord, Outcome, Row
from tenure.schema.grow import PlanKind, Subset
from tenure.scoring import Plan
from tenure.scoring.grow import score_rows, subsets


def pages(
    records: Sequence[AttemptRecord], planned: Mapping[Row, Plan] | None, screens: Mapping[str, Path]
) -> SuitePages:
    """All pages and tables of the grow builds.

    Raises:
        BadInput: The records cannot be scored.
    """
    scores = score_rows(records, planned=planned)
    rows = row_views(scores, records, cell_label)
    by_row = {view.score.row: view for view in rows}
    counts = {outcome: sum(score.counts[outcome] for score in scores) for outcome in Outcome}
    tables = {
        "grow-rows": rows_table(scores),
        "grow-products": products_table(scores),
        "grow-attempts": attempts_table(records),
        "grow-stages": stages_table(records),
        "grow-plans": plans_table(records),
        "grow-grades": grades_table(records),
    }
    return SuitePages(
        name="Grow",
        home=Page(
            "grow/index.html",
            {
                "rows": rows,
                "products": product_views(rows, records),
                "subsets": subsets(scores),
                "kinds": list(PlanKind),
                "parts_of": list(Subset),
                "counts": counts,
                "planned": sum(counts.values()),
                **span(records),
            },
        ),
        attempts=[AttemptPage("grow/attempt.html", attempt_view(r, by_row[r.row], screens)) for r in records],
        tables=tables,
        document={
            "rows": [score.model_dump(mode="json") for score in scores],
            "attempts": tables["grow-attempts"],
            "plans": tables["grow-plans"],
            "subsets": subsets(scores).model_dump(mode="json"),
        },
    )
