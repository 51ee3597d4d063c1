"""The score of an adopted product under ViBench 1.0's own rules (protocols, Grow 17)."""

from tenure.schema.shape import Shape


class PlanScore(Shape):
    """What one plan earned."""

    plan: str
    part: str
    earned: int
    points: int
    passed: bool
    """Full points."""


class PartScore(Shape):
    """The MVP, one feature, or the finished product."""

    part: str
    plans: int
    """Judged."""
    passed: bool
    """Every judged plan has full points."""
    score: float
    """Mean over its judged plans of the share of points, 0..1."""


class V1Score(Shape):
    """One product's build under ViBench 1.0's rules. ``None`` where nothing was judged."""

    pass_1: float | None
    """Share of parts that passed."""
    score: float | None
    """Mean over parts."""
    parts: tuple[PartScore, ...]
    plans: tuple[PlanScore, ...]
    unjudged: tuple[str, ...]
    """Plans without a finished grade: left out, and listed."""
