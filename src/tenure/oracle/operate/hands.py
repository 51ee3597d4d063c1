"""The hands of a scripted agent in a browser: the 22 actions that any agent of operate has.

Actions take elements by number. Which number an element has, a script asks the harness (``Look``) by what
the element is or says; only the harness answers that, and no action does. A script can act only on what
an agent is shown: what has no number is scrolled to first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tenure.oracle.acts import Act, Action, ScriptError
from tenure.oracle.eyes import Look, Sight
from tenure.oracle.hands import Changes, Solve, Steps
from tenure.schema.operate import TODO
from tenure.twins.wire.pilot import Spot

_MOST_SCROLLS = 60


@dataclass(frozen=True)
class Target(Spot):
    """An element of a page, by one of these.

    Attributes:
        role: ARIA role; with a ``name``, or any of that role.
        label: Text of its label.
        placeholder: What an empty field says.
        says: Text that it shows.
        css: A CSS selector, for what nothing else tells apart.
        having: Text that must stand in it, besides.
    """

    role: str = ""
    label: str = ""
    placeholder: str = ""
    says: str = ""
    css: str = ""
    having: str = ""

    def inside(self, outer: Spot) -> "Target":
        """The same element, looked for inside another."""
        return replace(self, within=outer)

    def number(self, nth: int) -> "Target":
        """Another of several, from 0; negative from the end."""
        return replace(self, nth=nth)

    def __str__(self) -> str:
        told = [f"{k}={v!r}" for k, v in vars(self).items() if v and k != "within"]
        return f"{', '.join(told)}{f' inside ({self.within})' if self.within else ''}"


def button(name: str = "", *, exact: bool = False) -> Target:
    """A button by its name."""
    return Target("button", name, exact=exact)


def link(name: str = "", *, exact: bool = False) -> Target:
    """A link by its name."""
    return Target("link", name, exact=exact)


def field(label: str, *, exact: bool = False) -> Target:
    """A field by its label."""
    return Target(label=label, exact=exact)


def row(having: str) -> Target:
    """A table's row by a text in it."""
    return Target("row", having=having)


def words(says: str, *, exact: bool = False) -> Target:
    """Whatever shows a text."""
    return Target(says=says, exact=exact)


def css(selector: str, having: str = "") -> Target:
    """An element by a CSS selector."""
    return Target(css=selector, having=having)


class OperateHands(Steps):
    """One scripted agent's hands. Every action raises ``ScriptError`` when it is refused.

    Attributes:
        instruction: The request, as any agent gets it.
    """

    def __init__(self, instruction: str, changes: Changes | None = None) -> None:
        """Hands for one performance."""
        super().__init__(changes)
        self.instruction = instruction
        self._ticked: set[str] = set()

    async def act(self, action: str, **arguments: Any) -> str:
        """Any of the 22 actions; what it said.

        Raises:
            ScriptError: It was refused.
        """
        response = await Act(Action(action, arguments))
        if not response.ok:
            raise ScriptError(f"{action} {_shown(arguments)}: {response.text[:300]}")
        return response.text

    async def open(self, url: str, *, new_tab: bool = False) -> None:
        """Open an address."""
        await self.act("navigate", url=url, new_tab=new_tab)

    async def back(self) -> None:
        """Go back to the page before."""
        await self.act("go_back")

    async def click(self, target: Spot) -> None:
        """Click an element."""
        await self.act("click", index=await self.find(target))

    async def fill(self, target: Spot, text: str, *, clear: bool = True) -> None:
        """Type into a field; what it held is replaced unless ``clear`` is false."""
        await self.act("input", index=await self.find(target), text=text, clear=clear)

    async def choose(self, target: Spot, option: str) -> None:
        """Choose an option of a list."""
        await self.act("select_dropdown", index=await self.find(target), text=option)

    async def upload(self, target: Spot, file: str) -> None:
        """Choose a file in a file field."""
        await self.act("upload_file", index=await self.find(target), path=file)

    async def press(self, keys: str) -> None:
        """Press a key or a combination, or type text where the cursor is."""
        await self.act("send_keys", keys=keys)

    async def pause(self, seconds: int) -> None:
        """Wait."""
        await self.act("wait", seconds=seconds)

    async def switch(self, tab: str) -> None:
        """Show another tab, by its id."""
        await self.act("switch", tab_id=tab)

    async def close(self, tab: str) -> None:
        """Close a tab, by its id."""
        await self.act("close", tab_id=tab)

    async def read(self, file: str) -> str:
        """Read a file."""
        return await self.act("read_file", file_name=file)

    async def tick(self, step: str) -> None:
        """Mark a thing to do as done in ``todo.md``, once."""
        if step in self._ticked:
            return
        self._ticked.add(step)
        await self.act("replace_file", file_name=TODO, old_str=f"- [ ] {step}", new_str=f"- [x] {step}")

    async def finish(self, report: str, *, success: bool = True) -> None:
        """End the job."""
        await self.act("done", text=report, success=success)

    async def text(self, target: Spot) -> str:
        """What an element shows; a field's value. Waits until it is there."""
        return (await Look(target)).text

    async def texts(self, target: Spot) -> list[str]:
        """The texts of all elements that fit, at once."""
        return list((await Look(target, every=True)).texts)

    async def wait(self, target: Spot, *, gone: bool = False) -> None:
        """Wait until an element is there, or is not there any more."""
        await Look(target, gone=gone)

    async def linger(self, target: Spot, *, seconds: int = 90) -> None:
        """Wait until an element is there, second by second: for what takes an app long, as its first page.

        Raises:
            ScriptError: It does not come.
        """
        for _ in range(seconds):
            if await self.texts(target):
                return
            await self.pause(1)
        raise ScriptError(f"{target} does not come")

    async def find(self, target: Spot) -> int:
        """An element's number; scrolls until it has one."""
        for _ in range(_MOST_SCROLLS):
            seen: Sight = await Look(target, aim=True)
            if seen.number:
                return seen.number
            place = {"index": seen.inside} if seen.inside else {}
            await self.act("scroll", down=seen.pages > 0, pages=abs(seen.pages), **place)
        raise ScriptError(f"{target} does not come into view")


def saying_so(solve: Solve) -> Solve:
    """A script that ends the job when its work is done, and says that it succeeded."""

    async def whole(hands: OperateHands) -> None:
        await solve(hands)
        await hands.finish("All of it is done.")

    return whole


def _shown(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r:.80}" for name, value in arguments.items())
