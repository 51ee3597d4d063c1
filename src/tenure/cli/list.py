"""``tenure list``: the tasks that ship."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tenure.schema.folder import AnyFolder, BuildFolder, GrowFolder, OperateFolder, TaskFolder


@click.command("list", short_help="List the tasks that ship.")
@click.argument("suite", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(suite: str | None, as_json: bool) -> None:
    """List the tasks that ship, of one SUITE or of all, and whether each is proven.

    \b
    Examples:
      tenure list
      tenure list build --json
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.cli.console import console, print_json
    from tenure.cli.selection import suite_of
    from tenure.schema import Suite
    from tenure.schema.folder import shipped

    suites = [suite_of(suite)] if suite else list(Suite)
    rows = sorted((_row(f) for one in suites for f in shipped(one)), key=lambda row: row["task"])
    if as_json:
        print_json(rows)
        return
    table = Table(box=SIMPLE_HEAD)
    table.add_column("task", min_width=max(len(row["task"]) for row in rows))  # Names are copied from here.
    for name in ("version", "title", "on", "checks", "required", "proven here"):
        table.add_column(name)
    for row in rows:
        on = ", ".join(row.get("twins") or row.get("services") or row["apps"])
        where = ", ".join(row.get("interfaces") or (["browser"] if "apps" in row else ["workspace"]))
        checks, required = str(row.get("checks") or row["nodes"]), str(row.get("required", "—"))
        table.add_row(
            row["task"],
            row["version"],
            row["title"],
            f"{on} ({where})",
            checks,
            required,
            row["proven"] or "no",
        )
    console().print(table)


def _row(folder: "AnyFolder") -> dict[str, Any]:
    from tenure.schema.folder import BuildFolder, GrowFolder, TaskFolder

    if isinstance(folder, TaskFolder):
        return _carry(folder)
    if isinstance(folder, BuildFolder):
        return _build(folder)
    return _grow(folder) if isinstance(folder, GrowFolder) else _operate(folder)


def _carry(folder: "TaskFolder") -> dict[str, Any]:
    from tenure.grading import load_checks

    specs = load_checks(folder).specs.values()
    return {
        **_common(folder),
        "twins": list(folder.task.twins),
        "interfaces": list(folder.task.interfaces),
        "checks": len(specs),
        "required": sum(spec.required for spec in specs),
        "guards": sum(spec.guard for spec in specs),
        "judged": sum(spec.judged for spec in specs),
    }


def _build(folder: "BuildFolder") -> dict[str, Any]:
    from tenure.schema.build import Method

    nodes = folder.dag.nodes
    return {
        **_common(folder),
        "domain": str(folder.task.domain),
        "category": folder.task.category,
        "services": [folder.task.service],
        "nodes": len(nodes),
        "points": round(sum(node.max_score for node in nodes), 1),
        **{str(method): sum(node.method is method for node in nodes) for method in Method},
    }


def _grow(folder: "GrowFolder") -> dict[str, Any]:
    return {
        **_common(folder),
        "domain": folder.task.domain,
        "subset": str(folder.task.subset),
        "services": [folder.task.service],
        "stages": len(folder.stages),
        "plans": len(folder.plans),
        "checks": sum(len(plan.checks) for plan in folder.plans),
    }


def _operate(folder: "OperateFolder") -> dict[str, Any]:
    task = folder.task
    return {
        **_common(folder),
        "domain": str(task.domain),
        "track": str(task.track),
        "apps": list(task.apps),
        "checks": len(task.checks),
        "guards": sum(check.guard for check in task.checks),
        "judged": sum(check.kind == "judged" for check in task.checks),
    }


def _common(folder: "AnyFolder") -> dict[str, Any]:
    from tenure.prove.record import best_proof

    proof = best_proof(folder)
    return {
        "task": folder.task.id,
        "version": folder.task.version,
        "title": folder.task.title,
        "proven": str(proof.tier) if proof else None,
    }
