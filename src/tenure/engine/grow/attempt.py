"""One build of a product: built stage by stage, started, seeded, graded plan by plan, recorded.

It is never begun anew: whatever stopped it, the same command goes on from the files in its folder.
"""

from inspect_ai.model import Model

from tenure.engine.budget import Budget, Purse
from tenure.engine.ended import Ended, Started, already, end, read_ended, record_of
from tenure.engine.grow.crew import EFFORT, Crew
from tenure.engine.grow.findings import browsers_of, findings_of, grading_cost, score_stored
from tenure.engine.grow.plans import Plans
from tenure.engine.grow.stages import build_stages
from tenure.engine.grow.stored import START, Graded, StartRecord, keep, kept
from tenure.engine.loop import Turns, told
from tenure.engine.observer import Told
from tenure.engine.plan import GRADED, RECORD, Planned, read_record, write_record
from tenure.engine.secrets import without_keys
from tenure.engine.spec import RunSpec, hash_now
from tenure.schema import AttemptRecord, BadInput, Ending, Provenance
from tenure.schema.folder import GrowFolder, find_grow
from tenure.schema.provenance import package_version


async def work(spec: RunSpec, purse: Purse, crew: Crew, planned: Planned, model: Model, tell: Told) -> Ended:
    """Build what is not built, and grade what is not graded.

    Args:
        spec: The run.
        purse: The builders' money.
        crew: Who seeds and grades.
        planned: The attempt.
        model: Builds.
        tell: Told how it goes.

    Returns:
        What is in ``ended.json``. Our own failures of building end as ``Ending.FAULT``; those of grading
        are in ``findings.json``.
    """
    planned.folder.mkdir(parents=True, exist_ok=True)
    ended = already(planned) or await _build(spec, purse, planned, model, tell)
    if not (planned.folder / GRADED).exists():
        keep(planned.folder / GRADED, await _grade(crew, planned, ended, tell))
    return ended


async def _build(spec: RunSpec, purse: Purse, planned: Planned, model: Model, tell: Told) -> Ended:
    started = Started.now()
    try:
        folder = find_grow(planned.task)
        if hash_now(folder) != spec.hash_of(folder.task.id):
            raise BadInput(f"{folder.task.id} has changed since the run began; start the command again")
        return await build_stages(spec, folder, planned, model, Budget(purse), tell)
    except Exception as error:
        turns = Turns([])
        turns.broke(error)
        return end(planned, turns, started, "")


async def _grade(crew: Crew, planned: Planned, ended: Ended, tell: Told) -> Graded:
    """Grade a build however it ended, unless that was our fault (protocols, Grow 2)."""
    if ended.ending is Ending.FAULT:
        return Graded(error=ended.error or "the build was stopped by a fault of ours")
    try:
        folder = find_grow(planned.task)
        failures = await Plans(crew, folder, planned.folder, tell.reached).grade()
        return Graded(error="\n".join(failures), findings=findings_of(folder, planned.folder))
    except Exception as error:
        return Graded(error=without_keys(f"grading failed: {told(error)}"))


async def finish(spec: RunSpec, planned: Planned) -> AttemptRecord:
    """Score what is on disk and write the attempt's record, unless it is there.

    Args:
        spec: The run.
        planned: The attempt.
    """
    if (planned.folder / RECORD).exists():
        return read_record(planned.folder / RECORD)
    ended, folder = read_ended(planned), find_grow(planned.task)
    card = score_stored(folder, planned.folder)
    graded = kept(planned.folder / GRADED, Graded) or Graded()
    record = record_of(
        spec,
        planned,
        folder.task,
        ended.model_copy(update={"error": ended.error or graded.error}),
        _provenance(spec, folder, planned, ended, grading_cost(card.findings)),
        outcome=card.outcome,
        grow=card,
    )
    write_record(planned.folder, record)
    return record


def _provenance(
    spec: RunSpec, folder: GrowFolder, planned: Planned, ended: Ended, cost: float | None
) -> Provenance:
    start = kept(planned.folder / START, StartRecord) or StartRecord(ok=False)
    names = ("tenure", "inspect-ai", "pydantic", "playwright", "asyncpg")
    return Provenance(
        commit=spec.commit,
        task_hash=spec.hash_of(folder.task.id),
        world_hash="none",
        proof_hash=spec.proofs.get(folder.task.id),
        model=spec.model,
        settings={
            **spec.settings,
            "answered_by": list(ended.answered_by),
            "grader_effort": EFFORT,
            "grading_cost": cost,
            **ended.also,
        },
        versions={name: package_version(name) for name in names}
        | {"agent": spec.agent_version or "native", "browser": browsers_of(folder, planned.folder)}
        | start.versions,
        sandbox=spec.sandbox,
        image=spec.image,
    )
