"""Graders whose error rates are known, and what they grade: no browser, no machine."""

import random
from collections.abc import Iterable
from pathlib import Path

from support.grow import grade
from tenure.engine.grow.audit.runner import plan_of
from tenure.engine.grow.audit.studies import Asked, Selection, Study, wanted
from tenure.engine.grow.audit.subject import Subject, planted_of, reference_of
from tenure.schema.folder import GrowFolder, find_grow
from tenure.schema.verdict import CheckVerdict, Grade, Standing, StepVerdict

SHELF = Path(__file__).parents[4] / "docs" / "examples" / "shelf"


def shelf() -> GrowFolder:
    return find_grow(str(SHELF))


def built(number: int, model: str = "acme/m", verdict: bool = True) -> Subject:
    """A build that a run graded: it passed every plan, or failed every one."""
    folder = shelf()
    plans = tuple(plan.id for plan in folder.plans)
    return Subject(
        name=f"grow/shelf:{model}:{number}",
        folder=folder,
        code=f"{model}{number}".encode(),
        plans=plans,
        model=model,
        verdicts=dict.fromkeys(plans, verdict),
        graders=dict.fromkeys(plans, "acme/judge"),
    )


def selection(*studies: str, graders: tuple[str, ...] = ("g",), subjects=None, **more) -> Selection:
    folder = shelf()
    reference = reference_of(folder)
    return Selection(
        graders=graders,
        subjects=[reference] if subjects is None else subjects,
        studies=frozenset(Study(name) for name in studies),
        planted=planted_of(folder) if "planted-bugs" in studies else [],
        clean={folder.task.id: reference},
        **more,
    )


class Scripted:
    """A grader that is wrong as often as it is told to be; the same grade is always the same."""

    def __init__(
        self, wrong: float = 0.0, lost: float = 0.0, dice: int = 1, wrongs: dict[str, float] | None = None
    ) -> None:
        """Be wrong with a chance, or with one of one's own by grader; ``lost`` grades are thrown out."""
        self.wrong, self.lost, self.dice, self.wrongs = wrong, lost, dice, wrongs or {}
        self.calls: list[tuple[Asked, int]] = []

    async def grade(self, ask: Asked, place: Path, attempt: int) -> Grade:
        self.calls.append((ask, attempt))
        return self.of(ask, attempt)

    def of(self, ask: Asked, attempt: int = 1) -> Grade:
        """The grade."""
        coin = random.Random(f"{self.dice}{ask.grader}{ask.subject.name}{ask.plan}{ask.number}-{attempt}")
        made = {"vote": ask.number, "attempt": attempt, "grader": ask.grader, "seconds": 1.0, "cost": 0.5}
        if coin.random() < self.lost:
            return grade(None, **made, standing=Standing.THROWN_OUT)
        bug = ask.subject.bug
        holds = bug is None or bug.plan != ask.plan
        if coin.random() < self.wrongs.get(ask.grader, self.wrong):
            holds = not holds
        steps = tuple(
            StepVerdict(
                step=step.name,
                checks=tuple(
                    CheckVerdict(
                        check=check.id, passed=holds, quotes=("7.50",), note="" if holds else "it shows 7.51"
                    )
                    for check in step.checks
                ),
            )
            for step in plan_of(ask).steps
        )
        return Grade(standing=Standing.COUNTS, steps=steps, **made)


def graded(chosen: Selection, grader: Scripted) -> dict[Asked, Grade]:
    """All grades that are wanted, without any file."""
    made: dict[Asked, Grade] = {}
    while missing := [ask for ask in wanted(chosen, made) if ask not in made]:
        made |= {ask: grader.of(ask) for ask in missing}
    return made


def several(number: int, models: Iterable[str] = ("acme/m",)) -> list[Subject]:
    """Builds of some models, so many of each."""
    return [built(n, model) for model in models for n in range(number)]
