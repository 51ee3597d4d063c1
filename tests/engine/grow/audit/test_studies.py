import pytest

from tenure.engine.grow.audit.studies import Study, audit_of, cases_of, wanted
from tenure.scoring.grow import Rate, audit_table
from tenure.scoring.grow.adjudication import Adjudication, Case
from tenure.scoring.grow.audit import BugKind
from tenure.scoring.statistics import wilson

from .scripted import Scripted, built, graded, selection, several, shelf

NONE = Adjudication()
PLANS = 4


def near(rate: Rate | None, theory: float, slack: float = 0.0) -> bool:
    """Whether a measured rate agrees with theory: 99.9% of the time it does."""
    assert rate is not None and rate.of
    deviation = 3.3 * (theory * (1 - theory) / rate.of) ** 0.5
    return abs(rate.count / rate.of - theory) <= deviation + slack


@pytest.mark.parametrize("wrong", [0.0, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_measured_rates_match_the_known_ones(wrong: float, dice: int) -> None:
    chosen = selection("consistency", "wrong-fails", "planted-bugs", subjects=several(50), times=10)
    found = audit_of(chosen, graded(chosen, Scripted(wrong, dice=dice)), NONE)
    assert found.consistency is not None and found.planted_bugs is not None
    assert near(found.wrong_fails, wrong)
    assert near(found.consistency.same, (1 - wrong) ** 10 + wrong**10)
    assert near(found.planted_bugs.passed, wrong)
    assert found.wrong_fails.of == 50 * PLANS * 10


def test_a_measured_rate_that_is_off_is_noticed() -> None:
    chosen = selection("wrong-fails", subjects=several(50), times=10)
    assert not near(audit_of(chosen, graded(chosen, Scripted(0.1)), NONE).wrong_fails, 0.05)


@pytest.mark.parametrize("wrong", [0.02, 0.3])
def test_candidates_are_told_apart_by_their_known_rates(wrong: float) -> None:
    chosen = selection("choice", graders=("worse", "better"), subjects=several(30))
    made = graded(chosen, Scripted(wrongs={"worse": 2 * wrong, "better": wrong}))
    better, worse = audit_of(chosen, made, NONE).choice
    assert (better.grader, worse.grader) == ("better", "worse")
    assert near(better.wrong, wrong) and near(worse.wrong, 2 * wrong)
    assert better.wrong.of == 30 * PLANS * 10


def test_each_study_makes_the_grades_of_its_own_number_and_shares_them() -> None:
    counts = {
        name: len(wanted(selection(name), {})) for name in ("consistency", "wrong-fails", "planted-bugs")
    }
    bugs = 2
    assert counts == {"consistency": 10 * PLANS, "wrong-fails": 2 * PLANS, "planted-bugs": 3 * bugs + bugs}
    every = wanted(selection("consistency", "wrong-fails", "planted-bugs"), {})
    assert len(every) == 10 * PLANS + 3 * bugs
    assert len(wanted(selection("consistency", plans=frozenset({"lent"}), times=3), {})) == 3


def test_planted_bugs_are_counted_by_kind_with_the_unbugged_build_as_control() -> None:
    chosen = selection("planted-bugs")
    found = audit_of(chosen, graded(chosen, Scripted()), NONE).planted_bugs
    assert found is not None
    assert (found.passed.count, found.passed.of, found.caught, found.bugs) == (0, 6, 2, 2)
    assert set(found.by_kind) == {subject.bug.kind for subject in chosen.planted if subject.bug}
    assert set(found.by_kind) <= set(BugKind)
    assert (found.control.count, found.control.of) == (0, 2)


def test_a_missed_bug_counts_until_a_person_says_that_it_was_not_reached_or_not_visible() -> None:
    chosen = selection("planted-bugs")
    made = graded(chosen, Scripted(1.0))
    cases = cases_of(chosen, made).miss
    assert len(cases) == 6 and cases[0].says == "7.50" and cases[0].build.endswith(", grade 1")
    found = audit_of(chosen, made, NONE).planted_bugs
    assert found is not None and (found.passed.count, found.passed.of) == (6, 6)
    decided = ("not_reached", "not_visible", "missed")
    held = [
        c.model_copy(update={"decision": d, "by": "Ada", "why": "w"})
        for c, d in zip(cases, decided, strict=False)
    ]
    found = audit_of(chosen, made, Adjudication(miss=tuple(held))).planted_bugs
    assert found is not None
    assert (found.passed.count, found.passed.of, found.not_reached, found.not_visible) == (4, 4, 1, 1)


def test_grades_that_do_not_count_leave_every_rate_and_are_told() -> None:
    chosen = selection("consistency", "planted-bugs", "choice", graders=("g", "h"))
    found = audit_of(chosen, graded(chosen, Scripted(lost=1.0)), NONE)
    assert found.consistency is not None and found.planted_bugs is not None
    assert (found.consistency.same.of, len(found.consistency.short)) == (0, PLANS)
    assert (found.planted_bugs.passed.of, found.planted_bugs.not_counted) == (0, 6)
    assert {candidate.unfinished for candidate in found.choice} == {10 * PLANS}


def test_the_second_grader_looks_again_at_what_passed_and_a_person_settles_the_disputes() -> None:
    chosen = selection("wrong-passes", subjects=[built(1), built(2, verdict=False)], second="sol")
    made = graded(chosen, Scripted(wrongs={"sol": 1.0}))
    assert {ask.subject.name for ask in made} == {"grow/shelf:acme/m:1"}
    cases = cases_of(chosen, made).dispute
    assert [(c.first, c.second) for c in cases] == [("acme/judge", "sol")] * PLANS
    assert "it shows 7.51" in cases[0].says and cases[0].says.startswith("check ")
    open_yet = audit_of(chosen, made, NONE).wrong_passes
    assert open_yet is not None and (open_yet.rate.count, open_yet.pending) == (0, PLANS)
    decided = [
        c.model_copy(update={"decision": d, "by": "Ada", "why": "w"})
        for c, d in zip(cases, ("first", "second", "unsaid"), strict=False)
    ]
    found = audit_of(chosen, made, Adjudication(dispute=tuple(decided))).wrong_passes
    assert found is not None
    assert (found.rate.count, found.rate.of, found.second_wrong, found.unsaid, found.pending) == (
        1,
        4,
        1,
        1,
        1,
    )


def test_a_reference_is_graded_once_by_the_first_grader_before_the_second_looks_again() -> None:
    chosen = selection("wrong-passes", second="sol")
    first = wanted(chosen, {})
    assert {ask.grader for ask in first} == {"g"} and len(first) == PLANS
    made = {ask: Scripted(1.0 if ask.plan == "lent" else 0.0).of(ask) for ask in first}
    again = [ask for ask in wanted(chosen, made) if ask.grader == "sol"]
    assert {ask.plan for ask in again} == {plan.id for plan in shelf().plans} - {"lent"}


def test_the_difference_within_a_family_is_that_of_confirmed_wrong_passes() -> None:
    chosen = selection(
        "wrong-passes", subjects=several(10, ("acme/m", "other/m")), second="sol", plans=frozenset({"lent"})
    )
    made = graded(chosen, Scripted(wrongs={"sol": 1.0}))
    held = tuple(
        c.model_copy(update={"decision": "first", "by": "Ada", "why": "w"})
        for c in cases_of(chosen, made).dispute
        if "acme" in c.build
    )
    found = audit_of(chosen, made, Adjudication(dispute=held)).same_family
    assert found is not None and (found.own.count, found.others.count, found.difference) == (10, 0, 1.0)
    alone = selection("wrong-passes", second="sol")
    assert audit_of(alone, graded(alone, Scripted()), NONE).same_family is None


def test_what_a_person_decided_says_what_works() -> None:
    chosen = selection("wrong-fails", subjects=[built(1, verdict=False)], times=1)
    made = graded(chosen, Scripted(1.0))
    assert audit_of(chosen, made, NONE).wrong_fails == Rate.make(0, 0)
    name = chosen.subjects[0].name
    for decision, of in (("grader", 1), ("harness", 1), ("bug", 0), ("unsaid", 0), ("test", 0)):
        case = Case(build=name, plan="lent", first="g", decision=decision, by="Ada", why="w")
        assert audit_of(chosen, made, Adjudication(failure=(case,))).wrong_fails == Rate.make(of, of)


def test_the_table_has_a_line_for_every_study_that_was_made() -> None:
    every = [study.value for study in Study if study is not Study.FAILURES]
    chosen = selection(*every, graders=("g", "h"), second="sol", subjects=several(2), times=2)
    tests = [line.test for line in audit_table(audit_of(chosen, graded(chosen, Scripted(0.2)), NONE))]
    assert tests[:4] == ["consistency", "wrong fails", "wrong passes", "planted bugs"]
    assert {"control", "same family", "choice: g", "choice: h"} <= set(tests)
    assert wilson(0, 6) is not None
