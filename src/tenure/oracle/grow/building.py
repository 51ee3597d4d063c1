"""The oracle of a grow product's builder: what a scripted agent does at one stage."""

import shlex
from collections.abc import Sequence

from tenure.oracle.build import Edit, WorkspaceHands
from tenure.oracle.grow.reference import PROGRAM, overlay, reference_at
from tenure.oracle.hands import Changes, Notes
from tenure.schema.folder import GrowFolder, PlacedStage

_SETUP_SECONDS = 300


class StageHands(WorkspaceHands):
    """What a scripted agent builds a stage with.

    Attributes:
        folder: The product.
        placed: The stage.
        edits: A patch of the finished reference.
    """

    def __init__(
        self, folder: GrowFolder, placed: PlacedStage, changes: Changes, edits: Sequence[Edit] = ()
    ) -> None:
        """Hands for one stage."""
        super().__init__(changes)
        self.folder, self.placed, self.edits = folder, placed, tuple(edits)


async def build_stage(hands: StageHands) -> None:
    """Build one stage of the reference; the step is called as the stage's folder is."""
    await hands.step(hands.placed.path.name, _build, Notes())


async def _build(hands: StageHands, notes: Notes) -> None:
    await hands.shell(f'head -n 20 "$HOME/requests/{hands.placed.path.name}/prd.md"')
    for path, content in stage_files(hands.folder, hands.placed.number, hands.edits).items():
        await hands.write(path, content.decode("utf-8"))
    setup = shlex.quote(f"./{hands.folder.task.setup}")
    programs = f"find . -name '*{PROGRAM}' -exec chmod +x {{}} +"
    await hands.shell(f"{programs} && {setup}", timeout=_SETUP_SECONDS)


def stage_files(folder: GrowFolder, stage: int, edits: Sequence[Edit] = ()) -> dict[str, bytes]:
    """The files that a stage adds or changes, by path below /app.

    Args:
        folder: The product.
        stage: Its number.
        edits: A patch of the finished reference. Each edit is made where its file is written for the
            last time, as no later stage undoes it there.

    Raises:
        BadInput: The reference does not build the stage, or the patch does not fit.
    """
    last = {path: n for n in range(1, len(folder.stages) + 1) for path in overlay(folder, n)}
    now = [edit for edit in edits if last.get(edit.path) == stage]
    finished = reference_at(folder, stage, now)
    return {path: finished[path] for path in overlay(folder, stage)}
