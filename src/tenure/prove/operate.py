"""Proving an operate task: the oracle, the idle agent, every mutant and every vandal on the real apps."""

import asyncio
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tenure.engine.operate.direct import Left, perform
from tenure.engine.usual import NO_SEED
from tenure.grading.operate import grade, load_answers
from tenure.oracle import Changes, ScriptError, Solve, idle, load_mutants, load_solve
from tenure.prove.proof import ScriptedJudge
from tenure.prove.record import ProofRecord, RuleFinding, Tier, found, proof_key, store_proof
from tenure.schema.evidence import Evidence
from tenure.schema.folder import OperateFolder
from tenure.schema.operate import CheckKind, OperateCheck, OperateFinding
from tenure.schema.words import Outcome

ORACLE, IDLE = "oracle", "idle"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Column:
    """One scripted attempt and what the checks found of it.

    Attributes:
        name: Its column of the matrix.
        findings: By check, with a judge that says yes.
        no: Outcomes of the judged checks with a judge that says no.
        refusals: What was refused.
        repeatable: Whether the same evidence, read back from its stored form, was graded the same.
    """

    name: str
    findings: dict[str, OperateFinding]
    no: dict[str, Outcome]
    refusals: tuple[str, ...] = ()
    repeatable: bool = True


def prove_operate(folder: OperateFolder, tier: Tier, say: Say = lambda text: None) -> ProofRecord:
    """Prove an operate task.

    Every script works through the browser, by the 22 actions, on apps that start from their snapshots. The
    full tier has the oracle and the idle agent work through the agent's loop as well.

    Args:
        folder: The task.
        tier: How much is shown.
        say: Told what is under way.

    Returns:
        The proof record, stored when it holds.

    Raises:
        BadInput: The task has no oracle, no mutants or broken checks, or something is not installed.
        Fault: An app does not come up.
    """
    began, key = monotonic(), proof_key(folder, tier)
    load_answers(folder)
    columns, problems = asyncio.run(_columns(folder, say))
    mutants, vandals = load_mutants(folder)
    kills = {f"mutant: {m.name}": m.kills for m in mutants} | {f"vandal: {v.name}": v.kills for v in vandals}
    rules = rules_of(folder.task.checks, columns, kills, problems)
    if tier is not Tier.QUICK:
        from tenure.prove.operated import through_the_loop

        say(f"{folder.task.id}: through the agent's loop")
        rules.append(through_the_loop(folder))
    record = ProofRecord(
        task=folder.task.id,
        version=folder.task.version,
        tier=tier,
        key=key,
        seeds=(),
        interfaces=("browser",),
        rules=tuple(rules),
        columns=tuple(column.name for column in columns),
        matrix={c.id: tuple(one.findings[c.id].outcome for one in columns) for c in folder.task.checks},
        seconds=round(monotonic() - began, 1),
    )
    if record.holds:
        store_proof(folder, record)
    return record


async def _columns(folder: OperateFolder, say: Say) -> tuple[list[Column], list[str]]:
    """Every scripted attempt, a few at a time; and what could not go on."""
    solve = load_solve(folder)
    mutants, vandals = load_mutants(folder)
    plans: list[tuple[str, Solve, Changes]] = [(ORACLE, solve, Changes()), (IDLE, idle, Changes())]
    plans += [(f"mutant: {m.name}", solve, m.changes) for m in mutants]
    plans += [(f"vandal: {v.name}", v.after(solve), Changes()) for v in vandals]
    room, problems = asyncio.Semaphore(max(1, min(4, os.cpu_count() or 1))), list[str]()

    async def one(name: str, script: Solve, changes: Changes) -> Column | None:
        async with room:
            say(f"{folder.task.id}: {name}")
            try:
                with tempfile.TemporaryDirectory() as scratch:
                    left = await perform(folder, script, Path(scratch), seed=NO_SEED[0], changes=changes)
            except ScriptError as error:
                problems.append(f"{name} could not go on: {error}")
                return None
            if unknown := changes.steps.difference(left.steps):
                problems.append(f"{name} changes steps that the oracle has not: {', '.join(sorted(unknown))}")
            return await column_of(folder, name, left)

    made = await asyncio.gather(*(one(*plan) for plan in plans))
    return [column for column in made if column is not None], problems


