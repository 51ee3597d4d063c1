"""``tenure run``: make a run's missing attempts and show the leaderboard."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tenure.engine.plan import Planned, RunFolder
    from tenure.engine.spec import RunSpec
    from tenure.schema import AttemptRecord


@click.command("run", short_help="Run a suite's tasks with a model.")
@click.argument("suite")
@click.option("--model", required=True, help="provider/name; tenure/oracle needs no key.")
@click.option("--task", "tasks", multiple=True, help="Only this task (name or folder); may be repeated.")
@click.option(
    "--interface", type=click.Choice(["api", "screen"]), help="Carry: how products are reached (api)."
)
@click.option(
    "--backend",
    type=click.Choice(["desktop", "page"]),
    help="How the screen is made: an X display with a window (of record), or a headless page (never ranks).",
)
@click.option(
    "--agent",
    type=click.Choice(["native", "claude-code", "codex", "openhands", "browser-use"]),
    help="Who works, in all suites but carry (native, a loop of ours). OpenHands builds only; operate has "
    "native and browser-use.",
)
@click.option("--grader", help="Grow: the model that seeds and grades; a stand-in's is tenure/oracle.")
@click.option("--no-vision", is_flag=True, help="Operate: the model takes no pictures.")
@click.option(
    "--release",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Operate: the folder with the compose files and images.toml that released apps are started by.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["bubblewrap", "docker", "k8s", "process"]),
    help="Build, grow: kind of the machine; process does not isolate and is never taken unasked.",
)
@click.option(
    "--registries", is_flag=True, help="Build, grow: let the machine reach pip's and npm's registries."
)
@click.option(
    "--attempts",
    type=click.IntRange(1, 1000),
    help="Attempts per task: carry 3, operate 3, grow 4; build 1, and no more.",
)
@click.option(
    "--seed",
    "seeds",
    type=int,
    multiple=True,
    help="Carry: seeds instead of the release's; may be repeated.",
)
@click.option(
    "--parallel", type=click.IntRange(1, 256), default=2, show_default=True, help="Attempts at a time."
)
@click.option("--max-cost", type=float, help="Dollars for the whole run; what it stops counts as failed.")
@click.option("--max-attempt-cost", type=float, help="Dollars for one attempt.")
@click.option("--max-tokens", type=int, help="Tokens for one attempt, in and out.")
@click.option(
    "--max-steps",
    type=click.IntRange(1),
    help="Model turns of one attempt (build: 500, operate: 400); in grow of one stage (300).",
)
@click.option(
    "--time-limit",
    type=float,
    help="Seconds for one attempt (7200; build: 10800); in grow for one stage (7200).",
)
@click.option("--price", metavar="IN/OUT", help="Dollars per million tokens, read/written.")
@click.option("--grader-price", metavar="IN/OUT", help="Grow: likewise of the grader's model.")
@click.option(
    "--judge", "judges", multiple=True, help="Judge model; the first decides, a second also answers."
)
@click.option(
    "--unproven",
    is_flag=True,
    help="Let tasks that cannot be proven, such as adopted ones, judge a model; the row does not rank.",
)
@click.option(
    "--base-url", help="An OpenAI- or Anthropic-compatible endpoint to use instead of the provider's."
)
@click.option(
    "--runs", type=click.Path(file_okay=False, path_type=Path), default=Path("runs"), show_default=True
)
@click.option("--new", is_flag=True, help="Start over: throw away what this command has made before.")
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
def command(
    suite: str,
    model: str,
    tasks: tuple[str, ...],
    interface: str | None,
    backend: str | None,
    agent: str | None,
    grader: str | None,
    no_vision: bool,
    release: Path | None,
    sandbox: str | None,
    registries: bool,
    attempts: int | None,
    seeds: tuple[int, ...],
    parallel: int,
    max_cost: float | None,
    max_attempt_cost: float | None,
    max_tokens: int | None,
    max_steps: int | None,
    time_limit: float | None,
    price: str | None,
    grader_price: str | None,
    judges: tuple[str, ...],
    unproven: bool,
    base_url: str | None,
    runs: Path,
    new: bool,
    as_json: bool,
) -> None:
    """Run the tasks of SUITE with a model: carry, operate, build or grow.

    The run's folder is named by its arguments: the same command goes on where it was stopped, and
    says so when all is done.

    \b
    Examples:
      tenure run carry --model tenure/oracle
      tenure run carry --model openai/gpt-5.4 --max-cost 50 --judge anthropic/claude-opus-5-5
      tenure run build --model anthropic/claude-opus-5-5 --agent claude-code
      tenure run grow --model openai/gpt-5.4 --grader anthropic/claude-opus-5-5
      tenure run carry --model openai/my-model --base-url http://127.0.0.1:8000/v1 --price 0/0
    """
    from tenure.cli.selection import spec_of
    from tenure.engine.plan import RunFolder
    from tenure.schema import BadInput

    if len(judges) > 2:
        raise BadInput("--judge: at most two judges, the one that decides and a second one")

    spec = spec_of(
        suite,
        tasks,
        model=model,
        interface=interface,
        backend=backend,
        agent=agent,
        grader=grader,
        vision=False if no_vision else None,
        release=release,
        unproven=unproven,
        sandbox=sandbox,
        registries=registries or None,
        attempts=attempts,
        seeds=seeds or None,
        max_cost=max_cost,
        max_attempt_cost=max_attempt_cost,
        max_tokens=max_tokens,
        max_steps=max_steps,
        time_limit=time_limit,
        price=price,
        grader_price=grader_price,
        judges=judges,
        base_url=base_url,
    )
    if not spec.stand_in:
        spec = _may_judge(spec)
    folder = RunFolder(spec.folder(runs), spec)
    with folder.alone():
        if new:
            folder.start_over()
        _run(folder, parallel, as_json)


def _may_judge(spec: "RunSpec") -> "RunSpec":
    """See that the model can be had and that every task is proven, before anything is spent."""
    from tenure.cli.console import notes
    from tenure.cli.prove import proof_of
    from tenure.engine.models import open_model
    from tenure.engine.spec import RELEASE_SEEDS
    from tenure.prove import Tier
    from tenure.schema import BadInput
    from tenure.schema.folder import find_folder

    open_model(spec.model, base_url=spec.base_url)
    if spec.grader is not None:
        open_model(spec.grader)
    proofs, unproven, say = dict(spec.proofs), list[str](), notes()
    for task in spec.tasks:
        if task.id in proofs:
            continue
        with say.status(f"proving {task.id}") as status:
            try:
                proof = proof_of(find_folder(task.name), Tier.QUICK, RELEASE_SEEDS[:1], status.update)
            except BadInput as error:
                reason = f"{task.id} cannot be proven, so it may not judge a model: {error}"
                if not spec.unproven:
                    raise BadInput(f"{reason} (--unproven lets it, and the row does not rank)") from error
                unproven.append(task.id)
                continue
        if not proof.holds:
            raise BadInput(
                f"{task.id} is not proven, so it may not judge a model; tenure prove {task.name} says why"
            )
        say.print(f"{task.id}: proven now, in the quick tier")
        proofs[task.id] = proof.key
    if unproven:
        say.print(f"The row does not rank: no proof covers {', '.join(unproven)}")
    return spec.model_copy(update={"proofs": proofs})


def _run(folder: "RunFolder", parallel: int, as_json: bool) -> None:
    from tenure.cli.boards import boards
    from tenure.cli.console import console, notes, print_json
    from tenure.report import write_report
    from tenure.scoring.suites import score_suites

    say = notes()
    missing = len(folder.missing())
    total = len(folder.planned())
    if missing:
        _announce(folder.spec, missing, total, say)
        from tenure.engine.run import make_missing

        with _Progress(say, missing) as progress:
            records = make_missing(folder, parallel=parallel, observer=progress)
    else:
        say.print(f"All {total} attempts of this run are done; --new starts over.")
        records = folder.finished()
    spec = folder.spec
    planned = {spec.row: {task.id: spec.attempts for task in spec.tasks}}
    scores = score_suites(records, planned)
    index = write_report(records, folder.path / "report", planned=planned, folders=[folder.path])
    if as_json:
        print_json(
            {
                "folder": str(folder.path),
                "report": str(index),
                "rows": [s.model_dump(mode="json") for own in scores.values() for s in own],
            }
        )
    else:
        console().print(boards(scores))
        console().print(f"report: {index}", markup=False, soft_wrap=True)
    if errors := sum(record.outcome == "error" for record in records):
        say.print(f"{errors} of {total} attempts ended in an error that was not the agent's; run it again")
        sys.exit(1)


def _announce(spec: "RunSpec", missing: int, total: int, say: Any) -> None:
    """Say what is about to happen and what it may cost."""
    from tenure.cli.console import counted
    from tenure.oracle import ScriptError
    from tenure.oracle.estimate import estimate
    from tenure.schema import Suite
    from tenure.schema.folder import find_task
    from tenure.world.prepare import base_for

    if spec.suite is Suite.BUILD:
        _warn_of_faults(spec, say)
    done = f" ({total - missing} of {total} are done)" if missing < total else ""
    say.print(f"{counted(missing, 'attempt')} with {spec.model}{done}")
    estimated = not spec.stand_in and spec.suite is Suite.CARRY
    for task in spec.tasks if estimated else ():
        folder = find_task(task.name)
        try:
            guess = estimate(folder, base_for(folder, spec.seed_of(1)))
        except ScriptError as error:
            say.print(f"{folder.task.id}: no estimate, its oracle cannot go on ({error})", markup=False)
            continue
        cost = ""
        if spec.price is not None:
            dollars = (guess.input_tokens * spec.price.input + guess.output_tokens * spec.price.output) / 1e6
            cost = f", about ${dollars:.2f} without caching"
        say.print(
            f"{folder.task.id}: an attempt takes about {guess.turns} turns and "
            f"{guess.input_tokens / 1e3:,.0f} k tokens{cost}; {guess.tools} MCP tools take about "
            f"{guess.tool_tokens / 1e3:.1f} k tokens of each turn"
        )
    if spec.max_cost is not None:
        say.print(f"The run stops at ${spec.max_cost:.2f}; attempts that this stops count as failed.")


def _warn_of_faults(spec: "RunSpec", say: Any) -> None:
    """Say that a graph is not sound: models never meet one, adopted graphs and stand-ins may."""
    from tenure.cli.console import counted
    from tenure.grading.dag import lint
    from tenure.schema.folder import find_build

    for task in spec.tasks:
        folder = find_build(task.name)
        if faults := lint(folder.dag, folder.task):
            count = counted(len(faults), "fault")
            say.print(
                f"{task.id}: the graph has {count}; tenure prove {task.name} lists them: {faults[0]}",
                markup=False,
            )


class _Progress:
    """Shows attempts as they go: a live line on a terminal, a line per finished attempt elsewhere."""

    def __init__(self, say: Any, missing: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._say, self._under_way, self._part = say, dict[str, int](), dict[str, str]()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=say, transient=True, disable=not say.is_terminal)
        self._task = self._bar.add_task("starting", total=missing)

    def __enter__(self) -> "_Progress":
        self._bar.start()
        return self

    def __exit__(self, *rest: object) -> None:
        self._bar.stop()

    def began(self, planned: "Planned") -> None:
        """An attempt began."""
        self._under_way[planned.id] = 0
        self._show()

    def stepped(self, planned: "Planned", steps: int) -> None:
        """The model took a turn."""
        self._under_way[planned.id] = steps
        self._show()

    def reached(self, planned: "Planned", where: str) -> None:
        """An attempt of several parts came to another one."""
        self._part[planned.id] = f"{where}, "
        self._show()

    def ended(self, planned: "Planned", record: "AttemptRecord") -> None:
        """An attempt is graded."""
        from tenure.cli.console import verdict

        self._under_way.pop(planned.id, None)
        self._bar.advance(self._task)
        self._say.print(verdict(record))
        self._show()

    def _show(self) -> None:
        now = ", ".join(
            f"{id} at {self._part.get(id, '')}step {steps}" for id, steps in self._under_way.items()
        )
        self._bar.update(self._task, description=now or "waiting")
