"""The computer tool's actions, carried out on a screen. The words are those of Inspect's tool."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from tenure.engine.screen.backend import HEIGHT, WIDTH, Button, Point, Refused, Screen
from tenure.engine.screen.keys import combination

LONGEST_WAIT = 60
"""Seconds of one wait or one held key."""
MOST_REPEATS = 100
_CLICKS: dict[str, tuple[Button, int]] = {
    "left_click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "back_click": ("back", 1),
    "forward_click": ("forward", 1),
}
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Hand:
    """Does one action after another on a screen.

    Attributes:
        at: Where the pointer is.
    """

    def __init__(self, screen: Screen) -> None:
        """Take hold of a screen's mouse and keyboard."""
        self.screen, self.at = screen, Point(WIDTH // 2, HEIGHT // 2)
        self._does: dict[str, Callable[[Mapping[str, Any]], Awaitable[None]]] = {
            **dict.fromkeys(_CLICKS, self._click),
            "mouse_move": self._move,
            "left_mouse_down": lambda given: self.screen.press("left"),
            "left_mouse_up": lambda given: self.screen.release("left"),
            "left_click_drag": self._drag,
            "scroll": self._scroll,
            "key": self._key,
            "hold_key": self._hold,
            "type": self._type,
            "wait": self._wait,
            "navigate": self._navigate,
            "screenshot": self._nothing,
            "zoom": self._nothing,
            "cursor_position": self._nothing,
            "open_web_browser": self._nothing,
        }

    async def act(self, arguments: Mapping[str, Any]) -> None:
        """Carry out an action, or each of a list of ``actions``.

        Args:
            arguments: The tool's arguments; those that are ``None`` count as not given.

        Raises:
            Refused: An argument is missing or out of bounds; the text says which.
        """
        for one in arguments.get("actions") or [arguments]:
            if not isinstance(one, Mapping):
                raise Refused("actions is a list of objects, each with an action.")
            given = {name: value for name, value in one.items() if value is not None}
            name = str(given.get("action", ""))
            if name not in self._does:
                raise Refused(f"There is no action {name!r}. Actions: {', '.join(sorted(self._does))}.")
            await self._does[name](given)
        await self.screen.settle()

    async def _click(self, given: Mapping[str, Any]) -> None:
        button, count = _CLICKS[given["action"]]
        if "coordinate" in given:
            await self._to(_point(given, "coordinate"))
        held = combination(str(given["text"])) if given.get("text") else ()
        if held:
            raise Refused("Clicks with keys held are not supported; use the menus.")
        for press in range(1, count + 1):
            await self.screen.press(button, press)
            await self.screen.release(button, press)

    async def _move(self, given: Mapping[str, Any]) -> None:
        await self._to(_point(given, "coordinate"))

    async def _drag(self, given: Mapping[str, Any]) -> None:
        end = _point(given, "coordinate")
        if "start_coordinate" in given:
            await self._to(_point(given, "start_coordinate"))
        start = self.at
        await self.screen.press("left")
        # In steps, as a hand does: pages tell a drag from a click by what happens in between.
        for n in range(1, 5):
            await self._to(Point(start.x + (end.x - start.x) * n // 4, start.y + (end.y - start.y) * n // 4))
        await self.screen.release("left")

    async def _scroll(self, given: Mapping[str, Any]) -> None:
        if "coordinate" in given:
            await self._to(_point(given, "coordinate"))
        way = given.get("scroll_direction", "down")
        if way not in _WAYS:
            raise Refused("scroll_direction is up, down, left or right.")
        amount = _number(given, "scroll_amount", 0, 1000, 5)
        right, down = _WAYS[way]
        await self.screen.wheel(int(right * amount), int(down * amount))

    async def _key(self, given: Mapping[str, Any]) -> None:
        # Several combinations may come in one text, apart by blanks, as xdotool takes them.
        wanted = [combination(part) for part in _text(given).split()] or [("Space",)]
        for _ in range(int(_number(given, "repeat", 1, MOST_REPEATS, 1))):
            for keys in wanted:
                await self.screen.key(*keys)

    async def _hold(self, given: Mapping[str, Any]) -> None:
        await self.screen.hold(combination(_text(given)), _number(given, "duration", 0, LONGEST_WAIT, 1))

    async def _type(self, given: Mapping[str, Any]) -> None:
        if "coordinate" in given:
            await self._click({"action": "left_click", "coordinate": given["coordinate"]})
        await self.screen.type(_text(given))
        if given.get("press_enter"):
            await self.screen.key("Enter")

    async def _wait(self, given: Mapping[str, Any]) -> None:
        await asyncio.sleep(_number(given, "duration", 0, LONGEST_WAIT, 1))

    async def _navigate(self, given: Mapping[str, Any]) -> None:
        await self.screen.visit(_text(given))

    async def _nothing(self, given: Mapping[str, Any]) -> None:
        return None

    async def _to(self, point: Point) -> None:
        await self.screen.move(point)
        self.at = point


def zoomed(png: bytes, region: Any) -> bytes:
    """A region of a screenshot, as large as the screen allows.

    Raises:
        Refused: It is not ``[x0, y0, x1, y1]`` on the screen.
    """
    try:
        x0, y0, x1, y1 = (int(value) for value in region)
    except (TypeError, ValueError):
        raise Refused("region is [x0, y0, x1, y1] in pixels.") from None
    if not (0 <= x0 < x1 <= WIDTH and 0 <= y0 < y1 <= HEIGHT):
        raise Refused(f"region must be on the screen: {WIDTH} x {HEIGHT} pixels.")
    scale = min(WIDTH / (x1 - x0), HEIGHT / (y1 - y0))
    size = max(1, int((x1 - x0) * scale)), max(1, int((y1 - y0) * scale))
    out = BytesIO()
    with Image.open(BytesIO(png)) as whole:
        whole.crop((x0, y0, x1, y1)).resize(size, Image.Resampling.LANCZOS).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _text(given: Mapping[str, Any]) -> str:
    if not isinstance(given.get("text"), str):
        raise Refused(f"{given['action']} needs text.")
    return str(given["text"])


def _point(given: Mapping[str, Any], name: str) -> Point:
    try:
        x, y = (int(value) for value in given[name])
    except (KeyError, TypeError, ValueError):
        raise Refused(f"{given['action']} needs {name}: [x, y] in pixels.") from None
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        raise Refused(f"[{x}, {y}] is not on the screen, which is {WIDTH} x {HEIGHT} pixels.")
    return Point(x, y)


def _number(given: Mapping[str, Any], name: str, low: float, high: float, default: float) -> float:
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise Refused(f"{name} is a number from {low:g} to {high:g}.")
    return float(value)
