"""From a released verifier's run to findings (protocols, Operate 1; formats §5.6). Pure.

What the script itself says of its score is compared and never used.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.grading.operate.lines import Line, Printed, Score, read_records
from tenure.schema.operate import CheckKind, OperateCheck, OperateFinding, OperateTask, released_check
from tenure.schema.shape import Shape
from tenure.schema.words import Outcome

EVIDENCE = 500
"""Characters of a detail that a finding keeps."""


class Record(NamedTuple):
    """One ``print`` of a verifier.

    Attributes:
        at: Seconds, on the machine's own steady clock.
        text: Without the end of its line.
    """

    at: float
    text: str


class Asked(NamedTuple):
    """One question that a verifier put to the judge.

    Attributes:
        at: When it was put, in seconds, on the same clock as records.
        answered: Whether the verifier got an answer while it waited.
    """

    at: float
    answered: bool


class VerifierRun(Shape):
    """All that is known of one run of a verifier, to be graded again at any time."""

    records: tuple[Record, ...]
    stdout: str
    stderr: str
    returncode: int
    timed_out: bool = False
    faults: tuple[str, ...] = ()
    """Infrastructure that failed while it ran: then nothing that it says is about the agent."""
    asked: tuple[Asked, ...] = ()

    @property
    def printed(self) -> Printed:
        """Its records, sorted."""
        return read_records(record.text for record in self.records)


def findings_of(task: OperateTask, run: VerifierRun) -> tuple[list[OperateFinding], list[str]]:
    """One finding per check of the task, in its order, and what was odd, a line each.

    A check that the verifier did not print is ``not_run``. One that it failed for want of a judge is
    ``unjudged``. When infrastructure failed, or the verifier contradicts itself, it is ``error``.
    """
    printed = run.printed
    lines: dict[str, list[Line]] = {}
    for line in printed.lines:
        lines.setdefault(released_check(line.label)[0], []).append(line)
    trouble = _trouble(run)
    findings = [_finding(check, lines.get(check.id, []), run, trouble) for check in task.checks]
    known = {check.id for check in task.checks}
    notes = [f"unexpected_check: {line.label}" for id in lines if id not in known for line in lines[id]]
    for check in task.checks:
        own = lines.get(check.id, [])
        notes += [
            f"points_changed: check {check.id} is worth {line.points:g} here and {check.weight:g} in the task"
            for line in own[:1]
            if line.points != check.weight
        ]
    notes += [f"line_rejected: {text}"[:EVIDENCE] for text in printed.rejected]
    return findings, [*notes, *_score_notes(printed)]


def discovered(run: VerifierRun) -> tuple[list[OperateCheck], list[str]]:
    """The checks that a run shows, in order, and the ids of those that passed.

    Of a run without any app these are the checks that hold without work. A check without points is none.
    """
    checks: dict[str, OperateCheck] = {}
    passed: set[str] = set()
    for line in run.printed.lines:
        if line.points <= 0:
            continue
        id, says = released_check(line.label)
        checks.setdefault(id, OperateCheck(id=id, says=says, weight=line.points, kind=CheckKind.SCRIPT))
        if line.passed:
            passed.add(id)
    return list(checks.values()), [id for id in checks if id in passed]


def _trouble(run: VerifierRun) -> str:
    """Why nothing that the verifier says counts; empty when all does."""
    if run.faults:
        more = f" (and {len(run.faults) - 1} more)" if len(run.faults) > 1 else ""
        return f"infrastructure failed: {run.faults[0]}{more}"
    return ""


def _finding(check: OperateCheck, lines: Sequence[Line], run: VerifierRun, trouble: str) -> OperateFinding:
    line = lines[0] if lines else None
    claims = {line.passed for line in lines}
    outcome, error = Outcome.PASSED, ""
    if trouble:
        outcome, error = Outcome.ERROR, trouble
    elif line is None:
        outcome, error = Outcome.NOT_RUN, _unprinted(run)
    elif len(claims) > 1:
        outcome, error = Outcome.ERROR, "the verifier printed it both passed and failed"
    elif not line.passed and _wanted_judge(line, run):
        outcome = Outcome.UNJUDGED
    elif not line.passed:
        outcome = Outcome.FAILED
    return OperateFinding(
        check=check.id,
        says=check.says,
        outcome=outcome,
        weight=check.weight,
        kind=check.kind,
        guard=check.guard,
        app=check.app,
        saw=" ".join(line.detail.split())[:EVIDENCE] if line else "",
        error=error,
    )


def _unprinted(run: VerifierRun) -> str:
    if run.timed_out:
        return "the verifier's time was up before it printed this check"
    last = next((line for line in reversed(run.stderr.splitlines()) if line.strip()), "")
    return f"the verifier ended with {run.returncode} and did not print this check; {last.strip()[:200]}"


def _wanted_judge(line: Line, run: VerifierRun) -> bool:
    """Whether a question that no judge answered was put since the check line before this one."""
    earlier = [run.records[one.record].at for one in run.printed.lines if one.record < line.record]
    since, until = max(earlier, default=0.0), run.records[line.record].at
    return any(since < asked.at <= until and not asked.answered for asked in run.asked)


def _score_notes(printed: Printed) -> list[str]:
    if not printed.scores:
        return ["no_score_line"]
    notes = ["score_lines: more than one"] if len(printed.scores) > 1 else []
    said = printed.scores[-1]
    earned = sum(line.points for line in printed.lines if line.passed)
    total = sum(line.points for line in printed.lines)
    counted = Score(
        score=round(earned / total, 3) if total else 0.0,
        all_passed=bool(printed.lines) and all(line.passed for line in printed.lines),
        earned=earned,
        total=total,
    )
    if abs(said.score - counted.score) > 0.0011 or said[1:] != counted[1:]:
        notes.append(f"score_line_disagrees: {_shown(said)} where its lines give {_shown(counted)}")
    return notes


def _shown(score: Score) -> str:
    return f"{score.score:.3f} ({score.earned:g}/{score.total:g}, {'all' if score.all_passed else 'not all'})"
