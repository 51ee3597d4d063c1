"""Parts of an operate row: groups of tasks, early and late checks, what agents say of themselves."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from tenure.schema import AttemptRecord, Row, Shape
from tenure.schema.operate import OperateFinding, OperateScorecard
from tenure.schema.words import Outcome
from tenure.scoring.operate.scorecard import union

MANY = 3
"""From so many apps on, tasks are one group."""
VISION = "vision"
"""Key of the settings record that is false for a model that takes no pictures."""
Key = tuple[str, str]
"""A task and its hash."""


class Group(Shape):
    """Some tasks of a row. Scores are in 0..100, shares in 0..1."""

    tasks: int
    checkpoint: float | None
    """Mean over the tasks of their attempts' mean Checkpoint score."""
    resolved: float | None
    """Mean over the tasks of the share of their attempts that are resolved."""


class Stage(Shape):
    """Checks of one part of their tasks' order, over all attempts."""

    checks: int
    passed: int

    @property
    def rate(self) -> float | None:
        """Share that passed, in 0..1."""
        return self.passed / self.checks if self.checks else None


class Calibration(Shape):
    """Attempts by what the agent said of itself and what is true."""

    claimed: bool | None
    """``True``: it said that it succeeded; ``False``: that it did not; ``None``: nothing."""
    resolved: bool
    attempts: int
    checkpoint: float | None
    """Mean Checkpoint score of these attempts, 0..100."""


class TaskNumbers(Shape):
    """One task of a row, as its planned attempts came out."""

    checkpoints: tuple[float, ...]
    """Checkpoint score of each planned attempt, in order, 0..1; 0 where there is none."""
    resolved: tuple[bool, ...]
    union: float
    """0..1."""

    def best_of_first(self, k: int) -> float:
        """The best Checkpoint score among the first ``k`` attempts, 0..1."""
        return max(self.checkpoints[:k])


def numbers_of(plan: int, records: Sequence[AttemptRecord]) -> TaskNumbers:
    """One task's numbers. An attempt that was never made, or never graded, counts 0."""
    cards = {r.attempt: r.operate for r in records if r.operate is not None}
    graded = [card for card in cards.values() if card.checkpoint is not None]
    order = [cards.get(n) for n in range(1, plan + 1)]
    return TaskNumbers(
        checkpoints=tuple((card.checkpoint or 0.0) if card else 0.0 for card in order),
        resolved=tuple(card is not None and card.resolved for card in order),
        union=union([card.findings for card in graded]) if graded else 0.0,
    )


def group(numbers: Iterable[TaskNumbers]) -> Group:
    """Scores of some tasks; ``None`` where there is no task."""
    held = list(numbers)
    return Group(
        tasks=len(held),
        checkpoint=mean([100 * mean_of(one.checkpoints) for one in held]),
        resolved=mean([mean_of(one.resolved) for one in held]),
    )


def grouped(
    numbers: Mapping[str, TaskNumbers], cards: Mapping[str, OperateScorecard], key: Callable[..., Any]
) -> dict[Any, Group]:
    """Tasks by what their scorecard says, in the order of the keys; unknown tasks are left out."""
    found: dict[Any, list[TaskNumbers]] = {}
    for task, card in cards.items():
        found.setdefault(key(card), []).append(numbers[task])
    return {name: group(found[name]) for name in sorted(found)}


def apps_of(card: OperateScorecard) -> str:
    """The group of a task by how many apps it spans: ``1``, ``2`` or ``≥3``."""
    return f"≥{MANY}" if len(card.apps) >= MANY else str(len(card.apps))


def stages(cards: Iterable[OperateScorecard]) -> tuple[Stage, Stage]:
    """Early and late checks: the first and the last half of each task's order.

    The middle one of an odd number of checks is neither.
    """
    early: list[OperateFinding] = []
    late: list[OperateFinding] = []
    for card in cards:
        half = len(card.findings) // 2
        early += card.findings[:half]
        late += card.findings[len(card.findings) - half :]
    return _stage(early), _stage(late)


def whole(cards: Iterable[OperateScorecard]) -> Stage:
    """All checks of some attempts."""
    return _stage([finding for card in cards for finding in card.findings])


def expected_resolved(rate: float, checks: Sequence[int]) -> float | None:
    """Expected share of resolved tasks if each check passed by itself with one chance (Operate 5).

    Args:
        rate: The single check's pass rate ``p``, 0..1.
        checks: How many checks ``N`` each task has.

    Returns:
        Mean over tasks of ``p ** N``, or ``None`` without a task.
    """
    return mean([rate**n for n in checks])


def calibration(cards: Sequence[OperateScorecard]) -> tuple[Calibration, ...]:
    """All six combinations of claim and truth, over graded attempts."""
    found = []
    for claimed, resolved in product((True, False, None), (True, False)):
        own = [card for card in cards if card.claimed is claimed and card.resolved is resolved]
        found.append(
            Calibration(
                claimed=claimed,
                resolved=resolved,
                attempts=len(own),
                checkpoint=mean([100 * card.checkpoint for card in own if card.checkpoint is not None]),
            )
        )
    return tuple(found)


def check_counts(cards: Iterable[OperateScorecard]) -> dict[Outcome, int]:
    """How many checks of some attempts have each outcome."""
    found = Counter(f.outcome for card in cards for f in card.findings)
    return {outcome: found[outcome] for outcome in Outcome}


def known_cards(records: Iterable[AttemptRecord]) -> dict[Key, OperateScorecard]:
    """One scorecard per version of a task: what it says of the task itself is the same in all."""
    found: dict[Key, OperateScorecard] = {}
    for record in records:
        if record.operate is not None and record.operate.findings:
            found.setdefault((record.task, record.provenance.task_hash), record.operate)
    return found


def text_only(row: Row) -> bool:
    """Whether the row's model takes no pictures, by its settings; what is no settings record says nothing."""
    try:
        settings = json.loads(row.settings)
    except ValueError:
        return False
    return isinstance(settings, dict) and settings.get(VISION) is False


def mean(values: Sequence[float]) -> float | None:
    """The mean, or ``None`` of nothing."""
    return mean_of(values) if values else None


def mean_of(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return sum(values) / len(values)


def _stage(findings: Sequence[OperateFinding]) -> Stage:
    return Stage(checks=len(findings), passed=sum(f.outcome is Outcome.PASSED for f in findings))
