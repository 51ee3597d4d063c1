"""``tenure prove``: show that tasks' checks are right."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from tenure.prove import ProofRecord


@click.command("prove", short_help="Prove that tasks' checks are right.")
@click.argument("names", nargs=-1, metavar="[TASK]...")
@click.option("--tier", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option(
    "--seed", "seeds", type=int, multiple=True, help="Seeds instead of the tier's; may be repeated."
)
@click.option("--again", is_flag=True, help="Prove also what is proven already.")
@click.option("--json", "as_json", is_flag=True, help="Print the proof records as JSON.")
def command(names: tuple[str, ...], tier: str, seeds: tuple[int, ...], again: bool, as_json: bool) -> None:
    """Prove the named tasks, or everything that ships.

    The oracle must pass every check by each way, the idle agent none but guards, every check must
    fail under a mutant and every guard under a vandal. Only what is stale is proven again.

    \b
    Examples:
      tenure prove
      tenure prove carry/renewal --tier full
      tenure prove ./my-task --seed 5
    """
    import sys

    from tenure.cli.console import console, notes, print_json
    from tenure.engine.spec import RELEASE_SEEDS
    from tenure.prove import Tier, prove, stored_proof
    from tenure.schema.folder import find_task, shipped_tasks

    wanted = Tier(tier)
    chosen = seeds or (RELEASE_SEEDS[:1] if wanted is Tier.QUICK else RELEASE_SEEDS)
    say, out = notes(), console()
    records: list[ProofRecord] = []
    for folder in [find_task(name) for name in names] or shipped_tasks():
        record = None if again else stored_proof(folder, wanted)
        if record is None or record.seeds != chosen:
            with say.status("proving") as status:
                record = prove(folder, wanted, chosen, say=status.update)
        elif not as_json:
            say.print(f"{folder.task.id}: proven before, nothing changed since")
        records.append(record)
        if not as_json:
            out.print(f"[bold]{record.task} {record.version}[/]")
            for number, check in enumerate(record.matrix, 1):
                out.print(f"  {number:>2} {check}", markup=False)
            out.print(_matrix(record))
            for rule in record.rules:
                mark = "[green]holds[/]" if rule.holds else "[red]broken[/]"
                detail = "" if rule.holds else f": {rule.detail}".replace("[", "\\[")
                out.print(f"  {mark}  {rule.rule}{detail}")
            proven = "[green]proven[/]" if record.holds else "[red]not proven[/]"
            at = ", ".join(str(seed) for seed in record.seeds)
            out.print(
                f"{record.task} {record.version}: {proven} ({record.tier}, seeds {at}, {record.seconds} s)\n"
            )
    if as_json:
        print_json([record.model_dump(mode="json") for record in records])
    sys.exit(0 if all(record.holds for record in records) else 1)


_SIGN = {"passed": "[green]✓[/]", "failed": "[red]✗[/]", "error": "[magenta]![/]", "unjudged": "[yellow]?[/]"}


def _matrix(record: "ProofRecord") -> "Table":
    """The matrix: a line per oracle, idle, mutant and vandal; a numbered column per check."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 0))
    table.add_column("", no_wrap=True)
    for number in range(1, len(record.matrix) + 1):
        table.add_column(f"{number:>2}", justify="right", no_wrap=True)
    for place, name in enumerate(record.columns):
        cells = (outcomes[place] for outcomes in record.matrix.values())
        table.add_row(name.replace("[", "\\["), *(_SIGN.get(cell, str(cell)) for cell in cells))
    return table
