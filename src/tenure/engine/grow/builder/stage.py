"""One stage as a builder gets it, and the builder that has tools of Tenure's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from inspect_ai.model import ChatMessage, Model, ModelOutput

from tenure.engine.budget import Budget
from tenure.engine.build.tools import bash_tool
from tenure.engine.grow.builder.clock import Clock
from tenure.engine.grow.builder.conversation import Conversation
from tenure.engine.grow.builder.editor import EDITOR, PATCH, editor_for, patches
from tenure.engine.grow.builder.requests import Request
from tenure.engine.grow.builder.tasklist import task_list_tool
from tenure.engine.loop import Turns, take_turns
from tenure.workspace import Machine


@dataclass
class Stage:
    """A request and its limits.

    Attributes:
        request: What is asked for.
        budget: The attempt's and the run's money.
        clock: The stage's time.
        steps: Model turns allowed.
        tokens: Tokens allowed, in and out; ``None`` for no limit.
        on_step: Told the number of turns of this stage after each.
        turns: Filled as it goes, whatever ends it.
        first: Where in ``turns.messages`` this stage begins.
    """

    request: Request
    budget: Budget
    clock: Clock
    steps: int | None
    tokens: int | None
    on_step: Callable[[int], None]
    turns: Turns = field(default_factory=lambda: Turns([]))
    first: int = 0

    @property
    def said(self) -> list[ChatMessage]:
        """What was said in this stage."""
        return self.turns.messages[self.first :]


class Builder(Protocol):
    """Who builds: one conversation over all stages."""

    @property
    def view(self) -> Sequence[ChatMessage]:
        """What its model sees now; nothing where the agent keeps that itself."""
        ...

    @property
    def summaries(self) -> int:
        """How often the conversation's older part was summarised, since it was begun or resumed."""
        ...

    @property
    def about(self) -> Mapping[str, str]:
        """What belongs into provenance beside the settings."""
        ...

    async def work(self, stage: Stage) -> None:
        """Build one stage; the time is up to the caller."""
        ...


class Native:
    """A model with a terminal, a file editor and a task list."""

    def __init__(
        self, model: Model, machine: Machine, home: str, system: str, view: Sequence[ChatMessage]
    ) -> None:
        """Begin, or go on.

        Args:
            model: Builds.
            machine: Where.
            home: The home folder.
            system: The system prompt.
            view: What the model saw when the conversation stood still; nothing at the beginning.
        """
        self._model = model
        self._variables: dict[str, str] = {}
        self._tools = [
            bash_tool(machine, self._variables),
            editor_for(str(model), machine),
            task_list_tool(machine, home),
        ]
        self._conversation = Conversation(model, system, self._tools, view)
        self._fresh = not view
        self.about = {"editor": PATCH if patches(str(model)) else EDITOR}

    @property
    def view(self) -> list[ChatMessage]:
        """See ``Builder``."""
        return self._conversation.view

    @property
    def summaries(self) -> int:
        """See ``Builder``."""
        return self._conversation.summaries

    async def work(self, stage: Stage) -> None:
        """See ``Builder``."""
        turns, conversation = stage.turns, self._conversation

        def paid(output: ModelOutput) -> None:
            turns.count(output, stage.budget, step=False)

        self._variables.update(stage.request.variables)
        begun = conversation.request(stage.request.text, paid, stage.clock.lose)
        # The system prompt is of the first stage.
        stage.first, self._fresh = 0 if self._fresh else begun, False
        turns.messages = conversation.messages
        await take_turns(
            self._model,
            turns,
            self._tools,
            seconds=None,
            tokens=stage.tokens,
            steps=stage.steps,
            budget=stage.budget,
            on_step=stage.on_step,
            shell=True,
            ask=conversation.ask,
        )
