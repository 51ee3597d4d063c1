"""What verbs print: tables, progress, JSON."""

import sys
from collections.abc import Sequence
from typing import Any

import orjson
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table

from tenure.schema import AttemptRecord, Outcome, Scorecard
from tenure.scoring import RowScore

STYLE = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.ERROR: "magenta",
    Outcome.UNJUDGED: "yellow",
    Outcome.BLOCKED: "yellow",
    Outcome.NOT_RUN: "dim",
}


UNRANKED = " †"
PIPE_WIDTH = 110
"""Columns of a table when standard output is not a terminal."""


def console() -> Console:
    """Standard output for people; plain when it is not a terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def notes() -> Console:
    """Standard error: progress and notes, so that standard output can be piped."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(
        orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode() + "\n"
    )


def counted(n: int, noun: str) -> str:
    """A number with its noun: ``1 attempt``, ``3 attempts``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def percent(share: float | None) -> str:
    """A share in 0..1 as a percentage; a dash when it was not measured."""
    return "—" if share is None else f"{100 * share:.1f}"


def leaderboard(scores: Sequence[RowScore]) -> Group:
    """The leaderboard as a table, with all six outcomes of each row below it."""
    table = Table(title="Carry", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for name in (
        "#",
        "model",
        "interface",
        "Pass@1",
        "interval",
        "Pass@3",
        "clean",
        "steps",
        "minutes",
        "cost",
    ):
        left = name in ("model", "interface")
        table.add_column(name, justify="left" if left else "right", no_wrap=not left)
    lines = []
    for score in scores:
        counts, around = score.counts, score.pass_1_interval
        table.add_row(
            str(score.rank) if score.rank else "–",
            score.row.model + ("" if score.row.ranks else UNRANKED),
            score.row.reached_by,
            percent(score.pass_1),
            f"{100 * around.low:.1f}–{100 * around.high:.1f}" if around else "—",
            percent(score.pass_3),
            percent(score.clean_pass),
            "—" if score.median_steps is None else f"{score.median_steps:g}",
            "—" if score.median_minutes is None else f"{score.median_minutes:.2f}",
            "—" if score.median_cost is None else f"${score.median_cost:.2f}",
        )
        name = score.row.model.removeprefix("tenure/")
        parts = ", ".join(f"{counts[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome)
        lines.append(f"{name} {counts[Outcome.PASSED]}/{score.planned}: {parts}")
    if any(not score.row.ranks for score in scores):
        lines.append(f"{UNRANKED.strip()} does not rank")
    return Group(table, *lines)


def findings(card: Scorecard) -> Table:
    """A scorecard's checks as a table."""
    table = Table(title=f"{card.task} {card.version}", title_justify="left", title_style="bold")
    for name in ("check", "kind", "weight", "outcome", "saw"):
        table.add_column(name, justify="right" if name == "weight" else "left", overflow="fold")
    for finding in card.findings:
        kind = (
            "guard"
            if finding.guard
            else "required"
            if finding.required
            else "judged"
            if finding.judged
            else "weighted"
        )
        last = finding.error.strip().splitlines()[-1] if finding.error else finding.saw
        table.add_row(
            finding.says,
            kind,
            f"{finding.weight:g}",
            f"[{STYLE[finding.outcome]}]{finding.outcome}[/]",
            _plain(last),
        )
    return table


def _plain(text: str) -> str:
    """Untrusted text for a terminal: no control characters, no markup."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("[", "\\[")[:300]


def verdict(record: AttemptRecord) -> str:
    """One line about a finished attempt."""
    card = record.scorecard
    why = card.reason if card else record.error.strip().splitlines()[0] if record.error else ""
    met = sum(f.outcome is Outcome.PASSED for f in card.findings if f.required) if card else 0
    needed = sum(f.required for f in card.findings) if card else 0
    line = f"{record.task} attempt {record.attempt} (seed {record.seed}): "
    line += f"[{STYLE[record.outcome]}]{record.outcome}[/], {met}/{needed} required checks, "
    line += f"{counted(record.usage.steps, 'step')}, {record.usage.seconds:.1f} s"
    return line + (f" — {_plain(why)}" if why else "")
