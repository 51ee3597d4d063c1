"""The loop: a model takes turns until it says that it is done, or a limit or a failure ends it.

Every ending of protocols, Carry 4 is decided here and nowhere else.
"""

import re
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageUser,
    Model,
    ModelOutput,
    execute_tools,
)
from inspect_ai.tool import Tool
from inspect_ai.util import apply_limits, time_limit

from tenure.engine.budget import Budget
from tenure.engine.messages import make_readable
from tenure.engine.tools import MAX_BYTES
from tenure.schema import Ending

SHELLS = frozenset(
    [
        "bash",
        "bash_session",
        "shell",
        "local_shell",
        "sh",
        "cmd",
        "powershell",
        "terminal",
        "exec_command",
        "execute_command",
        "run_command",
        "execute_bash",
        "run_shell_command",
    ]
)
"""Names under which models know a shell: asking for one ends the attempt (Carry 4)."""
_CLAUDE = re.compile(r"^anthropic/|claude", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.{0,10}(length|window|limit|size)|(prompt|input) is too long|^compaction insufficient",
    re.IGNORECASE,
)
"""How endpoints, and Inspect's summaries, say that a conversation no longer fits."""
_REMINDER = "Your last reply was empty. Go on with the job, or reply with a short summary if it is done."


@dataclass
class Turns:
    """What a loop leaves.

    Attributes:
        ending: How it ended.
        messages: The whole conversation.
        steps: Model turns.
        input_tokens: Read by the model, cached ones included.
        output_tokens: Written by the model.
        cost: Dollars, ``None`` when no price is known.
        answer: The last words.
        error: What failed, when the ending is ``fault``.
        answered_by: Model names that the provider gave with its answers.
    """

    messages: list[ChatMessage]
    ending: Ending = Ending.DONE
    steps: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    answer: str = ""
    error: str = ""
    answered_by: set[str] = field(default_factory=set)

    def count(self, output: ModelOutput, budget: Budget, *, step: bool = True) -> None:
        """Add a turn, or a side errand that is no step, and what it cost."""
        self.steps += step
        self.answered_by.add(output.model)
        if (usage := output.usage) is not None:
            cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
            self.input_tokens += usage.input_tokens + cached
            self.output_tokens += usage.output_tokens
            self.cost = budget.spend(usage)

    def stops(self, budget: Budget, tokens: int | None, steps: int | None) -> Ending | None:
        """The ending that a limit forces before the next turn, if one does."""
        if (stop := budget.stops()) is not None:
            return stop
        # Not Inspect's token limit: it raises before the turn that passed the limit can be counted.
        if tokens is not None and self.input_tokens + self.output_tokens >= tokens:
            return Ending.OUT_OF_TOKENS
        return Ending.OUT_OF_STEPS if steps is not None and self.steps >= steps else None

    def close(self) -> None:
        """Take down the last words."""
        self.answer = next((m.text for m in reversed(self.messages) if m.role == "assistant"), "")

    def broke(self, error: Exception) -> None:
        """End by a failure of ours; called while it is handled."""
        self.ending, self.error = Ending.FAULT, told(error)

    def failed(self, error: Exception) -> Ending:
        """The ending of a turn that the provider did not give."""
        cause = error.__cause__ or error  # The retries' own error does not say what went wrong.
        if _TOO_LONG.search(str(cause)):
            return Ending.CONTEXT_EXHAUSTED
        self.error = f"{type(cause).__name__}: {cause}"
        return Ending.FAULT


def told(error: Exception) -> str:
    """An exception that is being handled, with the last frames of its traceback."""
    return f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-4)}"


Ask = Callable[[Model, list[ChatMessage], Sequence[Tool]], Awaitable[ModelOutput]]
"""Asks a model for its next turn."""


async def ask_once(model: Model, messages: list[ChatMessage], tools: Sequence[Tool]) -> ModelOutput:
    """The next turn, tried again as the model's own settings say."""
    return await model.generate(messages, list(tools))


