"""``tenure export``: tasks in the formats of other harnesses."""

from pathlib import Path

import click


@click.command("export", short_help="Write a task in another harness's format.")
@click.argument("form", type=click.Choice(["harbor"]), metavar="harbor")
@click.argument("task")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--tenure",
    default="",
    help="What graders install Tenure from: a requirement, or a wheel's path (this version, by name).",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def command(form: str, task: str, out: Path, tenure: str, as_json: bool) -> None:
    """Write TASK, of the build or grow suite, as a Harbor task folder at OUT.

    A build is graded by its graph, without a judge. A product's plans are walked by the model that
    TENURE_GRADER names where Harbor runs; without one its code is kept and no reward is given.

    \b
    Examples:
      tenure export harbor build/helpdesk harbor/helpdesk
      tenure export harbor grow/loomhouse harbor/loomhouse --tenure dist/tenure-0.1.0-py3-none-any.whl
    """
    from tenure.cli.console import console, print_json
    from tenure.engine.export.harbor import export_harbor
    from tenure.schema.folder import find_folder

    written = export_harbor(find_folder(task), out, tenure)
    if as_json:
        print_json({"task": str(written), "format": form})
        return
    console().print(f"task: {written}", markup=False, soft_wrap=True)
