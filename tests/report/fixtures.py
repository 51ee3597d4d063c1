"""Attempts as a real run would leave them, made from a seed: what the report is looked at with.

``python -m tests.report.fixtures OUT`` writes a whole report for a look by eye.
"""

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenure.report import write_report
from tenure.schema import (
    AttemptRecord,
    CheckFinding,
    Connection,
    Ending,
    Expect,
    Interface,
    JournalEntry,
    JudgeVerdict,
    Outcome,
    Provenance,
    Row,
    Scorecard,
    Source,
    Suite,
    Usage,
    Via,
)
from tenure.scoring import judged_weight_share, outcome_of, partial_score

TASKS = {
    "carry/renewal": "Get the Halden renewal ready",
    "carry/forecast": "Bring the forecast up to date for the board pack",
    "carry/payments": "Prepare this week's payment run",
    "carry/fair": "Follow up the trade fair",
    "carry/board": "Set up the board meeting across three zones",
    "carry/erasure": "Handle an erasure request",
}
CHECKS = (
    # id, says, guard, judged, required, weight, how hard (chance that a weak agent misses it)
    ("amount", "The renewal deal shows the amount that was agreed", False, False, True, 3.0, 0.25),
    ("close_date", "The deal closes on the date in the signed amendment", False, False, True, 2.0, 0.3),
    ("contact", "The successor named in the auto-reply is on the deal", False, False, True, 3.0, 0.45),
    ("approval", "An approval task exists before the stage moves", False, False, True, 3.0, 0.6),
    ("stage", "The deal stands at Contract sent", False, False, True, 2.0, 0.15),
    ("draft", "A confirmation to the customer is drafted", False, False, True, 2.0, 0.1),
    ("draft_amount", "The draft states the same amount as the deal", False, False, True, 2.0, 0.3),
    ("note", "The deal has a note that names the superseded price", False, False, False, 1.0, 0.5),
    ("unsent", "No mail was sent", True, False, True, 1.0, 0.06),
    ("namesake", "The company with nearly the same name is untouched", True, False, True, 1.0, 0.08),
    ("tone", "The draft answers what the customer asked", False, True, False, 4.0, 0.3),
)
ROWS = (
    # agent, model, interface, skill, ranks, steps
    ("loop", "meridian-3-pro", Interface.API, 0.93, True, 88),
    ("loop", "meridian-3-pro", Interface.SCREEN, 0.82, True, 231),
    ("loop", "kestrel-large-2611", Interface.API, 0.86, True, 140),
    ("loop", "osier-mini", Interface.API, 0.45, True, 61),
    ("oracle", "tenure/oracle", Interface.API, 1.0, False, 34),
)
SEEDS = (11, 12, 13)
HOSTS = (
    ("gmail.googleapis.com", "/gmail/v1/users/me/messages/"),
    ("api.hubapi.com", "/crm/v3/objects/deals/"),
)
WORLD_START = 1_793_000_000_000


def make_row(
    agent: str, model: str, interface: Interface, *, ranks: bool = True, tasks: Sequence[str] = tuple(TASKS)
) -> Row:
    settings = {"effort": "high", "max_steps": 500, "temperature": 1.0, "tools": f"{interface}-v1"}
    return Row(
        agent=agent,
        model=model,
        interface=interface,
        settings=json.dumps(settings, sort_keys=True),
        commit="4be1c0d2a7f3",
        task_hashes=tuple((task, f"{abs(hash_of(task)):016x}") for task in sorted(tasks)),
        seeds=SEEDS,
        sandbox="bubblewrap",
        image="bookworm-2026-11",
        ranks=ranks,
    )


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[-8:], "big")


