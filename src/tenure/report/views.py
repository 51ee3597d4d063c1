"""What the pages show, computed from records and scores: no markup here."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tenure.report.text import show, slug
from tenure.schema import AttemptRecord, CheckFinding, JournalEntry, Outcome, Row
from tenure.scoring import ENDING_TEXT, RowScore, required_findings

FIRST_WORDS = 96
"""Characters of a folded value that its summary line shows."""


@dataclass(frozen=True)
class Cell:
    """One square of the attempt matrix; without a record it was planned and never run."""

    number: int
    outcome: Outcome
    page: str = ""
    label: str = ""


@dataclass(frozen=True)
class Heat:
    """How often one check was missed: by the attempts of one row, or of all."""

    missed: int
    answered: int

    @property
    def share(self) -> float | None:
        """Missed over answered, ``None`` when nobody answered it."""
        return self.missed / self.answered if self.answered else None

    @property
    def step(self) -> int | None:
        """Colour step: 0 (never missed) to 4 (always)."""
        return None if self.share is None else 0 if not self.missed else 1 + min(3, int(self.share * 4))


@dataclass(frozen=True)
class CheckHeat:
    """One line of a task's check table."""

    check: CheckFinding
    whole: Heat
    by_row: tuple[Heat, ...]


@dataclass(frozen=True)
class TaskView:
    """One task across all rows."""

    id: str
    title: str
    checks: tuple[CheckHeat, ...] = ()


@dataclass(frozen=True)
class RowView:
    """One row of the leaderboard, and its line of the matrix."""

    key: str
    score: RowScore
    label: str
    also: str
    settings: dict[str, Any]
    versions: dict[str, str]
    cells: dict[str, tuple[Cell, ...]]


@dataclass(frozen=True)
class Turn:
    """One message of a transcript."""

    role: str
    text: str
    tool: str = ""
    first_words: str = ""
    calls: tuple["Call", ...] = ()
    screen: Path | None = None
    """File of the screenshot that the message showed."""


@dataclass(frozen=True)
class Call:
    """One tool call of a message."""

    tool: str
    first_words: str
    arguments: str


@dataclass(frozen=True)
class AttemptView:
    """One attempt's page."""

    record: AttemptRecord
    page: str
    row: RowView
    siblings: tuple[Cell, ...]
    ending: str
    findings: tuple[CheckFinding, ...]
    """Those that did not pass first."""
    missed: int
    required: int
    changes: tuple[JournalEntry, ...]
    incidental: tuple[JournalEntry, ...]
    turns: tuple[Turn, ...]


def row_views(scores: Sequence[RowScore], records: Sequence[AttemptRecord]) -> list[RowView]:
    """The rows in the order of the leaderboard."""
    by_row: dict[Row, list[AttemptRecord]] = {score.row: [] for score in scores}
    names = Counter((row.model, row.agent, row.interface) for row in by_row)
    for record in records:
        by_row[record.row].append(record)
    views = []
    for position, score in enumerate(scores, 1):
        own, row = by_row[score.row], score.row
        # Rows that differ in less visible ways (settings, commit, seeds…) still need two names.
        shared = names[row.model, row.agent, row.interface] > 1
        digest = f" · {sha256(row.model_dump_json().encode()).hexdigest()[:6]}" if shared else ""
        views.append(
            RowView(
                key=f"row-{position}",
                score=score,
                label=row.model,
                also=f"{row.agent} · {row.reached_by}{digest}",
                settings=_settings(row.settings),
                versions=_versions(own),
                cells={task: _cells(task, own, score) for task in score.plan},
            )
        )
    return views


def task_views(rows: Sequence[RowView], records: Sequence[AttemptRecord]) -> list[TaskView]:
    """Every task of any row, with its checks, the most often missed first."""
    titles = {record.task: record.title for record in records}
    tasks = dict.fromkeys(task for view in rows for task in view.score.plan)
    return [TaskView(id=t, title=titles.get(t, t), checks=_heat(t, rows, records)) for t in sorted(tasks)]


def attempt_views(
    rows: Sequence[RowView], records: Sequence[AttemptRecord], screens: Mapping[str, Path]
) -> list[AttemptView]:
    """One page per recorded attempt.

    Args:
        rows: The rows' views.
        records: The attempts.
        screens: Screenshots' files by name.
    """
    by_row = {view.score.row: view for view in rows}
    return [_attempt(record, by_row[record.row], screens) for record in records]


