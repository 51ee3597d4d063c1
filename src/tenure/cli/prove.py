"""``tenure prove``: show that tasks' checks are right."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from tenure.prove import ProofRecord, Tier
    from tenure.schema.folder import AnyFolder


@click.command("prove", short_help="Prove that tasks' checks are right.")
@click.argument("names", nargs=-1, metavar="[TASK|SUITE]...")
@click.option(
    "--tier", type=click.Choice(["quick", "full", "exhaustive"]), default="quick", show_default=True
)
@click.option(
    "--seed", "seeds", type=int, multiple=True, help="Seeds instead of the tier's; may be repeated."
)
@click.option("--again", is_flag=True, help="Prove also what is proven already.")
@click.option("--json", "as_json", is_flag=True, help="Print the proof records as JSON.")
def command(names: tuple[str, ...], tier: str, seeds: tuple[int, ...], again: bool, as_json: bool) -> None:
    """Prove the named tasks or suites, or everything that ships.

    The oracle must pass every check by each way, the idle agent none but guards, every check must
    fail under a mutant and every guard under a vandal. In a build task the reference must pass every
    node, the idle agent none, and each mutant must lose points at exactly the nodes that it names. The
    reference of a grow product must pass every plan, blank pages no check, and each planted bug must fail
    the plan that is aimed at it. Only what is stale is proven again.

    \b
    Examples:
      tenure prove
      tenure prove carry build
      tenure prove carry/renewal --tier full
      tenure prove grow/loomhouse --tier exhaustive
      tenure prove ./my-task --seed 5
    """
    import sys

    from tenure.cli.console import notes, print_json
    from tenure.engine.spec import RELEASE_SEEDS
    from tenure.prove import Tier, stored_proof
    from tenure.schema import Suite
    from tenure.schema.folder import TaskFolder

    wanted, say = Tier(tier), notes()
    suites = [Suite.GROW] if wanted is Tier.EXHAUSTIVE else list(Suite)
    records: list[ProofRecord] = []
    for folder in [f for name in names or suites for f in _named(name)]:
        chosen = seeds or (RELEASE_SEEDS[:1] if wanted is Tier.QUICK else RELEASE_SEEDS)
        if not isinstance(folder, TaskFolder):
            chosen = ()
        record = None if again else stored_proof(folder, wanted)
        if record is None or record.seeds != chosen:
            with say.status("proving") as status:
                record = proof_of(folder, wanted, chosen, status.update, again=again)
        elif not as_json:
            say.print(f"{folder.task.id}: proven before, nothing changed since")
        records.append(record)
        if not as_json:
            _show(record)
    if as_json:
        print_json([record.model_dump(mode="json") for record in records])
    sys.exit(0 if all(record.holds for record in records) else 1)


def _named(name: str) -> "list[AnyFolder]":
    """A task, or all that a suite ships."""
    from tenure.schema import Suite
    from tenure.schema.folder import find_folder, shipped

    return shipped(Suite(name)) if name in {str(suite) for suite in Suite} else [find_folder(name)]


def proof_of(
    folder: "AnyFolder",
    tier: "Tier",
    seeds: Sequence[int],
    say: Callable[[str], None],
    *,
    again: bool = False,
) -> "ProofRecord":
    """Prove a task of any suite; only a carry task has seeds, only a grow product's proof goes on.

    Raises:
        BadInput: The task is broken, or something that it needs is not installed.
    """
    from tenure.prove import Tier, prove
    from tenure.schema import BadInput
    from tenure.schema.folder import BuildFolder, GrowFolder, TaskFolder

    if isinstance(folder, GrowFolder):
        from tenure.prove.grow import prove_grow

        return prove_grow(folder, tier, say=say, again=again)
    if tier is Tier.EXHAUSTIVE:
        raise BadInput(f"{folder.task.id}: only grow products have an exhaustive tier; choose --tier full")
    if isinstance(folder, TaskFolder):
        return prove(folder, tier, seeds, say=say)
    if isinstance(folder, BuildFolder):
        from tenure.prove.build import prove_build

        return prove_build(folder, tier, say=say)
    from tenure.prove.operate import prove_operate

    return prove_operate(folder, tier, say=say)


def _show(record: "ProofRecord") -> None:
    from tenure.cli.console import console, plain

    out = console()
    out.print(f"[bold]{record.task} {record.version}[/]")
    if len(record.matrix) > _WIDEST:
        out.print(_lines(record))
    else:
        for number, check in enumerate(record.matrix, 1):
            out.print(f"  {number:>2} {check}", markup=False)
        out.print(_matrix(record))
    for rule in record.rules:
        mark = "[green]holds[/]" if rule.holds else "[red]broken[/]"
        detail = "" if rule.holds else f": {plain(rule.detail, None)}"
        out.print(f"  {mark}  {rule.rule}{detail}")
    proven = "[green]proven[/]" if record.holds else "[red]not proven[/]"
    at = f"seeds {', '.join(str(seed) for seed in record.seeds)}, " if record.seeds else ""
    out.print(f"{record.task} {record.version}: {proven} ({record.tier}, {at}{record.seconds} s)\n")


_WIDEST = 24
"""Checks that a terminal has room for, side by side."""


def _lines(record: "ProofRecord") -> "Table":
    """A large matrix in short: a line per system, what it lost spelled out."""
    from collections import Counter

    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.cli.console import plain

    table = Table(box=SIMPLE_HEAD)
    table.add_column("")
    for title in ("asked", "passed", "blocked"):
        table.add_column(title, justify="right")
    table.add_column("failed")
    for place, name in enumerate(record.columns):
        outcomes = {id: str(row[place]) for id, row in record.matrix.items()}
        count = Counter(outcomes.values())
        lost = [id for id, outcome in outcomes.items() if outcome not in ("passed", "blocked", "not_run")]
        more = f" and {len(lost) - 4} more" if len(lost) > 4 else ""
        table.add_row(
            plain(name),
            str(len(outcomes) - count["not_run"]),
            str(count["passed"]),
            str(count["blocked"]),
            ", ".join(lost[:4]) + more,
        )
    return table


_SIGN = {"passed": "[green]✓[/]", "failed": "[red]✗[/]", "error": "[magenta]![/]", "unjudged": "[yellow]?[/]"}


def _matrix(record: "ProofRecord") -> "Table":
    """The matrix: a line per oracle, idle, mutant and vandal; a numbered column per check."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.cli.console import plain

    table = Table(box=SIMPLE_HEAD, padding=(0, 0))
    table.add_column("", no_wrap=True)
    for number in range(1, len(record.matrix) + 1):
        table.add_column(f"{number:>2}", justify="right", no_wrap=True)
    for place, name in enumerate(record.columns):
        cells = (outcomes[place] for outcomes in record.matrix.values())
        table.add_row(plain(name), *(_SIGN.get(cell, str(cell)) for cell in cells))
    return table
