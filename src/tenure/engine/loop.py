"""The loop: a model takes turns until it says that it is done, or a limit or a failure ends it.

Every ending of protocols, Carry 4 is decided here and nowhere else.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    execute_tools,
)
from inspect_ai.tool import Tool
from inspect_ai.util import apply_limits, time_limit

from tenure.engine.budget import Budget
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
    r"context.{0,10}(length|window|limit|size)|(prompt|input) is too long",
    re.IGNORECASE,
)
"""How endpoints say that a conversation no longer fits, where the provider code does not know it."""
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


async def take_turns(
    model: Model,
    turns: Turns,
    tools: Sequence[Tool],
    *,
    seconds: float,
    tokens: int | None,
    budget: Budget,
    on_step: Callable[[int], None],
    trim: Callable[[Sequence[ChatMessage]], None] = lambda messages: None,
) -> None:
    """Run the loop; ``turns`` is filled as it goes, whatever ends it.

    Args:
        model: The model.
        turns: Holds the opening messages.
        tools: The tools offered.
        seconds: Real time allowed.
        tokens: Tokens allowed, in and out.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        trim: Takes what has become old out of the history after each turn, in place.
    """
    with apply_limits([time_limit(seconds)], catch_errors=True) as scope:
        turns.ending = await _turns(model, turns, tools, tokens, budget, on_step, trim)
    if scope.limit_error is not None:
        turns.ending = Ending.OUT_OF_TIME
    last = next((m for m in reversed(turns.messages) if isinstance(m, ChatMessageAssistant)), None)
    turns.answer = last.text if last else ""


async def _turns(
    model: Model,
    turns: Turns,
    tools: Sequence[Tool],
    tokens: int | None,
    budget: Budget,
    on_step: Callable[[int], None],
    trim: Callable[[Sequence[ChatMessage]], None],
) -> Ending:
    reminded, claude = False, bool(_CLAUDE.search(str(model)))
    while True:
        if (stop := budget.stops()) is not None:
            return stop
        # Not Inspect's token limit: it raises before the turn that passed the limit can be counted.
        if tokens is not None and turns.input_tokens + turns.output_tokens >= tokens:
            return Ending.OUT_OF_TOKENS
        try:
            output = await model.generate(turns.messages, list(tools))
        except Exception as error:
            cause = error.__cause__ or error  # The retries' own error does not say what went wrong.
            if _TOO_LONG.search(str(cause)):
                return Ending.CONTEXT_EXHAUSTED
            turns.error = f"{type(cause).__name__}: {cause}"
            return Ending.FAULT
        _count(turns, output, budget)
        on_step(turns.steps)
        if (ending := _broken_off(output, claude)) is not None:
            turns.messages.extend(choice.message for choice in output.choices[:1])
            return ending
        message = output.message
        turns.messages.append(message)
        if message.tool_calls:
            reminded = False
            if any(call.function.lower() in SHELLS for call in message.tool_calls):
                return Ending.SHELL_ACCESS
            turns.messages.extend((await execute_tools(turns.messages, list(tools), MAX_BYTES)).messages)
            trim(turns.messages)
        elif message.text.strip():
            return Ending.DONE
        elif reminded:
            return Ending.NO_VALID_ANSWER
        else:
            reminded = True
            turns.messages.append(ChatMessageUser(content=_REMINDER))


def _count(turns: Turns, output: ModelOutput, budget: Budget) -> None:
    turns.steps += 1
    turns.answered_by.add(output.model)
    if (usage := output.usage) is not None:
        read = (
            usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        )
        turns.input_tokens += read
        turns.output_tokens += usage.output_tokens
        turns.cost = budget.spend(usage)


def _broken_off(output: ModelOutput, claude: bool) -> Ending | None:
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