def _attempt(record: AttemptRecord, row: RowView, screens: Mapping[str, Path]) -> AttemptView:
    card = record.scorecard
    required = required_findings(card.findings) if card else []
    return AttemptView(
        record=record,
        page=slug(record),
        row=row,
        siblings=row.cells[record.task],
        ending=ENDING_TEXT[card.ending] if card else "",
        findings=tuple(sorted(card.findings, key=lambda f: f.outcome is Outcome.PASSED)) if card else (),
        missed=sum(f.outcome is not Outcome.PASSED for f in required),
        required=len(required),
        changes=tuple(e for e in record.journal if not e.incidental),
        incidental=tuple(e for e in record.journal if e.incidental),
        turns=tuple(_turn(message, screens) for message in record.transcript),
    )


def _turn(message: Mapping[str, Any], screens: Mapping[str, Path]) -> Turn:
    calls = message.get("calls")
    text = show(message.get("text", ""))
    return Turn(
        role=show(message.get("role", "")),
        text=text,
        tool=show(message.get("tool") or ""),
        first_words=_first_words(text),
        calls=tuple(_call(call) for call in (calls if isinstance(calls, list | tuple) else ())),
        screen=screens.get(str(message.get("image", "")).rpartition("/")[2]),
    )


def _call(call: Any) -> Call:
    parts = call if isinstance(call, Mapping) else {"arguments": call}
    given = parts.get("arguments", {})
    flat = (
        ", ".join(f"{k}: {show(v)}" for k, v in given.items()) if isinstance(given, Mapping) else show(given)
    )
    return Call(
        tool=show(parts.get("tool", "")),
        first_words=_first_words(flat),
        arguments=show(json.dumps(given, ensure_ascii=False, indent=2, default=str)),
    )


def _first_words(text: str) -> str:
    line = " ".join(text[: 4 * FIRST_WORDS].split())
    return line if len(line) <= FIRST_WORDS else f"{line[:FIRST_WORDS]}…"


def _cells(task: str, records: Sequence[AttemptRecord], score: RowScore) -> tuple[Cell, ...]:
    run = {r.attempt: r for r in records if r.task == task}
    return tuple(
        Cell(n, run[n].outcome, slug(run[n]), _cell_label(run[n])) if n in run else Cell(n, Outcome.NOT_RUN)
        for n in range(1, score.plan[task] + 1)
    )


def _cell_label(record: AttemptRecord) -> str:
    """What a square says beyond its outcome."""
    if record.scorecard is None:
        return record.error
    required = required_findings(record.scorecard.findings)
    missed = [f.says for f in required if f.outcome is not Outcome.PASSED]
    if record.scorecard.reason:
        return record.scorecard.reason
    return f"missed {len(missed)} of {len(required)}: {missed[0]}" if missed else ""


def _heat(task: str, rows: Sequence[RowView], records: Sequence[AttemptRecord]) -> tuple[CheckHeat, ...]:
    declared: dict[str, CheckFinding] = {}
    answers: dict[tuple[str, Row], list[bool]] = {}
    for record in records:
        if record.task != task or record.scorecard is None:
            continue
        for f in record.scorecard.findings:
            declared.setdefault(f.check, f)
            if f.outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.BLOCKED):
                answers.setdefault((f.check, record.row), []).append(f.outcome is not Outcome.PASSED)
    table = []
    for name, check in declared.items():
        missed = [answers.get((name, view.score.row), []) for view in rows]
        by_row = tuple(Heat(sum(own), len(own)) for own in missed)
        whole = Heat(sum(h.missed for h in by_row), sum(h.answered for h in by_row))
        table.append(CheckHeat(check=check, whole=whole, by_row=by_row))
    return tuple(sorted(table, key=lambda line: -(line.whole.share or 0)))


def _settings(text: str) -> dict[str, Any]:
    """The row's settings record; text that is not an object is shown as it stands."""
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    return value if isinstance(value, dict) else {"settings": value}


def _versions(records: Sequence[AttemptRecord]) -> dict[str, str]:
    """Versions of what was there; where attempts differ, all of them."""
    found: dict[str, dict[str, None]] = {}
    for record in records:
        for name, version in record.provenance.versions.items():
            found.setdefault(name, {})[version] = None
    return {name: ", ".join(versions) for name, versions in sorted(found.items())}