async def take_turns(
    model: Model,
    turns: Turns,
    tools: Sequence[Tool],
    *,
    seconds: float | None,
    tokens: int | None,
    budget: Budget,
    on_step: Callable[[int], None],
    trim: Callable[[Sequence[ChatMessage]], None] = lambda messages: None,
    steps: int | None = None,
    shell: bool = False,
    ask: Ask = ask_once,
    done: Callable[[], bool] = lambda: False,
) -> None:
    """Run the loop; ``turns`` is filled as it goes, whatever ends it.

    Args:
        model: The model.
        turns: Holds the opening messages.
        tools: The tools offered.
        seconds: Real time allowed; ``None`` where the caller watches the time.
        tokens: Tokens allowed, in and out.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        trim: Takes what has become old out of the history after each turn, in place.
        steps: Turns allowed.
        shell: Whether a shell is among the tools; else asking for one ends the attempt.
        ask: Asks the model for a turn.
        done: Asked after each turn's tools: whether one of them was the agent's last word.
    """

    def stops() -> Ending | None:
        return turns.stops(budget, tokens, steps)

    def count(output: ModelOutput) -> None:
        turns.count(output, budget)
        on_step(turns.steps)

    with apply_limits([time_limit(seconds)], catch_errors=True) as scope:
        turns.ending = await _turns(model, turns, tools, stops, count, trim, shell, ask, done)
    if scope.limit_error is not None:
        turns.ending = Ending.OUT_OF_TIME
    turns.close()


async def _turns(
    model: Model,
    turns: Turns,
    tools: Sequence[Tool],
    stops: Callable[[], Ending | None],
    count: Callable[[ModelOutput], None],
    trim: Callable[[Sequence[ChatMessage]], None],
    shell: bool,
    ask: Ask,
    done: Callable[[], bool],
) -> Ending:
    reminded, claude = False, is_claude(model)
    while True:
        if (stop := stops()) is not None:
            return stop
        try:
            output = await ask(model, turns.messages, tools)
        except Exception as error:
            return turns.failed(error)
        count(output)
        if (ending := broken_off(output, claude)) is not None:
            for choice in output.choices[:1]:
                make_readable(choice.message)
                turns.messages.append(choice.message)
            return ending
        message = output.message
        make_readable(message)
        turns.messages.append(message)
        if message.tool_calls:
            reminded = False
            if not shell and any(call.function.lower() in SHELLS for call in message.tool_calls):
                return Ending.SHELL_ACCESS
            given = (await execute_tools(turns.messages, list(tools), MAX_BYTES)).messages
            for result in given:
                make_readable(result)
            turns.messages.extend(given)
            trim(turns.messages)
            if done():
                return Ending.DONE
        elif message.text.strip():
            return Ending.DONE
        elif reminded:
            return Ending.NO_VALID_ANSWER
        else:
            reminded = True
            turns.messages.append(ChatMessageUser(content=_REMINDER))


def is_claude(model: Model) -> bool:
    """Whether a model's refusals arrive as Claude's do."""
    return bool(_CLAUDE.search(str(model)))


def broken_off(output: ModelOutput, claude: bool) -> Ending | None:
    """The ending that a turn's stop reason means, if it means one."""
    if not output.choices:
        return Ending.NO_VALID_ANSWER
    choice = output.choices[0]
    if choice.stop_reason == "model_length":
        return Ending.CONTEXT_EXHAUSTED
    if choice.stop_reason == "content_filter":
        # Without usage the provider turned the prompt away and no model has read it. Claude's own
        # refusals arrive under this stop reason too, older ones without details.
        read = output.usage is not None
        return Ending.REFUSED if read and (_declined(choice) or claude) else Ending.CONTENT_FILTER
    if choice.stop_reason == "max_tokens" and not choice.message.tool_calls:
        return Ending.NO_VALID_ANSWER
    if _declined(choice) and not choice.message.tool_calls:
        return Ending.REFUSED
    return None


def _declined(choice: ChatCompletionChoice) -> bool:
    """Whether the model itself declined, as providers mark it: in the content or beside it."""
    details, content = choice.stop_details, choice.message.content
    if details is not None and details.type == "refusal":
        return True
    parts = [] if isinstance(content, str) else [part for part in content if part.type == "text"]
    return bool(parts) and all(part.refusal for part in parts)
