"""Scores of the operate suite, row by row (protocols, All suites and Operate 1–6)."""

from collections.abc import Iterable, Mapping, Sequence

from tenure.schema import AttemptRecord, Outcome, Row, Suite
from tenure.schema.operate import OperateDomain, OperateScorecard, Track
from tenure.scoring.operate.parts import (
    Calibration,
    Group,
    Key,
    Stage,
    TaskNumbers,
    apps_of,
    calibration,
    check_counts,
    expected_resolved,
    group,
    grouped,
    known_cards,
    mean,
    numbers_of,
    stages,
    text_only,
    whole,
)
from tenure.scoring.operate.scorecard import weight_of
from tenure.scoring.rows import Plan, RowNumbers, common_numbers, ranked, rows_of
from tenure.scoring.statistics import pass_at_k

MEASURED = (Outcome.PASSED, Outcome.FAILED, Outcome.UNJUDGED)
"""Outcomes that measured the agent: an unjudged check keeps its weight, so its attempt has a score."""


class RowScore(RowNumbers):
    """The numbers of one row. Scores are in 0..100, shares in 0..1; ``None`` is shown as "—"."""

    text_only: bool
    """The model takes no pictures: no multimodal and no global score, and only text tasks count."""
    checkpoint: float | None
    """Global Checkpoint score: mean over all tasks; ranks. ``None`` for a text-only model."""
    resolved: float | None
    """Share of resolved attempts, mean over tasks; over the text tasks alone for a text-only model."""
    tracks: dict[Track, Group]
    domains: dict[OperateDomain, Group]
    apps: dict[str, Group]
    """By how many apps a task spans: ``1``, ``2``, ``≥3``."""
    unknown: tuple[str, ...]
    """Planned tasks that no record was graded for: no table knows where they belong."""
    checkpoint_at: dict[int, float]
    """k → Checkpoint@k: over all tasks of the best of the first k attempts. Not of a text-only model."""
    resolved_at_first: dict[int, float]
    """k → Resolved@k by the released rule: share of tasks that one of the first k attempts resolved. Like
    ``resolved``, over the text tasks alone for a text-only model."""
    resolved_at_unbiased: dict[int, float]
    """k → Resolved@k by the unbiased estimator over all planned attempts, over the same tasks."""
    union: float | None
    """Union score: mean over all tasks of what any attempt earned, by check id. Not of a text-only model."""
    early: Stage
    late: Stage
    check_rate: float | None
    """Share of single checks that passed, over graded attempts."""
    expected_resolved: float | None
    """Mean over the tasks that this row was graded for of ``check_rate ** N``."""
    check_counts: dict[Outcome, int]
    """All six outcomes of checks, over graded attempts."""
    unjudged_weight: float
    """Share of those checks' weight that no judge answered; it stays in every denominator."""
    error_weight: float
    """Likewise of checks that could not be answered."""
    calibration: tuple[Calibration, ...]


def score_rows(
    records: Sequence[AttemptRecord], *, planned: Mapping[Row, Plan] | None = None
) -> list[RowScore]:
    """Score every row of operate attempts.

    A planned attempt that was never made or graded scores 0 and stays in every mean.

    Args:
        records: Attempts of any number of rows, repeated copies allowed.
        planned: Row → task → attempts planned. A row that is not given is held to the plan that it
            names itself: each of its tasks once per seed.

    Returns:
        Ranking rows by global Checkpoint score, best first, then the rows that may not rank.

    Raises:
        BadInput: Records of one attempt differ, a record contradicts its row or is outside its
            plan, or it is not of the operate suite.
    """
    held = rows_of(records, Suite.OPERATE, planned)
    known = known_cards(record for _, own in held.values() for record in own)
    return ranked([_score(row, plan, own, known) for row, (plan, own) in held.items()], _headline)


def _headline(score: RowScore) -> float | None:
    return score.checkpoint


def _score(
    row: Row, plan: dict[str, int], records: Sequence[AttemptRecord], known: Mapping[Key, OperateScorecard]
) -> RowScore:
    common = common_numbers(row, plan, records)
    hashes = dict(row.task_hashes)
    about = {task: card for task in plan if (card := known.get((task, hashes.get(task, ""))))}
    blind = text_only(row)
    if blind:
        about = {task: card for task, card in about.items() if card.track is Track.TEXT}
    counted = [task for task in plan if not blind or _may_be_text(task, hashes.get(task, ""), known)]
    numbers = {task: numbers_of(plan[task], [r for r in records if r.task == task]) for task in counted}
    own = [(r.task, r.operate) for r in records if r.task in numbers and r.operate and r.operate.findings]
    graded = [card for _, card in own if card.checkpoint is not None]
    measured = any(card.outcome in MEASURED for card in graded)
    total = group(numbers.values())
    # What is over all tasks is no score of a model that cannot be given all tasks.
    everywhere = measured and not blind
    shown = about if measured else {}
    all_checks = whole(graded)
    rate = all_checks.rate if measured else None
    early, late = stages(graded)
    lengths = {task: len(card.findings) for task, card in own if card.checkpoint is not None}
    return RowScore(
        **common,
        text_only=blind,
        checkpoint=total.checkpoint if everywhere else None,
        resolved=total.resolved if measured else None,
        tracks=grouped(numbers, shown, lambda card: card.track),
        domains=grouped(numbers, shown, lambda card: card.domain),
        apps=grouped(numbers, shown, apps_of),
        unknown=tuple(task for task in counted if task not in about),
        **_at_k(numbers.values() if measured else (), everywhere=everywhere),
        union=mean([100 * one.union for one in numbers.values()]) if everywhere else None,
        early=early,
        late=late,
        check_rate=rate,
        expected_resolved=None if rate is None else expected_resolved(rate, list(lengths.values())),
        check_counts=check_counts(graded),
        unjudged_weight=_weight_share(graded, Outcome.UNJUDGED),
        error_weight=_weight_share(graded, Outcome.ERROR),
        calibration=calibration(graded),
    )


def _at_k(numbers: Iterable[TaskNumbers], *, everywhere: bool) -> dict[str, dict[int, float]]:
    """The three variants of "at k", for every k that all tasks have attempts for.

    Args:
        numbers: The tasks.
        everywhere: Whether these are all tasks; else there is no Checkpoint@k.
    """
    held = list(numbers)
    every = range(1, min((len(one.resolved) for one in held), default=0) + 1)

    def over_tasks(of: Sequence[float]) -> float:
        return sum(of) / len(of)

    return {
        "checkpoint_at": {
            k: over_tasks([100 * one.best_of_first(k) for one in held]) for k in every if everywhere
        },
        "resolved_at_first": {k: over_tasks([any(one.resolved[:k]) for one in held]) for k in every},
        "resolved_at_unbiased": {
            k: over_tasks([pass_at_k(len(one.resolved), sum(one.resolved), k) for one in held]) for k in every
        },
    }


def _may_be_text(task: str, hash: str, known: Mapping[Key, OperateScorecard]) -> bool:
    card = known.get((task, hash))
    return card is None or card.track is Track.TEXT


def _weight_share(cards: Sequence[OperateScorecard], outcome: Outcome) -> float:
    findings = [finding for card in cards for finding in card.findings]
    total = weight_of(findings)
    return weight_of(f for f in findings if f.outcome is outcome) / total if total else 0.0
