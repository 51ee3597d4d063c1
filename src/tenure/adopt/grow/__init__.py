"""Adoption of released ViBench 1.0 products: a folder of theirs becomes a grow task folder of ours.

Plans keep their words. What plans of ours do not know (points, fatality, parts) stays beside them, and
``v1_step_scores`` and ``v1_score`` score by it.
"""

from tenure.adopt.grow.folder import Adopted, adopt, read_released, write
from tenure.adopt.grow.released import (
    ReleasedPlan,
    ReleasedStep,
    StepScore,
    V1Rules,
    v1_score,
    v1_step_scores,
)
from tenure.adopt.grow.spans import cut, together

__all__ = [
    "Adopted",
    "ReleasedPlan",
    "ReleasedStep",
    "StepScore",
    "V1Rules",
    "adopt",
    "cut",
    "read_released",
    "together",
    "v1_score",
    "v1_step_scores",
    "write",
]
