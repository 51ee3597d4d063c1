"""Restoring a real app from its snapshot, beside stopping and starting it where it is."""

import asyncio

from bench.figure import Figure, timed_async
from tenure.apps import Installed, install, recipes
from tenure.apps.program import program_folder
from tenure.schema import BadInput
from tenure.workspace.bubblewrap import Bubblewrap

GOAL = 1.5
_TIMES = 10


def apps() -> list[Figure]:
    """A figure for each app that is installed; none where machines do not isolate."""
    return [] if Bubblewrap.missing() else asyncio.run(_apps())


async def _apps() -> list[Figure]:
    figures = []
    for recipe in recipes().values():
        try:
            there = program_folder(recipe)
        except BadInput:
            continue
        if there is not None:
            figures.append(await _restored(await install(recipe)))
    return figures


async def _restored(installed: Installed) -> Figure:
    one, other = installed.running(), installed.running()

    async def ours(n: int) -> None:
        await one.restore()

    async def floor(n: int) -> None:
        await other.stop()
        await other.start()

    try:
        await one.up()
        await other.up()
        name = f"{installed.recipe.name} restored from its snapshot"
        return await timed_async(name, ours, floor, goal=GOAL, times=_TIMES)
    finally:
        await one.close()
        await other.close()
