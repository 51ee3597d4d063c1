"""Grading a stored end state: the same function as the live grade, on the same files."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tenure.cli.outside import record_outside
from tenure.cli.states import base_of, named_by, task_of
from tenure.engine.build import stored as building
from tenure.engine.grow import findings as growing
from tenure.engine.operate import stored as operating
from tenure.engine.plan import RECORD, read_record
from tenure.grading import Judge, grade
from tenure.schema import BadInput, BuildScorecard, Ending, Scorecard, Suite
from tenure.schema.folder import find_build, find_grow, find_operate
from tenure.schema.operate import OperateScorecard
from tenure.schema.verdict import GrowScorecard
from tenure.twins import load
from tenure.world import about, reopen
from tenure.world.freeze import is_packed


class Regrade(NamedTuple):
    """A grade made again.

    Attributes:
        card: The scorecard.
        same: Whether it equals the stored one; ``None`` when there is none or judges were asked anew.
        recorded: Where an outside attempt's record was written.
    """

    card: Scorecard
    same: bool | None
    recorded: Path | None


def regrade(state: Path, task_name: str | None, judges: Sequence[str]) -> Regrade:
    """Grade one end-state file.

    Raises:
        BadInput: The file is damaged, or its task or base cannot be found.
    """
    says = about(state)
    folder = task_of(state, says, task_name)
    base = None if is_packed(state) else base_of(state, says, folder)
    record_path = state.parent / RECORD
    stored = read_record(record_path) if record_path.exists() else None
    old = stored.scorecard if stored else None
    verdicts = {f.check: f.verdicts for f in old.findings if f.verdicts} if old and not judges else {}
    with tempfile.TemporaryDirectory() as scratch:
        end = reopen(state, load(folder.task.twins), base, scratch=Path(scratch))
        ending = _ending(state, says)
        card = asyncio.run(grade(folder, end, ending, judges=_judges(judges), stored=verdicts))
        recorded = None
        if says.get("outside") and stored is None:
            recorded = record_outside(state, folder, says, card, end)
        end.close()
    return Regrade(card, None if old is None or judges else card == old, recorded)


class Rescore(NamedTuple):
    """A score made again of a build, a grow product or an operate attempt.

    Attributes:
        card: The scorecard.
        same: Whether it equals the stored one; ``None`` when there is none or judges were asked anew.
    """

    card: BuildScorecard | GrowScorecard | OperateScorecard
    same: bool | None


def rescore(graded: Path, task_name: str | None, judges: Sequence[str]) -> Rescore:
    """Score an attempt again from its files: a build, a grow product, or what apps of operate answered.

    Args:
        graded: The attempt's ``findings.json`` or ``left.json``.
        task_name: The task, where its run does not say it.
        judges: Of operate alone: judges of others saw a machine that is gone.

    Raises:
        BadInput: A file is damaged or missing, or judges are asked for in vain.
    """
    path = graded.parent / RECORD
    if not path.exists():
        raise BadInput(f"{path} is missing; run the same command again to finish the attempt")
    stored = read_record(path)
    name = task_name or named_by(graded, stored.task)
    if stored.suite is Suite.OPERATE:
        return _asked_again(graded.parent, name, stored.operate, judges)
    if judges:
        raise BadInput(f"{graded}: --judge: a build's machine is gone, so no judge can look at it again")
    card: BuildScorecard | GrowScorecard
    if stored.suite is Suite.GROW:
        card = growing.score_stored(find_grow(name), graded.parent)
    else:
        card = building.score_stored(find_build(name), graded.parent)
    return Rescore(card, None if stored.card is None else card == stored.card)


def _asked_again(attempt: Path, name: str, old: OperateScorecard | None, judges: Sequence[str]) -> Rescore:
    folder = find_operate(name)
    if judges and folder.task.verifier:
        raise BadInput(f"{attempt}: --judge: the apps are gone, so no verifier can ask a judge again")
    verdicts = {f.check: f.verdicts for f in old.findings if f.verdicts} if old and not judges else {}
    scored = operating.score_stored(folder, attempt, judges=_judges(judges), verdicts=verdicts)
    card = asyncio.run(scored)
    return Rescore(card, None if old is None or judges else card == old)


def _ending(state: Path, says: dict[str, Any]) -> Ending:
    try:
        return Ending(says.get("ending", Ending.DONE))
    except ValueError as error:
        raise BadInput(f"{state}: {error}") from error


def _judges(names: Sequence[str]) -> list[Judge]:
    if not names:
        return []
    from tenure.engine.judges import judges_of

    return judges_of(names)
