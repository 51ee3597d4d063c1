"""Attempts of several suites, each to its own suite's rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tenure.schema import AttemptRecord, Row, Suite
from tenure.scoring import build, carry, grow, operate
from tenure.scoring.rows import Plan

Score = carry.RowScore | build.RowScore | grow.RowScore | operate.RowScore
SCORES: dict[Suite, Callable[..., Sequence[Score]]] = {
    Suite.CARRY: carry.score_rows,
    Suite.OPERATE: operate.score_rows,
    Suite.BUILD: build.score_rows,
    Suite.GROW: grow.score_rows,
}
"""Suite → what scores its rows."""


class Part(NamedTuple):
    """One suite's share of some attempts.

    Attributes:
        records: Its attempts.
        planned: Its rows' plans.
    """

    records: list[AttemptRecord]
    planned: dict[Row, Plan]


def by_suite(
    records: Sequence[AttemptRecord], planned: Mapping[Row, Plan] | None = None
) -> dict[Suite, Part]:
    """Attempts and plans by suite; suites that have neither are left out."""
    parts = {suite: Part([], {}) for suite in SCORES}
    suites = {record.row: record.suite for record in records}
    for record in records:
        parts[record.suite].records.append(record)
    for row, plan in (planned or {}).items():
        parts[suites.get(row) or row.suite].planned[row] = plan
    return {suite: part for suite, part in parts.items() if part.records or part.planned}


def score_suites(
    records: Sequence[AttemptRecord], planned: Mapping[Row, Plan] | None = None
) -> dict[Suite, Sequence[Score]]:
    """The rows of every suite, scored by its own protocol.

    Raises:
        BadInput: The records cannot be scored.
    """
    return {
        suite: SCORES[suite](part.records, planned=part.planned)
        for suite, part in by_suite(records, planned).items()
    }
