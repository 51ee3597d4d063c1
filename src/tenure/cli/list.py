"""``tenure list``: the tasks that ship."""

import click


@click.command("list", short_help="List the tasks that ship.")
@click.argument("suite", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(suite: str | None, as_json: bool) -> None:
    """List the tasks that ship, of one SUITE or of all, and whether each is proven.

    \b
    Examples:
      tenure list
      tenure list carry --json
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.cli.console import console, print_json
    from tenure.cli.selection import suite_of
    from tenure.grading import load_checks
    from tenure.prove.record import best_proof
    from tenure.schema.folder import shipped_tasks

    rows = []
    for folder in shipped_tasks(str(suite_of(suite)) if suite else None):
        specs = load_checks(folder).specs.values()
        proof = best_proof(folder)
        rows.append(
            {
                "task": folder.task.id,
                "version": folder.task.version,
                "title": folder.task.title,
                "twins": list(folder.task.twins),
                "interfaces": list(folder.task.interfaces),
                "checks": len(specs),
                "required": sum(spec.required for spec in specs),
                "guards": sum(spec.guard for spec in specs),
                "judged": sum(spec.judged for spec in specs),
                "proven": str(proof.tier) if proof else None,
            }
        )
    if as_json:
        print_json(rows)
        return
    table = Table(box=SIMPLE_HEAD)
    for name in ("task", "version", "title", "twins", "interfaces", "checks", "required", "proven here"):
        table.add_column(name)
    for row in rows:
        cells = [
            row[name] for name in ("task", "version", "title", "twins", "interfaces", "checks", "required")
        ]
        table.add_row(
            *(", ".join(c) if isinstance(c, list) else str(c) for c in cells), str(row["proven"] or "no")
        )
    console().print(table)
