"""Scripted attempts at the renewal."""

import asyncio
from pathlib import Path

from tenure.grading import grade, load_checks
from tenure.oracle import Done, Solve, load_mutants, load_solve, perform
from tenure.oracle.hands import Changes
from tenure.schema import Outcome, Scorecard
from tenure.schema.folder import find_task
from tenure.twins import load
from tenure.world.prepare import base_for

FOLDER = find_task("carry/renewal")
TWINS = load(FOLDER.task.twins)
SOLVE = load_solve(FOLDER)
MUTANTS, VANDALS = load_mutants(FOLDER)
SPECS = load_checks(FOLDER).specs


class Yes:
    """A judge that agrees."""

    name = "yes"

    async def ask(self, system: str, question: str) -> str:
        return '{"passed": true, "reason": "yes"}'


def attempt(
    bases: Path,
    seed: int = 1,
    solve: Solve = SOLVE,
    *,
    prefer: str = "rest",
    changes: Changes | None = None,
) -> tuple[Done, Scorecard]:
    done = perform(FOLDER, base_for(FOLDER, seed, bases), solve, TWINS, prefer=prefer, changes=changes)
    return done, asyncio.run(grade(FOLDER, done.end, judges=[Yes()]))


def failed(card: Scorecard) -> set[str]:
    assert not [f.error for f in card.findings if f.outcome is Outcome.ERROR]
    return {f.check for f in card.findings if f.outcome is not Outcome.PASSED}
