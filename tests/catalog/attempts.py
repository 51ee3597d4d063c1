"""Scripted attempts at a carry task."""

import asyncio
from pathlib import Path

from tenure.grading import grade, load_checks
from tenure.oracle import Done, Solve, load_mutants, load_solve, perform
from tenure.oracle.hands import Changes, Step
from tenure.schema import Outcome, Scorecard
from tenure.schema.folder import find_task
from tenure.twins import load
from tenure.world.prepare import base_for


class Yes:
    """A judge that agrees."""

    name = "yes"

    async def ask(self, system: str, question: str) -> str:
        return '{"passed": true, "reason": "yes"}'


class Attempts:
    """One task and its scripts."""

    def __init__(self, task: str) -> None:
        self.folder = find_task(task)
        self.twins = load(self.folder.task.twins)
        self.solve = load_solve(self.folder)
        self.mutants, self.vandals = load_mutants(self.folder)
        self.specs = load_checks(self.folder).specs

    def run(
        self,
        bases: Path,
        seed: int = 1,
        solve: Solve | None = None,
        *,
        prefer: str = "rest",
        changes: Changes | None = None,
    ) -> tuple[Done, Scorecard]:
        base = base_for(self.folder, seed, bases)
        done = perform(self.folder, base, solve or self.solve, self.twins, prefer=prefer, changes=changes)
        return done, asyncio.run(grade(self.folder, done.end, judges=[Yes()]))


def failed(card: Scorecard) -> set[str]:
    assert not [f.error for f in card.findings if f.outcome is Outcome.ERROR]
    return {f.check for f in card.findings if f.outcome is not Outcome.PASSED}


def instead(**steps: Step) -> Changes:
    return Changes(instead=steps)
