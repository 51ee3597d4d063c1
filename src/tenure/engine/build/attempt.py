"""One build: open a machine with a database, let the agent work, grade what it left, freeze, record.

The machine that the agent left is what is graded, however its part ended (protocols, Build 2). What
grading found is on disk before the record is made, and the record is a function of that alone.
"""

import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from time import monotonic

from inspect_ai.model import Model

from tenure.engine.budget import Budget, Purse
from tenure.engine.build.agents import run_agent
from tenure.engine.build.freeze import freeze
from tenure.engine.build.leaks import Ran
from tenure.engine.build.lines import machine_for
from tenure.engine.build.prompt import build_prompt
from tenure.engine.build.script import performing
from tenure.engine.build.settings import machine_of
from tenure.engine.build.stored import Graded, score_stored, store
from tenure.engine.build.trajectory import commands_of
from tenure.engine.ended import Ended, Started, already, end, read_ended, record_of
from tenure.engine.loop import Turns, told
from tenure.engine.plan import RECORD, Planned, read_record, write_record
from tenure.engine.sandbox.opening import open_any
from tenure.engine.secrets import without_keys
from tenure.engine.spec import RunSpec, hash_now, packages_of
from tenure.engine.usual import STAND_IN
from tenure.grading import Judge
from tenure.grading.dag import live_system, run_dag
from tenure.oracle.build import place_documents
from tenure.schema import AttemptRecord, BadInput, Ending, NodeFinding, Provenance
from tenure.schema.folder import BuildFolder, find_build
from tenure.schema.provenance import package_version
from tenure.scoring.build import score_task
from tenure.workspace import Gateway
from tenure.workspace.ready import Workspace, open_workspace

EVIDENCE = "evidence"


async def work(
    spec: RunSpec,
    purse: Purse,
    judges: Sequence[Judge],
    planned: Planned,
    model: Model,
    on_step: Callable[[int], None],
) -> Ended:
    """The agent's part and the grading of its machine, up to the files that ``finish`` reads.

    Args:
        spec: The run.
        purse: The run's money.
        judges: The judge of judged nodes, or none.
        planned: The attempt.
        model: Plays it.
        on_step: Told the number of turns after each.

    Returns:
        What was written to ``ended.json``, now or by a run that was killed after it. Our own failures
        end as ``Ending.FAULT``; a failure of grading is in ``findings.json``.
    """
    if (ended := already(planned)) is not None:
        return ended
    shutil.rmtree(planned.folder, ignore_errors=True)
    planned.folder.mkdir(parents=True)
    started, turns, prompt = Started.now(), Turns([]), ""
    seconds: float | None = None
    also: dict[str, str] = {}
    graded = Graded(ending=Ending.FAULT)
    ran: tuple[Ran, ...] = ()
    try:
        folder = find_build(planned.task)
        if hash_now(folder) != spec.hash_of(folder.task.id):
            raise BadInput(f"{folder.task.id} has changed since the run began; start the command again")
        if machine_of(spec.sandbox, packages_of(spec.tasks))["image"] != spec.image:
            raise BadInput("the machines' image has changed since the run began; start the command again")
        gateway = Gateway.to_registries() if spec.registries else None
        wanted = machine_for(spec.agent)
        async with open_workspace(
            folder.task, spec.sandbox, wanted, gateway=gateway, opening=open_any
        ) as place:
            also = dict(place.provenance)
            await place_documents(folder, place.machine)
            prompt = build_prompt(
                folder.task, place.machine.kind, database=place.database, registries=spec.registries
            )
            script = performing(folder, spec.model.removeprefix(STAND_IN), prompt)
            clock = monotonic()
            with script if spec.stand_in else nullcontext():
                await run_agent(
                    spec, model, place.machine, prompt, turns, Budget(purse), on_step, planned.folder
                )
            seconds = monotonic() - clock
            if gateway is not None:
                also["gateway visits"] = " ".join(sorted({visit.host for visit in gateway.visits}))
            ran = commands_of(turns.messages)
            if turns.ending is not Ending.FAULT:
                graded = await _grade(folder, place, turns.ending, judges, planned)
    except Exception as error:
        if graded.ending is Ending.FAULT:  # A machine that does not close well has been graded all the same.
            turns.broke(error)
    if turns.ending is Ending.FAULT:
        graded = Graded(ending=Ending.FAULT, error=without_keys(turns.error))
    store(planned.folder, graded, ran)
    return end(planned, turns, started, prompt, also=also, seconds=seconds)


async def _grade(
    folder: BuildFolder, place: Workspace, ending: Ending, judges: Sequence[Judge], planned: Planned
) -> Graded:
    """Grade the living machine, then take from it what a reader will want to see."""
    evidence = planned.folder / EVIDENCE
    evidence.mkdir()
    findings: tuple[NodeFinding, ...] = ()
    error = ""
    try:
        async with live_system(place, folder.task) as system:
            judge = judges[0] if judges else None
            findings = await run_dag(folder.dag, folder.task, system, judge=judge, evidence=evidence)
    except Exception as failure:
        error = without_keys(f"grading failed: {told(failure)}")
    return Graded(ending=ending, error=error, findings=findings, frozen=await freeze(place, evidence))


async def finish(spec: RunSpec, planned: Planned) -> AttemptRecord:
    """Score what is on disk and write the attempt's record, unless it is there.

    Args:
        spec: The run.
        planned: The attempt.
    """
    if (planned.folder / RECORD).exists():
        return read_record(planned.folder / RECORD)
    ended = read_ended(planned)
    folder = find_build(planned.task)
    try:
        card = score_stored(folder, planned.folder)
    except BadInput as failure:
        card = score_task(folder.task, [], ending=ended.ending, error=f"grading failed: {failure}")
    record = record_of(
        spec,
        planned,
        folder.task,
        ended.model_copy(update={"error": ended.error or (card.reason if card.score is None else "")}),
        _provenance(spec, folder, ended),
        outcome=card.outcome,
        build=card,
    )
    write_record(planned.folder, record)
    return record


def _provenance(spec: RunSpec, folder: BuildFolder, ended: Ended) -> Provenance:
    names = ("tenure", "inspect-ai", "pydantic", "httpx", "playwright", "asyncpg")
    return Provenance(
        commit=spec.commit,
        task_hash=spec.hash_of(folder.task.id),
        world_hash="none",
        proof_hash=spec.proofs.get(folder.task.id),
        model=spec.model,
        settings={**spec.settings, "answered_by": list(ended.answered_by), **ended.also},
        versions={name: package_version(name) for name in names} | {"agent": spec.agent_version or "native"},
        sandbox=spec.sandbox,
        image=spec.image,
    )
