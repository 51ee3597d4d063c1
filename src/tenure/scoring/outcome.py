"""From findings and an ending to the outcome of one carry attempt (protocols, Carry 2, 4 and 6)."""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.schema import CheckFinding, Ending, Outcome

ENDING_TEXT = {
    Ending.DONE: "the agent said that it was done",
    Ending.OUT_OF_TIME: "the time limit passed",
    Ending.OUT_OF_TOKENS: "the token limit was reached",
    Ending.OUT_OF_STEPS: "the step limit was reached",
    Ending.OVER_ATTEMPT_BUDGET: "the attempt's spending budget ran out",
    Ending.OVER_RUN_BUDGET: "the run's spending budget ran out",
    Ending.NO_VALID_ANSWER: "the model gave no valid answer",
    Ending.REFUSED: "the model refused",
    Ending.CONTEXT_EXHAUSTED: "the model's context was exhausted",
    Ending.CONTENT_FILTER: "the provider's content filter stopped the model's own prompt",
    Ending.SHELL_ACCESS: "the agent had shell access",
    Ending.FAULT: "a part of Tenure failed, not the agent",
}
"""What each ending means, in words that complete "the attempt ended because"."""


class Verdict(NamedTuple):
    """The outcome of an attempt, why (empty when the checks alone decided), and whether it passed."""

    outcome: Outcome
    reason: str
    passed: bool


def outcome_of(findings: Sequence[CheckFinding], ending: Ending) -> Verdict:
    """Decide one attempt.

    An attempt passes when the agent ended on its own and every required check passed. Any other
    ending of the agent's fails it whatever the checks say; our own fault is ``error``. So is a
    required check that could not be answered, and an attempt with nothing required to answer:
    neither says anything about the agent. Judged checks are never required and never count here.

    Args:
        findings: All findings of the attempt.
        ending: How the agent's part ended.
    """
    if ending is Ending.FAULT:
        return Verdict(Outcome.ERROR, ENDING_TEXT[ending], False)
    if ending is not Ending.DONE:
        return Verdict(Outcome.FAILED, ENDING_TEXT[ending], False)
    required = required_findings(findings)
    if not required:
        return Verdict(Outcome.ERROR, "no required check was graded", False)
    unanswered = [f for f in required if f.outcome in (Outcome.ERROR, Outcome.UNJUDGED, Outcome.NOT_RUN)]
    if unanswered:
        first = unanswered[0]
        detail = "".join(f": {line}" for line in first.error.strip().splitlines()[-1:])
        more = f" (and {len(unanswered) - 1} more)" if len(unanswered) > 1 else ""
        return Verdict(Outcome.ERROR, f"check {first.check} could not be answered{detail}{more}", False)
    passed = all(f.outcome is Outcome.PASSED for f in required)
    return Verdict(Outcome.PASSED if passed else Outcome.FAILED, "", passed)


def required_findings(findings: Sequence[CheckFinding]) -> list[CheckFinding]:
    """The findings that decide the pass: required, and not judged."""
    return [f for f in findings if f.required and not f.judged]
