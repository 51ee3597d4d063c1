"""The tool that a model has at a screen: Inspect's ``computer``, carried out by a ``Hand``.

Providers use their native computer use when a tool has that name and exactly the built-in's
parameters, so description and parameters are taken from the built-in when the tool is made.
"""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import ChatMessage, ChatMessageTool, Model
from inspect_ai.tool import (
    ContentImage,
    ContentText,
    Tool,
    ToolDef,
    ToolError,
    ToolInfo,
    ToolResult,
    computer,
)
from playwright.async_api import Error

from tenure.engine.pictures import keep_picture, picture_name
from tenure.engine.screen.acts import Hand, zoomed
from tenure.engine.screen.backend import Refused
from tenure.oracle.eyes import COMPUTER

KEPT = 3
"""Newest screenshots that stay in the history whatever happens."""
MOST = 2 * KEPT
"""Screenshots in the history at which the older ones leave: not at every step, so that the part of
the history that providers cache stays the same for a while."""
_GONE = "[an earlier screenshot]"


class Computer:
    """The tool and what becomes of its screenshots.

    Attributes:
        tool: For the model.
        shown: Message id → its screenshot's file, relative to the attempt's folder.
    """

    def __init__(self, hand: Hand, record: Path) -> None:
        """Give a model a hand.

        Args:
            hand: Carries out its actions.
            record: The attempt's folder; each screenshot becomes a small file in it.
        """
        self._hand, self._record = hand, record
        self.shown: dict[str, str] = {}
        self.tool = self._tool()

    def _tool(self) -> Tool:
        async def execute(**arguments: Any) -> ToolResult:
            return await self._use(arguments)

        builtin = ToolDef(computer(None))
        return ToolDef(
            execute, name=COMPUTER, description=builtin.description, parameters=builtin.parameters
        ).as_tool()

    async def _use(self, arguments: Mapping[str, Any]) -> ToolResult:
        try:
            await self._hand.act(arguments)
            png = await self._hand.screen.screenshot()
            last = _last(arguments)
            if last.get("action") == "zoom":
                png = await anyio.to_thread.run_sync(zoomed, png, last.get("region"))
        except Refused as refused:
            raise ToolError(str(refused)) from refused
        except Error as error:
            raise ToolError(f"The browser did not do that: {error.message.splitlines()[0]}") from error
        image = ContentImage(image="data:image/png;base64," + base64.b64encode(png).decode())
        await keep_picture(png, self._record)
        if last.get("action") == "cursor_position":
            return [ContentText(text=f"x={self._hand.at.x}, y={self._hand.at.y}"), image]
        return [image]

    def trim(self, messages: Sequence[ChatMessage]) -> None:
        """Take old screenshots out of a history, in place.

        Args:
            messages: The history, newest last.
        """
        holding = [m for m in messages if isinstance(m, ChatMessageTool) and _images(m)]
        for message in holding:
            if message.id and message.id not in self.shown:
                data = _images(message)[-1].image.partition(",")[2]
                self.shown[message.id] = picture_name(base64.b64decode(data))
        if len(holding) > MOST:
            for message in holding[:-KEPT]:
                texts = [part for part in message.content if isinstance(part, ContentText)]
                message.content = [*texts, ContentText(text=_GONE)]


def kind(model: Model, tool: Tool) -> str:
    """Whether a model's provider makes the tool its own: ``native`` or ``function``."""
    about = ToolDef(tool)
    info = ToolInfo(name=about.name, description=about.description, parameters=about.parameters)
    api = model.api
    provider = type(api).__module__.rpartition(".")[2]
    found: object = None
    if provider == "anthropic":
        found = api.computer_use_tool_param(info)  # type: ignore[attr-defined]
    elif provider == "openai" and getattr(api, "responses_api", False):
        from inspect_ai.model._providers._openai_computer_use import maybe_computer_use_tool

        found = maybe_computer_use_tool(api.model_name, info)
    elif provider == "google":
        from inspect_ai.model._providers._google_computer_use import maybe_computer_use_tool as google

        found = google(api.model_name, info)
    return "function" if found is None else "native"


def _last(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    actions = arguments.get("actions")
    return actions[-1] if actions else arguments


def _images(message: ChatMessageTool) -> list[ContentImage]:
    return [part for part in message.content if isinstance(part, ContentImage)]
