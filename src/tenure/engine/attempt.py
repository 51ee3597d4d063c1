"""One attempt: open a place, let the agent work, freeze, grade, write the record.

Everything that the grade needs is on disk before grading starts, and grading reads only that: a
grade made again later is the same function of the same files.
"""

import shutil
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import anyio
import orjson
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageTool, ChatMessageUser, Model

from tenure.engine.budget import Budget, Purse
from tenure.engine.interface import open_interface
from tenure.engine.loop import Turns, take_turns
from tenure.engine.plan import (
    END_STATE,
    RECORD,
    Planned,
    keep_base,
    read_record,
    write_record,
    write_whole,
)
from tenure.engine.puppet import performing
from tenure.engine.secrets import without_keys
from tenure.engine.spec import STAND_IN, RunSpec
from tenure.grading import Judge, grade
from tenure.schema import (
    AttemptRecord,
    BadInput,
    Connection,
    Ending,
    Interface,
    JournalEntry,
    Outcome,
    Provenance,
    Scorecard,
    Shape,
    Usage,
)
from tenure.schema.folder import TaskFolder, find_task
from tenure.schema.provenance import package_version
from tenure.twins import load
from tenure.world import reopen
from tenure.world.prepare import base_for, world_hash

ENDED = "ended.json"
SHOWN_CHARS = 8_000
"""How much of one message a record keeps; the engine's own log keeps all of it."""


class Ended(Shape):
    """What the agent's part left beside the end state; written before grading."""

    ending: Ending
    usage: Usage
    started: str
    ended: str
    instruction: str = ""
    answer: str = ""
    error: str = ""
    transcript: tuple[dict[str, Any], ...] = ()
    answered_by: tuple[str, ...] = ()
    also: dict[str, str] = {}
    """What else belongs into provenance: the kind of computer tool, versions."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


async def work(
    spec: RunSpec, planned: Planned, model: Model, purse: Purse, on_step: Callable[[int], None]
) -> Ended:
    """The agent's part: from an open place to a frozen end state on disk.

    Args:
        spec: The run.
        planned: The attempt.
        model: Plays it.
        purse: The run's money.
        on_step: Told the number of turns after each.

    Returns:
        What was written to ``ended.json``, now or by a run that was killed before it could grade.
        Our own failures end as ``Ending.FAULT``.
    """
    if (planned.folder / ENDED).exists():
        return Ended.model_validate_json((planned.folder / ENDED).read_bytes())
    shutil.rmtree(planned.folder, ignore_errors=True)
    planned.folder.mkdir(parents=True)
    started, clock = _now(), monotonic()
    turns, instruction = Turns([]), ""
    screenshots: Mapping[str, str] = {}
    also: dict[str, str] = {}
    try:
        folder = find_task(planned.task)
        if world_hash(folder) != spec.hash_of(folder.task.id):
            raise BadInput(f"{folder.task.id} has changed since the run began; start the command again")
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
        turns.ending = Ending.FAULT
        turns.error = f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-4)}"
    ended = Ended(
        ending=turns.ending,
        usage=Usage(
            steps=turns.steps,
            input_tokens=turns.input_tokens,
            output_tokens=turns.output_tokens,
            cost=turns.cost,
            seconds=round(monotonic() - clock, 3),
        ),
        started=started,
        ended=_now(),
        instruction=instruction,
        answer=turns.answer,
        error=without_keys(turns.error),
        transcript=tuple(_shown(message, screenshots) for message in turns.messages),
        answered_by=tuple(sorted(turns.answered_by)),
        also=also,
    )
    write_whole(planned.folder / ENDED, ended.model_dump_json().encode())
    return ended


async def finish(spec: RunSpec, planned: Planned, judges: Sequence[Judge]) -> AttemptRecord:
    """Grade what is on disk and write the attempt's record, unless it is there.

    Args:
        spec: The run.
        planned: The attempt.
        judges: First and second judge.
    """
    if (planned.folder / RECORD).exists():
        return read_record(planned.folder / RECORD)
    ended = Ended.model_validate_json((planned.folder / ENDED).read_bytes())
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
        error = f"grading failed: {type(failure).__name__}: {failure}\n{traceback.format_exc(limit=-4)}"
    record = AttemptRecord(
        suite=folder.task.suite,
        task=folder.task.id,
        title=folder.task.title,
        attempt=planned.attempt,
        seed=planned.seed,
        row=spec.row,
        outcome=card.outcome if card else Outcome.ERROR,
        scorecard=card,
        usage=ended.usage,
        provenance=provenance(spec, folder, ended),
        started=ended.started,
        ended=ended.ended,
        instruction=ended.instruction,
        answer=ended.answer,
        error=error,
        transcript=ended.transcript,
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
    )


def _shown(message: ChatMessage, screenshots: Mapping[str, str]) -> dict[str, Any]:
    image = screenshots.get(message.id or "")
    text = "" if image else message.text
    if len(text) > SHOWN_CHARS:
        text = f"{text[:SHOWN_CHARS]}\n[{len(text)} characters in all; the engine's log has the rest]"
    shown: dict[str, Any] = {"role": message.role, "text": text}
    if isinstance(message, ChatMessageTool):
        shown["tool"] = message.function
        if message.error is not None:
            shown["text"] = message.error.message
        if image:
            shown["image"] = image
    elif message.role == "assistant" and message.tool_calls:
        shown["calls"] = [{"tool": c.function, "arguments": _capped(c.arguments)} for c in message.tool_calls]
    return shown


def _capped(arguments: dict[str, Any]) -> Any:
    data = orjson.dumps(arguments, default=str)
    return arguments if len(data) <= SHOWN_CHARS else data[:SHOWN_CHARS].decode("utf-8", "replace")
