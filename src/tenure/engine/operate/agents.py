"""The agents of operate, by name: where each works, and how it is let work."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

from inspect_ai.model import Model

from tenure.engine.budget import Budget
from tenure.engine.build.settings import Agent
from tenure.engine.loop import Turns
from tenure.engine.operate.browser_use import run_browser_use
from tenure.engine.operate.machine import Rented, open_rented
from tenure.engine.operate.native import Worked, run_native
from tenure.engine.operate.place import Ground, Place, open_place
from tenure.engine.operate.script import performing
from tenure.engine.spec import RunSpec
from tenure.engine.usual import STAND_IN
from tenure.schema.folder import OperateFolder


def opening(
    spec: RunSpec, folder: OperateFolder, record: Path, *, seed: int, say: Callable[[str], None]
) -> AbstractAsyncContextManager[Ground]:
    """What the run's agent works in.

    Args:
        spec: The run.
        folder: The task.
        record: The attempt's folder.
        seed: What the apps' data are made from.
        say: Told what is going on.
    """
    if spec.agent is Agent.BROWSER_USE:
        return open_rented(folder, record, seed=seed, say=say, release=spec.release)
    return open_place(folder, record, seed=seed, say=say, release=spec.release)


async def run_agent(
    spec: RunSpec,
    model: Model,
    place: Ground,
    turns: Turns,
    budget: Budget,
    on_step: Callable[[int], None],
    record: Path,
    worked: Worked,
) -> None:
    """Let the run's agent work; ``turns`` and ``worked`` are filled, whatever ends it.

    Args:
        spec: The run.
        model: What the agent asks.
        place: What ``opening`` opened.
        turns: Filled.
        budget: The attempt's and the run's money.
        on_step: Told the number of turns after each.
        record: The attempt's folder.
        worked: Filled.
    """
    if isinstance(place, Rented):
        await run_browser_use(spec, model, place, turns, budget, on_step, record, worked)
        return
    assert isinstance(place, Place)
    name = spec.model.removeprefix(STAND_IN)
    script = performing(place.folder, name, place.instruction, place.see) if spec.stand_in else nullcontext()
    with script:
        await run_native(spec, model, place, turns, budget, on_step, record, worked)
