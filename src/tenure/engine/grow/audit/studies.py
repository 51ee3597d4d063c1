"""Which grades an audit needs, and the numbers and cases that follow from those that were made.

Pure functions of grades, so that scripted graders of known error rates can be held to theory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from tenure.engine.grow.audit.subject import Subject
from tenure.schema import AttemptRecord
from tenure.schema.verdict import Grade
from tenure.scoring.grow import Audit, Rate
from tenure.scoring.grow.adjudication import Adjudication, Case, Dispute, Failure, Miss, is_settled
from tenure.scoring.grow.audit import (
    AuditGrade,
    PlantedGrade,
    SameFamily,
    WrongPasses,
    choice,
    consistency,
    disputes_of,
    failure_audit,
    failures_of,
    planted_bugs,
    same_family,
    wrong_fails,
    wrong_passes,
)


class Study(StrEnum):
    """The tests of protocols, Grow 16. The difference within a family belongs to the wrong passes."""

    CONSISTENCY = "consistency"
    WRONG_FAILS = "wrong-fails"
    WRONG_PASSES = "wrong-passes"
    PLANTED_BUGS = "planted-bugs"
    FAILURES = "failures"
    CHOICE = "choice"


TIMES = {Study.CONSISTENCY: 10, Study.WRONG_FAILS: 2, Study.PLANTED_BUGS: 3, Study.CHOICE: 10}
"""Study → grades of each plan (seed 001, Appendix D)."""
TOLD = 400
"""Characters of what a grade goes by."""


class Asked(NamedTuple):
    """One grade that an audit needs.

    Attributes:
        grader: Who makes it.
        subject: What is graded.
        plan: The plan's id.
        number: From 1; grades of one plan are told apart by it.
    """

    grader: str
    subject: Subject
    plan: str
    number: int


Made = Mapping[Asked, Grade]


@dataclass(frozen=True)
class Selection:
    """What an audit is about.

    Attributes:
        graders: The grader that is audited, then the candidates that it is compared with.
        subjects: What is graded: builds of runs, or references.
        studies: Which tests.
        second: Looks again at what passed.
        planted: References with a bug each.
        clean: The references without one, by product.
        records: Of the runs: their failed plans are audited.
        plans: Only these.
        times: Grades of each plan, instead of each study's own number.
    """

    graders: tuple[str, ...]
    subjects: Sequence[Subject]
    studies: frozenset[Study]
    second: str = ""
    planted: Sequence[Subject] = ()
    clean: Mapping[str, Subject] = field(default_factory=dict)
    records: Sequence[AttemptRecord] = ()
    plans: frozenset[str] = frozenset()
    times: int | None = None

    @property
    def grader(self) -> str:
        """The one that is audited."""
        return self.graders[0]


def wanted(chosen: Selection, made: Made) -> list[Asked]:
    """Every grade that the audit needs, those that are made too.

    A second grader looks at what the first one passed; so more is wanted once that is known.

    Args:
        chosen: What the audit is about.
        made: The grades so far.
    """
    asked = [
        *_singles(chosen, Study.CONSISTENCY),
        *_singles(chosen, Study.WRONG_FAILS),
        *_planted(chosen),
        *_control(chosen),
        *_firsts(chosen),
        *_again(chosen, made),
        *(ask for grader in chosen.graders for ask in _singles(chosen, Study.CHOICE, grader)),
    ]
    return list(dict.fromkeys(asked))


def audit_of(chosen: Selection, made: Made, held: Adjudication) -> Audit:
    """The audit's numbers.

    Args:
        chosen: What the audit is about.
        made: The grades.
        held: What a person decided; entries with a fault have no place here.
    """

    def rated(asked: Iterable[Asked]) -> list[AuditGrade]:
        return [_rated(ask, made[ask], held) for ask in dict.fromkeys(asked) if ask in made]

    same = rated(_singles(chosen, Study.CONSISTENCY))
    singles = rated([*_singles(chosen, Study.CONSISTENCY), *_singles(chosen, Study.WRONG_FAILS)])
    again = [ask for ask in _again(chosen, made) if ask in made]
    return Audit(
        grader=chosen.grader,
        consistency=consistency(same, times=_times(chosen, Study.CONSISTENCY)) if same else None,
        wrong_fails=wrong_fails(singles) if Study.WRONG_FAILS in chosen.studies else None,
        wrong_passes=wrong_passes(rated(again), held.dispute) if again else None,
        planted_bugs=planted_bugs(
            [_with_bug(ask, made[ask], held) for ask in _planted(chosen) if ask in made],
            rated(_control(chosen)),
        )
        if Study.PLANTED_BUGS in chosen.studies
        else None,
        same_family=_family(chosen, again, made, held),
        failures=failure_audit(_failures(chosen, held)) if Study.FAILURES in chosen.studies else None,
        choice=tuple(choice(rated(a for g in chosen.graders for a in _singles(chosen, Study.CHOICE, g)))),
    )


def cases_of(chosen: Selection, made: Made) -> Adjudication:
    """What only a person can settle, nothing of it decided."""
    again = [ask for ask in _again(chosen, made) if ask in made]
    disputes = [
        case
        for ask in again
        for case in disputes_of(
            _first_grader(chosen, ask),
            [_rated(ask, made[ask], Adjudication())],
            [(ask.subject.name, ask.plan, seen(made[ask]))],
        )
    ]
    return Adjudication(
        dispute=tuple(disputes),
        failure=tuple(_listed(chosen)),
        miss=tuple(
            Case(build=_miss_name(ask), plan=ask.plan, first=ask.grader, says=seen(made[ask]))
            for ask in _planted(chosen)
            if ask in made and made[ask].passed
        ),
    )


def seen(grade: Grade) -> str:
    """What a grade goes by, in one line: the first check that it fails, or what it quotes."""
    checks = [check for step in grade.steps for check in step.checks]
    failed = next((check for check in checks if not check.passed), None)
    if failed is None:
        return "; ".join(dict.fromkeys(quote for check in checks for quote in check.quotes))[:TOLD]
    told = failed.note or "; ".join(failed.quotes)
    return " ".join(f"check {failed.check}: {told}".split())[:TOLD]


def family(model: str) -> str:
    """Whose a model is: the name of its provider."""
    return model.partition("/")[0]


def _times(chosen: Selection, study: Study) -> int:
    return chosen.times or TIMES[study]


def _singles(chosen: Selection, study: Study, grader: str = "") -> Iterator[Asked]:
    if study not in chosen.studies:
        return
    for subject in chosen.subjects:
        for plan in _plans(chosen, subject):
            for number in range(1, _times(chosen, study) + 1):
                yield Asked(grader or chosen.grader, subject, plan, number)


def _plans(chosen: Selection, subject: Subject) -> list[str]:
    return [plan for plan in subject.plans if not chosen.plans or plan in chosen.plans]


def _planted(chosen: Selection) -> Iterator[Asked]:
    if Study.PLANTED_BUGS not in chosen.studies:
        return
    for subject in chosen.planted:
        for plan in _plans(chosen, subject):
            for number in range(1, _times(chosen, Study.PLANTED_BUGS) + 1):
                yield Asked(chosen.grader, subject, plan, number)


def _control(chosen: Selection) -> Iterator[Asked]:
    """The plans that bugs are aimed at, once on the same build without a bug."""
    for ask in _planted(chosen):
        if ask.number == 1:
            yield ask._replace(subject=chosen.clean[ask.subject.folder.task.id])


def _firsts(chosen: Selection) -> Iterator[Asked]:
    """A first grade of what no run has graded."""
    if Study.WRONG_PASSES in chosen.studies:
        for subject in chosen.subjects:
            if not subject.model:
                for plan in _plans(chosen, subject):
                    yield Asked(chosen.grader, subject, plan, 1)


def _again(chosen: Selection, made: Made) -> Iterator[Asked]:
    """The second grader's grades of what the first one passed."""
    if Study.WRONG_PASSES not in chosen.studies or not chosen.second:
        return
    for subject in chosen.subjects:
        for plan in _plans(chosen, subject):
            first = made.get(Asked(chosen.grader, subject, plan, 1))
            if subject.verdicts.get(plan) if subject.model else first is not None and first.passed:
                yield Asked(chosen.second, subject, plan, 1)


