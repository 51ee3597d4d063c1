"""Proving a grow product: plans walked on its reference, on what shows nothing, and on planted bugs."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import NamedTuple

from tenure.grading.dag.pages import Chromium
from tenure.grading.grow.browser import missing
from tenure.grading.grow.lint import lint
from tenure.oracle.grow import PlantedBug, load_bugs, load_walks, packed, reference_at, seeding_of, walked
from tenure.oracle.grow.direct import PATIENCE, direct
from tenure.prove.cells import Cell, Cells
from tenure.prove.record import ProofRecord, RuleFinding, Tier, found, proof_key, store_proof
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, Product
from tenure.schema.verdict import CheckVerdict, StepVerdict
from tenure.schema.words import Outcome
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.product import NotStanding, standing

REFERENCE, AGAIN, IDLE, BLANK = "reference", "reference again", "idle", "blank"
BRIEF = 1.0
"""Seconds that an element may take to be there where none will be."""
_BLANK = b"""\
import http.server
import os

class Blank(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Blank</title><main></main>")

    do_POST = do_GET

http.server.ThreadingHTTPServer(("", int(os.environ["APPLICATION_PORT"])), Blank).serve_forever()
"""
Say = Callable[[str], None]


class Column(NamedTuple):
    """One system and what its walks found.

    Attributes:
        name: Its column of the matrix.
        cells: By plan, as far as they were asked.
        bug: The bug that is planted in it, if one is.
    """

    name: str
    cells: Mapping[str, Cell]
    bug: PlantedBug | None = None


class System(NamedTuple):
    """A system to stand up.

    Attributes:
        name: Its column of the matrix.
        code: A snapshot.
        plans: Those to walk through.
        bug: The bug that is planted in it.
        once: Whether one workspace, without records, does for all plans: they leave nothing there.
    """

    name: str
    code: bytes
    plans: Sequence[Plan]
    bug: PlantedBug | None = None
    once: bool = False

    def wants(self, plan: str) -> Outcome:
        """What a plan's walk is to find here."""
        if self.bug is not None:
            return Outcome.FAILED if plan == self.bug.plan else Outcome.PASSED
        return {IDLE: Outcome.BLOCKED, BLANK: Outcome.FAILED}.get(self.name, Outcome.PASSED)


def prove_grow(
    folder: GrowFolder, tier: Tier, say: Say = lambda text: None, *, again: bool = False
) -> ProofRecord:
    """Prove a grow product.

    The quick tier walks through each plan on the finished reference, and on each planted bug through the
    plan that is aimed at it. The full tier asks also the plans that share a feature with that one, which
    must not notice, walks on the reference twice, and has the product built, seeded and graded through
    the agents' loops. The exhaustive tier asks every plan, of which none but the one aimed at a bug may
    notice it. Nothing is stood up for a product that is faulty as it is written. A proof that was stopped
    goes on where it was, and a higher tier begins with what a lower one has shown.

    Args:
        folder: The product.
        tier: How much is shown.
        say: Told what is under way.
        again: Walk also where a walk was kept.

    Returns:
        The proof record, stored when it holds.

    Raises:
        BadInput: The product has no reference, walks or bugs, a patch does not fit, or something is not
            installed.
    """
    began, key = monotonic(), proof_key(folder, tier)
    bugs = load_bugs(folder)
    load_walks(folder)
    if tier is not Tier.QUICK and (why := missing()):
        raise BadInput(why)
    rules, columns = found({"the product has no fault": lint(folder)}), list[Column]()
    if all(rule.holds for rule in rules):
        cells = Cells(folder)
        if again:
            cells.clear()
        columns = asyncio.run(_columns(folder, systems(folder, bugs, tier), cells, say))
        rules += rules_of_systems(columns, tier)
        if tier is not Tier.QUICK:
            from tenure.prove.grown import grown

            say(f"{folder.task.id}: built, seeded and graded through the agents' loops")
            rules.append(grown(folder))
    record = ProofRecord(
        task=folder.task.id,
        version=folder.task.version,
        tier=tier,
        key=key,
        seeds=(),
        interfaces=("workspace",),
        rules=tuple(rules),
        columns=tuple(column.name for column in columns),
        matrix={
            plan.id: tuple(
                column.cells[plan.id].outcome if plan.id in column.cells else Outcome.NOT_RUN
                for column in columns
            )
            for plan in folder.plans
            if columns
        },
        seconds=round(monotonic() - began, 1),
    )
    if record.holds:
        store_proof(folder, record)
    return record


def systems(folder: GrowFolder, bugs: Sequence[PlantedBug], tier: Tier) -> list[System]:
    """What a tier stands up, and which plans it walks through there."""
    last = len(folder.stages)
    finished = packed(reference_at(folder, last))
    again = [] if tier is Tier.QUICK else [System(AGAIN, finished, folder.plans)]
    return [
        System(REFERENCE, finished, folder.plans),
        *again,
        System(IDLE, packed({}), folder.plans, once=True),
        System(BLANK, packed(_blank(folder.task)), folder.plans, once=True),
        *(
            System(f"bug: {bug.name}", packed(reference_at(folder, last, bug.edits)), asked, bug)
            for bug in bugs
            if (asked := [plan for plan in folder.plans if _asked(plan, bug, folder.plans, tier)])
        ),
    ]


def _blank(task: Product) -> dict[str, bytes]:
    return {task.setup: b"", task.start: b"exec python3 blank.py", "blank.py": _BLANK}


def _asked(plan: Plan, bug: PlantedBug, plans: Sequence[Plan], tier: Tier) -> bool:
    match tier:
        case Tier.QUICK:
            return plan.id == bug.plan
        case Tier.FULL:
            return plan.id == bug.plan or _share(plan, bug, plans)
        case Tier.EXHAUSTIVE:
            return True


def _share(plan: Plan, bug: PlantedBug, plans: Sequence[Plan]) -> bool:
    """Whether a plan uses a feature of the plan that a bug is aimed at."""
    aimed = next(each for each in plans if each.id == bug.plan)
    return not set(aimed.features).isdisjoint(plan.features)


async def _columns(folder: GrowFolder, asked: Sequence[System], kept: Cells, say: Say) -> list[Column]:
    """Walk through every plan of every system that was not kept, a few at a time."""
    # A walk waits half of its time. Machines that do not isolate share the host's ports.
    room = asyncio.Semaphore(1 if Bubblewrap.missing() else min(8, 2 * (os.cpu_count() or 1)))
    total, done = sum(len(system.plans) for system in asked), 0
    browser = Chromium()  # Starting one is a good part of a short walk.

    async def walk(system: System, plans: Sequence[Plan]) -> dict[str, Cell]:
        nonlocal done
        held = {plan.id: cell for plan in plans if (cell := kept.find(system.name, plan.id)) is not None}
        done += len(held)
        if not (left := [plan for plan in plans if plan.id not in held]):
            return held
        async with room:
            done += len(left)
            title = left[0].id if len(left) == 1 else f"{len(left)} plans"
            say(f"{folder.task.id}: {system.name}: {title} ({done} of {total})")
            cells = await _walk(folder, system, left, browser)
        for plan, cell in cells.items():
            if cell.outcome is system.wants(plan):
                kept.keep(system.name, plan, cell)
        return held | cells

    async def column(system: System) -> Column:
        parts = [system.plans] if system.once else [[plan] for plan in system.plans]
        cells = await asyncio.gather(*(walk(system, part) for part in parts))
        return Column(system.name, {plan: cell for part in cells for plan, cell in part.items()}, system.bug)

    try:
        return await asyncio.gather(*(column(system) for system in asked))
    finally:
        await browser.close()


async def _walk(
    folder: GrowFolder, system: System, plans: Sequence[Plan], browser: Chromium
) -> dict[str, Cell]:
    """Stand a system up afresh, as the first of some plans needs it, and walk through them."""
    seeding = None if system.once else seeding_of(folder, plans[0])
    environment = {} if system.once else plans[0].seed.environment
    patience = BRIEF if system.once else PATIENCE
    cells = {}
    try:
        async with standing(folder.task, system.code, environment=environment, seeding=seeding) as place:
            for plan in plans:
                async with direct(folder, place, patience=patience, browser=browser) as hands:
                    cells[plan.id] = cell(*await walked(folder, plan, hands))
    except NotStanding as error:
        return dict.fromkeys(
            (plan.id for plan in plans), Cell(outcome=Outcome.BLOCKED, says=" ".join(error.reason.split()))
        )
    return cells


def cell(steps: Sequence[StepVerdict], error: str = "") -> Cell:
    """What a walk's verdicts come to. A plan passes when the walk came to its end and every step passed."""
    checks = [check for step in steps for check in step.checks]
    passed = frozenset(check.check for check in checks if check.passed)
    if not error and all(step.passed for step in steps):
        return Cell(outcome=Outcome.PASSED, passed=passed)
    missed = ", ".join(_missed(check) for check in checks if not check.passed)
    return Cell(outcome=Outcome.FAILED, passed=passed, says=f"{missed}{f' ({error})' if error else ''}")


def _missed(check: CheckVerdict) -> str:
    return f"{check.check} reads {check.quotes[-1]!r}" if check.quotes else check.check


def rules_of_systems(columns: Sequence[Column], tier: Tier) -> list[RuleFinding]:
    """What the systems show, a finding per rule.

    Args:
        columns: The systems.
        tier: What was asked of them.
    """
    by_name = {column.name: column for column in columns}
    rules = {
        "the reference passes every plan": list(_passes(by_name[REFERENCE])),
        "what was not built blocks every plan": list(_blocks(by_name[IDLE])),
        "blank pages pass no check": list(_shows_nothing(by_name[BLANK])),
        "every planted bug fails the plan that is aimed at it": [
            line for c in columns for line in _caught(c)
        ],
    }
    if tier is not Tier.QUICK:
        rules["a second grading of the reference says the same"] = list(_passes(by_name[AGAIN]))
        others = "no other plan that shares a feature with that one notices"
        if tier is Tier.EXHAUSTIVE:
            others = "no other plan notices"
        rules[others] = [line for column in columns for line in _noticed(column)]
    return found(rules)


def _passes(column: Column) -> Iterator[str]:
    for plan, held in column.cells.items():
        if held.outcome is not Outcome.PASSED:
            yield f"{plan} is {held.outcome}: {held.says}"


def _blocks(column: Column) -> Iterator[str]:
    for plan, held in column.cells.items():
        if held.outcome is not Outcome.BLOCKED:
            yield f"{plan} is {held.outcome}"


def _shows_nothing(column: Column) -> Iterator[str]:
    for plan, held in column.cells.items():
        if held.outcome is Outcome.BLOCKED:
            yield f"{plan} is blocked: {held.says}"
        for check in sorted(held.passed):
            yield f"{plan}: {check} passes"


def _caught(column: Column) -> Iterator[str]:
    if column.bug is not None:
        held = column.cells[column.bug.plan]
        if held.outcome is not Outcome.FAILED:
            yield f"{column.name}: {column.bug.plan} is {held.outcome}{f': {held.says}' if held.says else ''}"


def _noticed(column: Column) -> Iterator[str]:
    for plan, held in column.cells.items():
        if column.bug is not None and plan != column.bug.plan and held.outcome is not Outcome.PASSED:
            yield f"{column.name}: {plan} is {held.outcome} too: {held.says}"
