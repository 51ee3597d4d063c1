"""The 22 actions as a model's tools, with exactly these names and arguments."""

import base64
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText, Model
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams, ToolResult

from tenure.engine.budget import Budget
from tenure.engine.loop import Turns
from tenure.engine.operate.acts import Acts, Answer
from tenure.engine.operate.params import ACTIONS
from tenure.engine.operate.prompt import extract_prompt
from tenure.engine.screen.backend import Refused
from tenure.schema.text import readable


def action_tools(acts: Acts, *, vision: bool) -> list[Tool]:
    """A tool for each action.

    Args:
        acts: Carries them out.
        vision: Whether the model takes pictures.
    """
    return [_tool(acts, name, vision) for name in ACTIONS]


def _tool(acts: Acts, name: str, vision: bool) -> Tool:
    async def execute(**arguments: Any) -> ToolResult:
        try:
            said = await acts.do(name, arguments)
        except Refused as refused:
            raise ToolError(str(refused)) from refused
        if not said.pictures:
            return said.text
        if not vision:
            return f"{said.text}\n[Pictures are not shown to you: you take none.]"
        encoded = [base64.b64encode(picture).decode() for picture in said.pictures]
        return [
            ContentText(text=said.text),
            *(ContentImage(image=f"data:image/png;base64,{data}") for data in encoded),
        ]

    shape = ACTIONS[name]
    about = " ".join((shape.__doc__ or "").split())
    # One after the other: what an action leaves is there for the next.
    return ToolDef(execute, name=name, description=about, parameters=_params(name), parallel=False).as_tool()


def _params(name: str) -> ToolParams:
    schema = ACTIONS[name].model_json_schema()
    return ToolParams.model_validate(
        {
            "properties": {key: _plain(value) for key, value in schema.get("properties", {}).items()},
            "required": schema.get("required", []),
            "additionalProperties": False,
        }
    )


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """A property without what only pydantic wants to know."""
    return {key: inner for key, inner in value.items() if key != "title"}


def answer_by(model: Model, turns: Turns, budget: Budget) -> Answer:
    """What answers ``extract``: the agent's own model; the cost is the attempt's, and it is no turn.

    Args:
        model: The model.
        turns: Counts it.
        budget: Pays for it.
    """

    async def answer(query: str, text: str) -> str:
        system, question = extract_prompt(query, text)
        asked: Sequence[Any] = [
            ChatMessageSystem(content=system),
            ChatMessageUser(content=readable(question)),
        ]
        try:
            output = await model.generate(list(asked))
        except Exception as error:
            raise Refused("The page could not be read for you; look at it yourself.") from error
        turns.count(output, budget, step=False)
        return output.completion or "(no answer)"

    return answer
