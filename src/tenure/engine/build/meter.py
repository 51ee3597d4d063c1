"""What a bridged command line asks of its model: counted, paid, tried again, and ended at the limits.

The bridge hands every request to ``Meter.answer``. Past a limit the model "answers" with a word, so
that the command line ends its work by itself: a limit of Inspect's would end the sample, and with it
the grading.
"""

from collections.abc import Callable, Iterable, Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tenure.engine.budget import Budget
from tenure.engine.build.patience import is_network_fault, patiently
from tenure.engine.loop import Turns, broken_off, is_claude
from tenure.engine.messages import make_readable
from tenure.schema import Ending

STOPPED = "The work ends here: a limit is reached."
UNREACHED = "The model cannot be reached."


class Meter:
    """Answers for the model, and fills ``turns``."""

    def __init__(
        self,
        turns: Turns,
        budget: Budget,
        *,
        steps: int | None,
        tokens: int | None,
        on_step: Callable[[int], None],
        heard: Iterable[str] = (),
        lost: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """Begin.

        Args:
            turns: Filled: messages of all conversations, in order, and what they cost.
            budget: The attempt's and the run's money.
            steps: Turns allowed.
            tokens: Tokens allowed, in and out.
            on_step: Told the number of turns after each.
            heard: Ids of tool calls whose results an earlier part of the conversation holds.
            lost: Told the seconds that the network's faults took.
        """
        self.turns = turns
        self.unreached = False
        """Whether the last request failed by the network's fault, all tries included."""
        self._budget, self._steps, self._tokens, self._on_step = budget, steps, tokens, on_step
        self.stopped: Ending | None = None
        """The ending that a limit, or a model that cannot be had, has forced."""
        self._last: Ending = Ending.DONE
        self._heard, self._lost = set(heard), lost

    @property
    def ending(self) -> Ending:
        """How the agent's part ended, if its command line ended by itself."""
        return self.stopped or self._last

    def again(self, wait: float) -> None:
        """Go on after a request that the network broke, and seconds of waiting."""
        self._lost(wait)
        self.unreached, self.stopped, self.turns.error = False, None, ""

    async def answer(
        self,
        model: Model,
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice | None,
        config: GenerateConfig,
    ) -> ModelOutput:
        """One request of the command line: a step, or else a side errand."""
        step = self._is_step(tools, config)
        for message in messages:
            make_readable(message)
        self._hear(messages, first=step and not self.turns.messages)
        if self.stopped is None:
            self.stopped = self.turns.stops(self._budget, self._tokens, self._steps)
        if self.stopped is not None:
            return _word(model, UNREACHED if self.unreached else STOPPED)
        try:
            output = await patiently(
                lambda: model.generate(messages, tools, tool_choice, config), lost=self._lost
            )
        except Exception as error:
            self.unreached = is_network_fault(error)
            self.stopped = self.turns.failed(error)
            return _word(model, UNREACHED)
        self.turns.count(output, self._budget, step=step)
        if step:
            self._on_step(self.turns.steps)
            self._last = broken_off(output, is_claude(model)) or Ending.DONE
            self._keep(output)
        return output

    def _is_step(self, tools: Sequence[ToolInfo], config: GenerateConfig) -> bool:
        """Whether a request asks for the next turn: one that offers tools does."""
        return bool(tools)

    def _keep(self, output: ModelOutput) -> None:
        """Keep a turn."""
        for choice in output.choices[:1]:
            make_readable(choice.message)
            self.turns.messages.append(choice.message)

    def _hear(self, messages: Sequence[ChatMessage], first: bool) -> None:
        """Keep the request, and every tool result that has not been seen."""
        if first:
            self.turns.messages += messages
        for message in messages:
            if isinstance(message, ChatMessageTool) and message.tool_call_id not in self._heard:
                self._heard.add(message.tool_call_id or "")
                self.turns.messages.append(message)


def _word(model: Model, text: str) -> ModelOutput:
    output = ModelOutput.from_content(str(model), text)
    output.usage = ModelUsage()
    return output
