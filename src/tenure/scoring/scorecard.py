"""From findings to the scorecard of one carry attempt: the one place where it is put together."""

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.schema import CheckFinding, Connection, Ending, JournalEntry, Outcome, Scorecard, Task
from tenure.scoring.outcome import outcome_of
from tenure.scoring.partial import judged_weight_share, partial_score
from tenure.scoring.patterns import patterns_of


def scorecard(
    task: Task,
    findings: Sequence[CheckFinding],
    *,
    strays: Sequence[str],
    ending: Ending,
    connections: Sequence[Connection],
    journal: Sequence[JournalEntry],
    facts: Mapping[str, Any],
) -> Scorecard:
    """Add findings up. A pure function: equal arguments, equal scorecard.

    A twin that failed inside makes the attempt an error: what the agent could do was not the task.

    Args:
        task: The task.
        findings: One per declared check.
        strays: Changes outside the footprint.
        ending: How the agent's part ended.
        connections: The gateway's log.
        journal: The world's journal.
        facts: The world's facts.
    """
    fault = next((c for c in connections if c.fault), None)
    outcome, reason, passed = outcome_of(findings, ending)
    if fault is not None:
        passed, outcome = False, Outcome.ERROR
        reason = f"the copy of {fault.host} failed inside: {fault.fault.strip().splitlines()[-1]}"
    return Scorecard(
        task=task.id,
        version=task.version,
        outcome=outcome,
        ending=ending,
        reason=reason,
        passed=passed,
        clean_pass=passed and not strays,
        partial=partial_score(findings),
        findings=tuple(findings),
        strays=tuple(strays),
        patterns=() if fault else patterns_of(task, facts, findings, ending, connections, journal),
        judged_weight_share=judged_weight_share(findings),
    )
