"""One attempt: open a place, let the agent work, freeze, grade, write the record.

Everything that the grade needs is on disk before grading starts, and grading reads only that: a
grade made again later is the same function of the same files.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext

import anyio
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, Model

from tenure.engine.budget import Budget, Purse
from tenure.engine.ended import Ended, Started, already, end, read_ended, record_of
from tenure.engine.interface import open_interface
from tenure.engine.loop import Turns, take_turns, told
from tenure.engine.plan import END_STATE, RECORD, Planned, keep_base, read_record, write_record
from tenure.engine.puppet import performing
from tenure.engine.spec import RunSpec
from tenure.engine.usual import STAND_IN
from tenure.grading import Judge, grade
from tenure.schema import (
    AttemptRecord,
    BadInput,
    Connection,
    Interface,
    JournalEntry,
    Outcome,
    Provenance,
    Scorecard,
)
from tenure.schema.folder import TaskFolder, find_task
from tenure.schema.provenance import package_version
from tenure.twins import load
from tenure.twins.wire.built import screens_hash
from tenure.world import reopen
from tenure.world.prepare import base_for, world_hash


async def work(
    spec: RunSpec, purse: Purse, planned: Planned, model: Model, on_step: Callable[[int], None]
) -> Ended:
    """The agent's part: from an open place to a frozen end state on disk.

    Args:
        spec: The run.
        purse: The run's money.
        planned: The attempt.
        model: Plays it.
        on_step: Told the number of turns after each.

    Returns:
        What was written to ``ended.json``, now or by a run that was killed before it could grade.
        Our own failures end as ``Ending.FAULT``.
    """
    if (ended := already(planned)) is not None:
        return ended
    shutil.rmtree(planned.folder, ignore_errors=True)
    planned.folder.mkdir(parents=True)
    started = Started.now()
    turns, instruction = Turns([]), ""
    screenshots: Mapping[str, str] = {}
    also: dict[str, str] = {}
    try:
        folder = find_task(planned.task)
        if world_hash(folder) != spec.hash_of(folder.task.id):
            raise BadInput(f"{folder.task.id} has changed since the run began; start the command again")
        if spec.backend and screens_hash() != spec.screens:
            raise BadInput("the screens were built anew since the run began; start the command again")
        base = await anyio.to_thread.run_sync(base_for, folder, planned.seed)
        kept = keep_base(base, planned.folder)
        async with open_interface(spec, folder, kept, planned.folder) as place:
            instruction, screenshots = place.instruction, place.screenshots
            also = place.provenance(model)
            turns.messages += [
                ChatMessageSystem(content=place.system),
                ChatMessageUser(content=instruction),
            ]
            name = spec.model.removeprefix(STAND_IN)
            prefer = "screen" if spec.interface is Interface.SCREEN else "rest"
            script = performing(folder, name, instruction, place.see, prefer)
            with script if spec.stand_in else nullcontext():
                await take_turns(
                    model,
                    turns,
                    place.tools,
                    seconds=spec.time_limit,
                    tokens=spec.max_tokens,
                    budget=Budget(purse),
                    on_step=on_step,
                    trim=place.trim,
                )
            about = {
                "task": planned.task,
                "version": folder.task.version,
                "seed": planned.seed,
                "ending": turns.ending,
            }
            await place.freeze(planned.folder / END_STATE, about)
    except Exception as error:
        turns.broke(error)
    return end(planned, turns, started, instruction, screenshots=screenshots, also=also)


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
    folder = find_task(planned.task)
    card: Scorecard | None = None
    journal: tuple[JournalEntry, ...] = ()
    connections: tuple[Connection, ...] = ()
    error = ended.error
    try:
        if (planned.folder / END_STATE).exists():
            twins = load(folder.task.twins)
            base = planned.folder.parent.parent / "bases" / base_for(folder, planned.seed).name
            end = reopen(planned.folder / END_STATE, twins, base, scratch=planned.folder)
            card = await grade(folder, end, ended.ending, judges=judges)
            journal, connections = tuple(end.journal), end.connections
            end.close()
    except Exception as failure:
        error = f"grading failed: {told(failure)}"
    record = record_of(
        spec,
        planned,
        folder.task,
        ended.model_copy(update={"error": error}),
        provenance(spec, folder, ended),
        outcome=card.outcome if card else Outcome.ERROR,
        scorecard=card,
        journal=journal,
        connections=connections,
    )
    write_record(planned.folder, record)
    return record


def provenance(spec: RunSpec, folder: TaskFolder, ended: Ended) -> Provenance:
    """Where an attempt's numbers come from."""
    names = ("tenure", "inspect-ai", "apsw", "pydantic", "mcp")
    return Provenance(
        commit=spec.commit,
        task_hash=spec.hash_of(folder.task.id),
        world_hash=folder.world_hash,
        proof_hash=spec.proofs.get(folder.task.id),
        model=spec.model,
        settings={**spec.settings, "answered_by": list(ended.answered_by), **ended.also},
        versions={name: package_version(name) for name in names},
        screens=spec.screens,
    )
