from typing import Any

import pytest

from support.grow import attempt, card, found, grade, row
from tenure.schema import BadInput
from tenure.scoring.grow import Rate
from tenure.scoring.grow.adjudication import Adjudication, Case, is_settled, lint, merge, read, sound, write
from tenure.scoring.grow.audit import (
    AuditGrade,
    BugKind,
    Failure,
    PlantedGrade,
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
from tenure.scoring.grow.table import Audit, audit_table
from tenure.scoring.statistics import Interval, difference, rank_correlation, wilson


def grades(passed: int, failed: int, plan: str = "p", **more: Any) -> list[AuditGrade]:
    fields = {"build": "b", "grader": "g", **more}
    return [AuditGrade(plan=plan, passed=n < passed, **fields) for n in range(passed + failed)]


def percents(found: Interval | None, digits: int = 1) -> tuple[float, float]:
    assert found is not None
    return round(100 * found.low, digits), round(100 * found.high, digits)


def case(number: int, decision: str = "", **more: Any) -> Case:
    by = {"by": "Ada Person", "why": "seen on screen"} if decision else {}
    fields = {"build": f"b{number}", "plan": "p", "first": "opus", "decision": decision, **by, **more}
    return Case(**fields)


def test_wrong_fails_of_the_paper() -> None:
    """3 of 1,521 single grades: 0.20%, 0.07 to 0.58 (seed 001, Table 3)."""
    found = wrong_fails([*grades(1518, 3, works=True), *grades(0, 9, works=False), *grades(0, 9)])
    assert (found.count, found.of, round(100 * (found.share or 0), 2)) == (3, 1521, 0.2)
    assert percents(found.interval, 2) == (0.07, 0.58)


def test_no_wrong_fail_in_947_has_the_papers_upper_bound() -> None:
    assert percents(wrong_fails(grades(947, 0, works=True)).interval) == (0.0, 0.4)


def test_wrong_passes_of_the_paper() -> None:
    """Of 477 passes 20 are disputed, 4 confirmed: 0.8%, 0.3 to 2.1; the second grader wrong in 16."""
    again = [g.model_copy(update={"build": f"b{n}"}) for n, g in enumerate(grades(457, 20, grader="sol"))]
    cases = disputes_of("opus", again, [("b457", "p", "8.34 and not 8.33")])
    assert len(cases) == 20 and cases[0].says == "8.34 and not 8.33"
    settled = [
        c.model_copy(update={"decision": "first" if n < 4 else "second", "by": "Ada", "why": "w"})
        for n, c in enumerate(cases)
    ]
    found = wrong_passes(again, settled)
    assert (found.rate.count, found.rate.of, found.disputes, found.second_wrong) == (4, 477, 20, 16)
    assert percents(found.rate.interval) == (0.3, 2.1)
    assert (found.pending, found.unsaid, found.not_graded) == (0, 0, 0)
    open_yet = wrong_passes([*again, AuditGrade(build="x", plan="p", grader="sol", passed=None)], settled[:5])
    assert (open_yet.rate.count, open_yet.pending, open_yet.not_graded) == (4, 15, 1)


def test_a_pass_that_nobody_disputes_is_not_false_whatever_the_file_says() -> None:
    again = grades(1, 0)
    assert wrong_passes(again, [case(1, "first", build="b")]).rate.count == 0


def test_consistency_counts_plans_with_one_verdict_throughout() -> None:
    held = [*grades(10, 0, "a"), *grades(0, 10, "b"), *grades(9, 1, "c"), *grades(9, 0, "d")]
    found = consistency(held)
    assert (found.same.count, found.same.of, found.grades, found.short) == (2, 3, 30, ("b / d",))
    assert consistency(grades(3, 0), times=3).same.share == 1.0


PLANTED = {
    BugKind.CENT_OFF: 5,
    BugKind.REVERTS: 5,
    BugKind.DROPPED: 5,
    BugKind.NO_REFUSAL: 5,
    BugKind.TIMING: 4,
    BugKind.OBVIOUS: 10,
}


def planted(**changes: dict[str, Any]) -> list[PlantedGrade]:
    """34 bugs graded three times; ``changes`` by ``kind_number_grade``."""
    return [
        PlantedGrade(
            bug=f"{kind}-{bug}",
            kind=kind,
            build="b",
            plan="p",
            **{"passed": False, **changes.get(f"{kind.value}_{bug}_{n}", {})},
        )
        for kind, bugs in PLANTED.items()
        for bug in range(bugs)
        for n in range(3)
    ]


def test_planted_bugs_of_the_paper() -> None:
    """Table 4: 0 of 96 grades pass; one thrown out, two never reached, three of a bug nobody can see."""
    changes: dict[str, dict[str, Any]] = {
        "no_refusal_0_0": {"passed": None},
        "timing_0_0": {"reached": False, "passed": True},
        "timing_1_0": {"reached": False},
        **{f"obvious_0_{n}": {"visible": False, "passed": True} for n in range(3)},
    }
    found = planted_bugs(planted(**changes), grades(24, 0))
    assert {kind: (rate.count, rate.of) for kind, rate in found.by_kind.items()} == {
        BugKind.CENT_OFF: (0, 15),
        BugKind.REVERTS: (0, 15),
        BugKind.DROPPED: (0, 15),
        BugKind.NO_REFUSAL: (0, 14),
        BugKind.TIMING: (0, 10),
        BugKind.OBVIOUS: (0, 27),
    }
    assert (found.passed.count, found.passed.of, found.bugs, found.subtle, found.caught) == (
        0,
        96,
        34,
        24,
        33,
    )
    assert (found.not_counted, found.not_reached, found.not_visible, found.short) == (1, 2, 3, ())
    assert (found.control.count, found.control.of) == (0, 24)


def test_a_bug_that_one_grade_passes_is_not_caught_and_a_clean_build_that_fails_is_seen() -> None:
    missed = planted_bugs(planted(timing_0_0={"passed": True})[:-1], grades(1, 1))
    assert (missed.passed.count, missed.caught, missed.control.share) == (1, 33, 0.5)
    assert missed.short == ("obvious-9",)


def test_same_family_difference_of_the_paper() -> None:
    """4 of 237 against 0 of 240: −0.2 to 4.3 points (Appendix D)."""
    found = same_family(Rate.make(4, 237), Rate.make(0, 240))
    assert percents(found.interval) == (-0.2, 4.3)
    assert found.difference == pytest.approx(4 / 237)
    assert same_family(Rate.make(0, 0), Rate.make(0, 1)).interval is None


def test_the_grader_with_the_fewest_wrong_verdicts_comes_first() -> None:
    held = [
        *grades(611, 29, grader="sol-medium", works=True),
        *grades(628, 12, grader="opus-medium", works=True),
        *grades(616, 24, grader="sol-low", works=True),
        *grades(614, 26, grader="opus-low", works=True),
        AuditGrade(build="b", plan="p", grader="opus-low", passed=None, works=True),
        *grades(1, 0, grader="unknown"),
    ]
    found = choice(held)
    assert [(c.grader, round(100 * (c.wrong.share or 0), 1)) for c in found[:4]] == [
        ("opus-medium", 1.9),
        ("sol-low", 3.8),
        ("opus-low", 4.1),
        ("sol-medium", 4.5),
    ]
    assert [c.unfinished for c in found] == [0, 0, 1, 0, 0]
    assert found[-1].wrong.share is None
    both_ways = choice([*grades(1, 0, works=False), *grades(1, 0, works=True)])[0]
    assert (both_ways.wrong.share, both_ways.wrong_fails.share) == (0.5, 0.0)


def test_the_failure_audit_of_the_paper() -> None:
    """178 failed plans: 10 grader errors, 2 test defects, 1 harness fault, 6 unsaid, 159 bugs."""
    decided = ["grader"] * 10 + ["test"] * 2 + ["harness"] + ["unsaid"] * 6 + ["bug"] * 159
    found = failure_audit([case(n, d) for n, d in enumerate(decided)] + [case(999)])
    assert (found.audited, found.wrong, found.counts[Failure.BUG], found.pending) == (179, 13, 159, 1)


def test_the_failure_list_holds_every_plan_that_grades_failed() -> None:
    failed = found("failed", "p2", grades=(grade(False, grader="opus"),), reason="3 of 3 grades fail it: c1")
    record = attempt(row(), 2, card([found("passed", "p1"), failed, found("blocked", "p3")]))
    assert failures_of([record, attempt(row(), 1, None)]) == (
        Case(build="grow/rides:m:2", plan="p2", first="opus", says="3 of 3 grades fail it: c1"),
    )


def test_the_table_has_a_line_per_test_that_was_made() -> None:
    passes = wrong_passes(grades(9, 1, grader="sol"), [])
    failures = failure_audit([case(1, "bug"), case(2, "grader"), case(3)])
    made = Audit(
        grader="opus",
        consistency=consistency([*grades(10, 0, "a"), *grades(2, 0, "b")]),
        wrong_fails=wrong_fails(grades(1518, 3, works=True)),
        wrong_passes=passes,
        planted_bugs=planted_bugs(planted(), grades(24, 0)),
        same_family=same_family(Rate.make(4, 237), Rate.make(0, 240)),
        failures=failures,
        choice=tuple(choice(grades(1, 1, works=True))),
    )
    lines = {line.test: line for line in audit_table(made)}
    assert list(lines) == [
        "consistency",
        "wrong fails",
        "wrong passes",
        "planted bugs",
        *(f"planted bugs: {kind}" for kind in BugKind),
        "control",
        "same family",
        "failure audit",
        "choice: g",
    ]
    assert (lines["wrong fails"].count, lines["wrong fails"].of) == (3, 1521)
    assert lines["consistency"].says.endswith("left out for too few grades: 1")
    assert "1 disputes the second grader was wrong in 0, 1 undecided" in lines["wrong passes"].says
    assert "34 of 34 bugs caught, 0 grades left out" in lines["planted bugs"].says
    assert percents(lines["same family"].interval) == (-0.2, 4.3)
    assert (lines["failure audit"].count, lines["failure audit"].of) == (1, 2)
    assert audit_table(Audit(grader="opus")) == ()


HELD = Adjudication(
    dispute=(case(1, "first", second="sol", says='saw "8.34"\n\x7f'), case(2, second="sol")),
    failure=(case(3, "bug"),),
)
WANTED = Adjudication(
    dispute=tuple(c.model_copy(update={"decision": "", "by": "", "why": ""}) for c in HELD.dispute),
    failure=(case(3),),
)


def test_the_file_is_read_as_it_was_written() -> None:
    assert read(write(HELD)) == HELD
    assert read(write(Adjudication())) == Adjudication()
    assert [is_settled(c) for c in HELD.dispute] == [True, False]


@pytest.mark.parametrize(
    ("text", "says"), [("[[dispute", "is not TOML"), ('[[dispute]]\nbuild = "b"', "Field required")]
)
def test_a_broken_file_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=f"disputes.toml.*{says}"):
        read(text, "disputes.toml")


