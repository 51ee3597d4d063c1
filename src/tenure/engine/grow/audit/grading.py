"""Grades as a run makes them: the code stands in a fresh workspace, seeded, and a grader walks the plan."""

from pathlib import Path

from tenure.engine.grow.audit.runner import plan_of
from tenure.engine.grow.audit.studies import Asked, Selection
from tenure.engine.grow.crew import Crew
from tenure.engine.grow.grading.script import check_grader
from tenure.engine.grow.plans import Plans
from tenure.engine.usual import STAND_IN
from tenure.grading.grow import Ask
from tenure.grading.grow.browser import missing
from tenure.schema import BadInput
from tenure.schema.verdict import Grade, Standing
from tenure.workspace.product import NotStanding


class Crews:
    """Graders by name, each opened once. A :class:`~tenure.engine.grow.audit.runner.Grading`."""

    def __init__(self, folder: Path, machine: dict[str, str], parallel: int) -> None:
        """Hold what graders share.

        Args:
            folder: The audit's; the ledger of what grading costs is there.
            machine: Kind and image of the machines, as ``machine_of`` names them.
            parallel: Grades at a time.
        """
        self._folder, self._machine, self._parallel = folder, machine, parallel
        self._crews: dict[str, Crew] = {}

    def check(self, chosen: Selection) -> None:
        """See that every grader can grade what is chosen, before anything is made.

        Raises:
            BadInput: A model cannot be had, a stand-in cannot play its part, or no browser can be opened.
        """
        if lacking := missing():
            raise BadInput(lacking)
        folders = {subject.folder for subject in (*chosen.subjects, *chosen.planted)}
        for grader in filter(None, (*chosen.graders, chosen.second)):
            self._crew(grader)
            for folder in folders if grader.startswith(STAND_IN) else ():
                check_grader(folder, grader.removeprefix(STAND_IN))

    def _crew(self, grader: str) -> Crew:
        if grader not in self._crews:
            self._crews[grader] = Crew.open(grader, self._folder, self._machine, plans=self._parallel)
        return self._crews[grader]

    async def grade(self, ask: Asked, place: Path, attempt: int) -> Grade:
        """See ``Grading.grade``. What does not stand or cannot be seeded gives no grade."""
        plan = plan_of(ask)
        where = f"{ask.subject.name}, plan {plan.id}"
        plans = Plans(self._crew(ask.grader), ask.subject.folder, place, lambda _: None)
        seed = await plans.seeded(plan, where)
        reason = seed.reason
        if seed.ok:
            try:
                return await plans.graded(plan, where, Ask(vote=ask.number, attempt=attempt))
            except NotStanding as error:
                reason = error.reason
        return Grade(
            vote=ask.number,
            attempt=attempt,
            standing=Standing.UNFINISHED,
            reason=f"there was nothing to grade: {reason}",
            grader=ask.grader,
        )
