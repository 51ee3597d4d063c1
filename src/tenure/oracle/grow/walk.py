"""What a scripted walk through a plan is made of: acts at a screen, and what was read there.

A walk never touches a browser itself. It performs acts through ``Hands``, so that one driver may do
them on the spot and another may send them through a grader's tools.
"""

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal, Protocol

from tenure.grading.grow.evidence import EMPTY_PAGE, canonical, occurs
from tenure.schema.grow import Plan
from tenure.schema.verdict import CheckVerdict, StepVerdict

Verb = Literal["open", "click", "double", "fill", "select", "tick", "attach", "read", "value", "address"]
QUOTE = 90
"""Characters of a quotation that shows what stood there instead."""


@dataclass(frozen=True)
class Act:
    """One thing that a user does or reads.

    Attributes:
        user: Whose browser session.
        verb: ``open`` an address; ``click`` or ``double``-click; ``fill``, ``select``, ``tick`` or
            ``attach`` to a field by its label; ``read`` the visible text of the first such element, empty
            where there is none; the ``value`` of a field, ``checked`` or ``unchecked`` for a box; the page's
            ``address`` as a path.
        role: The target's ARIA role; without it the target is a field with the label ``name``.
        name: Its accessible name; whole for fields, buttons and links, a part of it for others.
        value: What is filled in or selected, a file of the product's assets, an address's path.
        inside: Role and a part of the name of an element that the target is inside of.
    """

    user: str
    verb: Verb
    role: str = ""
    name: str = ""
    value: str = ""
    inside: tuple[str, str] | None = None


class Hands(Protocol):
    """What performs acts."""

    async def act(self, *acts: Act) -> str:
        """Do acts, several at one moment; returns what the last one read, else nothing."""


class Walk:
    """One walk through one plan: acts, and a verdict per check with what was on screen."""

    def __init__(self, plan: Plan, hands: Hands) -> None:
        """Walk a plan with these hands."""
        self.plan, self.hands = plan, hands
        self._parts: dict[str, list[tuple[bool, str]]] = defaultdict(list)

    async def do(self, *acts: Act) -> str:
        """Perform acts; several at one moment."""
        return await self.hands.act(*acts)

    async def open(self, user: str, path: str) -> None:
        """Go to an address of the product's."""
        await self.do(Act(user, "open", value=path))

    async def address(self, user: str) -> str:
        """Where a user is."""
        return await self.do(Act(user, "address"))

    async def click(self, user: str, *names: str, inside: tuple[str, str] | None = None) -> None:
        """Click links, by name, one after the other."""
        for name in names:
            await self.do(Act(user, "click", "link", name, inside=inside))

    async def press(self, user: str, name: str, inside: tuple[str, str] | None = None) -> None:
        """Click a button."""
        await self.do(Act(user, "click", "button", name, inside=inside))

    async def fill(self, user: str, **fields: str) -> None:
        """Fill fields in; a label is written with ``_`` for a space."""
        for label, value in fields.items():
            await self.do(Act(user, "fill", name=label.replace("_", " "), value=value))

    async def select(self, user: str, label: str, value: str) -> None:
        """Choose an option by its text."""
        await self.do(Act(user, "select", name=label, value=value))

    async def tick(self, user: str, *labels: str) -> None:
        """Tick boxes."""
        for label in labels:
            await self.do(Act(user, "tick", name=label))

    async def text(self, user: str, role: str = "main", name: str = "") -> str:
        """Read what an element shows."""
        return canonical(await self.do(Act(user, "read", role, name)))

    def record(self, check: str, passed: bool, quote: str) -> None:
        """Add to the verdict on a check; it passes when all that is added does."""
        self._parts[check].append((passed, quote or EMPTY_PAGE))

    async def reads(
        self, check: str, user: str, *wanted: str, role: str = "main", name: str = "", within: float = 0
    ) -> None:
        """A check: an element shows these texts, at once or within some seconds."""
        shown = await self.text(user, role, name)
        # From here on: hands may put off what comes before until something is read.
        end = time.monotonic() + within
        while not all(occurs(text, [shown]) for text in wanted) and time.monotonic() < end:
            await asyncio.sleep(0.2)
            shown = await self.text(user, role, name)
        for text in wanted:
            passed = occurs(text, [shown])
            self.record(check, passed, text if passed else _begin(shown))

    async def lacks(self, check: str, user: str, *texts: str, role: str = "main", name: str = "") -> None:
        """A check: an element does not show these texts."""
        shown = await self.text(user, role, name)
        self.record(check, not any(occurs(text, [shown]) for text in texts), _begin(shown))

    async def order(self, check: str, user: str, *texts: str, role: str = "main", name: str = "") -> None:
        """A check: an element shows these texts in this order."""
        shown = await self.text(user, role, name)
        places = [shown.find(text) for text in texts]
        in_order = -1 not in places and places == sorted(places)
        self.record(check, in_order, texts[0] if places[0] >= 0 else _begin(shown))

    async def holds(
        self, check: str, user: str, label: str, value: str, inside: tuple[str, str] | None = None
    ) -> None:
        """A check: a field holds a value."""
        held = await self.do(Act(user, "value", name=label, inside=inside))
        self.record(check, held == value, held)

    def verdicts(self) -> tuple[StepVerdict, ...]:
        """What was found, step by step; a check that the walk never came to has failed."""
        return tuple(
            StepVerdict(step=step.name, checks=tuple(self._verdict(check.id) for check in step.checks))
            for step in self.plan.steps
        )

    def _verdict(self, check: str) -> CheckVerdict:
        parts = self._parts.get(check, [])
        quotes = tuple(dict.fromkeys(quote for _, quote in parts))
        return CheckVerdict(check=check, passed=bool(parts) and all(ok for ok, _ in parts), quotes=quotes)


def _begin(shown: str) -> str:
    """Whole words from the beginning of what is shown."""
    if len(shown) <= QUOTE:
        return shown
    return shown[:QUOTE].rsplit(" ", 1)[0]
