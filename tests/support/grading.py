"""Grades of the smallest grow product, made by the real loop over a product that stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.crews import crew_of
from tenure.engine.budget import Budget
from tenure.engine.grow.crew import Crew
from tenure.engine.grow.grader import grade_plan
from tenure.oracle.grow import seeding_of
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan
from tenure.schema.verdict import Grade
from tenure.workspace.product import standing
from tenure.workspace.ready import Workspace


@dataclass
class Graded:
    """One grade and what it left."""

    grade: Grade
    into: Path
    screens: Path


async def graded_at(
    place: Workspace,
    folder: GrowFolder,
    plan: Plan,
    code: bytes,
    root: Path,
    crew: Crew,
    *,
    vote: int = 1,
    attempt: int = 1,
    seconds: float = 600.0,
) -> Graded:
    """One grade of a plan where the product stands."""
    into, screens = root / "grades" / plan.id / f"{vote}-{attempt}", root / "screens"
    grade = await grade_plan(
        crew.model,
        folder,
        plan,
        place,
        vote=vote,
        attempt=attempt,
        code=code,
        into=into,
        screens=screens,
        budget=Budget(crew.purse),
        seconds=seconds,
        name=crew.name,
    )
    return Graded(grade, into, screens)


async def graded(
    folder: GrowFolder,
    plan: Plan,
    code: bytes,
    root: Path,
    models: Sequence[str] = ("tenure/oracle",),
) -> list[Graded]:
    """A first grade by each of some stand-ins, each in a workspace of its own."""
    found = []
    for n, model in enumerate(models):
        own = root / str(n)
        own.mkdir(parents=True)
        async with standing(
            folder.task, code, environment=plan.seed.environment, seeding=seeding_of(folder, plan)
        ) as place:
            found.append(await graded_at(place, folder, plan, code, own, crew_of(own, model)))
    return found
