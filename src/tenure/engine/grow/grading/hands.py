"""A walk's acts as scripts for the grader's tools.

Acts that answer nothing wait for the next one that does, and go with it in one script.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict

from tenure.engine.grow.grading.tools import RUN
from tenure.grading.grow import EMPTY_PAGE
from tenure.oracle import Action, ScriptError
from tenure.oracle.grow import Act
from tenure.oracle.grow.walk import QUOTE
from tenure.world import Response

Do = Callable[[Action], Awaitable[Response]]
"""Does one tool call."""
_ANSWERING = ("read", "value", "address")
_ANSWER = re.compile(r"answer (\d+)\n")
_PRELUDE = """
address = {address!r}

def place_of(within, role, name, whole=False):
    return (within.get_by_role(role, name=name, exact=whole) if name else within.get_by_role(role)).first

async def act(user, verb, role, name, value, inside):
    shown = page(user)
    shown.set_default_timeout(15_000)
    if verb == "open":
        await shown.goto(address + value)
        return ""
    if verb == "address":
        return shown.url.removeprefix(address)
    within = place_of(shown, *inside) if inside else shown
    target = (
        place_of(within, role, name, role in ("button", "link"))
        if role
        else within.get_by_label(name, exact=True).first
    )
    if verb in ("click", "double"):
        await (target.click() if verb == "click" else target.dblclick())
        await shown.wait_for_load_state()
    elif verb == "fill":
        await target.fill(value)
    elif verb == "select":
        await target.select_option(label=value)
    elif verb == "tick":
        await target.check()
    elif verb == "attach":
        await target.set_input_files(value)
    elif verb == "read":
        return await target.inner_text() if await target.count() else ""
    elif await target.get_attribute("type") == "checkbox":
        return "checked" if await target.is_checked() else "unchecked"
    else:
        return await target.input_value()
    return ""

def answer(text):
    print("answer", len(text))
    print(text)
"""


class ScriptHands:
    """Hands that act through ``run_script``."""

    def __init__(self, do: Do, address: str, before: Callable[[], Awaitable[None]]) -> None:
        """Take the tools.

        Args:
            do: Does a tool call.
            address: The product's.
            before: Called before each act.
        """
        self._do, self._before = do, before
        self._waiting = [_PRELUDE.format(address=address)]

    async def act(self, *acts: Act) -> str:
        """See ``Hands.act``."""
        await self._before()
        calls = [f"act(**{asdict(act)!r})" for act in acts]
        if acts[-1].verb not in _ANSWERING:
            self._waiting.append(f"await asyncio.gather({', '.join(calls)})")
            return ""
        return await self.answer(f"answer((await asyncio.gather({', '.join(calls)}))[-1])")

    async def answer(self, line: str = "") -> str:
        """Run what waits, and a line; returns what it answers.

        Raises:
            ScriptError: The script failed.
        """
        script = "\n".join((*self._waiting, line))
        self._waiting.clear()
        response = await self._do(Action(RUN, {"code": script}))
        if (found := _ANSWER.search(response.text)) is None:
            if line or "Error: " in response.text or not response.ok:
                raise ScriptError(response.text[-600:])
            return ""
        return response.text[found.end() :][: int(found[1])]

    async def words(self, user: str) -> str:
        """What a user's page begins with: a quotation for what has none."""
        shown = " ".join((await self.answer(f"answer(await page({user!r}).inner_text('body'))")).split())
        if not shown:
            return EMPTY_PAGE
        return shown if len(shown) <= QUOTE else shown[:QUOTE].rsplit(" ", 1)[0]
