import asyncio
import multiprocessing
import os
from pathlib import Path

import pytest

from tenure.engine.grow.audit.runner import ADJUDICATION, AuditFolder, make
from tenure.engine.grow.audit.studies import Asked, Selection, cases_of
from tenure.engine.grow.stored import CODE, GRADE, grade_folder, kept_files
from tenure.schema import BadInput
from tenure.schema.verdict import Grade
from tenure.scoring.grow.adjudication import read, write

from .scripted import Scripted, selection


class Ear:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.wanted: list[tuple[int, int]] = []
        self.grades: list[Grade] = []

    def wants(self, total: int, missing: int) -> None:
        self.wanted.append((total, missing))

    def graded(self, ask: Asked, grade: Grade) -> None:
        self.grades.append(grade)


def run(chosen: Selection, folder: Path, grading: Scripted, ear: Ear | None = None, parallel: int = 3):
    return asyncio.run(make(chosen, AuditFolder(folder), grading, ear or Ear(), parallel=parallel))


def test_grades_are_made_once_and_shared_by_other_selections(tmp_path: Path) -> None:
    first, ear = Scripted(), Ear()
    done = run(selection("consistency", times=3), tmp_path, first, ear)
    assert len(first.calls) == len(done.made) == len(ear.grades) == 12
    assert (ear.wanted, done.failures) == ([(12, 12)], [])
    more = Scripted()
    again = run(selection("consistency", "wrong-fails", times=4, plans=frozenset({"lent"})), tmp_path, more)
    assert len(again.made) == 4 and len(more.calls) == 1
    assert run(selection("consistency", times=3), tmp_path, nothing := Scripted()).made.keys()
    assert nothing.calls == []


def test_a_grade_that_does_not_count_is_made_again_as_often_as_in_the_protocol(tmp_path: Path) -> None:
    lost = Scripted(lost=1.0)
    done = run(selection("consistency", times=1, plans=frozenset({"lent"})), tmp_path, lost)
    assert [attempt for _, attempt in lost.calls] == [1, 2, 3]
    assert [grade.passed for grade in done.made.values()] == [None]
    assert run(selection("consistency", times=1, plans=frozenset({"lent"})), tmp_path, Scripted()).made
    (tmp_path / "b").mkdir()
    half = Scripted(lost=0.5, dice=4)
    done = run(selection("consistency", times=5), tmp_path / "b", half)
    assert len(half.calls) > 20 and sum(g.passed is None for g in done.made.values()) < 10


def test_the_place_of_a_grade_holds_the_code_and_the_plans_seeding_script(tmp_path: Path) -> None:
    chosen = selection("consistency", times=1)
    folder = AuditFolder(tmp_path)
    run(chosen, tmp_path, Scripted())
    place = folder.place("g", chosen.subjects[0])
    assert (place / CODE).read_bytes() == chosen.subjects[0].code
    assert set(kept_files(place / "seeds" / "lent")) == {"seed.sh", "seed.py"}
    assert kept_files(place / "seeds" / "first") == {}


def test_code_of_another_content_has_another_place() -> None:
    chosen = selection("planted-bugs")
    keys = {subject.key for subject in (*chosen.planted, *chosen.subjects)}
    assert len(keys) == 3 and all(len(key) <= 73 for key in keys)


def test_what_fails_on_our_side_is_told_and_made_by_the_next_command(tmp_path: Path) -> None:
    class Broken(Scripted):
        async def grade(self, ask: Asked, place: Path, attempt: int) -> Grade:
            if ask.plan == "lent":
                raise OSError("no more machines")
            return await super().grade(ask, place, attempt)

    chosen = selection("consistency", times=2)
    done = run(chosen, tmp_path, Broken())
    assert len(done.made) == 6 and len(done.failures) == 2
    assert "lent, grade 1 of g: OSError: no more machines" in done.failures[0]
    assert len(run(chosen, tmp_path, mended := Scripted()).made) == 8 and len(mended.calls) == 2


class Dying(Scripted):
    """Its process is killed within the fifth grade, half of which is on disk."""

    async def grade(self, ask: Asked, place: Path, attempt: int) -> Grade:
        if len(self.calls) == 4:
            into = grade_folder(place, ask.plan, ask.number, attempt)
            into.mkdir(parents=True)
            (into / "looks.json").write_text("[")
            os._exit(9)
        return await super().grade(ask, place, attempt)


def die(folder: Path) -> None:
    run(selection("consistency", times=3), folder, Dying(), parallel=1)


def test_a_killed_audit_goes_on_where_it_was(tmp_path: Path) -> None:
    killed = multiprocessing.get_context("spawn").Process(target=die, args=(tmp_path,))
    killed.start()
    killed.join(60)
    assert killed.exitcode == 9
    assert len(list(tmp_path.rglob(GRADE))) == 4
    done = run(selection("consistency", times=3), tmp_path, rest := Scripted())
    assert len(done.made) == 12 and len(rest.calls) == 8


def test_two_commands_are_kept_out_of_one_folder(tmp_path: Path) -> None:
    folder = AuditFolder(tmp_path)
    with folder.alone(), pytest.raises(BadInput, match="audit is under way"), folder.alone():
        pass


def test_decisions_stay_in_the_file_and_what_is_new_is_added(tmp_path: Path) -> None:
    folder, chosen = AuditFolder(tmp_path), selection("wrong-passes", second="sol")
    done = run(chosen, tmp_path, Scripted(wrongs={"sol": 1.0}))
    cases = cases_of(chosen, done.made)
    held = folder.adjudicate(cases)
    assert held == cases and len(held.dispute) == 4
    path = tmp_path / ADJUDICATION
    decided = held.dispute[0].model_copy(update={"decision": "second", "by": "Ada", "why": "it shows"})
    path.write_text(write(held.model_copy(update={"dispute": (decided, *held.dispute[1:])})))
    assert folder.adjudicate(cases).dispute[0] == decided
    fewer = cases.model_copy(update={"dispute": cases.dispute[1:2]})
    assert folder.adjudicate(fewer).dispute == (cases.dispute[1], decided)
    assert folder.adjudicate(cases).dispute[0] == decided
    path.write_text("dispute = 1")
    with pytest.raises(BadInput, match=ADJUDICATION):
        folder.adjudicate(cases)
    assert read(write(held)) == held
