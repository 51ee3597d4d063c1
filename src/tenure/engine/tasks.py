"""The suites as Inspect tasks: a sample per attempt, one solver, one scorer."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tenure.engine import attempt as carrying
from tenure.engine.budget import Purse
from tenure.engine.build import attempt as building
from tenure.engine.build.lent import NAME as LENT
from tenure.engine.build.script import build_script
from tenure.engine.build.settings import CLIS
from tenure.engine.ended import Ended
from tenure.engine.grow import attempt as growing
from tenure.engine.grow.builder.script import check_builder
from tenure.engine.grow.crew import Crew
from tenure.engine.grow.grading.script import check_grader
from tenure.engine.judges import judges_of
from tenure.engine.observer import Observer, Silent, Told
from tenure.engine.operate import attempt as operating
from tenure.engine.plan import Planned, RunFolder
from tenure.engine.puppet import script_of
from tenure.engine.spec import RELEASE_SEEDS, RunSpec, TaskRef
from tenure.engine.usual import STAND_IN
from tenure.schema import AttemptRecord, Outcome, Suite
from tenure.schema.folder import (
    AnyFolder,
    BuildFolder,
    GrowFolder,
    OperateFolder,
    TaskFolder,
    find_folder,
    shipped,
)


class Making(NamedTuple):
    """How a suite makes an attempt.

    Attributes:
        work: The agent's part: the attempt, the model, and who is told how it goes.
        finish: Scores what that left and writes the record.
    """

    work: Callable[[Planned, Model, Told], Awaitable[Ended]]
    finish: Callable[[Planned], Awaitable[AttemptRecord]]


def _making(run: RunFolder) -> Making:
    spec, purse = run.spec, Purse.of_run(run.spec, run.path)
    if spec.suite is Suite.GROW:
        crew = Crew.of_run(spec, run.path)
        return Making(partial(growing.work, spec, purse, crew), partial(growing.finish, spec))
    judges = judges_of(spec.judges)
    if spec.suite is Suite.BUILD:
        return Making(partial(building.work, spec, purse, judges), partial(building.finish, spec))
    if spec.suite is Suite.OPERATE:
        return Making(partial(operating.work, spec, purse, judges), partial(operating.finish, spec, judges))
    return Making(partial(carrying.work, spec, purse), partial(carrying.finish, spec, judges))


def attempts_task(run: RunFolder, attempts: Sequence[Planned], observer: Observer) -> Task:
    """An Inspect task that makes the given attempts of a run.

    Args:
        run: The run.
        attempts: Those to make.
        observer: Follows the run.

    Raises:
        BadInput: The model or a judge cannot play its part in this run.
    """
    spec = run.spec
    by_id = {planned.id: planned for planned in attempts}
    making = _making(run)
    if spec.stand_in:
        for ref in spec.tasks:
            _check_stand_in(spec, find_folder(ref.name), spec.model.removeprefix(STAND_IN))
    return Task(
        name=str(spec.suite),
        dataset=[
            Sample(id=p.id, input=f"{p.task}, attempt {p.attempt}, seed {p.seed}", metadata={"seed": p.seed})
            for p in attempts
        ],
        sandbox=LENT if spec.agent in CLIS else None,
        solver=_solver(making, by_id, observer),
        scorer=_scorer(making, by_id, observer),
    )


def _check_stand_in(spec: RunSpec, folder: AnyFolder, name: str) -> None:
    if isinstance(folder, BuildFolder):
        build_script(folder, name)
    elif isinstance(folder, GrowFolder):
        check_builder(folder, name)
        if spec.grader is not None and spec.grader.startswith(STAND_IN):
            check_grader(folder, spec.grader.removeprefix(STAND_IN))
    elif isinstance(folder, TaskFolder | OperateFolder):
        script_of(folder, name)


@solver(name="tenure_attempt")
def _solver(making: Making, by_id: dict[str, Planned], observer: Observer) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        planned = by_id[str(state.sample_id)]
        observer.began(planned)
        ended = await making.work(planned, get_model(), Told(observer, planned))
        state.output.completion = ended.answer
        return state

    return solve


@scorer(name="tenure_scorecard", metrics={"*": [mean()]})
def _scorer(making: Making, by_id: dict[str, Planned], observer: Observer) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        planned = by_id[str(state.sample_id)]
        record = await making.finish(planned)
        observer.ended(planned, record)
        card = record.card
        return Score(
            value={"passed": float(record.outcome is Outcome.PASSED), **_more(record)},
            explanation=card.reason if card else record.error,
            metadata={"outcome": record.outcome, "record": str(planned.folder)},
        )

    return score


def _more(record: AttemptRecord) -> dict[str, float]:
    """The suite's own numbers of an attempt."""
    if record.suite is Suite.BUILD:
        card = record.build
        return {"score": (card and card.score) or 0.0, "coverage": (card and card.coverage) or 0.0}
    if record.suite is Suite.GROW:
        return {"plan_pass_rate": (record.grow and record.grow.plan_pass_rate) or 0.0}
    if record.suite is Suite.OPERATE:
        return {"checkpoint": (record.operate and record.operate.checkpoint) or 0.0}
    return {"clean_pass": float(record.scorecard.clean_pass if record.scorecard else False)}


