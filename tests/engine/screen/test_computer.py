"""The tool: what providers make of it, and what becomes of its screenshots."""

import asyncio
import os
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ChatMessageTool, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.tool import ContentImage, ContentText, Tool, ToolDef, ToolError, computer
from PIL import Image

from tenure.engine.screen.acts import Hand
from tenure.engine.screen.computer import KEPT, MOST, Computer, kind

from .test_acts import Recorder


class Noise(Recorder):
    """A screen that shows something else each time."""

    async def screenshot(self) -> bytes:
        out = BytesIO()
        Image.frombytes("RGB", (32, 32), os.urandom(3 * 32 * 32)).resize((1366, 768)).save(out, "PNG")
        return out.getvalue()


@pytest.fixture
def desk(tmp_path: Path) -> Computer:
    return Computer(Hand(Noise()), tmp_path)


def use(tool: Tool, **arguments: Any) -> Any:
    return asyncio.run(tool(**arguments))  # type: ignore[arg-type]


def test_the_tool_has_the_built_ins_name_and_parameters(desk: Computer) -> None:
    """Contract: providers use their native computer use for exactly these parameters."""
    ours, built_in = ToolDef(desk.tool), ToolDef(computer())
    assert (ours.name, ours.description) == (built_in.name, built_in.description)
    assert ours.parameters == built_in.parameters


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("anthropic/claude-sonnet-4-5", "native"),
        ("anthropic/claude-3-5-sonnet-20241022", "function"),
        ("openai/gpt-5.4", "native"),
        ("openai/gpt-5", "function"),
        ("openai/gpt-4o", "function"),
        ("mockllm/model", "function"),
    ],
)
def test_which_models_use_it_natively(desk: Computer, model: str, expected: str) -> None:
    """Contract: an upgrade of the engine that changes this is noticed."""
    assert (
        kind(get_model(model, config=GenerateConfig(), api_key="fake", memoize=False), desk.tool) == expected
    )


def test_a_screenshot_comes_back_and_becomes_a_small_file(desk: Computer, tmp_path: Path) -> None:
    (image,) = use(desk.tool, action="screenshot")
    assert isinstance(image, ContentImage) and image.image.startswith("data:image/png;base64,")
    (file,) = (tmp_path / "screens").iterdir()
    assert file.suffix == ".webp" and file.stat().st_size < 60_000
    with Image.open(file) as kept:
        assert kept.size == (1366, 768)


def test_the_cursors_place_is_said(desk: Computer) -> None:
    use(desk.tool, action="mouse_move", coordinate=[5, 6])
    text, image = use(desk.tool, action="cursor_position")
    assert text == ContentText(text="x=5, y=6") and isinstance(image, ContentImage)


def test_a_refusal_is_the_tools_error(desk: Computer) -> None:
    with pytest.raises(ToolError, match="not on the screen"):
        use(desk.tool, action="left_click", coordinate=[-1, 0])


def test_old_screenshots_leave_the_history_itself_and_stay_on_disk(desk: Computer, tmp_path: Path) -> None:
    history: list[Any] = [ChatMessageUser(content="go")]
    most = 0
    for step in range(20):
        history.append(
            ChatMessageTool(content=use(desk.tool, action="screenshot"), function="computer", id=f"m{step}")
        )
        desk.trim(history)
        most = max(most, holding := sum(_holds(message) for message in history))
        assert holding >= min(step + 1, KEPT)
    assert most == MOST
    assert [_holds(message) for message in history[-KEPT:]] == [True] * KEPT
    assert list(desk.shown) == [f"m{step}" for step in range(20)]
    assert len(set(desk.shown.values())) == 20
    assert all((tmp_path / name).is_file() for name in desk.shown.values())


def _holds(message: Any) -> bool:
    return isinstance(message.content, list) and any(isinstance(p, ContentImage) for p in message.content)
