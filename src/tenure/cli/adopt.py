"""``tenure adopt``: a released benchmark's task as a task folder of ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from rich.table import Table

    from tenure.adopt import Anomaly
    from tenure.adopt.operate import AdoptedTask, Release

BUILD_ONLY = ("profile", "domain", "prd", "knowledge")
"""Options that mean nothing to the other suites."""


NOUNS = {"grow": "grow product", "operate": "task of operate"}


class Told(NamedTuple):
    """What is said about an adoption.

    Attributes:
        task: The task's id.
        profile: Whose rules score it.
        folder: What was written, if anything was.
        counts: What it holds: name of one → how many.
        points: At most.
        anomalies: What was odd.
        refused: What could not be adopted, among what could.
    """

    task: str
    profile: str
    folder: Path | None
    counts: dict[str, int]
    points: float
    anomalies: "Sequence[Anomaly]"
    refused: "Sequence[Anomaly]" = ()


@click.command("adopt", short_help="Turn a released task into a task folder of ours.")
@click.argument("suite", type=click.Choice(["build", "grow", "operate"]))
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="The folder to write (adopted-NAME)."
)
@click.option(
    "--profile",
    type=click.Choice(["protocol", "released"]),
    default="protocol",
    show_default=True,
    help="Whose rules score it: ours, or those of the evaluator that it came with.",
)
@click.option("--domain", type=click.Choice(["CG", "PC", "CF", "DCI", "SI", "DW"]), help="The task's domain.")
@click.option("--prd", type=click.Path(path_type=Path), help="The requirements, where they lie elsewhere.")
@click.option(
    "--knowledge", type=click.Path(path_type=Path), help="The knowledge base, where it lies elsewhere."
)
@click.option("--no-run", is_flag=True, help="Of operate: only read the verifiers, run none.")
@click.option("--check", is_flag=True, help="Write nothing; only say what is odd.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.pass_context
def command(
    context: click.Context,
    suite: str,
    path: Path,
    out: Path | None,
    profile: str,
    domain: str | None,
    prd: Path | None,
    knowledge: Path | None,
    no_run: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Read the released task below PATH, say what is odd in it, and write it as a task folder of SUITE.

    An anomaly is a note (said differently, means the same), changed (may score otherwise) or lost (does
    not run). The folder keeps them in adopted.json. Of grow, PATH is prds/APP or prds-multiagent/APP of
    ViBench 1.0, whose own rules score it; --profile, --domain, --prd and --knowledge are for build.
    Of operate, PATH holds any number of SaaS-Bench's tasks; each verifier is read, and run once, in a sandbox
    without any app. A task that cannot be adopted is named and stops no other; the exit status is then 2.

    \b
    Examples:
      tenure adopt build eval/task_qmjfeopc --check
      tenure adopt build eval/task_qmjfeopc --prd tasks/task_qmjfeopc/task.md --domain PC
      tenure adopt build eval/task_jtbxfpny --profile released --out my-tasks/jtbxfpny
      tenure adopt grow prds-multiagent/notes --check
      tenure adopt operate tasks --out my-tasks
    """
    from tenure.cli.console import counted, print_json
    from tenure.schema import BadInput

    given = [n for n in BUILD_ONLY if context.get_parameter_source(n) is ParameterSource.COMMANDLINE]
    if suite != "build" and given:
        raise BadInput(f"--{given[0]} is for build; a {NOUNS[suite]} is adopted as it is")
    if no_run and suite != "operate":
        raise BadInput("--no-run is for operate; of other suites nothing runs")
    if suite == "grow":
        told = _grow(path, out, check)
    elif suite == "operate":
        told = _operate(path, out, check, no_run)
    else:
        told = _build(path, out, check, profile, domain, prd, knowledge)
    if as_json:
        print_json(
            {
                "task": told.task,
                "suite": suite,
                "profile": told.profile,
                "folder": str(told.folder) if told.folder else None,
                **{f"{name}s": number for name, number in told.counts.items()},
                "points": told.points,
                "anomalies": [one.model_dump(mode="json") for one in (*told.refused, *told.anomalies)],
            }
        )
    else:
        _print(told)
    if told.refused:
        number, of = len(told.refused), len(told.refused) + told.counts["task"]
        names = ", ".join(one.where for one in told.refused)
        raise BadInput(f"{number} of {counted(of, 'task')} cannot be adopted: {names}")