async def column_of(folder: OperateFolder, name: str, left: Left) -> Column:
    """What the checks find of a scripted attempt: twice, and with a judge that says no."""
    yes = await grade(folder, left.before, left.after, judges=[ScriptedJudge(True)])
    before, after = (Evidence.model_validate_json(one.model_dump_json()) for one in (left.before, left.after))
    again = await grade(folder, before, after, judges=[ScriptedJudge(True)])
    no = await grade(folder, left.before, left.after, judges=[ScriptedJudge(False)])
    return Column(
        name,
        {finding.check: finding for finding in yes},
        {finding.check: finding.outcome for finding in no if finding.kind is CheckKind.JUDGED},
        left.refusals,
        yes == again,
    )


def rules_of(
    checks: Sequence[OperateCheck],
    columns: Sequence[Column],
    kills: dict[str, tuple[str, ...]],
    problems: Sequence[str],
) -> list[RuleFinding]:
    """What the attempts show, a finding per rule.

    Args:
        checks: The task's.
        columns: The attempts that were made.
        kills: Mutant or vandal, as its column is named → the checks that it says must fail.
        problems: Why others were not made, a line each.
    """
    by_name = {column.name: column for column in columns}
    return found(
        {
            "every script ran": list(problems),
            "the oracle passes every check, and nothing is refused": _oracle(by_name),
            "the idle agent passes guards only, and all of them": _idle(by_name),
            "every check fails under a mutant, every guard under a vandal": _missed(checks, columns),
            "mutants and vandals fail what they declare": _declared(checks, by_name, kills),
            "the same evidence gets the same findings": [
                f"{one.name} was graded differently the second time" for one in columns if not one.repeatable
            ],
            "judged checks follow the judge": [
                f"{check} is {outcome} where the judge says no"
                for one in columns
                if one.name == ORACLE
                for check, outcome in one.no.items()
                if outcome is not Outcome.FAILED
            ],
        }
    )


def _oracle(by_name: dict[str, Column]) -> list[str]:
    if (oracle := by_name.get(ORACLE)) is None:
        return []
    failed = [f for f in oracle.findings.values() if f.outcome is not Outcome.PASSED]
    return [f"{f.check} is {f.outcome}: {f.saw or _last(f.error)}" for f in failed] + [
        f"refused: {line}" for line in oracle.refusals
    ]


def _idle(by_name: dict[str, Column]) -> list[str]:
    if (untouched := by_name.get(IDLE)) is None:
        return []
    findings = untouched.findings.values()
    free = [
        f for f in findings if not f.guard and f.outcome is Outcome.PASSED and f.kind is not CheckKind.JUDGED
    ]
    # A judge that always says yes says so of nothing, too; what counts is whether it is asked at all.
    free += [f for f in findings if f.kind is CheckKind.JUDGED and f.verdicts]
    broken = [f for f in findings if f.guard and f.outcome is not Outcome.PASSED]
    return [f"{f.check} passes on the untouched apps: {f.saw}" for f in free] + [
        f"guard {f.check} does not hold on the untouched apps: {f.saw or _last(f.error)}" for f in broken
    ]


def _missed(checks: Sequence[OperateCheck], columns: Sequence[Column]) -> list[str]:
    missed = []
    for check in checks:
        kind = "vandal" if check.guard else "mutant"
        own = [one for one in columns if one.name.startswith(f"{kind}: ")]
        if not any(one.findings[check.id].outcome is Outcome.FAILED for one in own):
            missed.append(f"no {kind} fails {check.id}")
    return missed


def _declared(
    checks: Sequence[OperateCheck], by_name: dict[str, Column], kills: dict[str, tuple[str, ...]]
) -> list[str]:
    known, wrong = {check.id for check in checks}, []
    for name, column in by_name.items():
        for check in kills.get(name, ()):
            if check not in known:
                wrong.append(f"{name} names {check!r}, which is no check")
            elif column.findings[check].outcome is not Outcome.FAILED:
                wrong.append(f"{name} does not fail {check}")
        errors = [f for f in column.findings.values() if f.outcome is Outcome.ERROR]
        wrong += [f"{name}: {f.check} could not be answered: {_last(f.error)}" for f in errors]
    return wrong


def _last(error: str) -> str:
    return "".join(error.strip().splitlines()[-1:])
