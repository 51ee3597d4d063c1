"""Grow builds as a real run would leave them, made from a seed: what the report is looked at with.

``PYTHONPATH=tests python -m report.grows OUT`` writes a whole report for a look by eye.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tenure.grading.grow import PROTOCOL, Ballot, blocked, finding
from tenure.report import write_report
from tenure.schema import AttemptRecord, Ending, Provenance, Row, Suite, Usage
from tenure.schema.folder import find_grow
from tenure.schema.grow import Plan, PlanKind, Product, SeedKind, Subset
from tenure.schema.verdict import (
    Cause,
    CheckVerdict,
    Grade,
    PlanFinding,
    SeedRecord,
    StageRecord,
    Standing,
    StepVerdict,
)
from tenure.scoring.grow import score_build

BUILDS = 4
PRODUCTS = {
    "grow/loomhouse": ("Grow Loomhouse, the booking product of a weaving school", Subset.PUBLIC),
    "grow/ferry": ("Grow Ferryman, the ticket desk of an island line", Subset.PUBLIC),
    "grow/archive": ("Grow Longshelf, the loans of a town archive", Subset.HELD_OUT),
    "grow/orchard": ("Grow Orchard, the order book of a fruit market", Subset.HELD_OUT),
}
ROWS = (
    # agent, model, skill, whether it ranks, steps of a stage
    ("native", "meridian-3-pro", 0.985, True, 44),
    ("claude-code", "kestrel-large", 0.96, True, 61),
    ("native", "osier-mini", 0.8, True, 23),
    ("native", "tenure/oracle", 1.0, False, 9),
)
LOST = Cause.START, "the product did not start: start-server.sh ended with 1 after 0.8 s\n"
LOG = 'psycopg.errors.UndefinedTable: relation "members" does not exist\nLINE 1: ALTER TABLE members ADD …'
QUOTES = ("Paid 8.33", "No seats left", "Mon 4 May, 10:00 UTC", "You are next in line", "3 seats left")


def folder_plans() -> tuple[Plan, ...]:
    return find_grow("grow/loomhouse").plans


def stage_names() -> list[str]:
    return [stage.path.name for stage in find_grow("grow/loomhouse").stages]


def grade_of(
    plan: Plan,
    vote: int,
    attempt: int,
    works: bool,
    dice: random.Random,
    pictures: Sequence[str],
    *,
    sure: bool = False,
) -> Grade:
    """One grade: mostly right, sometimes thrown out or unfinished, unless it is sure."""
    fate = 1.0 if sure else dice.random()
    standing, reason = Standing.COUNTS, ""
    if fate < 0.03:
        standing, reason = Standing.THROWN_OUT, "reload: ana loaded /bookings anew, which the step forbids"
    elif fate < 0.05:
        standing, reason = Standing.UNFINISHED, "out of time: one hour passed"
    holds = works if sure or dice.random() < 0.985 else not works
    missed = None if holds else dice.choice([check.id for check in plan.checks])
    steps = tuple(
        StepVerdict(
            step=step.name,
            checks=tuple(
                CheckVerdict(
                    check=check.id,
                    passed=check.id != missed,
                    quotes=(dice.choice(QUOTES),) if check.id != missed else ("Paid 8.34",),
                    note="" if check.id != missed else "the page shows 8.34, and 8.33 was wanted",
                    looks=(n,),
                    pictures=(dice.choice(pictures) if pictures else "",),
                )
                for check in step.checks
            ),
            note="A seat was shown in both lists." if step.notes else "",
        )
        for n, step in enumerate(plan.steps, 1)
    )
    return Grade(
        vote=vote,
        attempt=attempt,
        standing=standing,
        reason=reason,
        steps=steps if standing is not Standing.UNFINISHED else steps[:1],
        grader="meridian-3-pro",
        seconds=dice.uniform(80, 400),
        cost=dice.uniform(0.2, 0.9),
    )


def finding_of(plan: Plan, skill: float, dice: random.Random, pictures: Sequence[str] = ()) -> PlanFinding:
    """A plan settled by the protocol itself."""
    if skill < 0.9 and dice.random() < 0.02:
        return blocked(plan, Cause.SEED, f"seeding failed: seed.sh ended with 1\n{LOG}")
    if skill < 1 and plan.id == "zone-shown" and dice.random() < 0.2:
        lost = [
            Grade(
                vote=1,
                attempt=n,
                standing=Standing.UNFINISHED,
                reason="the browser closed",
                grader="m",
                cost=0.1,
            )
            for n in range(1, PROTOCOL.retries + 2)
        ]
        return finding(plan, Ballot(lost))
    # Plans of features used together fail a little more often.
    works = dice.random() < (skill - 0.01 * (plan.kind is PlanKind.COMBINED) if skill < 1 else 1.0)
    ballot = Ballot()
    while (ask := ballot.next) is not None:
        made = grade_of(plan, ask.vote, ask.attempt, works, dice, pictures, sure=skill == 1)
        ballot = Ballot((*ballot.grades, made))
    return finding(plan, ballot).model_copy(update={"seed": seed_of(plan, dice)})


def seed_of(plan: Plan, dice: random.Random) -> SeedRecord:
    """How a plan was seeded."""
    if plan.seed.kind is not SeedKind.RECORDS:
        return SeedRecord(ok=True)
    return SeedRecord(
        ok=True,
        report="Members, workshops and bookings are there; bookings go through the product's own functions.",
        seeder="meridian-3-pro",
        tries=dice.randint(1, 3),
        cached=dice.random() < 0.2,
        seconds=dice.uniform(60, 300),
        cost=dice.uniform(0.1, 0.4),
    )


def make_row(agent: str, model: str, *, ranks: bool = True, tasks: Sequence[str] = tuple(PRODUCTS)) -> Row:
    return Row(
        agent=agent,
        model=model,
        interface=None,
        settings=json.dumps({"steps_a_stage": 300, "seconds_a_stage": 7200, "temperature": 1.0}),
        commit="4be1c0d2a7f3",
        task_hashes=tuple((task, f"{task}-hash") for task in sorted(tasks)),
        seeds=(1, 2, 3, 4),
        sandbox="bubblewrap",
        image="bookworm-2026-11",
        ranks=ranks,
    )


def make_record(
    row: Row,
    task: str,
    number: int,
    skill: float = 0.9,
    steps: int = 40,
    pictures: Sequence[str] = (),
    plans: Sequence[Plan] = (),
) -> AttemptRecord:
    """One build; the same arguments give the same record."""
    dice = random.Random(f"{row.agent}{row.model}{task}{number}")
    title, subset = PRODUCTS.get(task, (task, Subset.PUBLIC))
    every = list(plans or folder_plans())
    stages, error = _stages(row.model, task, number, steps, dice)
    found: list[PlanFinding] = []
    if stages[-1].ending is not Ending.FAULT:
        lost = row.model == "osier-mini" and (task, number) == ("grow/ferry", 2)
        found = [
            blocked(plan, LOST[0], LOST[1] + LOG) if lost else finding_of(plan, skill, dice, pictures)
            for plan in every
        ]
    product = Product(
        suite=Suite.GROW,
        name=task.partition("/")[2],
        title=title,
        version="1-0",
        canary="c" * 40,
        domain="d",
        subset=subset,
    )
    card = score_build(product, found, stages, planned_stages=len(stage_names()), error=error)
    used = sum(stage.steps for stage in stages)
    return AttemptRecord(
        suite=Suite.GROW,
        task=task,
        title=title,
        attempt=number,
        seed=row.seeds[number - 1],
        row=row,
        outcome=card.outcome,
        grow=card,
        usage=Usage(
            steps=used,
            input_tokens=used * 83_000,
            output_tokens=used * 1_100,
            cost=sum(stage.cost or 0 for stage in stages) if row.model != "tenure/oracle" else None,
            seconds=sum(stage.seconds for stage in stages),
        ),
        provenance=Provenance(
            commit=row.commit,
            task_hash=dict(row.task_hashes)[task],
            world_hash="none",
            model=row.model,
            settings=json.loads(row.settings),
            versions={"postgresql": "17.2", "python": "3.12.1", "node": "22.3.0"},
            sandbox=row.sandbox,
            image=row.image,
        ),
        started="2026-11-28T08:14:02Z",
        ended="2026-11-28T11:52:47Z",
        instruction="You build one product over many requests.",
        answer="The last request is built, and the set-up script ran on an empty database.",
        error=error,
        transcript=tuple(_transcript(stages)),
    )


def _stages(
    model: str, task: str, number: int, steps: int, dice: random.Random
) -> tuple[list[StageRecord], str]:
    """Twelve stages; some builds end before the last one."""
    endings = {
        ("osier-mini", "grow/archive", 3): (8, Ending.OUT_OF_TIME),
        ("osier-mini", "grow/orchard", 1): (3, Ending.FAULT),
        ("kestrel-large", "grow/orchard", 4): (11, Ending.CONTEXT_EXHAUSTED),
    }
    last, ending = endings.get((model, task, number), (len(stage_names()), Ending.DONE))
    made = []
    for n, name in enumerate(stage_names()[:last], 1):
        used = int(steps * dice.uniform(0.4, 1.8))
        out = n != last and dice.random() < 0.04 and model != "tenure/oracle"
        made.append(
            StageRecord(
                stage=name,
                ending=ending if n == last else Ending.OUT_OF_STEPS if out else Ending.DONE,
                steps=300 if out else used,
                seconds=used * dice.uniform(11, 19),
                cost=used * 0.031,
                summaries=int(used > 60) + int(out),
            )
        )
    return made, "the database did not start: could not bind its socket" if ending is Ending.FAULT else ""


def _transcript(stages: Sequence[StageRecord]) -> Iterator[dict[str, Any]]:
    for number, stage in enumerate(stages, 1):
        yield {"role": "user", "text": f"Build what /app/prd.md asks: {stage.stage}", "stage": stage.stage}
        yield {
            "role": "assistant",
            "text": "I read the request first.",
            "calls": [{"tool": "terminal", "arguments": {"command": f"cat /app/prds/{number:02}.md"}}],
        }
        yield {"role": "tool", "tool": "terminal", "text": f"# {stage.stage}\nMembers …"}


def make_records(pictures: Sequence[str] = (), plans: Sequence[Plan] = ()) -> list[AttemptRecord]:
    """All rows; the last build of one product was never run."""
    made = [
        make_record(make_row(agent, model, ranks=ranks), task, number, skill, steps, pictures, plans)
        for agent, model, skill, ranks, steps in ROWS
        for task in PRODUCTS
        for number in range(1, BUILDS + 1)
    ]
    return [r for r in made if (r.row.model, r.task, r.attempt) != ("osier-mini", "grow/orchard", 4)]


def main() -> None:
    """Write a report whose attempts show the given pictures."""
    out, *shown = map(Path, sys.argv[1:])
    screens = out / "run" / "attempts" / "a" / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    for picture in shown:
        (screens / picture.name).write_bytes(picture.read_bytes())
    names = [picture.name for picture in shown]
    print(write_report(make_records(names), out / "site", folders=[out / "run"]))


if __name__ == "__main__":
    main()
