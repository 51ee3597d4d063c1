"""Finding what stored end states and run folders belong to."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tenure.engine.plan import END_STATE, GRADED, LEFT, RECORD, read_spec
from tenure.schema import BadInput, Row
from tenure.schema.folder import TaskFolder, find_task
from tenure.world.prepare import base_for


def states_at(path: Path) -> list[Path]:
    """The end-state files that a path means: the file itself, or all below a folder.

    Of a build and of a grow product that is ``findings.json``: what was found in machines that are gone;
    of operate ``left.json``, beside which the apps' answers lie.

    Raises:
        BadInput: There is none.
    """
    if path.is_file():
        return [path]
    names = (f"*{Path(END_STATE).suffix}", GRADED, LEFT) if path.is_dir() else ()
    found = [state for name in names for state in path.rglob(name)]
    if not found:
        raise BadInput(f"{path}: no end state here; give an attempt's file of it, or a run's folder")
    return sorted(found)


def task_of(state: Path, about: dict[str, Any], given: str | None) -> TaskFolder:
    """The task of an end state, by what it says or by ``--task``.

    Raises:
        BadInput: It says nothing and nothing was given.
    """
    name = given or about.get("task")
    if not name:
        raise BadInput(f"{state} does not say of which task it is; give --task")
    return find_task(str(name))


def named_by(state: Path, task: str) -> str:
    """How the run of an end state named a task: by its folder, where it does not ship."""
    kept = state.parent.parent.parent / "run.json"
    refs = read_spec(kept).tasks if kept.exists() else ()
    return next((ref.name for ref in refs if ref.id == task), task)


def base_of(state: Path, about: dict[str, Any], folder: TaskFolder) -> Path:
    """The base of an end state: kept in its run's folder, or built again from its seed."""
    seed = about.get("seed")
    if not isinstance(seed, int):
        raise BadInput(f"{state} does not say its seed, and its base is not packed in")
    built = base_for(folder, seed)
    kept = state.parent.parent.parent / "bases"
    candidates = [
        kept / built.name,
        *sorted(kept.glob(f"{folder.task.suite}-{folder.task.name}-{seed}-*.db")),
        built,
    ]
    return next(path for path in candidates if path.exists())


def plans_below(folders: Iterable[Path]) -> dict[Row, dict[str, int]]:
    """What the runs below some folders planned, by row: attempts never made count as not run."""
    plans: dict[Row, dict[str, int]] = {}
    for folder in folders:
        for kept in sorted(folder.rglob("run.json")):
            spec = read_spec(kept)
            if any(kept.parent.rglob(RECORD)):
                plans.setdefault(spec.row, {}).update({task.id: spec.attempts for task in spec.tasks})
    return plans
