"""Messages hold no half of a character when they are sent on or kept."""

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
)
from inspect_ai.tool import ToolCall, ToolCallError

from tenure.engine.ended import shown
from tenure.engine.messages import make_readable

HALF = "\ud83d"
CALL = ToolCall(id="1", function="f", arguments={"a": [f"x{HALF}"]})
MESSAGES = (
    ChatMessageUser(content=f"a{HALF}"),
    ChatMessageUser(content=[ContentText(text=f"a{HALF}"), ContentImage(image="data:image/png;base64,")]),
    ChatMessageAssistant(content=[ContentReasoning(reasoning=f"r{HALF}")], tool_calls=[CALL]),
    ChatMessageTool(content=f"t{HALF}", function="f"),
    ChatMessageTool(content="", function="f", error=ToolCallError("unknown", f"e{HALF}")),
)


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
