"""What the pages of every suite show, computed from records and scores: no markup here."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from tenure.report.text import brief, minutes, money, show, slug, visible
from tenure.schema import AttemptRecord, Outcome, Row
from tenure.scoring import ENDING_TEXT, RowNumbers

FIRST_WORDS = 96
"""Characters of a folded value that its summary line shows."""
Score = TypeVar("Score", bound=RowNumbers)


@dataclass(frozen=True)
class Cell:
    """One square of the attempt matrix; without a record it was planned and never run."""

    number: int
    outcome: Outcome
    page: str = ""
    label: str = ""


@dataclass(frozen=True)
class RowView(Generic[Score]):
    """One row of the leaderboard, and its line of the matrix."""

    key: str
    score: Score
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
class AttemptView(Generic[Score]):
    """What every attempt's page shows."""

    record: AttemptRecord
    page: str
    row: RowView[Score]
    siblings: tuple[Cell, ...]
    ending: str
    turns: tuple[Turn, ...]

    @property
    def readout(self) -> dict[str, str]:
        """What the matrix says about the attempt's square under the pointer."""
        record, usage = self.record, self.record.usage
        cell = self.siblings[record.attempt - 1]
        return {
            "title": visible(f"{brief(record.title)}, attempt {record.attempt}"),
            "row": visible(f"{self.row.label} · {self.row.also}"),
            "outcome": record.outcome.replace("_", " "),
            "label": visible(brief(cell.label)),
            "usage": f"{usage.steps} steps · {minutes(usage.seconds / 60)} min · {money(usage.cost)}",
        }


def row_views(
    scores: Sequence[Score], records: Sequence[AttemptRecord], label: Callable[[AttemptRecord], str]
) -> list[RowView[Score]]:
    """The rows in the order of the leaderboard.

    Args:
        scores: The rows' numbers.
        records: Their attempts.
        label: What an attempt's square says beyond its outcome.
    """
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
                cells={task: _cells(task, own, score, label) for task in score.plan},
            )
        )
    return views


def common_view(record: AttemptRecord, row: RowView[Score], screens: Mapping[str, Path]) -> dict[str, Any]:
    """The fields of ``AttemptView``.

    Args:
        record: The attempt.
        row: Its row's view.
        screens: Screenshots' files by name.
    """
    card = record.card
    return {
        "record": record,
        "page": slug(record),
        "row": row,
        "siblings": row.cells[record.task],
        "ending": ENDING_TEXT[card.ending] if card else "",
        "turns": tuple(_turn(message, screens) for message in record.transcript),
    }


def span(records: Sequence[AttemptRecord]) -> dict[str, str]:
    """When the first attempt started and the last one ended."""
    return {
        "started": min((r.started for r in records), default=""),
        "ended": max((r.ended for r in records), default=""),
    }


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


def _cells(
    task: str, records: Sequence[AttemptRecord], score: RowNumbers, label: Callable[[AttemptRecord], str]
) -> tuple[Cell, ...]:
    run = {r.attempt: r for r in records if r.task == task}
    return tuple(
        Cell(n, run[n].outcome, slug(run[n]), label(run[n])) if n in run else Cell(n, Outcome.NOT_RUN)
        for n in range(1, score.plan[task] + 1)
    )


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
