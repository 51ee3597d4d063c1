"""Scripts that play the builder: the oracle, with a bug or without a stage, and the idle one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tenure.engine.build import script as building
from tenure.engine.grow.builder.editor import EDITOR, PATCH
from tenure.engine.grow.builder.patch import BEGIN, END
from tenure.engine.puppet import Part, playing
from tenure.oracle import Action, Changes, Performance, Solve, idle
from tenure.oracle.build import WRITE, Edit
from tenure.oracle.grow import load_bugs
from tenure.oracle.grow.building import StageHands, build_stage
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder, PlacedStage

_SCRIPTS = ("oracle", "oracle:bug=<name>", "oracle:skip=<stage>", "idle")


def check_builder(folder: GrowFolder, name: str) -> None:
    """See that a product can be built by a stand-in.

    Args:
        folder: The product.
        name: The model name after ``tenure/``.

    Raises:
        BadInput: It cannot.
    """
    _asked(folder, name)


def _asked(folder: GrowFolder, name: str) -> tuple[Solve, str, tuple[Edit, ...]]:
    """The script, the stage that it leaves out, and the patch that it makes."""
    script, _, options = name.partition(":")
    word, _, value = options.partition("=")
    if name == "idle":
        return idle, "", ()
    if script != "oracle" or word not in ("", "bug", "skip"):
        raise BadInput(f"no stand-in tenure/{name} grows a product; stand-ins: {', '.join(_SCRIPTS)}")
    if word == "skip":
        stage = next((s for s in folder.stages if value in (s.name, s.path.name)), None)
        if stage is None:
            names = ", ".join(stage.name for stage in folder.stages)
            raise BadInput(f"{folder.task.id} has no stage {value!r}; stages: {names}")
        return build_stage, stage.path.name, ()
    if word == "bug":
        bug = next((bug for bug in load_bugs(folder) if bug.name == value), None)
        if bug is None:
            raise BadInput(f"{folder.task.id} has no bug {value!r}")
        return build_stage, "", bug.edits
    return build_stage, "", ()


@contextmanager
def performing(folder: GrowFolder, placed: PlacedStage, name: str) -> Iterator[None]:
    """Give the stand-in that builds this stage its script.

    Args:
        folder: The product.
        placed: The stage.
        name: The model name after ``tenure/``.
    """
    solve, skipped, edits = _asked(folder, name)
    changes = Changes(skip=frozenset([skipped] if skipped == placed.path.name else []))
    performance = Performance(solve, StageHands(folder, placed, changes, edits))
    with playing(Part(performance, hear=building.hear, speak=speak, takes=building.takes), folder.task.id):
        yield


def speak(action: Action, offered: Sequence[str]) -> Action:
    """An act in the words of the builder's own tools."""
    given = action.arguments
    if action.tool == WRITE and EDITOR in offered:
        told = {"command": "create", "path": given["path"], "file_text": given["content"]}
        return Action(EDITOR, told)
    if action.tool == WRITE and PATCH in offered:
        lines = given["content"].removesuffix("\n").split("\n") if given["content"] else []
        added = [f"*** Add File: {given['path']}", *(f"+{line}" for line in lines)]
        return Action(PATCH, {"patch": "\n".join([BEGIN, *added, END])})
    return building.speak(action, offered)
