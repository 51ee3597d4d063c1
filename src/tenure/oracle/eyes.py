"""The screen, as a scripted agent's hands use it.

Every move is the one tool that a model has, ``computer``, by coordinates. Where an element is, and
what it says, a script asks the harness (``Look``): only the harness answers that, and no tool does.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tenure.oracle.acts import Act, Action, ScriptError
from tenure.twins.wire.pilot import Spot

COMPUTER = "computer"
NOTCH = 100
"""Pixels that a notch of the wheel is taken for."""
_MOST_TURNS = 40
"""Turns of the wheel after which an element is given up."""


class Sight(NamedTuple):
    """What the harness sees of an element.

    Attributes:
        at: Its middle on the screen, pixels.
        text: What it shows, or the value of a field.
        texts: The texts of all that fit, when all were asked for.
        turn: Notches of the wheel (right, down) that bring it into view; zeros when it is in view.
        over: Where the pointer has to be for that.
        number: In a browser that numbers elements: its number, 0 while it has none.
        pages: Screens that have to be scrolled down before it has one.
        inside: Number of the element that has to be scrolled; 0 for the page.
    """

    at: tuple[int, int] = (0, 0)
    text: str = ""
    texts: tuple[str, ...] = ()
    turn: tuple[int, int] = (0, 0)
    over: tuple[int, int] = (0, 0)
    number: int = 0
    pages: float = 0.0
    inside: int = 0


@dataclass(frozen=True)
class Look:
    """A question about an element of the page that is shown; awaiting it gives the answer.

    Attributes:
        spot: The element.
        every: All that fit are meant, whether there are any or not.
        gone: Wait until it is not there any more.
        aim: A click is to meet it: it must be where nothing covers it.
    """

    spot: Spot
    every: bool = False
    gone: bool = False
    aim: bool = False

    def __await__(self) -> Generator["Look", Sight | LookupError, Sight]:
        seen = yield self
        if isinstance(seen, LookupError):
            raise ScriptError(str(seen))
        return seen


class Eyes:
    """The moves of ``tenure.twins.wire.pilot.Screen``, as a scripted agent makes them."""

    async def goto(self, url: str) -> None:
        """Type an address into the address bar."""
        await self._do(action="key", text="ctrl+l")
        await self._do(action="type", text=url, press_enter=True)

    async def click(self, spot: Spot) -> None:
        """Click the middle of an element, scrolled into view before."""
        await self._do(action="left_click", coordinate=list((await self._reach(spot)).at))

    async def type(self, text: str) -> None:
        """Type into what has the focus."""
        await self._do(action="type", text=text)

    async def press(self, keys: str) -> None:
        """Press one key or chord."""
        await self._do(action="key", text=keys)

    async def text(self, spot: Spot) -> str:
        """What an element shows; a field's value."""
        return (await Look(spot)).text

    async def texts(self, spot: Spot) -> list[str]:
        """The texts of all elements that fit."""
        return list((await Look(spot, every=True)).texts)

    async def scroll(self, spot: Spot, pixels: int) -> None:
        """Turn the wheel over an element."""
        seen = await self._reach(spot)
        await self._turn(seen.at, (0, round(pixels / NOTCH) or (1 if pixels > 0 else -1)))

    async def wait(self, spot: Spot, *, gone: bool = False) -> None:
        """Wait until an element is there, or is not there any more."""
        await Look(spot, gone=gone)

    async def upload(self, spot: Spot, filename: str, data: bytes) -> None:
        """Refused: an agent's computer holds no files of its own.

        Raises:
            ScriptError: Always.
        """
        raise ScriptError("there are no files on the agent's computer that it could choose")

    async def _reach(self, spot: Spot) -> Sight:
        for _ in range(_MOST_TURNS):
            seen = await Look(spot, aim=True)
            if seen.turn == (0, 0):
                return seen
            await self._turn(seen.over, seen.turn)
        raise ScriptError(f"{spot} does not come into view")

    async def _turn(self, over: tuple[int, int], turn: tuple[int, int]) -> None:
        right, down = turn
        way = ("down" if down > 0 else "up") if down else ("right" if right > 0 else "left")
        amount = abs(down or right)
        await self._do(action="scroll", coordinate=list(over), scroll_direction=way, scroll_amount=amount)

    async def _do(self, **arguments: Any) -> None:
        response = await Act(Action(COMPUTER, arguments))
        if not response.ok:
            raise ScriptError(f"{arguments}: {response.text[:300]}")
