"""Leaderboards in a terminal, a table per suite."""

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table

from tenure.cli.console import percent, plain, points
from tenure.schema import Outcome, Suite
from tenure.schema.operate import Track
from tenure.scoring import build, carry, grow, operate
from tenure.scoring.rows import RowNumbers
from tenure.scoring.statistics import Interval
from tenure.scoring.suites import Score

UNRANKED = " †"
TOOK = ("steps", "minutes", "cost")
"""Columns of what attempts took: medians, but for the mean minutes and cost of a grow build."""


def boards(scores: Mapping[Suite, Sequence[Score]]) -> Group:
    """Every suite's leaderboard as a table, with all six outcomes of each row below it."""
    shown = []
    for rows in scores.values():
        if carried := [row for row in rows if isinstance(row, carry.RowScore)]:
            shown.append(_carry(carried))
        if operated := [row for row in rows if isinstance(row, operate.RowScore)]:
            shown.append(_operate(operated))
        if built := [row for row in rows if isinstance(row, build.RowScore)]:
            shown.append(_build(built))
        if grown := [row for row in rows if isinstance(row, grow.RowScore)]:
            shown.append(_grow(grown))
    return Group(*shown)


def _carry(scores: Sequence[carry.RowScore]) -> Group:
    table = _table("Carry", "interface", "Pass@1", "interval", "Pass@3", "clean", *TOOK)
    for score in scores:
        table.add_row(
            *_who(score),
            score.row.reached_by,
            percent(score.pass_1),
            _around(score.pass_1_interval),
            percent(score.pass_3),
            percent(score.clean_pass),
            *_medians(score),
        )
    return Group(table, *_outcomes(scores))


def _operate(scores: Sequence[operate.RowScore]) -> Group:
    table = _table("Operate", "agent", "checkpoint", "resolved", "text", "multimodal", "union", *TOOK)
    for score in scores:
        table.add_row(
            *_who(score),
            score.row.agent,
            points(score.checkpoint),
            percent(score.resolved),
            *(points(group.checkpoint if (group := score.tracks.get(t)) else None) for t in Track),
            points(score.union),
            *_medians(score),
        )
    return Group(table, *_outcomes(scores))


def _build(scores: Sequence[build.RowScore]) -> Group:
    table = _table("Build", "agent", "score", "no judge", "nodes", *TOOK)
    backbones = Table(box=SIMPLE_HEAD)
    backbones.add_column("points by backbone, %")
    for backbone in build.Backbone:
        backbones.add_column(str(backbone), justify="right")
    for score in scores:
        number, model = _who(score)
        table.add_row(
            number,
            model,
            score.row.agent,
            points(score.score),
            points(score.deterministic),
            percent(score.coverage),
            *_medians(score),
        )
        parts = (score.backbones.get(backbone) for backbone in build.Backbone)
        backbones.add_row(f"{model} ({score.row.agent})", *(points(p.score if p else None) for p in parts))
    return Group(table, *_outcomes(scores), backbones)


def _grow(scores: Sequence[grow.RowScore]) -> Group:
    table = _table("Grow", "agent", "pass@1", "interval", "plans", "interval", *TOOK)
    for score in scores:
        table.add_row(
            *_who(score),
            score.row.agent,
            percent(score.pass_1),
            _around(score.pass_1_interval),
            percent(score.plan_pass_rate),
            _around(score.plan_pass_rate_interval),
            _number(score.median_steps, "{:g}"),
            _number(score.mean_minutes, "{:.2f}"),
            _number(score.mean_cost, "${:.2f}"),
        )
    return Group(table, *_outcomes(scores))


def _table(title: str, by: str, *columns: str) -> Table:
    """A leaderboard's table: rank, model, what else names a row, and the numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for name in ("#", "model", by, *columns):
        left = name in ("model", by)
        table.add_column(name, justify="left" if left else "right", no_wrap=not left)
    return table


def _who(score: RowNumbers) -> tuple[str, str]:
    rank = str(score.rank) if score.rank else "–"
    return rank, plain(score.row.model) + ("" if score.row.ranks else UNRANKED)


def _around(found: Interval | None) -> str:
    return f"{100 * found.low:.1f}–{100 * found.high:.1f}" if found else "—"


def _number(value: float | None, form: str) -> str:
    return "—" if value is None else form.format(value)


def _medians(score: RowNumbers) -> tuple[str, str, str]:
    return (
        _number(score.median_steps, "{:g}"),
        _number(score.median_minutes, "{:.2f}"),
        _number(score.median_cost, "${:.2f}"),
    )


def _outcomes(scores: Sequence[RowNumbers]) -> list[str]:
    """A line per row with all six outcomes of its attempts."""
    lines = []
    for score in scores:
        counts, name = score.counts, plain(score.row.model.removeprefix("tenure/"))
        parts = ", ".join(f"{counts[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome)
        lines.append(f"{name} {counts[Outcome.PASSED]}/{score.planned}: {parts}")
    if any(not score.row.ranks for score in scores):
        lines.append(f"{UNRANKED.strip()} does not rank")
    return lines
