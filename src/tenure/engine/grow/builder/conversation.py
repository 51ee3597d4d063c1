"""The one conversation over all stages, its older part summarised by the builder's own model when it is long.

Inspect's summary compaction does the summarising (protocols, Grow 3), with four things seen to here: one
handler lasts for all stages, with nothing but the system prompt to keep; a summary is paid for and is no
turn; the request that is under way stands verbatim after each summary; what a model has asked of a tool and
never got is not in the way of the next request.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    CompactionSummary,
    GenerateConfig,
    Model,
    ModelOutput,
    compaction,
    get_model_info,
)
from inspect_ai.tool import Tool, ToolInfo

from tenure.engine.build.patience import patiently

THRESHOLD = 200_000
"""Tokens past which the older part is summarised."""
_SHARE = 0.85
"""Of a smaller context window: what is left holds the summary."""
_TRIES = 3
"""Of a summary that the model answers without words."""
_CHARS = 4
"""Of a token, about, where the model has not counted it itself."""


class Conversation:
    """What the builder and its users have said, and what its model sees of that.

    Attributes:
        messages: All of it, since it began or was resumed.
        summaries: How often its older part was summarised.
    """

    def __init__(
        self, model: Model, system: str, tools: Sequence[Tool], view: Sequence[ChatMessage] = ()
    ) -> None:
        """Begin, or go on.

        Args:
            model: The builder.
            system: The system prompt.
            tools: The builder's tools.
            view: What the model saw when the conversation stood still; nothing at the beginning.
        """
        self._summary = _Summary(_Errands(model, tools, self._errand), threshold_of(model))
        self.messages: list[ChatMessage] = list(view) or [ChatMessageSystem(content=system)]
        prefix: list[ChatMessage] = [m for m in self.messages if m.role == "system"]
        self._handler = compaction(self._summary, prefix=prefix, tools=tools, model=self._summary.errands)
        self._seen: list[ChatMessage] = []
        self._until = 0
        self._count: Callable[[ModelOutput], None] = lambda output: None
        self._lost: Callable[[float], None] = lambda seconds: None

    @property
    def summaries(self) -> int:
        """How often the older part was summarised, since the conversation began or was resumed."""
        return self._summary.made

    @property
    def view(self) -> list[ChatMessage]:
        """What the model sees now."""
        return [*self._seen, *self.messages[self._until :]]

    def request(self, text: str, count: Callable[[ModelOutput], None], lost: Callable[[float], None]) -> int:
        """The next request; returns where it stands in ``messages``.

        Args:
            text: What is asked for.
            count: Told of each summary's cost.
            lost: Told the seconds that the network's faults took.
        """
        _drop_unanswered(self.messages)
        self._summary.request = ChatMessageUser(content=text)
        self.messages.append(self._summary.request)
        self._count, self._lost = count, lost
        return len(self.messages) - 1

    async def ask(self, model: Model, messages: list[ChatMessage], tools: Sequence[Tool]) -> ModelOutput:
        """The model's next turn; only the network's faults are tried again."""
        seen, note = await self._handler.compact_input(messages)
        if note is not None:
            messages.append(note)
        self._seen, self._until = seen, len(messages)
        output = await patiently(lambda: model.generate(seen, list(tools)), lost=self._lost)
        await self._handler.record_output(seen, output)
        return output

    async def _errand(self, ask: Callable[[], Awaitable[ModelOutput]]) -> ModelOutput:
        output = await patiently(ask, lost=self._lost)
        self._count(output)
        return output


class _Errands(Model):
    """The builder's model on the handler's errands: its answers are paid for, its tokens estimated."""

    def __init__(
        self,
        model: Model,
        tools: Sequence[Tool],
        errand: Callable[[Callable[[], Awaitable[ModelOutput]]], Awaitable[ModelOutput]],
    ) -> None:
        super().__init__(model.api, model.config, model.model_args)
        self._tools, self._errand = tools, errand

    async def generate(self, *given: Any, **named: Any) -> ModelOutput:
        # Some providers refuse a history of calls without tools: Inspect sends them to those alone. A model
        # may call one all the same, and what it says then is no summary.
        ask, named = super().generate, {**named, "tools": list(self._tools), "tool_choice": "none"}
        for _ in range(_TRIES):
            output = await self._errand(lambda: ask(*given, **named))
            if output.completion.strip():
                return output
        raise RuntimeError(f"compaction insufficient: no summary after {_TRIES} requests")

    async def count_tokens(self, input: str | list[ChatMessage], config: GenerateConfig | None = None) -> int:
        # A provider's own count is a request for each turn, and a tokenizer may have to be fetched. Each
        # turn tells what it really was; what came after it is all that is estimated.
        texts = [input] if isinstance(input, str) else [_written(message) for message in input]
        return sum(len(text) // _CHARS + 1 for text in texts)


class _Summary(CompactionSummary):
    """Inspect's summary, with the present request after it.

    Attributes:
        request: The request that is under way.
        made: How many summaries there were.
    """

    def __init__(self, errands: _Errands, threshold: int) -> None:
        super().__init__(threshold=threshold, memory=False, model=errands)
        self.errands, self.made = errands, 0
        self.request: ChatMessageUser | None = None

    async def compact(
        self, model: Model, messages: list[ChatMessage], tools: list[ToolInfo]
    ) -> tuple[list[ChatMessage], ChatMessageUser | None]:
        seen, note = await super().compact(model, messages, tools)
        self.made += 1
        if self.request is not None and self.request.id not in {message.id for message in seen}:
            seen = [*seen, self.request]
        return seen, note


def threshold_of(model: Model) -> int:
    """Tokens past which a conversation with a model is summarised: fewer where its window is small."""
    info = get_model_info(model)
    window = info.input_tokens if info is not None else None
    return min(THRESHOLD, int(_SHARE * window)) if window else THRESHOLD


def _written(message: ChatMessage) -> str:
    calls = message.tool_calls or () if isinstance(message, ChatMessageAssistant) else ()
    return message.text + "".join(f"{call.function}{call.arguments}" for call in calls)


def _drop_unanswered(messages: list[ChatMessage]) -> None:
    """Drop a last turn whose calls were cut off."""
    last = next((n for n in reversed(range(len(messages))) if messages[n].role == "assistant"), None)
    if last is None:
        return
    message = messages[last]
    called = {call.id for call in message.tool_calls or ()} if message.role == "assistant" else set()
    if called - {m.tool_call_id for m in messages[last:] if m.role == "tool"}:
        del messages[last:]