def task_refs(names: Sequence[str], suite: Suite) -> tuple[TaskRef, ...]:
    """The named tasks, or all of the suite when none is named."""
    folders = {name: find_folder(name) for name in names} or {f.task.id: f for f in shipped(suite)}
    return tuple(TaskRef.of(name, folder) for name, folder in folders.items())


def _listed(value: Any) -> list[Any]:
    """A value of ``-T`` as a list: Inspect has already split what holds a comma."""
    if isinstance(value, str):
        return value.split(",") if value else []
    return value if isinstance(value, list) else [value]


@task
def carry(
    task: str = "",
    attempts: int = 3,
    seeds: str | int | list[int] = "",
    judge: str | list[str] = "",
    runs: str = "runs",
    **limits: Any,
) -> Task:
    """The carry suite for ``inspect eval tenure/carry --model …``.

    Attempts that the run's folder holds already are shown, not made again.

    Args:
        task: One task, or all that ship.
        attempts: Attempts per task.
        seeds: Comma-separated seeds; the release's by default.
        judge: Comma-separated first and second judge.
        runs: Folder that the run's own folder is made in.
        limits: Further fields of the run (``max_cost``, ``time_limit``, …).
    """
    chosen = tuple(int(seed) for seed in _listed(seeds)) or RELEASE_SEEDS
    return _whole_run(Suite.CARRY, task, judge, runs, attempts=attempts, seeds=chosen, **limits)


@task
def build(
    task: str = "", agent: str = "native", judge: str | list[str] = "", runs: str = "runs", **limits: Any
) -> Task:
    """The build suite for ``inspect eval tenure/build --model …``: one attempt per task.

    Attempts that the run's folder holds already are shown, not made again.

    Args:
        task: One task, or all that ship.
        agent: Who builds: native, claude-code, codex or openhands.
        judge: Judge of judged nodes.
        runs: Folder that the run's own folder is made in.
        limits: Further fields of the run (``max_cost``, ``max_steps``, ``time_limit``, …).
    """
    return _whole_run(Suite.BUILD, task, judge, runs, agent=agent, **limits)


@task
def operate(
    task: str = "", agent: str = "native", judge: str | list[str] = "", runs: str = "runs", **limits: Any
) -> Task:
    """The operate suite for ``inspect eval tenure/operate --model …``.

    Attempts that the run's folder holds already are shown, not made again.

    Args:
        task: One task, or all that ship.
        agent: Who works: native or browser-use.
        judge: Comma-separated first and second judge.
        runs: Folder that the run's own folder is made in.
        limits: Further fields of the run (``attempts``, ``max_cost``, ``max_steps``, ``vision``, …).
    """
    return _whole_run(Suite.OPERATE, task, judge, runs, agent=agent, **limits)


@task
def grow(
    task: str = "", agent: str = "native", grader: str | None = None, runs: str = "runs", **limits: Any
) -> Task:
    """The grow suite for ``inspect eval tenure/grow --model … -T grader=…``.

    Attempts that the run's folder holds already are shown, not made again.

    Args:
        task: One product, or all that ship.
        agent: Who builds: native, claude-code or codex.
        grader: The model that seeds and grades; a stand-in's is ``tenure/oracle``.
        runs: Folder that the run's own folder is made in.
        limits: Further fields of the run (``attempts``, ``max_cost``, ``max_steps``, …).
    """
    return _whole_run(Suite.GROW, task, "", runs, agent=agent, grader=grader, **limits)


def _whole_run(suite: Suite, task: str, judge: str | list[str], runs: str, **fields: Any) -> Task:
    spec = RunSpec(
        suite=suite,
        tasks=task_refs([task] if task else [], suite),
        model=str(get_model()),
        judges=tuple(_listed(judge)),
        **fields,
    )
    run = RunFolder(spec.folder(Path(runs)), spec)
    run.clear_errors()
    return attempts_task(run, run.planned(), Silent())
