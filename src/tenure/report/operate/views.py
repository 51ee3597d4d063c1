"""What the operate pages show, computed from records and scores: no markup here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenure.report.views import AttemptView, RowView, common_view
from tenure.schema import AttemptRecord, Outcome
from tenure.schema.operate import OperateFinding, OperateScorecard, Track
from tenure.scoring.operate import Calibration, RowScore, group, numbers_of


@dataclass(frozen=True)
class OperateView(AttemptView[RowScore]):
    """One attempt's page."""

    card: OperateScorecard | None
    passed: int
    claim: str
    """What the agent said of itself."""


@dataclass(frozen=True)
class Missed:
    """One check across the attempts at its task that answered it."""

    finding: OperateFinding
    number: int
    """Its place in the task's order, from 1."""
    missed: int
    of: int


@dataclass(frozen=True)
class TaskView:
    """One task across all rows."""

    id: str
    title: str
    domain: str
    track: str
    apps: tuple[str, ...]
    scores: dict[str, float | None]
    """Key of a row → the mean Checkpoint score of its planned attempts, 0..100; one that was never made or
    graded counts 0. ``None`` where the row measured nothing, or its model cannot be given the task."""
    checks: tuple[Missed, ...]
    """In the task's order."""


def task_views(rows: Sequence[RowView[RowScore]], records: Sequence[AttemptRecord]) -> list[TaskView]:
    """Every task of any row."""
    tasks = dict.fromkeys(task for view in rows for task in view.score.plan)
    return [_task(task, rows, [r for r in records if r.task == task]) for task in sorted(tasks)]


def attempt_view(record: AttemptRecord, row: RowView[RowScore], screens: Mapping[str, Path]) -> OperateView:
    """One recorded attempt's page.

    Args:
        record: The attempt.
        row: Its row's view.
        screens: Screenshots' files by name.
    """
    card = record.operate
    findings = card.findings if card else ()
    return OperateView(
        **common_view(record, row, screens),
        card=card,
        passed=sum(f.outcome is Outcome.PASSED for f in findings),
        claim=claim_text(card.claimed) if card else "",
    )


def claim_text(claimed: bool | None) -> str:
    """What an agent said of its own work, in words."""
    return {True: "done, and right", False: "not done", None: "nothing"}[claimed]


def claims(found: Sequence[Calibration]) -> dict[bool | None, tuple[Calibration, Calibration]]:
    """What was claimed by any attempt → the resolved attempts, and the others."""
    of = {(one.claimed, one.resolved): one for one in found}
    pairs = {claimed: (of[claimed, True], of[claimed, False]) for claimed in (True, False, None)}
    return {claimed: pair for claimed, pair in pairs.items() if pair[0].attempts + pair[1].attempts}


def cell_label(record: AttemptRecord) -> str:
    """What a square says beyond its outcome."""
    card = record.operate
    if card is None:
        return record.error
    if card.reason:
        return card.reason
    missed = [f.says for f in card.findings if f.outcome is not Outcome.PASSED]
    return f"missed {len(missed)} of {len(card.findings)}: {missed[0]}" if missed else ""


def _task(task: str, rows: Sequence[RowView[RowScore]], records: Sequence[AttemptRecord]) -> TaskView:
    cards = [r.operate for r in records if r.operate is not None]
    about = cards[0] if cards else None
    return TaskView(
        id=task,
        title=next((r.title for r in records), task),
        domain=about.domain if about else "",
        track=about.track if about else "",
        apps=about.apps if about else (),
        scores={view.key: _mean(task, about, view.score, records) for view in rows},
        checks=_missed(cards),
    )


def _mean(
    task: str, about: OperateScorecard | None, score: RowScore, records: Sequence[AttemptRecord]
) -> float | None:
    unseen = score.text_only and about is not None and about.track is Track.MULTIMODAL
    if score.resolved is None or task not in score.plan or unseen:
        return None
    return group([numbers_of(score.plan[task], [r for r in records if r.row == score.row])]).checkpoint


def _missed(cards: Sequence[OperateScorecard]) -> tuple[Missed, ...]:
    held: dict[str, list[OperateFinding]] = {}
    for card in cards:
        for finding in card.findings:
            held.setdefault(finding.check, []).append(finding)
    lines = []
    for number, found in enumerate(held.values(), 1):
        answered = [f for f in found if f.outcome in (Outcome.PASSED, Outcome.FAILED)]
        missed = sum(f.outcome is Outcome.FAILED for f in answered)
        lines.append(Missed(found[0], number, missed, len(answered)))
    return tuple(lines)