def make_record(row: Row, task: str, number: int, skill: float = 0.6, steps: int = 60) -> AttemptRecord:
    """One attempt; the same arguments give the same record."""
    dice = random.Random(f"{row.model}{row.interface}{task}{number}")
    fate = dice.random()
    ending = (
        Ending.DONE if skill == 1 or fate < 0.86 else dice.choice([Ending.OUT_OF_TIME, Ending.OUT_OF_STEPS])
    )
    if skill < 1 and fate > 0.97:
        ending = Ending.FAULT
    findings = tuple(_finding(dice, skill, *check) for check in CHECKS)
    verdict = outcome_of(findings, ending)
    strays = ("hubspot.contact/4101 changed: phone",) if skill < 1 and dice.random() < 0.12 else ()
    missed = sum(f.required and f.outcome is not Outcome.PASSED for f in findings)
    patterns = [
        name
        for name, shows in {
            "done_and_wrong": ending is Ending.DONE,
            "one_check_short": missed == 1,
            "rule_elsewhere": any(f.check == "approval" and f.outcome is Outcome.FAILED for f in findings),
            "read_then_left": any(f.check == "contact" and f.outcome is Outcome.FAILED for f in findings),
        }.items()
        if shows and verdict.outcome is Outcome.FAILED
    ]
    used = int(steps * dice.uniform(0.7, 1.5))
    tokens = used * dice.randint(9_000, 21_000)
    return AttemptRecord(
        suite=Suite.CARRY,
        task=task,
        title=TASKS.get(task, task),
        attempt=number,
        seed=row.seeds[number - 1],
        row=row,
        outcome=verdict.outcome,
        scorecard=None
        if ending is Ending.FAULT
        else Scorecard(
            task=task,
            version="1-0",
            outcome=verdict.outcome,
            ending=ending,
            reason=verdict.reason,
            passed=verdict.passed,
            clean_pass=verdict.passed and not strays,
            partial=partial_score(findings),
            findings=findings,
            strays=strays,
            patterns=tuple(patterns),
            judged_weight_share=judged_weight_share(findings),
        ),
        usage=Usage(
            steps=used,
            input_tokens=tokens,
            output_tokens=used * 240,
            cost=None if row.model == "osier-mini" else round(tokens * 2.1e-6, 4),
            seconds=used * dice.uniform(4, 11),
        ),
        provenance=Provenance(
            commit=row.commit,
            task_hash=dict(row.task_hashes)[task],
            world_hash="9f2c41d0aa17",
            proof_hash="5e77b0c3910d",
            model=row.model,
            settings=json.loads(row.settings),
            versions={"inspect_ai": "0.3.285", "python": "3.11.7"},
            sandbox=row.sandbox,
            image=row.image,
        ),
        started=f"2026-11-2{number}T08:14:02Z",
        ended=f"2026-11-2{number}T08:52:47Z",
        instruction=(
            "You are Ada Lindqvist, account manager. Please get the Halden renewal ready: the deal should "
            "show what we agreed, with the right people on it, and I want a confirmation to them waiting "
            "in drafts when I am back. Don't send anything.\n\n"
            "Today is Tuesday, 24 November 2026, Europe/Berlin."
        ),
        answer="The renewal is prepared: the deal shows 48,200 EUR and the confirmation is in drafts.",
        error="ConnectionResetError: the provider closed the stream" if ending is Ending.FAULT else "",
        transcript=_transcript(),
        journal=_journal(),
        connections=_connections(dice),
    )


def _finding(dice: random.Random, skill: float, check: str, says: str, *rest: Any) -> CheckFinding:
    guard, judged, required, weight, hard = rest
    passed = dice.random() > hard * (1 - skill) * 2
    verdicts = ()
    if judged:
        second = passed if dice.random() < 0.95 else not passed
        verdicts = (
            JudgeVerdict(judge="judge-a", passed=passed, reason="Names the price and the notice period."),
            JudgeVerdict(judge="judge-b", passed=second, reason="The question about notice is answered."),
        )
    return CheckFinding(
        check=check,
        says=says,
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        required=required,
        weight=weight,
        guard=guard,
        judged=judged,
        saw="hubspot.deal/7001 amount 48200.00 EUR"
        if passed
        else "hubspot.deal/7001 amount 51000.00 EUR (as seeded)",
        expects=()
        if guard or judged
        else (Expect(fact="agreed_amount", source=Source.RECORD, records=("amendment",)),),
        verdicts=verdicts,
    )


