"""Examining an installed app: does it start, is it healthy, is everybody let in, does it come back."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import httpx

from tenure.apps.opened import Installed
from tenure.apps.probes import signed_in
from tenure.apps.running import RunningApp, hook
from tenure.schema.errors import TenureError
from tenure.workspace.together import to_the_end


@dataclass(frozen=True)
class Examined:
    """One thing that was looked at.

    Attributes:
        what: What.
        well: Whether it is as it should be.
        says: What was seen, or what is wrong and what to do.
    """

    what: str
    well: bool
    says: str


async def examine(installed: Installed) -> AsyncIterator[Examined]:
    """Look at an app, one thing after the other, until one is not well."""
    app = installed.running()
    advice = f"; remove {installed.snapshot.folder}.json and try again"
    plan: list[tuple[str, str, Callable[[RunningApp], Awaitable[str]]]] = [
        ("starts", advice, _starts),
        ("the agent is let in", "; is its account in the data?", _agent),
        ("probes are let in", "; is the administrator's account in the data?", _admin),
        ("rows are read", "; is the database where the recipe says?", _rows),
        ("comes back", advice, _comes_back),
    ]
    try:
        for what, then, look in plan:
            begun = time.monotonic()
            try:
                said = await look(app)
            except (TenureError, OSError, httpx.HTTPError) as error:
                yield Examined(what, False, f"{' '.join(str(error).split())}{then}")
                return
            yield Examined(what, True, said or f"{time.monotonic() - begun:.1f} s")
    finally:
        await to_the_end(app.close())


async def _starts(app: RunningApp) -> str:
    await app.up()
    return ""


async def _agent(app: RunningApp) -> str:
    return await _let_in(app, agent=True)


async def _admin(app: RunningApp) -> str:
    return await _let_in(app, agent=False)


async def _let_in(app: RunningApp, *, agent: bool) -> str:
    await signed_in(app, agent=agent)
    return "" if hook(app.recipe, "sign_in") else "the recipe does not say how"


async def _rows(app: RunningApp) -> str:
    database = app.recipe.database
    if database is None:
        return "it has no database that is read"
    await app.refresh()
    await app.tables()
    return ""


async def _comes_back(app: RunningApp) -> str:
    begun = time.monotonic()
    await app.restore()
    return f"as its snapshot's hash says, in {time.monotonic() - begun:.1f} s"
