"""From a verifier's records to findings, without running one."""

import re

import pytest

from tenure.grading.operate import Asked, Record, VerifierRun, discovered, findings_of
from tenure.schema import Outcome, Suite
from tenure.schema.operate import NAME, OperateTask, released_check

CHECKS = (
    {"id": "1", "says": "total is right", "weight": 2},
    {"id": "2", "says": "note is kept", "weight": 1},
)
SCORE = "SCORE: 0.667  PASS: False  (2/3)"


def task(*checks):
    return OperateTask(
        suite=Suite.OPERATE,
        name="shelf",
        title="Shelf",
        version="1-0",
        canary="c" * 32,
        domain="agriculture",
        apps=("shelf",),
        verifier="verify.py",
        checks=tuple({"kind": "script", **check} for check in checks or CHECKS),
    )


def run(*texts, **more):
    records = tuple(Record(float(n), text) for n, text in enumerate(texts, 1))
    fields = {"stdout": "", "stderr": "\n".join(texts), "returncode": 1, **more}
    return VerifierRun(records=records, **fields)


def outcomes(*texts, of=None, **more):
    findings, notes = findings_of(of or task(), run(*texts, **more))
    return [str(f.outcome) for f in findings], notes


def test_lines_become_findings_with_their_evidence():
    findings, notes = findings_of(
        task(), run("[PASS] (2pt) 1. total is right  (50)", "[FAIL] (1pt) 2. note is kept", SCORE)
    )
    assert [(f.check, f.outcome, f.weight, f.saw) for f in findings] == [
        ("1", Outcome.PASSED, 2, "50"),
        ("2", Outcome.FAILED, 1, ""),
    ]
    assert notes == []


def test_a_label_that_changes_with_the_outcome_keeps_its_id():
    got, notes = outcomes("[PASS] (2pt) 1. total is exactly right", "[FAIL] (1pt) 2. no note at all", SCORE)
    assert (got, notes) == (["passed", "failed"], [])
    assert released_check("7a) The Sum") == ("7a", "The Sum")
    assert released_check("All jars: closed!") == ("all-jars-closed", "All jars: closed!")


@pytest.mark.parametrize(
    ("label", "id", "says"),
    [
        ("3.1 Foo", "3.1", "Foo"),
        ("3.2 Bar", "3.2", "Bar"),
        ("3.2. Bar", "3.2", "Bar"),
        ("3.2.10a: Bar", "3.2.10a", "Bar"),
        ("31.2) Bar", "31.2", "Bar"),
        ("3.1", "3.1", ""),
        ("3.Foo", "3", "Foo"),
        ("3. 1 jar is left", "3", "1 jar is left"),
        ("12 jars", "12-jars", "12 jars"),
    ],
)
def test_a_number_is_taken_whole(label: str, id: str, says: str) -> None:
    assert released_check(label) == (id, says)


def test_labels_without_a_number_never_share_an_id_for_want_of_letters():
    long = "the jar on the upper shelf beside the window of the kitchen is closed with a lid that is "
    labels = ("総額が正しい", "メモがある", f"{long}red", f"{long}blue")
    ids = [released_check(label)[0] for label in labels]
    assert len(set(ids)) == 4 and all(re.fullmatch(NAME, id) and len(id) <= 80 for id in ids)
    assert [released_check(label)[1] for label in labels] == list(labels)


def test_what_was_not_printed_is_not_run():
    got, notes = outcomes("FATAL: token cannot be read")
    assert got == ["not_run", "not_run"] and notes == ["no_score_line"]
    findings, _ = findings_of(task(), run("FATAL: token cannot be read"))
    assert findings[0].error.endswith(
        "ended with 1 and did not print this check; FATAL: token cannot be read"
    )
    late, _ = findings_of(task(), run("[PASS] (2pt) 1. total is right", timed_out=True))
    assert late[1].error == "the verifier's time was up before it printed this check"


def test_failed_infrastructure_is_an_error_whatever_was_printed():
    lines = ("[PASS] (2pt) 1. total is right", "[FAIL] (1pt) 2. note is kept", SCORE)
    findings, _ = findings_of(task(), run(*lines, faults=("shelf does not answer", "again")))
    assert {f.outcome for f in findings} == {Outcome.ERROR}
    assert findings[0].error == "infrastructure failed: shelf does not answer (and 1 more)"


def test_a_failed_check_whose_judge_did_not_answer_is_unjudged():
    lines = ("[FAIL] (2pt) 1. total is right", "[FAIL] (1pt) 2. note is kept  (judge error)")
    score = "SCORE: 0.000  PASS: False  (0/3)"
    assert outcomes(*lines, score, asked=(Asked(1.5, False),))[0] == ["failed", "unjudged"]
    assert outcomes(*lines, score, asked=(Asked(1.5, True),))[0] == ["failed", "failed"]
    assert outcomes(*lines, score, asked=(Asked(0.5, False),))[0] == ["unjudged", "failed"]


def test_a_verifier_that_contradicts_itself_is_an_error():
    got, notes = outcomes(
        "[PASS] (2pt) 1. total is right", "[FAIL] (2pt) 1. total is right", "[FAIL] (1pt) 2. note is kept"
    )
    assert got == ["error", "failed"] and "no_score_line" in notes


def test_the_scripts_own_score_is_compared_and_never_used():
    lines = ("[FAIL] (2pt) 1. total is right", "[FAIL] (1pt) 2. note is kept")
    got, notes = outcomes(*lines, "SCORE: 1.000  PASS: True  (3/3)")
    assert got == ["failed", "failed"]
    assert notes == ["score_line_disagrees: 1.000 (3/3, all) where its lines give 0.000 (0/3, not all)"]


def test_oddities_are_named():
    _, notes = outcomes(
        "[PASS] (5pt) 1. total is right",
        "[FAIL] (1pt) 2. note is kept",
        "[PASS] (1pt) 9. never heard of",
        "[FAIL] (lots) 3. broken",
        "SCORE: 0.857  PASS: False  (6/7)",
    )
    assert notes == [
        "unexpected_check: 9. never heard of",
        "points_changed: check 1 is worth 5 here and 2 in the task",
        "line_rejected: [FAIL] (lots) 3. broken",
    ]


def test_a_run_without_apps_discovers_checks_and_what_holds_without_work():
    checks, passing = discovered(
        run(
            "[PASS] (0pt) 9. a remark",
            "[PASS] (1pt) 0. inputs are there",
            "[FAIL] (2pt) 1. total is right",
            "[FAIL] (2pt) 1. total",
        )
    )
    assert [(c.id, c.says, c.weight) for c in checks] == [
        ("0", "inputs are there", 1),
        ("1", "total is right", 2),
    ]
    assert passing == ["0"]
