"""What browser-use did, read from its driver's events and told as every agent's conversation is."""

from collections.abc import Iterator
from typing import Any, Literal
from uuid import uuid4

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
)
from inspect_ai.tool import ToolCall, ToolCallError
from pydantic import BaseModel, TypeAdapter, ValidationError

from tenure.engine.operate.looks import KEPT, earlier


class Begin(BaseModel):
    """It began.

    Attributes:
        system: Its system message.
        actions: The actions that it offers.
    """

    event: Literal["begin"]
    system: str
    actions: list[str]


class Result(BaseModel):
    """What an action gave.

    Attributes:
        text: In words.
        error: Why it was not done.
    """

    text: str = ""
    error: str = ""


class Step(BaseModel):
    """One look, one answer of the model, and what came of it.

    Attributes:
        url: The shown tab's address.
        title: Its title.
        tabs: All tabs.
        page: The page as it was told; empty when the model gave no answer to it.
        picture: Path of its picture in the machine.
        thought: What the model wrote beside its actions.
        actions: The actions that it asked for, each with its arguments by its name.
        results: What came of them, in order; the first alone, when the model gave no valid answer.
    """

    event: Literal["step"]
    url: str = ""
    title: str = ""
    tabs: list[str] = []
    page: str = ""
    picture: str = ""
    thought: dict[str, str] = {}
    actions: list[dict[str, Any]] = []
    results: list[Result] = []


class End(BaseModel):
    """It ended by itself.

    Attributes:
        done: Whether by ``done``.
        success: Whether it said that it succeeded.
        text: Its last words.
    """

    event: Literal["end"]
    done: bool
    success: bool | None = None
    text: str = ""


_EVENT: TypeAdapter[Begin | Step | End] = TypeAdapter(Begin | Step | End)


class Log:
    """The events of one attempt.

    Attributes:
        begin: The first, if there is one.
        steps: The steps.
        end: The last, if it came to it.
    """

    def __init__(self, text: str) -> None:
        """Read them; a line that was cut off by the end is none."""
        self.begin: Begin | None = None
        self.end: End | None = None
        self.steps: list[Step] = []
        for line in text.splitlines():
            try:
                event = _EVENT.validate_json(line)
            except ValidationError:
                continue
            if isinstance(event, Begin):
                self.begin = event
            elif isinstance(event, End):
                self.end = event
            else:
                self.steps.append(event)

    @property
    def actions(self) -> int:
        """How many actions were asked for."""
        return sum(len(step.actions) for step in self.steps)

    def told(self, instruction: str) -> tuple[list[ChatMessage], dict[str, str]]:
        """The conversation, and the pictures in it: id of the message that shows a look → its picture's path.

        Args:
            instruction: The request.
        """
        system = [ChatMessageSystem(content=self.begin.system)] if self.begin else []
        pictures: dict[str, str] = {}
        told: list[ChatMessage] = [*system, ChatMessageUser(content=instruction)]
        for n, step in enumerate(self.steps, 1 - len(self.steps)):
            look = ChatMessageUser(content=_look(step) if n > -KEPT else earlier(step.url, step.title))
            if step.picture and look.id:
                pictures[look.id] = step.picture
            told += [look, *_answer(step)]
        return told, pictures


def _look(step: Step) -> str:
    tabs = "\n".join(f"Tab: {tab}" for tab in step.tabs)
    return f"Current URL: {step.url}\nOpen tabs:\n{tabs}\nPage:\n{step.page or '(not told)'}"


def _answer(step: Step) -> Iterator[ChatMessage]:
    if not step.actions:
        yield from (ChatMessageUser(content=result.error or result.text) for result in step.results)
        return
    calls = [
        ToolCall(id=uuid4().hex, function=name, arguments=given if isinstance(given, dict) else {})
        for name, given in (next(iter(action.items()), ("", {})) for action in step.actions)
    ]
    thought = "\n".join(f"{name}: {words}" for name, words in step.thought.items())
    yield ChatMessageAssistant(content=thought, tool_calls=calls)
    # What follows an action that has changed the page is left out, and has no result.
    for call, result in zip(calls, step.results, strict=False):
        error = ToolCallError("unknown", result.error) if result.error else None
        yield ChatMessageTool(content=result.text, tool_call_id=call.id, function=call.function, error=error)
