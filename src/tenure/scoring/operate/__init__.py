"""Scores of the operate suite: scorecards of attempts, rows (protocols, Operate 1, 2, 4, 5 and 6)."""

from tenure.scoring.operate.parts import (
    VISION,
    Calibration,
    Group,
    Stage,
    apps_of,
    expected_resolved,
    group,
    numbers_of,
    stages,
    text_only,
)
from tenure.scoring.operate.rows import RowScore, score_rows
from tenure.scoring.operate.scorecard import checkpoint, earned, score_task, union

__all__ = [
    "VISION",
    "Calibration",
    "Group",
    "RowScore",
    "Stage",
    "apps_of",
    "checkpoint",
    "earned",
    "expected_resolved",
    "group",
    "numbers_of",
    "score_rows",
    "score_task",
    "stages",
    "text_only",
    "union",
]
