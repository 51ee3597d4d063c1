"""Messages hold no half of a character when they are sent on or kept."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.tool import Tool, ToolCall, ToolCallError, tool

from tenure.engine.budget import Budget, Purse
from tenure.engine.ended import shown
from tenure.engine.loop import Turns, take_turns
from tenure.engine.messages import make_readable
from tenure.schema import Ending

HALF = "\ud83d"
CALL = ToolCall(id="1", function="f", arguments={"a": [f"x{HALF}"]})
MESSAGES = (
    ChatMessageUser(content=f"a{HALF}"),
    ChatMessageUser(content=[ContentText(text=f"a{HALF}"), ContentImage(image="data:image/png;base64,")]),
    ChatMessageAssistant(content=[ContentReasoning(reasoning=f"r{HALF}")], tool_calls=[CALL]),
    ChatMessageTool(content=f"t{HALF}", function="f"),
    ChatMessageTool(content="", function="f", error=ToolCallError("unknown", f"e{HALF}")),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("message", MESSAGES, ids=[str(n) for n in range(len(MESSAGES))])
def test_halves_are_replaced_and_nothing_else(message: ChatMessage) -> None:
    given = message.model_copy(deep=True)
    with pytest.raises(ValueError, match="surrogates not allowed"):
        given.model_dump_json()
    make_readable(given)
    assert given.model_dump_json()
    assert repr(given) == repr(message).replace(repr(HALF)[1:-1], "?")


@pytest.mark.parametrize("message", MESSAGES, ids=[str(n) for n in range(len(MESSAGES))])
def test_none_is_kept_of_one_that_came_from_elsewhere(message: ChatMessage) -> None:
    told = shown(message, {})
    assert HALF not in str(told).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert "\\ud83d" not in repr(told)


@pytest.mark.anyio
async def test_the_loop_sends_none_that_a_tool_gave(tmp_path: Path) -> None:
    @tool
    def look() -> Tool:
        async def execute() -> str:
            """Look."""
            return f"seen{HALF}"

        return execute

    said = iter(
        [
            ModelOutput.for_tool_call("mockllm/model", "look", {}),
            ModelOutput.from_content("mockllm/model", f"Done{HALF}."),
        ]
    )

    async def ask(model: Model, messages: list[ChatMessage], tools: Sequence[Tool]) -> ModelOutput:
        return next(said)

    turns = Turns([ChatMessageUser(content="Go.")])
    await take_turns(
        get_model("mockllm/model"),
        turns,
        [look()],
        seconds=None,
        tokens=None,
        budget=Budget(Purse(None, tmp_path / "ledger")),
        on_step=lambda steps: None,
        ask=ask,
    )
    assert [message.text for message in turns.messages[2:]] == ["seen?", "Done?."]
    assert (turns.answer, turns.ending) == ("Done?.", Ending.DONE)
