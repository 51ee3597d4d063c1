"""The four ways of failing that an attempt's own records show (protocols, Carry 9)."""

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.schema import (
    BadInput,
    CheckFinding,
    Connection,
    Ending,
    JournalEntry,
    Outcome,
    Task,
    Via,
)
from tenure.scoring.outcome import outcome_of, required_findings
from tenure.scoring.partial import did_new_work

PATTERNS = {
    "done_and_wrong": "Done, and wrong",
    "one_check_short": "One check short",
    "rule_elsewhere": "The rule lived in another app",
    "read_then_left": "Read it, then left it",
}
"""Pattern id → its name, in the paper's order."""

AGENT_DOORS = frozenset({Via.SCREEN, Via.REST, Via.MCP})
"""The doors through which an agent reads and writes."""


def patterns_of(
    task: Task,
    facts: Mapping[str, Any],
    findings: Sequence[CheckFinding],
    ending: Ending,
    connections: Sequence[Connection],
    journal: Sequence[JournalEntry],
) -> tuple[str, ...]:
    """Name the failure patterns that a failed attempt shows; other outcomes show none.

    * ``done_and_wrong``: the agent ended on its own.
    * ``one_check_short``: exactly one required check was missed, however the agent ended.
    * ``rule_elsewhere``: the task's rule check failed beside required new work.
    * ``read_then_left``: every pointing record was returned to the agent, the hardest check failed,
      and the agent left the hardest record as it was.

    Args:
        task: The task, which names its rule check, hardest record and pointing records by fact.
        facts: The world's facts; the named ones hold ``kind/id``, or a sequence of them.
        findings: All findings of the attempt.
        ending: How the agent's part ended.
        connections: The gateway's log.
        journal: The world's journal.

    Raises:
        BadInput: A fact that the task names is missing or is not ``kind/id``.
    """
    if outcome_of(findings, ending).outcome is not Outcome.FAILED:
        return ()
    failed = {f.check for f in findings if f.outcome is Outcome.FAILED}
    missed = [f for f in required_findings(findings) if f.outcome is not Outcome.PASSED]
    shows = {
        "done_and_wrong": ending is Ending.DONE,
        "one_check_short": len(missed) == 1,
        "rule_elsewhere": task.rule_check in failed and did_new_work(findings),
        "read_then_left": task.hardest_check in failed
        and _read(_records(task, facts, task.pointing_records), connections)
        and not _changed(_records(task, facts, (task.hardest_record,)), journal),
    }
    return tuple(name for name in PATTERNS if shows[name])


def _records(task: Task, facts: Mapping[str, Any], names: Sequence[str]) -> set[tuple[str, str]]:
    """The (kind, id) of the records that the named facts hold."""
    found = set()
    for name in names:
        held = facts.get(name)
        for value in held if isinstance(held, list | tuple) else [held]:
            kind, slash, key = value.partition("/") if isinstance(value, str) else ("", "", "")
            if not (kind and slash and key):
                raise BadInput(f"{task.id}: fact {name!r} must hold kind/id, and holds {value!r}")
            found.add((kind, key))
    return found


def _read(records: set[tuple[str, str]], connections: Sequence[Connection]) -> bool:
    answered = [c for c in connections if c.via in AGENT_DOORS and c.status < 400]
    returned = {record for c in answered for record in c.records}
    return bool(records) and records <= returned


def _changed(records: set[tuple[str, str]], journal: Sequence[JournalEntry]) -> bool:
    """Whether the agent's work left any of the records different from how it stood."""
    by_seq = {entry.seq: entry for entry in journal}
    net: dict[tuple[str, str, str], tuple[Any, Any]] = {}
    for entry in sorted(journal, key=lambda e: e.seq):
        if entry.incidental or (entry.kind, entry.id) not in records or not _by_agent(entry, by_seq):
            continue
        for field, (before, after) in entry.fields.items():
            first, _ = net.get((entry.kind, entry.id, field), (before, after))
            net[entry.kind, entry.id, field] = (first, after)
    return any(before != after for before, after in net.values())


def _by_agent(entry: JournalEntry, by_seq: Mapping[int, JournalEntry]) -> bool:
    """Whether the agent made the change, or an app made it as a consequence of the agent's."""
    origin: JournalEntry | None = entry
    while origin is not None and origin.via not in AGENT_DOORS:
        # A cause is older than its consequence; anything else is a broken journal, and ends here.
        cause = origin.cause
        origin = by_seq.get(cause) if cause is not None and cause < origin.seq else None
    return origin is not None
