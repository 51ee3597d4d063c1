"""One operate attempt: open the apps, let the agent work in a browser, ask the apps, record.

The apps start from their snapshots and end with the attempt, so no attempt meets another one's state.
All that the grade needs is on disk before grading starts.
"""

import shutil
from collections.abc import Sequence
from time import monotonic

from inspect_ai.model import Model

from tenure.engine.budget import Budget, Purse
from tenure.engine.ended import Ended, Started, already, end, read_ended, record_of
from tenure.engine.loop import Turns, told
from tenure.engine.observer import Told
from tenure.engine.operate.agents import opening, run_agent
from tenure.engine.operate.native import Worked
from tenure.engine.operate.place import Ground
from tenure.engine.operate.stored import AFTER, BEFORE, VERIFIER, Left, keep, score_stored
from tenure.engine.plan import LEFT, RECORD, Planned, read_record, write_record
from tenure.engine.secrets import without_keys
from tenure.engine.spec import RunSpec, hash_now
from tenure.grading import Judge
from tenure.grading.operate import load_answers, run_verifier
from tenure.schema import AttemptRecord, BadInput, Ending, Provenance
from tenure.schema.folder import OperateFolder, find_operate
from tenure.schema.operate import OperateScorecard
from tenure.schema.provenance import package_version
from tenure.scoring.operate import score_task


async def work(
    spec: RunSpec, purse: Purse, judges: Sequence[Judge], planned: Planned, model: Model, on_step: Told
) -> Ended:
    """The agent's part, and what the apps answer before and after it.

    Args:
        spec: The run.
        purse: The run's money.
        judges: The first answers a released verifier while the apps run; those of other tasks are asked
            later.
        planned: The attempt.
        model: Plays it.
        on_step: Told how it goes.

    Returns:
        What was written to ``ended.json``, now or by a run that was killed after it. Our own failures end
        as ``Ending.FAULT``; a failure to ask the apps is in ``left.json``.
    """
    if (ended := already(planned)) is not None:
        return ended
    shutil.rmtree(planned.folder, ignore_errors=True)
    planned.folder.mkdir(parents=True)
    started, turns, worked, instruction = Started.now(), Turns([]), Worked(), ""
    also: dict[str, str] = {}
    error, seconds = "", None
    try:
        folder = find_operate(planned.task)
        if hash_now(folder) != spec.hash_of(folder.task.id):
            raise BadInput(f"{folder.task.id} has changed since the run began; start the command again")
        say = on_step.reached
        async with opening(spec, folder, planned.folder, seed=planned.seed, say=say) as place:
            instruction, also = place.instruction, place.provenance
            await _ask(place, planned, BEFORE)
            clock = monotonic()
            await run_agent(spec, model, place, turns, Budget(purse), on_step, planned.folder, worked)
            seconds = monotonic() - clock
            if turns.ending is not Ending.FAULT:
                error = await _ask_after(place, planned, judges)
    except Exception as failure:
        turns.broke(failure)
    left = Left(ending=turns.ending, claimed=worked.claimed, actions=worked.actions, error=error)
    keep(planned.folder, LEFT, left)
    shots = worked.screenshots
    return end(planned, turns, started, instruction, screenshots=shots, also=also, seconds=seconds)


async def _ask_after(place: Ground, planned: Planned, judges: Sequence[Judge]) -> str:
    """Ask the apps at the end, by probes or by a released verifier; why it failed, if it did."""
    try:
        await place.leave()
        await _ask(place, planned, AFTER)
        if place.folder.task.verifier:
            judge = judges[0] if judges else None
            run = await run_verifier(place.folder, place.apps.released(), judge=judge)
            keep(planned.folder, VERIFIER, run)
    except Exception as failure:
        return without_keys(f"asking the apps failed: {told(failure)}")
    return ""


async def _ask(place: Ground, planned: Planned, name: str) -> None:
    if not place.folder.task.verifier:
        evidence = await place.apps.collect(load_answers(place.folder).probes)
        keep(planned.folder, name, evidence)


async def finish(spec: RunSpec, judges: Sequence[Judge], planned: Planned) -> AttemptRecord:
    """Grade what is on disk and write the attempt's record, unless it is there.

    Args:
        spec: The run.
        judges: First and second judge.
        planned: The attempt.
    """
    if (planned.folder / RECORD).exists():
        return read_record(planned.folder / RECORD)
    ended = read_ended(planned)
    folder = find_operate(planned.task)
    try:
        card = await score_stored(folder, planned.folder, judges=judges)
    except Exception as failure:
        error = without_keys(f"grading failed: {told(failure)}")
        card = score_task(folder.task, [], ending=ended.ending, error=error)
    record = record_of(
        spec,
        planned,
        folder.task,
        ended.model_copy(update={"error": ended.error or _reason(card)}),
        _provenance(spec, folder, ended),
        outcome=card.outcome,
        operate=card,
    )
    write_record(planned.folder, record)
    return record


def _reason(card: OperateScorecard) -> str:
    return card.reason if card.checkpoint is None else ""


def _provenance(spec: RunSpec, folder: OperateFolder, ended: Ended) -> Provenance:
    names = ("tenure", "inspect-ai", "pydantic", "playwright")
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
