"""What an agent's part leaves on disk before it is graded, and the record that grading makes of it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any, NamedTuple

import orjson
from inspect_ai.model import ChatMessage, ChatMessageTool

from tenure.engine.loop import Turns
from tenure.engine.plan import ENDED, Planned, write_whole
from tenure.engine.secrets import without_keys
from tenure.engine.spec import RunSpec
from tenure.schema import AttemptRecord, BuildTask, Ending, Outcome, Provenance, Shape, Task, Usage
from tenure.schema.grow import Product
from tenure.schema.operate import OperateTask
from tenure.schema.text import readable, readable_all

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


class Started(NamedTuple):
    """When the agent's part began."""

    at: str
    clock: float

    @classmethod
    def now(cls) -> "Started":
        """It begins."""
        return cls(_now(), monotonic())


def already(planned: Planned) -> Ended | None:
    """What a run that was killed before it could grade has left, if it has."""
    return read_ended(planned) if (planned.folder / ENDED).exists() else None


def read_ended(planned: Planned) -> Ended:
    """What an attempt's agent left."""
    return Ended.model_validate_json((planned.folder / ENDED).read_bytes())


def end(
    planned: Planned,
    turns: Turns,
    started: Started,
    instruction: str,
    *,
    screenshots: Mapping[str, str] | None = None,
    also: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Ended:
    """Write down what the agent's part left.

    Args:
        planned: The attempt.
        turns: What the loop left.
        started: When it began.
        instruction: The request.
        screenshots: Message id → file of its screenshot.
        also: What else belongs into provenance.
        seconds: How long the agent worked, where that is not the time since it began.
    """
    ended = Ended(
        ending=turns.ending,
        usage=Usage(
            steps=turns.steps,
            input_tokens=turns.input_tokens,
            output_tokens=turns.output_tokens,
            cost=turns.cost,
            seconds=round(monotonic() - started.clock if seconds is None else seconds, 3),
        ),
        started=started.at,
        ended=_now(),
        instruction=instruction,
        answer=readable(turns.answer),
        error=readable(without_keys(turns.error)),
        transcript=tuple(shown(message, screenshots or {}) for message in turns.messages),
        answered_by=tuple(sorted(turns.answered_by)),
        also=dict(also or {}),
    )
    write_whole(planned.folder / ENDED, ended.model_dump_json().encode())
    return ended


def record_of(
    spec: RunSpec,
    planned: Planned,
    task: Task | BuildTask | Product | OperateTask,
    ended: Ended,
    provenance: Provenance,
    *,
    outcome: Outcome,
    **graded: Any,
) -> AttemptRecord:
    """The record of a graded attempt.

    Args:
        spec: The run.
        planned: The attempt.
        task: What it was about.
        ended: What the agent's part left.
        provenance: Where its numbers come from.
        outcome: Of the attempt.
        graded: The suite's own fields of the record.
    """
    return AttemptRecord(
        suite=task.suite,
        task=task.id,
        title=task.title,
        attempt=planned.attempt,
        seed=planned.seed,
        row=spec.row,
        outcome=outcome,
        usage=ended.usage,
        provenance=provenance,
        started=ended.started,
        ended=ended.ended,
        instruction=ended.instruction,
        answer=ended.answer,
        error=ended.error,
        transcript=ended.transcript,
        **graded,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def shown(message: ChatMessage, screenshots: Mapping[str, str]) -> dict[str, Any]:
    """A message as records keep it.

    Args:
        message: The message.
        screenshots: Message id → file of its screenshot.
    """
    image = screenshots.get(message.id or "")
    text = "" if image and isinstance(message, ChatMessageTool) else readable(message.text)
    if len(text) > SHOWN_CHARS:
        text = f"{text[:SHOWN_CHARS]}\n[{len(text)} characters in all; the engine's log has the rest]"
    told: dict[str, Any] = {"role": message.role, "text": text}
    if stage := (message.metadata or {}).get("stage"):
        told["stage"] = stage
    if image:
        told["image"] = image
    if isinstance(message, ChatMessageTool):
        told["tool"] = message.function
        if message.error is not None:
            told["text"] = readable(message.error.message)
    elif message.role == "assistant" and message.tool_calls:
        told["calls"] = [{"tool": c.function, "arguments": _capped(c.arguments)} for c in message.tool_calls]
    return told


def _capped(arguments: dict[str, Any]) -> Any:
    arguments = readable_all(arguments)
    data = orjson.dumps(arguments)
    return arguments if len(data) <= SHOWN_CHARS else data[:SHOWN_CHARS].decode("utf-8", "replace")
