"""Grading an end state: every check answered, then one scorecard."""

import traceback
from collections.abc import Mapping, Sequence

from tenure.grading.check import Checks, Question, Saw
from tenure.grading.footprint import strays
from tenure.grading.judge import Judge, put
from tenure.schema import BadInput, CheckFinding, CheckSpec, Ending, JudgeVerdict, Outcome, Scorecard
from tenure.schema.folder import TaskFolder
from tenure.scoring.scorecard import scorecard
from tenure.world import EndState

Verdicts = Mapping[str, tuple[JudgeVerdict, ...]]
"""Stored verdicts of judged checks, by check id."""


def load_checks(folder: TaskFolder) -> Checks:
    """A task's checks.

    Raises:
        BadInput: ``checks.py`` declares none, or one that the protocols forbid.
    """
    checks = getattr(folder.module("checks"), "checks", None)
    if not isinstance(checks, Checks) or not checks.specs:
        raise BadInput(f"{folder.path}/checks.py declares no checks (a Checks() named checks)")
    for name in (folder.task.rule_check, folder.task.hardest_check):
        if name not in checks.specs:
            raise BadInput(f"{folder.path}/task.toml names the check {name!r}, which checks.py does not have")
    return checks


async def grade(
    folder: TaskFolder,
    end: EndState,
    ending: Ending = Ending.DONE,
    *,
    judges: Sequence[Judge] = (),
    stored: Verdicts | None = None,
) -> Scorecard:
    """Grade one end state. Without judges it is a pure function: the same state, the same scorecard.

    Args:
        folder: The task.
        end: The end state.
        ending: How the agent's part ended.
        judges: First and second judge; each answers every judged check.
        stored: Verdicts to use again instead of asking (protocols, Carry 6).
    """
    checks = load_checks(folder)
    findings = []
    for id, spec in checks.specs.items():
        try:
            answer = checks.run[id](end)
            verdicts: tuple[JudgeVerdict, ...] = ()
            if isinstance(answer, Question):
                verdicts = (stored or {}).get(id) or tuple([await put(judge, answer) for judge in judges])
            findings.append(_finding(spec, answer, verdicts))
        except Exception:
            findings.append(_declared(spec, Outcome.ERROR, error=traceback.format_exc(limit=-3)))
    return scorecard(
        folder.task,
        findings,
        strays=strays(folder.task.footprint, end.facts, end.differences),
        ending=ending,
        connections=end.connections,
        journal=end.journal,
        facts=end.facts,
    )


def _finding(spec: CheckSpec, answer: Saw | Question, verdicts: tuple[JudgeVerdict, ...]) -> CheckFinding:
    if isinstance(answer, Saw):
        return _declared(spec, Outcome.PASSED if answer.ok else Outcome.FAILED, saw=answer.text)
    if not spec.judged:
        raise TypeError(f"check {spec.id!r} asks a judge but is not declared judged")
    deciding = next((v for v in verdicts if v.passed is not None), None)
    if deciding is None:
        return _declared(spec, Outcome.UNJUDGED, saw="no judge answered", verdicts=verdicts)
    outcome = Outcome.PASSED if deciding.passed else Outcome.FAILED
    return _declared(spec, outcome, saw=deciding.reason, verdicts=verdicts)


def _declared(
    spec: CheckSpec,
    outcome: Outcome,
    *,
    saw: str = "",
    error: str = "",
    verdicts: tuple[JudgeVerdict, ...] = (),
) -> CheckFinding:
    return CheckFinding(
        check=spec.id,
        says=spec.says,
        outcome=outcome,
        required=spec.required,
        weight=spec.weight,
        guard=spec.guard,
        expects=spec.expects,
        judged=spec.judged,
        saw=saw,
        error=error,
        verdicts=verdicts,
    )