def test_decisions_are_kept_while_the_case_is_the_same() -> None:
    assert merge(HELD, WANTED) == HELD
    other = WANTED.dispute[0].model_copy(update={"says": "saw 8.35"})
    assert merge(HELD, Adjudication(dispute=(other,))).dispute == (other,)


def test_decisions_about_other_cases_stay_and_undecided_ones_go() -> None:
    assert merge(HELD, Adjudication()) == Adjudication(dispute=HELD.dispute[:1], failure=HELD.failure)


def test_an_entry_with_a_fault_counts_for_nothing() -> None:
    good = (case(1, "first"), case(2))
    bad = (case(3, "first", by="opus"), case(4, "perhaps"), case(5, "second"), case(5, "first"))
    assert sound(Adjudication(dispute=(*good, *bad)), ["sol"]).dispute == good
    assert sound(Adjudication(miss=(case(1, "missed", by="Sol"), case(2, "not_reached"))), ["sol"]).miss == (
        case(2, "not_reached"),
    )


FAULTY = [
    (case(1, "first"), "", ""),
    (case(1, "maybe"), "decision 'maybe' is none of first, second, unsaid", ""),
    (case(1, "first", by=""), "names who made it", ""),
    (case(1, "first", why=" "), "names who made it", ""),
    (case(1, "first", by="Opus"), "Opus is a model; a person decides", ""),
    (case(1, "first", by="astra"), "astra is a model; a person decides", "Astra"),
    (case(1, by="Ada"), "by or why without a decision", ""),
    (case(2, "first"), "dispute b2 / p: is no case of this audit", ""),
    (case(2, "first"), "dispute b1 / p: has no entry", ""),
]


@pytest.mark.parametrize(("entry", "says", "model"), FAULTY, ids=[says for _, says, _ in FAULTY])
def test_lint_says_each_fault_in_a_line(entry: Case, says: str, model: str) -> None:
    faults = lint(Adjudication(dispute=(entry,)), Adjudication(dispute=(case(1),)), [model] if model else [])
    assert any(says in fault for fault in faults) if says else faults == []


def test_lint_finds_a_case_that_is_entered_twice() -> None:
    faults = lint(Adjudication(failure=(case(1), case(1))), Adjudication(failure=(case(1),)))
    assert faults == ["failure b1 / p: 2 entries"]


@pytest.mark.parametrize("trials", [(1, 0), (3, 2), (-1, 2)])
def test_no_share_has_no_interval(trials: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(*trials)
    with pytest.raises(ValueError, match="is no share"):
        difference(trials, (1, 2))


def test_ranks_correlate_and_ties_share_theirs() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.9486832980505138)
    assert rank_correlation([1, 1], [1, 2]) is None
    with pytest.raises(ValueError, match="cannot be paired"):
        rank_correlation([1], [1, 2])
