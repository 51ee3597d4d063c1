"""The native agent: a model and the 22 actions, in the loop that all of Tenure's agents share."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, Model, ModelOutput
from inspect_ai.tool import Tool

from tenure.engine.budget import Budget
from tenure.engine.loop import Turns, take_turns
from tenure.engine.operate.looks import Looks
from tenure.engine.operate.place import Place
from tenure.engine.operate.prompt import system_prompt
from tenure.engine.operate.tools import action_tools, answer_by
from tenure.engine.spec import RunSpec


class Worked:
    """What an agent's part left beside its turns.

    Attributes:
        claimed: Whether it said that it succeeded; ``None`` when it did not say.
        actions: How many actions it asked for.
        screenshots: Message id → file of its picture.
    """

    def __init__(self) -> None:
        """Nothing yet."""
        self.claimed: bool | None = None
        self.actions = 0
        self.screenshots: Mapping[str, str] = {}


async def run_native(
    spec: RunSpec,
    model: Model,
    place: Place,
    turns: Turns,
    budget: Budget,
    on_step: Callable[[int], None],
    record: Path,
    worked: Worked,
) -> None:
    """Let the model work; ``turns`` and ``worked`` are filled as it goes, whatever ends it.

    Args:
        spec: The run.
        model: Works.
        place: Where.
        turns: Filled.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        record: The attempt's folder.
        worked: Filled.
    """
    acts = place.acts(answer_by(model, turns, budget))
    looks = Looks(place, record, vision=spec.vision, marks=spec.vision)
    worked.screenshots = looks.shown
    turns.messages += [
        ChatMessageSystem(content=system_prompt(vision=spec.vision, steps=spec.max_steps)),
        ChatMessageUser(content=place.instruction),
    ]

    async def ask(model: Model, messages: list[ChatMessage], tools: Sequence[Tool]) -> ModelOutput:
        await looks.show(messages)
        return await model.generate(messages, list(tools))

    try:
        await take_turns(
            model,
            turns,
            action_tools(acts, vision=spec.vision),
            seconds=spec.time_limit,
            tokens=spec.max_tokens,
            steps=spec.max_steps,
            budget=budget,
            on_step=on_step,
            ask=ask,
            done=lambda: acts.ended,
        )
    finally:
        worked.claimed, worked.actions = acts.claimed, acts.count
    if acts.ended:
        turns.answer = acts.report