def _first_grader(chosen: Selection, ask: Asked) -> str:
    return ask.subject.graders.get(ask.plan, chosen.grader)


def _rated(ask: Asked, grade: Grade, held: Adjudication) -> AuditGrade:
    return AuditGrade(
        build=ask.subject.name,
        plan=ask.plan,
        grader=ask.grader,
        passed=grade.passed,
        works=_works(ask, held),
    )


def _works(ask: Asked, held: Adjudication) -> bool | None:
    """Whether the plan really holds, by what a person decided first."""
    key = (ask.subject.name, ask.plan)
    dispute = next((case for case in held.dispute if case.key == key and is_settled(case)), None)
    failure = next((case for case in held.failure if case.key == key and is_settled(case)), None)
    if dispute is not None:
        return {Dispute.FIRST: False, Dispute.SECOND: True}.get(Dispute(dispute.decision))
    if failure is not None:
        return {Failure.BUG: False, Failure.GRADER: True, Failure.HARNESS: True}.get(
            Failure(failure.decision)
        )
    return ask.subject.works(ask.plan)


def _with_bug(ask: Asked, grade: Grade, held: Adjudication) -> PlantedGrade:
    bug = ask.subject.bug
    assert bug is not None
    key = (_miss_name(ask), ask.plan)
    decided = {case.decision for case in held.miss if case.key == key and is_settled(case)}
    return PlantedGrade(
        bug=ask.subject.name,
        kind=bug.kind,
        build=ask.subject.name,
        plan=ask.plan,
        passed=grade.passed,
        visible=Miss.NOT_VISIBLE not in decided,
        reached=Miss.NOT_REACHED not in decided,
    )


def _miss_name(ask: Asked) -> str:
    return f"{ask.subject.name}, grade {ask.number}"


def _family(chosen: Selection, again: Sequence[Asked], made: Made, held: Adjudication) -> SameFamily | None:
    """Wrong passes on builds of the first grader's own family, and on the others'; references have none."""
    built = [ask for ask in again if ask.subject.model]
    if not built:
        return None

    def rate(own: bool) -> Rate:
        side = [ask for ask in built if own is _is_own(chosen, ask)]
        found: WrongPasses = wrong_passes([_rated(ask, made[ask], held) for ask in side], held.dispute)
        return found.rate

    return same_family(rate(own=True), rate(own=False))


def _is_own(chosen: Selection, ask: Asked) -> bool:
    return family(ask.subject.model) == family(_first_grader(chosen, ask))


def _listed(chosen: Selection) -> list[Case]:
    """The failure audit list: the runs' failed plans, as far as they are looked at."""
    if Study.FAILURES not in chosen.studies:
        return []
    return [case for case in failures_of(chosen.records) if not chosen.plans or case.plan in chosen.plans]


def _failures(chosen: Selection, held: Adjudication) -> list[Case]:
    decided = {case.key: case for case in held.failure}
    return [decided.get(case.key, case) for case in _listed(chosen)]
