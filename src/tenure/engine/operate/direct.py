"""The direct driver: a scripted agent in a browser, without Inspect and without pictures. For proofs."""

from dataclasses import dataclass
from pathlib import Path

from tenure.engine.operate.place import open_place
from tenure.engine.screen.backend import Refused
from tenure.grading.operate import load_answers
from tenure.oracle.hands import Changes, Performance, Solve
from tenure.oracle.operate import OperateHands
from tenure.schema.evidence import Evidence
from tenure.schema.folder import OperateFolder
from tenure.world import Response


@dataclass(frozen=True)
class Left:
    """What one scripted attempt left.

    Attributes:
        before: Of the untouched apps.
        after: Of the apps at the end.
        actions: How many actions the script took.
        refusals: What was refused: a sound oracle has none.
        steps: The steps that it came to.
    """

    before: Evidence
    after: Evidence
    actions: int
    refusals: tuple[str, ...]
    steps: tuple[str, ...]


async def perform(
    folder: OperateFolder, solve: Solve, record: Path, *, seed: int, changes: Changes | None = None
) -> Left:
    """Run a script against the task's apps, from their snapshots.

    Args:
        folder: The task.
        solve: The script.
        record: A folder for the agent's files.
        seed: What the apps' data are made from.
        changes: Makes the script wrong.

    Raises:
        ScriptError: The script could not go on.
        BadInput: See ``open_place``.
        Fault: See ``open_place``.
    """
    probes = load_answers(folder).probes
    async with open_place(folder, record, seed=seed) as place:
        before = await place.apps.collect(probes)
        hands = OperateHands(place.instruction, changes)
        performance, acts = Performance(solve, hands), place.acts(_no_answer)
        refusals: list[str] = []
        try:
            action = await performance.next(None, place.see)
            while action is not None:
                try:
                    response = Response(200, (await acts.do(*action)).text)
                except Refused as refused:
                    response = Response(0, str(refused))
                    refusals.append(f"{action.tool} {action.arguments}: {refused}"[:300])
                action = await performance.next(response, place.see)
        finally:
            performance.close()
        await place.browser.leave()
        after = await place.apps.collect(probes)
        return Left(before, after, acts.count, tuple(refusals), tuple(hands.done))


async def _no_answer(query: str, text: str) -> str:
    raise Refused("A scripted agent has no model that could read a page.")
