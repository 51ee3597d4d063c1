"""``tenure audit``: how reliable a suite's grader is."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.table import Table

    from tenure.engine.grow.audit.studies import Asked, Selection, Study
    from tenure.schema.verdict import Grade
    from tenure.scoring.grow import Audit

STUDIES = ("consistency", "wrong-fails", "wrong-passes", "planted-bugs", "failures", "choice")


@click.command("audit", short_help="Show how reliable a suite's grader is.")
@click.argument("suite", type=click.Choice(["grow"]))
@click.option(
    "--grader",
    "graders",
    multiple=True,
    required=True,
    help="The grader; repeated, candidates to choose from.",
)
@click.option("--second", default="", help="A second grader: looks again at what the first one passed.")
@click.option("--product", "products", multiple=True, help="Only this product (name or folder).")
@click.option(
    "--run",
    "runs",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Builds of this run's folder are graded instead of references.",
)
@click.option("--study", "studies", multiple=True, type=click.Choice(STUDIES), help="Only this test.")
@click.option("--plan", "plans", multiple=True, help="Only this plan.")
@click.option("--bug", "bugs", multiple=True, help="Only planted bugs whose name holds these words.")
@click.option(
    "--times", type=click.IntRange(1), help="Grades of each plan, instead of each test's own number."
)
@click.option(
    "--parallel", type=click.IntRange(1, 64), default=2, show_default=True, help="Grades at a time."
)
@click.option("--sandbox", help="Kind of the products' machines.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("audits"),
    show_default=True,
    help="Where grades and decisions are kept.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def command(
    suite: str,
    graders: tuple[str, ...],
    second: str,
    products: tuple[str, ...],
    runs: tuple[Path, ...],
    studies: tuple[str, ...],
    plans: tuple[str, ...],
    bugs: tuple[str, ...],
    times: int | None,
    parallel: int,
    sandbox: str | None,
    folder: Path,
    as_json: bool,
) -> None:
    """Grade plans again and again, and say how often the grader of SUITE is right.

    Grades are kept: the same command goes on where it was stopped, and another selection uses what is
    there. What only a person can settle goes to adjudication.toml in the folder; the next command counts
    what was decided.

    \b
    Examples:
      tenure audit grow --grader tenure/oracle --product grow/loomhouse --study planted-bugs
      tenure audit grow --grader anthropic/claude-… --second openai/gpt-… --run runs/grow-…
      tenure audit grow --grader tenure/oracle --grader tenure/oracle:wrong=0.2 --study choice
    """
    import sys

    import anyio

    from tenure.cli.console import console, counted, notes, plain, print_json
    from tenure.engine.grow.audit.grading import Crews
    from tenure.engine.grow.audit.runner import ADJUDICATION, AuditFolder, make
    from tenure.engine.grow.audit.studies import audit_of, cases_of
    from tenure.scoring.grow import audit_table
    from tenure.scoring.grow.adjudication import about, lint, sound, undecided

    chosen = _selection(graders, second, products, runs, studies, plans, bugs, times)
    kept, say = AuditFolder(folder), notes()
    with kept.alone():
        crews = Crews(folder, _machine(chosen, sandbox), parallel)
        crews.check(chosen)
        with _Progress(say) as progress:
            done = anyio.run(lambda: make(chosen, kept, crews, progress, parallel=parallel))
        cases = cases_of(chosen, done.made)
        models = [*graders, second, *(subject.model for subject in chosen.subjects)]
        held = about(kept.adjudicate(cases), cases)
    faults = lint(held, cases, models)
    audit = audit_of(chosen, done.made, sound(held, models))
    lines = audit_table(audit)
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "audit": audit.model_dump(mode="json"),
                "table": [line.model_dump(mode="json") for line in lines],
                "grades": len(done.made),
                "cost": _cost(done.made.values()),
                "undecided": undecided(held),
                "faults": faults,
                "failures": done.failures,
            }
        )
    else:
        out = console()
        out.print(_table(audit))
        if cases_left := undecided(held):
            out.print(
                f"{folder / ADJUDICATION}: {counted(cases_left, 'case')} to decide",
                markup=False,
                soft_wrap=True,
            )
    for fault in faults:
        say.print(f"not counted: {plain(fault, None)}")
    for failure in done.failures:
        say.print(plain(failure.splitlines()[0], None))
    if done.failures:
        say.print(
            f"{len(done.failures)} grades could not be made, for no fault of grader or product; run it again"
        )
    sys.exit(1 if done.failures else 0)


def _selection(
    graders: Sequence[str],
    second: str,
    products: Sequence[str],
    runs: Sequence[Path],
    studies: Sequence[str],
    plans: Sequence[str],
    bugs: Sequence[str],
    times: int | None,
) -> "Selection":
    """What a command line means.

    Raises:
        BadInput: Something of it is not there, or does not go together.
    """
    from tenure.engine.grow.audit.studies import Selection, Study
    from tenure.engine.grow.audit.subject import planted_of, reference_of, subjects_of_run
    from tenure.schema import BadInput
    from tenure.schema.folder import find_grow, shipped_grows

    which = frozenset(Study(name) for name in studies) or _fitting(graders, second, runs)
    if Study.WRONG_PASSES in which and not second:
        raise BadInput("--study wrong-passes needs --second, a grader that looks again at what was passed")
    if Study.FAILURES in which and not runs:
        raise BadInput("--study failures needs --run: it lists the plans that a run's builds failed")
    if second in graders:
        raise BadInput(f"--second {second}: is the first grader too; name another one")
    found = [subjects_of_run(run) for run in runs]
    built = [subject for subjects, _ in found for subject in subjects]
    folders = [find_grow(name) for name in products]
    if not folders:
        folders = list({s.folder.path: s.folder for s in built}.values()) or shipped_grows()
    known = {folder.path for folder in folders}
    clean = {folder.task.id: reference_of(folder) for folder in folders}
    subjects = [s for s in built if s.folder.path in known] if runs else list(clean.values())
    planted = (
        [s for folder in folders for s in planted_of(folder, bugs)] if Study.PLANTED_BUGS in which else []
    )
    for name, times_named in Counter(subject.name for subject in subjects).items():
        if times_named > 1:
            raise BadInput(f"two builds are called {name}; audit their runs apart")
    for plan in plans:
        if not any(plan == own.id for folder in folders for own in folder.plans):
            raise BadInput(f"--plan {plan}: no product has such a plan")
    if bugs and Study.PLANTED_BUGS not in which:
        raise BadInput("--bug goes with --study planted-bugs")
    if bugs and not planted:
        raise BadInput(f"--bug {bugs[0]}: no planted bug's name holds that")
    return Selection(
        graders=tuple(graders),
        subjects=subjects,
        studies=which,
        second=second,
        planted=planted,
        clean=clean,
        records=[record for _, records in found for record in records],
        plans=frozenset(plans),
        times=times,
    )


def _fitting(graders: Sequence[str], second: str, runs: Sequence[Path]) -> "frozenset[Study]":
    """The tests that can be made of what is given."""
    from tenure.engine.grow.audit.studies import Study

    needs = {
        Study.WRONG_PASSES: bool(second),
        Study.FAILURES: bool(runs),
        Study.CHOICE: len(graders) > 1,
    }
    return frozenset(study for study in Study if needs.get(study, True))


def _machine(chosen: "Selection", sandbox: str | None) -> dict[str, str]:
    from tenure.engine.build.settings import machine_of

    folders = {subject.folder for subject in (*chosen.subjects, *chosen.planted)}
    return machine_of(sandbox, {name for folder in folders for name in folder.task.packages})


def _cost(grades: Iterable["Grade"]) -> float | None:
    costs = [grade.cost for grade in grades]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _table(audit: "Audit") -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tenure.cli.console import percent, plain
    from tenure.scoring.grow import audit_table

    table = Table(
        title=f"Audit of {plain(audit.grader)}", title_justify="left", title_style="bold", box=SIMPLE_HEAD
    )
    for name in ("test", "count", "of", "%", "interval"):
        table.add_column(name, justify="left" if name == "test" else "right", no_wrap=True)
    table.add_column("what is counted", overflow="fold")
    for line in audit_table(audit):
        around = line.interval
        table.add_row(
            plain(line.test),
            str(line.count),
            str(line.of),
            percent(line.share),
            f"{percent(around.low)} to {percent(around.high)}" if around else "—",
            plain(line.says),
        )
    return table


class _Progress:
    """Shows grades as they are made: a live bar on a terminal, a line per grade everywhere."""

    def __init__(self, say: Any) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._say = say
        columns = (TextColumn("grades"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=say, transient=True, disable=not say.is_terminal)
        self._task = self._bar.add_task("grades", total=None)

    def __enter__(self) -> "_Progress":
        self._bar.start()
        return self

    def __exit__(self, *rest: object) -> None:
        self._bar.stop()

    def wants(self, total: int, missing: int) -> None:
        """So many grades are needed, and so many of them are to be made."""
        from tenure.cli.console import counted

        self._bar.update(self._task, total=total, completed=total - missing)
        self._say.print(f"{counted(missing, 'grade')} to make; {total - missing} of {total} are kept")

    def graded(self, ask: "Asked", grade: "Grade") -> None:
        """A grade was made."""
        from tenure.cli.console import plain

        verdict = {True: "passed", False: "failed", None: f"no grade: {grade.reason}"}[grade.passed]
        where = f"{ask.subject.name} / {ask.plan}, grade {ask.number} of {ask.grader}"
        self._bar.advance(self._task)
        self._say.print(f"{plain(where, None)}: {plain(verdict)}, {grade.seconds:.0f} s")
