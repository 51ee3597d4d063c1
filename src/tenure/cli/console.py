"""What verbs print: tables, progress, JSON."""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tenure.schema import AttemptRecord, BuildScorecard, CheckFinding, NodeFinding, Outcome, Scorecard, Suite
from tenure.schema.operate import OperateFinding, OperateScorecard
from tenure.schema.verdict import GrowScorecard, PlanFinding

STYLE = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.ERROR: "magenta",
    Outcome.UNJUDGED: "yellow",
    Outcome.BLOCKED: "yellow",
    Outcome.NOT_RUN: "dim",
}

_UNANSWERED = (Outcome.ERROR, Outcome.UNJUDGED, Outcome.NOT_RUN)
"""Outcomes of nodes that say nothing about the product; they are named apart."""
_WHY = 300
"""Characters of a reason on one line."""
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
    """A share in 0..1 as a percentage, as reports write it; a dash when it was not measured."""
    from tenure.report import text

    return "—" if share is None else text.percent(share)


def points(score: float | None) -> str:
    """A score in 0..100, likewise."""
    from tenure.report import text

    return "—" if score is None else text.score(score)


def findings(card: Scorecard | OperateScorecard) -> Table:
    """A scorecard's checks as a table."""
    table = Table(title=f"{card.task} {card.version}", title_justify="left", title_style="bold")
    for name in ("check", "kind", "weight", "outcome", "saw"):
        table.add_column(name, justify="right" if name == "weight" else "left", overflow="fold")
    for finding in card.findings:
        last = finding.error.strip().splitlines()[-1] if finding.error else finding.saw
        table.add_row(
            plain(finding.says),
            _kind(finding),
            f"{finding.weight:g}",
            f"[{STYLE[finding.outcome]}]{finding.outcome}[/]",
            plain(last),
        )
    return table


def _kind(finding: CheckFinding | OperateFinding) -> str:
    if finding.guard:
        return "guard"
    if isinstance(finding, OperateFinding):
        return finding.kind
    return "required" if finding.required else "judged" if finding.judged else "weighted"


def nodes(card: BuildScorecard) -> Table:
    """A build's nodes as a table: what lost points, and why."""
    lost = [f for f in card.findings if f.outcome is not Outcome.PASSED or f.score < f.max_score]
    full = len(card.findings) - len(lost)
    title = f"{card.task} {card.version}: {full} of {len(card.findings)} nodes have all of their points"
    table = Table(title=title, title_justify="left", title_style="bold")
    for name in ("node", "points", "outcome", "why"):
        table.add_column(name, justify="right" if name == "points" else "left", overflow="fold")
    for finding in lost:
        table.add_row(
            finding.node,
            f"{finding.score:g}/{finding.max_score:g}",
            f"[{STYLE[finding.outcome]}]{finding.outcome}[/]",
            plain(finding.reason),
        )
    return table


def plans(card: GrowScorecard) -> Table:
    """A product's plans as a table: what did not pass, by which votes, and why."""
    missed = [f for f in card.findings if f.outcome is not Outcome.PASSED]
    title = f"{card.task} {card.version}: {_share(card.findings, 'plan')} passed"
    table = Table(title=title, title_justify="left", title_style="bold")
    for name in ("plan", "kind", "outcome", "grades", "why"):
        table.add_column(name, overflow="fold")
    for finding in missed:
        table.add_row(
            finding.plan,
            finding.kind,
            f"[{STYLE[finding.outcome]}]{finding.outcome}[/]",
            " ".join(_GRADE[grade.passed] for grade in finding.grades),
            plain(finding.reason),
        )
    return table


_GRADE = {True: "pass", False: "fail", None: "–"}


def plain(text: str, size: int | None = _WHY) -> str:
    """Untrusted text for a terminal, as markup that shows just its letters: no control characters.

    Args:
        text: Anything; an agent may have written it.
        size: Characters of it that are shown; all without one.
    """
    return escape("".join(c if c.isprintable() else " " for c in text[:size]))


def verdict(record: AttemptRecord) -> str:
    """One line about a finished attempt; a stand-in's script that could not go on is said."""
    from tenure.oracle.acts import STUCK

    card = record.card
    why = card.reason if card else record.error
    if not why and not record.row.ranks and record.answer.startswith(STUCK):
        flat = " ".join(record.answer.split())  # What went wrong is at its end.
        why = flat if len(flat) <= _WHY else f"{STUCK}: … {flat[-_WHY + 40 :]}"
    names = {Suite.CARRY: f" attempt {record.attempt} (seed {record.seed})", Suite.BUILD: ""}
    line = f"{record.task}{names.get(record.suite, f' attempt {record.attempt}')}: "
    line += f"[{STYLE[record.outcome]}]{record.outcome}[/], {_result(record)}, "
    line += f"{counted(record.usage.steps, 'step')}, {record.usage.seconds:.1f} s"
    return line + (f" — {plain(why.strip().splitlines()[0])}" if why.strip() else "")


def _result(record: AttemptRecord) -> str:
    if record.build is not None and record.build.score is not None:
        return f"score {points(record.build.score)}, {_share(record.build.findings, 'node')}"
    if record.grow is not None and record.grow.plan_pass_rate is not None:
        return _share(record.grow.findings, "plan")
    if record.operate is not None and record.operate.checkpoint is not None:
        whole = record.operate
        return f"checkpoint {points(100 * (whole.checkpoint or 0))}, {_share(whole.findings, 'check')}"
    if record.suite is not Suite.CARRY:
        return "no score"
    found = record.scorecard.findings if record.scorecard else ()
    met = sum(f.outcome is Outcome.PASSED for f in found if f.required)
    return f"{met}/{sum(f.required for f in found)} required checks"


def _share(findings: Sequence[NodeFinding | PlanFinding | OperateFinding], what: str) -> str:
    """How many passed, and what was not answered, as ``273/284 nodes (11 unjudged)``."""
    count = Counter(finding.outcome for finding in findings)
    odd = [f"{count[o]} {o.value.replace('_', ' ')}" for o in _UNANSWERED if count[o]]
    apart = f" ({', '.join(odd)})" if odd else ""
    return f"{count[Outcome.PASSED]}/{counted(len(findings), what)}{apart}"
