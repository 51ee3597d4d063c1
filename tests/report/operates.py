"""Operate attempts as a real run would leave them, made from a seed: what the report is looked at with.

``PYTHONPATH=tests python -m report.operates OUT`` writes a whole report for a look by eye.
"""

import json
import random
import sys
from pathlib import Path

from support import operated
from tenure.report import write_report
from tenure.schema import AttemptRecord, Ending, Outcome, Row, Usage
from tenure.schema.finding import JudgeVerdict
from tenure.schema.operate import CheckKind, OperateFinding, OperateTask

TASKS = {
    "operate/month-end": ("business", ("tryton", "actual"), "text", 12),
    "operate/intake": ("healthcare", ("gnuhealth",), "text", 9),
    "operate/receipts": ("business", ("actual", "roundup", "directus"), "multimodal", 15),
}
ROWS = (
    # agent, model, skill, whether it ranks, whether it takes pictures
    ("native", "meridian-3-pro", 0.93, True, True),
    ("browser-use", "meridian-3-pro", 0.88, True, True),
    ("native", "osier-mini", 0.7, True, False),
    ("native", "tenure/oracle", 1.0, False, True),
)
SAYS = (
    "The supplier's invoice is posted with the amount of the delivery note",
    "The payment is booked on the account that the note names",
    "Nothing else was changed in the ledger",
    "The issue is closed with the reference of the invoice",
)


def make_row(agent: str, model: str, *, ranks: bool = True, vision: bool = True) -> Row:
    settings = json.dumps({"step_limit": 400, "vision": vision})
    return operated.row(tuple(TASKS), (0, 0), agent=agent, model=model, settings=settings, ranks=ranks)


def make_record(row: Row, name: str, number: int, skill: float) -> AttemptRecord:
    """One attempt; the same arguments give the same record."""
    domain, apps, track, count = TASKS[name]
    dice = random.Random(f"{row.agent}{row.model}{name}{number}")
    found = [_finding(n, apps, skill, dice) for n in range(count)]
    of = OperateTask.model_validate(
        operated.task(found, name.partition("/")[2], domain, apps).model_dump(mode="json") | {"track": track}
    )
    ending = Ending.OUT_OF_STEPS if dice.random() > 0.85 and skill < 1 else Ending.DONE
    claimed = True if ending is Ending.DONE else None
    notes = ("the script's own score is 80, ours 75",) if name.endswith("receipts") else ()
    card = operated.card(found, of, ending=ending, claimed=claimed, notes=notes)
    made = operated.attempt(row, card, number)
    usage = Usage(
        steps=dice.randint(40, 180), input_tokens=900_000, output_tokens=20_000, cost=1.7, seconds=900
    )
    said = (
        {"role": "user", "text": "Close the month."},
        {"role": "assistant", "text": "", "calls": [{"tool": "click", "arguments": {"index": 4}}]},
        {"role": "tool", "tool": "click", "text": "Clicked button “Post”"},
    )
    return made.model_copy(
        update={
            "title": name.partition("/")[2].replace("-", " ").capitalize(),
            "usage": usage,
            "transcript": said,
            "instruction": "Close the month: post what was delivered, book what was paid.",
            "answer": "Everything is booked.",
            "started": "2026-11-29T10:00:00+00:00",
            "ended": "2026-11-29T10:15:00+00:00",
        }
    )


def _finding(n: int, apps: tuple[str, ...], skill: float, dice: random.Random) -> OperateFinding:
    kind = (CheckKind.STATE, CheckKind.STATE, CheckKind.CONTENT, CheckKind.JUDGED)[n % 4]
    guard = n % 4 == 2
    outcome = Outcome.PASSED if dice.random() < skill - 0.01 * n * (skill < 1) else Outcome.FAILED
    verdicts: tuple[JudgeVerdict, ...] = ()
    if kind is CheckKind.JUDGED:
        verdicts = (JudgeVerdict(judge="a/judge", passed=outcome is Outcome.PASSED, reason="It says so."),)
    return OperateFinding(
        check=f"check-{n + 1}",
        says=SAYS[n % 4],
        outcome=outcome,
        weight=float(1 + n % 3),
        kind=CheckKind.STATE if guard else kind,
        guard=guard,
        app=apps[n % len(apps)],
        saw="amount 412.50" if outcome is Outcome.PASSED else "amount 412.05, where 412.50 was wanted",
        verdicts=verdicts,
    )


def make_records() -> list[AttemptRecord]:
    """Two attempts of every row at every task, the last of one row missing."""
    return [
        make_record(make_row(agent, model, ranks=ranks, vision=vision), name, number, skill)
        for agent, model, skill, ranks, vision in ROWS
        for name in TASKS
        for number in (1, 2)
        if (agent, name, number) != ("browser-use", "operate/intake", 2)
    ]


if __name__ == "__main__":
    print(write_report(make_records(), Path(sys.argv[1])))
