from typing import Any

from support.grow import plan, step, verdict
from tenure.grading.grow import Actor, Look, Queried, derive
from tenure.schema.verdict import Grade, Standing

PLAN = plan(["c1", "c2"], ["c3"])


def look(number: int, name: str, page: str, user: str = "ana") -> Look:
    return Look(number=number, step=name, page=page, user=user)


LOOKS = (look(1, "s1", "Booked for 7.50"), look(2, "s1", "Booked. One ride."), look(3, "s2", "Cancelled"))
GOOD = (
    step("s1", verdict("c1", True, "7.50"), verdict("c2", True, "One ride", "Booked")),
    step("s2", verdict("c3", True, "Cancelled")),
)


def made(claims: Any = GOOD, looks: Any = LOOKS, events: Any = (), **more: Any) -> Grade:
    return derive(PLAN, claims, looks, events, **{"vote": 1, "attempt": 1, **more})


def test_a_grade_with_evidence_counts_and_names_the_looks() -> None:
    grade = made(grader="g", seconds=9.0, cost=0.5)
    assert (grade.standing, grade.passed, grade.reason) == (Standing.COUNTS, True, "")
    assert [check.looks for one in grade.steps for check in one.checks] == [(1,), (2, 2), (3,)]
    assert (grade.grader, grade.seconds, grade.cost) == ("g", 9.0, 0.5)


def test_one_failed_check_fails_its_step_and_the_plan_and_spreads_no_further() -> None:
    grade = made((step("s1", verdict("c1", False, "7.50"), GOOD[0].checks[1]), GOOD[1]))
    assert grade.passed is False
    assert [one.passed for one in grade.steps] == [False, True]


def test_a_check_without_a_quotation_throws_the_grade_out() -> None:
    grade = made((step("s1", verdict("c1"), GOOD[0].checks[1]), GOOD[1]))
    assert (grade.standing, grade.passed) == (Standing.THROWN_OUT, None)
    assert grade.reason == "check c1 of step s1 quotes nothing"


def test_so_does_a_quotation_that_was_not_on_screen_on_a_failed_check_too() -> None:
    grade = made((step("s1", verdict("c1", False, "7.51"), GOOD[0].checks[1]), GOOD[1]))
    assert grade.reason == "check c1 of step s1 quotes '7.51', which was not on screen"
    assert grade.steps[0].checks[0].looks == (0,)


def test_evidence_of_another_step_counts_only_while_its_page_is_shown() -> None:
    last = made((GOOD[0], step("s2", verdict("c3", True, "One ride"))))
    assert (last.standing, last.steps[1].checks[0].looks) == (Standing.COUNTS, (2,))
    gone = made((GOOD[0], step("s2", verdict("c3", True, "7.50"))))
    assert gone.standing is Standing.THROWN_OUT
    ahead = made((step("s1", verdict("c1", True, "Cancelled"), GOOD[0].checks[1]), GOOD[1]))
    assert ahead.standing is Standing.THROWN_OUT


def test_a_page_that_was_opened_before_the_first_step_is_still_shown() -> None:
    opened = (look(1, "", "Welcome"), look(2, "s1", "Booked"))
    claim = step("s1", verdict("c1", True, "Welcome"), verdict("c2", True, "Booked"))
    assert made((claim, step("s2", verdict("c3", True, "Booked"))), opened).passed


def test_each_users_last_page_is_still_shown() -> None:
    looks = (look(1, "s1", "Ben waits", "ben"), *LOOKS)
    assert made((GOOD[0], step("s2", verdict("c3", True, "Ben waits"))), looks).passed


def test_a_broken_rule_throws_the_grade_out_whatever_it_says() -> None:
    write = Queried(number=4, by=Actor.GRADER, statement="DELETE FROM rides")
    grade = made(events=[write])
    assert grade.standing is Standing.THROWN_OUT
    assert grade.reason == "database_write: a statement that is no read: DELETE FROM rides"


def test_a_grader_that_leaves_something_out_did_not_finish() -> None:
    for claims, says in (
        (GOOD[:1], "check c3 of step s2 has 0 answers"),
        ((step("s1", GOOD[0].checks[0]), GOOD[1]), "check c2 of step s1 has 0 answers"),
        ((step("s1", *GOOD[0].checks, GOOD[0].checks[0]), GOOD[1]), "check c1 of step s1 has 2 answers"),
        ((*GOOD, GOOD[1]), "step s2 is answered twice"),
        ((*GOOD, step("s9", verdict("c9", True, "x"))), "c9 is no check of step s9"),
    ):
        grade = made(claims)
        assert (grade.standing, grade.reason) == (Standing.UNFINISHED, says)


def test_a_grader_that_failed_did_not_finish() -> None:
    grade = made((), error="one hour passed")
    assert (grade.standing, grade.reason, grade.passed) == (Standing.UNFINISHED, "one hour passed", None)


def test_a_broken_rule_is_said_first_whatever_else_is_missing() -> None:
    asked = Queried(number=1, step="s1", by=Actor.GRADER, statement="delete from rides")
    for error in ("", "one hour passed"):
        grade = made((), events=(asked,), error=error)
        assert grade.standing is Standing.THROWN_OUT and grade.reason.startswith("database_write: ")


def test_a_quotation_names_the_picture_of_its_look_whatever_a_grader_claims() -> None:
    looks = (LOOKS[0].model_copy(update={"picture": "a1.png"}), *LOOKS[1:])
    claimed = GOOD[0].checks[0].model_copy(update={"looks": (9,), "pictures": ("mine.png",)})
    first = made((step("s1", claimed, GOOD[0].checks[1]), GOOD[1]), looks).steps[0]
    assert [check.pictures for check in first.checks] == [("a1.png",), ("", "")]
    gone = step("s1", verdict("c1", True, "7.51"), GOOD[0].checks[1])
    assert made((gone, GOOD[1]), looks).steps[0].checks[0].pictures == ("",)