def _print(told: Told) -> None:
    from tenure.cli.console import console, counted

    screen = console()
    anomalies = (*told.refused, *told.anomalies)
    if anomalies:
        screen.print(_table(anomalies))
    holds = ", ".join(counted(number, name) for name, number in told.counts.items())
    screen.print(
        f"{told.task}: {holds}, {told.points:g} points, {len(anomalies)} anomalies"
        + (f", written to {told.folder}" if told.folder else ""),
        markup=False,
        soft_wrap=True,
    )


def _build(
    path: Path,
    out: Path | None,
    check: bool,
    profile: str,
    domain: str | None,
    prd: Path | None,
    knowledge: Path | None,
) -> Told:
    from tenure.adopt.build import Profile, adopt, write
    from tenure.schema.build import Domain

    adopted = adopt(
        path,
        profile=Profile(profile),
        domain=Domain(domain) if domain else None,
        prd=prd,
        knowledge=knowledge,
        known_category=_known,
    )
    folder = None if check else write(adopted, out or Path(f"adopted-{adopted.task.name}"))
    points = sum(node.max_score for node in adopted.nodes)
    return Told(adopted.task.id, profile, folder, {"node": len(adopted.nodes)}, points, adopted.anomalies)


def _grow(path: Path, out: Path | None, check: bool) -> Told:
    from tenure.adopt.grow import adopt, write

    adopted = adopt(path)
    folder = None if check else write(adopted, out or Path(f"adopted-{adopted.product.name}"))
    counts = {
        "stage": len(adopted.stages),
        "plan": len(adopted.plans),
        "step": sum(len(kept.released.steps) for kept in adopted.plans),
    }
    points = sum(kept.released.full_points for kept in adopted.plans)
    return Told(adopted.product.id, adopted.product.rules, folder, counts, points, adopted.anomalies)


def _operate(path: Path, out: Path | None, check: bool, no_run: bool) -> Told:
    import asyncio

    from tenure.adopt.operate import adopt, declared, refusal, write
    from tenure.schema import BadInput

    release = adopt(path)
    refused = list(release.refused)
    alone = len(release.tasks) + len(refused) == 1
    held = release.tasks if no_run or not release.tasks else asyncio.run(_seen(release))
    folder = out or Path(f"adopted-{held[0].task.name}" if alone and held else "adopted-operate")
    adopted = []
    for one in held:
        try:
            if check:
                declared(one)
            else:
                write(one, folder if alone else folder / one.task.name)
            adopted.append(one)
        except BadInput as error:
            refused.append(refusal(one.place, error))
    if alone and refused:
        raise BadInput(f"{refused[0].where}: {refused[0].found}")
    checks = [each for one in adopted for each in one.task.checks]
    return Told(
        adopted[0].task.id if alone else "operate",
        "protocol",
        None if check or not adopted else folder,
        {"task": len(adopted), "check": len(checks)},
        sum(each.weight for each in checks),
        [anomaly for one in adopted for anomaly in one.anomalies],
        refused,
    )


async def _seen(release: "Release") -> "tuple[AdoptedTask, ...]":
    """Tasks as a run of their verifiers shows them, with no app there; isolated or not at all."""
    from rich.console import Console
    from rich.progress import track

    from tenure.adopt.operate import with_checks
    from tenure.grading.operate import discovered, dry_runs

    screen = Console(stderr=True)
    found = []
    async with dry_runs("bubblewrap") as dry:
        for one in track(release.tasks, "verifiers", console=screen, disable=not screen.is_terminal):
            inputs = [place for place, _ in one.inputs.values()]
            run = await dry(one.place.folder / one.task.verifier, one.task.apps, inputs)
            found.append(with_checks(one, *discovered(run)))
    return tuple(found)


def _known(category: str) -> bool:
    from tenure.schema import BadInput
    from tenure.scoring.build import backbone_of

    try:
        backbone_of(category)
    except BadInput:
        return False
    return True


def _table(anomalies: "Sequence[Anomaly]") -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    for name in ("severity", "code", "where", "found", "repair"):
        table.add_column(name, overflow="fold")
    for one in anomalies:
        cells = (str(one.severity), one.code, one.where, one.found, one.repair or "none")
        table.add_row(*(Text("".join(c if c.isprintable() else " " for c in cell)) for cell in cells))
    return table
