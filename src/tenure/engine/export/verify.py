"""What an exported task's test script runs: Tenure's own grading, where the product is.

``build TASK APP LOGS READER`` grades the running product of a build; ``grow TASK APP LOGS GRADER`` the
finished code of a product. A reward is written when everything could be graded, and none otherwise: a
fault of the grading is an error there too, never a 0.
"""

import asyncio
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tenure.schema import BadInput, Fault, Outcome
from tenure.schema.folder import BuildFolder, GrowFolder
from tenure.schema.shape import Shape
from tenure.schema.verdict import StageRecord
from tenure.schema.words import Ending

SCORECARD = "scorecard.json"
AGENT = "agent"
FILES, BYTES = 200_000, 1 << 30
"""What a product's code may hold: entries and bytes."""


def main(words: Sequence[str]) -> int:
    """Grade, and say on standard error why there is no reward, if there is none."""
    try:
        suite, task, app, logs, last = words
        logs_folder = Path(logs)
        logs_folder.mkdir(parents=True, exist_ok=True)
        if suite == "build":
            return build(BuildFolder(Path(task)), Path(app), logs_folder, Path(last))
        return grow(GrowFolder(Path(task)), Path(app), logs_folder, last)
    except (BadInput, Fault) as error:
        print(f"tenure: {error}", file=sys.stderr)
        return 2


def build(folder: BuildFolder, app: Path, logs: Path, reader: Path) -> int:
    """Grade a build in the container that its agent left.

    Judged nodes have no judge here; they leave both sums. Commands run as the agent's user.

    Args:
        folder: The task.
        app: The product's folder.
        logs: Where the reward goes.
        reader: Holds the database's address for graders, where the task has a database.

    Raises:
        Fault: Something of the grading failed.
    """
    from tenure.grading.dag import run_dag
    from tenure.grading.dag.local import LocalSystem
    from tenure.scoring.build import score_task
    from tenure.workspace.services.postgres import PostgresElsewhere

    task = folder.task
    database = PostgresElsewhere(reader.read_text("utf-8").strip()) if task.service != "none" else None
    own = {name: os.environ[name] for name in ("DATABASE_URL", "PORT") if name in os.environ}
    user = AGENT if os.geteuid() == 0 and reader.parent == Path("/root") else ""

    async def grade() -> dict[str, float]:
        address = f"http://127.0.0.1:{task.port}"
        async with LocalSystem(address, app, database, own, user) as system:
            findings = await run_dag(folder.dag, task, system, evidence=logs)
        card = score_task(task, findings, ending=Ending.DONE)
        _keep(logs, card)
        if card.score is None or card.coverage is None:
            return {}
        return {"reward": card.score / 100, "coverage": card.coverage}

    return _rewarded(logs, asyncio.run(grade()))


def grow(folder: GrowFolder, app: Path, logs: Path, grader: str) -> int:
    """Grade a finished product: in fresh workspaces, on an empty database, plan by plan.

    Args:
        folder: The product.
        app: Its finished code.
        logs: Where the reward goes; everything that grading made is kept there.
        grader: The model that seeds and walks plans.

    Raises:
        BadInput: There is no grader, or it cannot be had.
        Fault: A plan could not be graded, for no fault of the product.
    """
    from tenure.engine.build.settings import machine_of
    from tenure.engine.grow.crew import Crew
    from tenure.engine.grow.findings import findings_of
    from tenure.engine.grow.plans import Plans
    from tenure.engine.grow.stored import CODE
    from tenure.engine.plan import write_whole
    from tenure.scoring.grow import score_build

    write_whole(logs / CODE, _packed(app))
    if not grader:
        raise BadInput(
            f"TENURE_GRADER is not set: plans are walked by a model, so there is no reward; {CODE} is kept"
        )
    machine = machine_of(None, folder.task.packages)

    async def grade() -> list[str]:
        crew = Crew.open(grader, logs, machine)
        return await Plans(crew, folder, logs, lambda where: print(where, file=sys.stderr)).grade()

    if failures := asyncio.run(grade()):
        raise Fault(failures[0].splitlines()[0])
    stages = [StageRecord(stage=placed.path.name, ending=Ending.DONE) for placed in folder.stages]
    card = score_build(folder.task, findings_of(folder, logs), stages, planned_stages=len(stages))
    _keep(logs, card)
    if card.plan_pass_rate is None:
        return _rewarded(logs, {})
    passed = float(card.outcome is Outcome.PASSED)
    return _rewarded(logs, {"reward": passed, "plan_pass_rate": card.plan_pass_rate})


def _packed(app: Path) -> bytes:
    from tenure.workspace.archive import entries_of, write

    file = io.BytesIO()
    write(entries_of(str(app), ("/.cache", "/.npm"), FILES, BYTES), file)
    return file.getvalue()


def _keep(logs: Path, card: Shape) -> None:
    (logs / SCORECARD).write_text(card.model_dump_json(indent=1), "utf-8")


def _rewarded(logs: Path, rewards: dict[str, float]) -> int:
    """Write the rewards in both of Harbor's forms; the first of them is the reward itself."""
    if not rewards:
        print(f"tenure: nothing was graded; {logs / SCORECARD} says why", file=sys.stderr)
        return 1
    (logs / "reward.json").write_text(json.dumps(rewards), "utf-8")
    (logs / "reward.txt").write_text(f"{rewards['reward']:.6f}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
