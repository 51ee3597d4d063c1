"""The stand-in seeding agent: it writes the script that comes with the product."""

from collections.abc import Iterator
from contextlib import contextmanager

from tenure.engine.build.script import hear
from tenure.engine.puppet import Part, playing
from tenure.engine.usual import STAND_IN
from tenure.oracle import Action, Performance
from tenure.oracle.acts import Act
from tenure.oracle.build import WRITE
from tenure.oracle.grow import seeding_of
from tenure.oracle.hands import Notes, Steps
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.workspace.product import SEEDING

FINISH = "finish"


@contextmanager
def playing_seeder(model: str, folder: GrowFolder, plan: Plan) -> Iterator[None]:
    """Let the product's own seed play the seeding agent, where that is a stand-in.

    Args:
        model: The seeding agent's model name.
        folder: The product.
        plan: What is seeded.
    """
    if not model.startswith(STAND_IN):
        yield
        return

    async def write(hands: Steps, notes: Notes) -> None:
        for name, data in (seeding_of(folder, plan) or {}).items():
            await Act(Action(WRITE, {"path": f"{SEEDING}/{name}", "content": data.decode()}))

    async def solve(hands: Steps) -> None:
        await hands.step("write", write, Notes())
        await Act(Action(FINISH, {"success": True, "report": "The product's own seed is written."}))

    with playing(Part(Performance(solve, Steps()), hear=hear), folder.task.id):
        yield
