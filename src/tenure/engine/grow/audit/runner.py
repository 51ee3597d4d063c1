"""Making the grades that an audit needs: each is stored before the next, so that a killed audit goes on."""

import re
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

import anyio

from tenure.engine.grow.audit.studies import Asked, Selection, wanted
from tenure.engine.grow.audit.subject import Subject
from tenure.engine.grow.stored import (
    CODE,
    GRADE,
    SEED,
    SEEDS,
    grade_folder,
    grades_of,
    keep,
    keep_files,
)
from tenure.engine.loop import told
from tenure.engine.plan import alone, write_whole
from tenure.engine.secrets import without_keys
from tenure.grading.grow import PROTOCOL
from tenure.oracle.grow import seeding_of
from tenure.schema.grow import Plan
from tenure.schema.verdict import Grade, SeedRecord
from tenure.scoring.grow.adjudication import Adjudication, merge, read, write

BUILDS = "builds"
ADJUDICATION = "adjudication.toml"


class Grading(Protocol):
    """Makes one grade."""

    async def grade(self, ask: Asked, place: Path, attempt: int) -> Grade:
        """Grade one plan of one code with one grader, once.

        Args:
            ask: Which.
            place: Holds the code and the seeds, as a grow attempt's folder does; the grade's files go there.
            attempt: Which try at this grade, from 1.

        Raises:
            Exception: What kept it from being made, if that was no fault of grader or product.
        """


class Observer(Protocol):
    """Follows an audit."""

    def wants(self, total: int, missing: int) -> None:
        """So many grades are needed, and so many of them are to be made."""

    def graded(self, ask: Asked, grade: Grade) -> None:
        """A grade was made."""


class Outcome(NamedTuple):
    """What an audit has.

    Attributes:
        made: The grades that it needs, as far as they could be made.
        failures: What failed on our side, a line each.
    """

    made: dict[Asked, Grade]
    failures: list[str]


class AuditFolder:
    """Where an audit's grades are, by code and grader: audits of other selections share them."""

    def __init__(self, path: Path) -> None:
        """Open the folder, making it when it is not there."""
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def alone(self) -> AbstractContextManager[None]:
        """Keep other commands out of the folder.

        Raises:
            BadInput: Another command is at work in it.
        """
        return alone(self.path, "audit")

    def place(self, grader: str, subject: Subject) -> Path:
        """Where one grader's grades of one code are."""
        return self.path / BUILDS / subject.key / re.sub(r"[^a-zA-Z0-9.]+", "-", grader).strip("-")

    def prepare(self, ask: Asked) -> Path:
        """The place of a grade, with the code, and the plan's seeding script where it is known."""
        subject, place = ask.subject, self.place(ask.grader, ask.subject)
        place.mkdir(parents=True, exist_ok=True)
        if not (place / CODE).exists():
            write_whole(place / CODE, subject.code)
        into = place / SEEDS / ask.plan
        if (into / SEED).exists():
            return place
        shutil.rmtree(into, ignore_errors=True)
        if subject.seeds is None:
            keep_files(into, seeding_of(subject.folder, plan_of(ask)) or {})
            keep(into / SEED, SeedRecord(ok=True))
        elif (subject.seeds / ask.plan / SEED).exists():
            shutil.copytree(subject.seeds / ask.plan, into)
        return place

    def stored(self, ask: Asked) -> tuple[Grade, ...]:
        """Every try at a grade that is stored, in order."""
        place = self.place(ask.grader, ask.subject)
        return tuple(g for g in grades_of(place, plan_of(ask)) if g.vote == ask.number)

    def missing(self, chosen: Selection, made: dict[Asked, Grade]) -> list[Asked]:
        """The grades that an audit needs and that are not stored; ``made`` takes in those that are."""
        while True:
            asked = [ask for ask in wanted(chosen, made) if ask not in made]
            tries = {ask: self.stored(ask) for ask in asked}
            found = {ask: held[-1] for ask, held in tries.items() if _is_settled(held)}
            if not found:
                return asked
            made |= found  # What passed is looked at again: more may be wanted now.

    def adjudicate(self, cases: Adjudication) -> Adjudication:
        """Bring the adjudication file up to date with what is to be settled.

        Returns:
            The file's entries, with what a person decided.

        Raises:
            BadInput: The file is broken.
        """
        path = self.path / ADJUDICATION
        held = read(path.read_text("utf-8"), str(path)) if path.exists() else Adjudication()
        kept = merge(held, cases)
        if kept != held or not path.exists():
            write_whole(path, write(kept).encode())
        return kept


async def make(
    chosen: Selection, folder: AuditFolder, grading: Grading, observer: Observer, *, parallel: int
) -> Outcome:
    """Make the grades that are missing.

    A grade that does not count is made again, as often as in the protocol; the last try is the grade.

    Args:
        chosen: What the audit is about.
        folder: Where grades are kept.
        grading: Makes them.
        observer: Follows.
        parallel: Grades at a time.
    """
    made: dict[Asked, Grade] = {}
    failures: list[str] = []
    limit = anyio.CapacityLimiter(parallel)

    async def one(ask: Asked) -> None:
        async with limit:
            try:
                made[ask] = await _settle(ask, folder, grading)
                observer.graded(ask, made[ask])
            except Exception as error:
                where = f"{ask.subject.name} / {ask.plan}, grade {ask.number} of {ask.grader}"
                failures.append(without_keys(f"{where}: {told(error)}"))

    while not failures and (missing := folder.missing(chosen, made)):
        observer.wants(len(made) + len(missing), len(missing))
        async with anyio.create_task_group() as group:
            for ask in missing:
                group.start_soon(one, ask)
    return Outcome(made, failures)


async def _settle(ask: Asked, folder: AuditFolder, grading: Grading) -> Grade:
    place = folder.prepare(ask)
    tries = folder.stored(ask)
    while not _is_settled(tries):
        attempt = len(tries) + 1
        grade = await grading.grade(ask, place, attempt)
        keep(grade_folder(place, ask.plan, ask.number, attempt) / GRADE, grade)
        tries = (*tries, grade)
    return tries[-1]


def _is_settled(tries: tuple[Grade, ...]) -> bool:
    return bool(tries) and (tries[-1].passed is not None or len(tries) > PROTOCOL.retries)


def plan_of(ask: Asked) -> Plan:
    """The plan itself."""
    return next(plan for plan in ask.subject.folder.plans if plan.id == ask.plan)
