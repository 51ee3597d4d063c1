"""Builds of a grow product through the real engine, without what comes after building."""

from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tenure.engine.budget import Budget, Purse
from tenure.engine.build.lent import NAME as LENT
from tenure.engine.build.lines import LINES
from tenure.engine.ended import Ended
from tenure.engine.grow.stages import build_stages
from tenure.engine.models import open_model
from tenure.engine.observer import Silent, Told
from tenure.engine.plan import Planned, RunFolder
from tenure.engine.run import config_of
from tenure.engine.spec import RunSpec, TaskRef
from tenure.schema import Suite
from tenure.schema.folder import find_grow

SHELF = Path(__file__).parent.parent.parent / "docs" / "examples" / "shelf"


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

    task = Task(dataset=[Sample(input="build")], solver=building(), sandbox=LENT if spec.agent in LINES else None)
    model = open_model(spec.model, config_of(spec, 1), spec.base_url, retries=False)
    (log,) = inspect_eval(task, model=model, display="none", log_dir=str(run.path / "logs"), log_level="error")
    assert log.status == "success", log.error
    return endings[0], planned.folder
