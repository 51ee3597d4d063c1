"""Builds of a grow product through the real engine, without what comes after building."""

import re
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from support.endpoint import Heard, Model, Said
from tenure.engine.budget import Budget, Purse
from tenure.engine.build.lent import NAME as LENT
from tenure.engine.build.lines import LINES
from tenure.engine.ended import Ended
from tenure.engine.grow.builder.script import speak
from tenure.engine.grow.stages import build_stages
from tenure.engine.grow.stored import STAGES
from tenure.engine.models import open_model
from tenure.engine.observer import Silent, Told
from tenure.engine.plan import Planned, RunFolder
from tenure.engine.run import config_of
from tenure.engine.spec import RunSpec, TaskRef
from tenure.oracle import Changes, Performance
from tenure.oracle.grow.building import StageHands, build_stage
from tenure.schema import Suite
from tenure.schema.folder import find_grow
from tenure.schema.verdict import StageRecord
from tenure.world import Response

SHELF = Path(__file__).parent.parent.parent / "docs" / "examples" / "shelf"
REQUEST = re.compile(r"^This is the \w+ request.* Its text is in \S+/requests/([\w-]+)/prd\.md")


def run_of(runs: Path, model: str = "tenure/oracle", task: Path = SHELF, **fields: Any) -> RunFolder:
    """A run's folder."""
    ref = TaskRef.of(str(task), find_grow(str(task)))
    own: dict[str, Any] = {"commit": "test", "attempts": 1, "grader": "openai/gpt-4o"}
    if model.startswith("tenure/"):
        del own["grader"]
    spec = RunSpec(suite=Suite.GROW, tasks=(ref,), model=model, **own | fields)
    return RunFolder(spec.folder(runs), spec)


class Ear(Silent):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.where: list[str] = []

    def stepped(self, planned: Planned, steps: int) -> None:
        self.steps.append(steps)

    def reached(self, planned: Planned, where: str) -> None:
        self.where.append(where)


def build(run: RunFolder, ear: Ear | None = None) -> tuple[Ended, Path]:
    """Build a run's one attempt, or go on with it; its folder, too."""
    spec, (planned,) = run.spec, run.planned()
    planned.folder.mkdir(parents=True, exist_ok=True)
    endings: list[Ended] = []

    @solver(name="building")
    def building() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            budget, told = Budget(Purse.of_run(spec, run.path)), Told(ear or Silent(), planned)
            folder = find_grow(planned.task)
            endings.append(await build_stages(spec, folder, planned, get_model(), budget, told))
            return state

        return solve

    task = Task(
        dataset=[Sample(input="build")], solver=building(), sandbox=LENT if spec.agent in LINES else None
    )
    model = open_model(spec.model, config_of(spec, 1), spec.base_url, retries=False)
    (log,) = inspect_eval(
        task, model=model, display="none", log_dir=str(run.path / "logs"), log_level="error"
    )
    assert log.status == "success", log.error
    return endings[0], planned.folder


def records(folder: Path) -> list[StageRecord]:
    """The records of an attempt's stages, in order."""
    paths = sorted(path for path in (folder / STAGES).glob("*.json") if path.name.count(".") == 1)
    return [StageRecord.model_validate_json(path.read_bytes()) for path in paths]


def stage_of(heard: Heard) -> tuple[str, tuple[str, ...]]:
    """The stage that a builder is asked for, and the tools' results since then."""
    asked = [(n, found[1]) for n, (role, text) in enumerate(heard.said) if (found := REQUEST.match(text))]
    at, stage = asked[-1]
    return stage, tuple(text for role, text in heard.said[at:] if role == "tool")


def grower(*tools: str) -> Model:
    """A model that does what the oracle does, found anew from the conversation each turn.

    Args:
        tools: Names of the builder's tools.
    """
    folder = find_grow(str(SHELF))

    def model(heard: Heard) -> Said:
        stage, results = stage_of(heard)
        placed = next(placed for placed in folder.stages if placed.path.name == stage)
        performance = Performance(build_stage, StageHands(folder, placed, Changes()))
        action = performance.send(None)
        for result in results:
            action = performance.send(Response(200, result))
        performance.close()
        return Said(calls=(speak(action, tools),)) if action else Said(f"{stage} is done.")

    return model
