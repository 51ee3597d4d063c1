import pytest

from tenure.schema import Ending, Outcome
from tenure.scoring import judged_weight_share, outcome_of, partial_score

from .make import finding, judged

AGENTS_FAILURES = [e for e in Ending if e not in (Ending.DONE, Ending.FAULT)]


def test_every_required_check_passed_and_done_is_a_pass():
    found = [finding("a"), finding("g", guard=True), finding("extra", "failed", required=False)]
    assert outcome_of(found, Ending.DONE) == (Outcome.PASSED, "", True)


def test_one_missed_required_check_fails():
    assert outcome_of([finding("a"), finding("b", "failed")], Ending.DONE) == (Outcome.FAILED, "", False)


def test_a_broken_guard_fails():
    found = [finding("a"), finding("g", "failed", guard=True)]
    assert outcome_of(found, Ending.DONE).outcome is Outcome.FAILED


@pytest.mark.parametrize("ending", AGENTS_FAILURES)
@pytest.mark.parametrize("outcome", ["passed", "failed", "error"])
def test_every_other_ending_fails_with_its_reason_whatever_the_checks(ending, outcome):
    verdict = outcome_of([finding("a", outcome)], ending)
    assert (verdict.outcome, verdict.passed) == (Outcome.FAILED, False)
    assert verdict.reason


@pytest.mark.parametrize("outcome", ["passed", "failed"])
def test_our_fault_is_an_error_whatever_the_checks(outcome):
    verdict = outcome_of([finding("a", outcome)], Ending.FAULT)
    assert (verdict.outcome, verdict.passed) == (Outcome.ERROR, False)


def test_a_graders_exception_is_an_error_even_beside_a_failure():
    error = "Traceback …\nKeyError: 'amount'\n"
    verdict = outcome_of([finding("a", "failed"), finding("b", "error", error=error)], Ending.DONE)
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == "check b could not be answered: KeyError: 'amount'"


@pytest.mark.parametrize("found", [[], [judged("j", "passed")], [finding("w", required=False)]])
def test_nothing_required_to_answer_never_passes(found):
    assert outcome_of(found, Ending.DONE).outcome is Outcome.ERROR


@pytest.mark.parametrize("outcome", ["unjudged", "failed", "error"])
def test_judged_checks_never_decide_the_pass(outcome):
    assert outcome_of([finding("a"), judged("j", outcome)], Ending.DONE).passed


def test_a_judged_check_is_not_required_even_when_it_says_so():
    claims = finding("j", "failed", judged=True)
    assert outcome_of([finding("a"), claims], Ending.DONE).passed


def test_partial_is_the_weight_of_what_passed():
    found = [finding("a", weight=3), finding("b", "failed", weight=2), finding("c", required=False, weight=5)]
    assert partial_score(found) == pytest.approx(8 / 10)


def test_guards_earn_nothing_without_required_new_work():
    guards = [finding("g", guard=True, weight=4)]
    assert partial_score([*guards, finding("a", "failed")]) == 0
    assert partial_score([*guards, finding("a", "failed"), finding("w", required=False)]) == pytest.approx(
        1 / 6
    )
    assert partial_score([*guards, finding("a"), finding("b", "failed")]) == pytest.approx(5 / 6)


def test_unjudged_leaves_both_sums_and_error_keeps_its_weight():
    assert partial_score([finding("a"), judged("j", "unjudged", weight=9)]) == 1
    assert partial_score([finding("a"), finding("b", "error", weight=3)]) == pytest.approx(1 / 4)


@pytest.mark.parametrize("found", [[], [judged("j", "unjudged")]])
def test_nothing_to_grade_has_no_partial_score(found):
    assert partial_score(found) is None


def test_judged_weight_share_counts_unanswered_ones_too():
    found = [finding("a", weight=3), judged("j", "unjudged", weight=1)]
    assert judged_weight_share(found) == pytest.approx(0.25)
    assert judged_weight_share([]) == 0
