"""``scripts/bench``: measure, print a table, write ``bench/results.json``."""

import sys
import tempfile
from pathlib import Path

import click
import orjson
from rich.console import Console
from rich.table import Table

from bench import apps, bases, build, dag, paint, screen, served, services, store, workspace
from bench.figure import Figure

RESULTS = Path(__file__).with_name("results.json")


def measure() -> list[Figure]:
    """Every figure, over bases that are made anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large = bases.build_large(folder / "large.db")
        opening = store.opening(large)
        raw = bases.build_raw(folder / "raw.db")
        mailbox = bases.build_mailbox(folder / "mailbox.db")
        return [
            *opening,
            *store.working(large, raw, folder),
            *store.differing(large),
            *served.served(mailbox, raw, folder),
            *screen.screens(mailbox, folder),
            *paint.paints(bases.build_office(folder / "office.db"), folder),
            *services.services(),
            *workspace.workspaces(),
            *dag.graphs(folder),
            *build.builds(),
            *apps.apps(),
        ]


def show(figures: list[Figure]) -> None:
    """Print the figures."""
    table = Table(title="Each figure beside raw parts, measured in turn in the same run")
    for column in ("figure", "value", "floor", "unit", "ratio", "goal", ""):
        table.add_column(column, justify="left" if column in ("figure", "unit", "") else "right")
    for f in figures:
        verdict = "[green]ok[/]" if f.ok else "[red]missed[/]"
        numbers = (f"{f.value:,.3g}", f"{f.floor:,.3g}", f.unit, f"{f.ratio:.2f}", f"≤ {f.goal_ratio:g}")
        table.add_row(f.name, *numbers, verdict)
    Console().print(table)


@click.command()
@click.option("--strict", is_flag=True, help="Exit with 1 when a goal is missed.")
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS, show_default="bench/results.json")
def main(strict: bool, out: Path) -> None:
    """Measure a world's figures beside raw floors."""
    figures = measure()
    out.write_bytes(orjson.dumps([f.record() for f in figures], option=orjson.OPT_INDENT_2) + b"\n")
    show(figures)
    sys.exit(1 if strict and not all(f.ok for f in figures) else 0)


main()