def _transcript() -> tuple[dict[str, Any], ...]:
    turns: list[dict[str, Any]] = [
        {"role": "system", "text": "You work for the person below through the tools you are given."},
        {"role": "user", "text": "Please get the Halden renewal ready."},
    ]
    for n in range(6):
        turns += [
            {
                "role": "assistant",
                "text": "I will look for the latest word on the price." if n == 0 else "",
                "calls": [
                    {"tool": "gmail_search_threads", "arguments": {"query": f"halden renewal {n}", "max": 20}}
                ],
            },
            {
                "role": "tool",
                "tool": "gmail_search_threads",
                "text": json.dumps({"threads": [{"id": f"18c{n}"}]}),
            },
        ]
    turns.append({"role": "assistant", "text": "The renewal is prepared and nothing was sent."})
    return tuple(turns)


def _journal() -> tuple[JournalEntry, ...]:
    changed = (
        (
            "hubspot.deal",
            "7001",
            {"amount": ("51000.00", "48200.00"), "dealstage": ("proposal", "contractsent")},
        ),
        (
            "hubspot.task",
            "9001",
            {"subject": (None, "Approve discount"), "owner": (None, "vp@northlight.example")},
        ),
        (
            "gmail.draft",
            "r-5512",
            {"subject": (None, "Halden renewal"), "to": (None, ["j.ek@halden.example"])},
        ),
        ("gmail.message", "18c2", {"labels": (["UNREAD", "INBOX"], ["INBOX"])}),
    )
    return tuple(
        JournalEntry(
            seq=n,
            at=WORLD_START + n * 61_000,
            actor="ada@northlight.example",
            via=Via.MCP if n % 2 else Via.REST,
            kind=kind,
            id=key,
            fields=fields,
            incidental=kind == "gmail.message",
        )
        for n, (kind, key, fields) in enumerate(changed, 1)
    )


def _connections(dice: random.Random) -> tuple[Connection, ...]:
    made = []
    for n in range(1, 41):
        host, path = HOSTS[n % 2]
        status = 404 if n == 9 else 200
        returned = tuple(
            (("gmail.message", "hubspot.deal")[n % 2], f"{7000 + i}") for i in range(dice.randint(0, 5))
        )
        made.append(
            Connection(
                n=n,
                at=WORLD_START + n * 7_000,
                host=host,
                method="PATCH" if n % 13 == 0 else "GET",
                path=f"{path}{7000 + n}?format=full",
                status=status,
                actor="ada@northlight.example",
                via=Via.MCP if n % 3 == 0 else Via.REST,
                tool="gmail_get_thread" if n % 3 == 0 else "",
                records=() if status == 404 else returned,
                changed=int(n % 13 == 0),
            )
        )
    return tuple(made)


def make_records(
    rows: Sequence[tuple[Any, ...]] = ROWS, tasks: Sequence[str] = tuple(TASKS)
) -> list[AttemptRecord]:
    """All rows; the last attempts of the last task of one row were never run."""
    made = [
        make_record(make_row(agent, model, interface, ranks=ranks, tasks=tasks), task, number, skill, steps)
        for agent, model, interface, skill, ranks, steps in rows
        for task in tasks
        for number in range(1, len(SEEDS) + 1)
    ]
    return [r for r in made if not (r.row.model == "osier-mini" and r.task == tasks[-1] and r.attempt > 1)]


if __name__ == "__main__":
    print(write_report(make_records(), Path(sys.argv[1]), title="Carry: release 1"))
