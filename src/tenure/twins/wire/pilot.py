"""What page objects act through: a few moves on a screen, by role and accessible name.

A page object never sees a browser. The tests' driver turns moves into Playwright calls; an
oracle's turns an element into coordinates and emits the same actions that a model would.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Spot:
    """An element of the accessibility tree.

    Attributes:
        role: ARIA role.
        name: Accessible name, or a part of it unless ``exact``; empty for any.
        nth: Which of several, from 0; negative from the end.
        exact: The whole name, case and all.
        within: The element that holds it.
    """

    role: str
    name: str = ""
    nth: int = 0
    exact: bool = False
    within: "Spot | None" = None

    def inside(self, outer: "Spot") -> "Spot":
        """The same element, looked for inside another."""
        return Spot(self.role, self.name, self.nth, self.exact, outer)


class Screen(Protocol):
    """A screen with a mouse and a keyboard. Every move waits until its element is there."""

    async def goto(self, url: str) -> None:
        """Open an address, as by typing it into the address bar."""
        ...

    async def click(self, spot: Spot) -> None:
        """Click the middle of an element, scrolled into view before."""
        ...

    async def type(self, text: str) -> None:
        """Type into what has the focus; a line feed is Enter."""
        ...

    async def press(self, keys: str) -> None:
        """Press one key or chord: ``Enter``, ``Control+a``, ``#``."""
        ...

    async def text(self, spot: Spot) -> str:
        """The text that an element shows; a field's value."""
        ...

    async def texts(self, spot: Spot) -> list[str]:
        """The texts of all elements that fit, in order; ``nth`` does not count. Does not wait."""
        ...

    async def scroll(self, spot: Spot, pixels: int) -> None:
        """Turn the wheel over an element: down for positive."""
        ...

    async def wait(self, spot: Spot, *, gone: bool = False) -> None:
        """Wait until an element is there, or is not there any more."""
        ...

    async def upload(self, spot: Spot, filename: str, data: bytes) -> None:
        """Click an element that asks for a file, and choose one."""
        ...


async def fill(screen: Screen, spot: Spot, text: str) -> None:
    """Replace a text field's content as a person does."""
    await screen.click(spot)
    await screen.press("Control+a")
    await screen.press("Delete")
    if text:
        await screen.type(text)


async def choose(screen: Screen, spot: Spot, option: str) -> None:
    """Choose an option of a combobox."""
    await screen.click(spot)
    await screen.click(Spot("option", option, exact=True))
