"""Proving a build task: the reference, the idle agent and every mutant against the whole graph."""

import asyncio
import json
import os
import re
from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from tenure.grading.dag import lint, live_system, needs_browser, only, run_dag, without
from tenure.grading.judge import Judge
from tenure.oracle.acts import ScriptError
from tenure.oracle.build import (
    BuildMutant,
    Edit,
    load_build_mutants,
    place_documents,
    reference_files,
    stand_up,
)
from tenure.prove.record import SHOWN, ProofRecord, RuleFinding, Tier, found, proof_key, store_proof
from tenure.schema.build import Dag, Method, NodeFinding
from tenure.schema.folder import BuildFolder
from tenure.schema.words import Outcome
from tenure.workspace.ready import open_workspace

REFERENCE, AGAIN, IDLE = "reference", "reference again", "idle"
_HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*)\b", re.MULTILINE)
Say = Callable[[str], None]


class ScriptedScore:
    """A judge that always gives the same share of the points: all of them, or none."""

    def __init__(self, full: bool) -> None:
        """Full marks or none."""
        self.name = f"scripted {'full marks' if full else 'no marks'}"
        self._reply = json.dumps({"score": 10_000 if full else 0, "reasoning": "scripted"})

    async def ask(self, system: str, question: str, pictures: Sequence[bytes] = ()) -> str | None:
        """The verdict; a score above the maximum is clipped to it."""
        return self._reply


class Column(NamedTuple):
    """One system and what the graph found of it.

    Attributes:
        name: Its column of the matrix.
        findings: By node.
        mutant: The mutant that it is, if it is one.
    """

    name: str
    findings: dict[str, NodeFinding]
    mutant: BuildMutant | None = None


def prove_build(folder: BuildFolder, tier: Tier, say: Say = lambda text: None) -> ProofRecord:
    """Prove a build task.

    The quick tier leaves out the nodes that need a browser, and what waits for them, and asks of a
    mutant only the nodes that it names. The full tier asks every system the whole graph, and has the
    reference rebuilt by the oracle through the agent's loop. Nothing is stood up for a graph that
    is faulty as it is written.

    Args:
        folder: The task.
        tier: How much is shown.
        say: Told what is under way.

    Returns:
        The proof record, stored when it holds.

    Raises:
        BadInput: The task has no reference or no mutants, a patch does not fit, or something is not
            installed.
    """
    began, key = monotonic(), proof_key(folder, tier)
    browser, whole = needs_browser(folder.dag), tier is Tier.FULL
    dag = folder.dag if whole else without(folder.dag, browser)
    mutants = load_build_mutants(folder)
    for edits in ((), *(mutant.edits for mutant in mutants)):
        reference_files(folder, edits)
    if not whole:
        mutants = [mutant for mutant in mutants if not browser.issuperset(mutant.kills)]
    rules, columns = _rules_of_documents(folder), list[Column]()
    if all(rule.holds for rule in rules):
        columns, problems = asyncio.run(_columns(folder, dag, mutants, whole, say))
        rules += rules_of_systems(folder.dag, dag, columns, problems, whole)
        if whole:
            from tenure.prove.rebuilt import rebuilt

            say(f"{folder.task.id}: rebuilt by the oracle through the agent's loop")
            rules.append(rebuilt(folder))
    record = ProofRecord(
        task=folder.task.id,
        version=folder.task.version,
        tier=tier,
        key=key,
        seeds=(),
        interfaces=("workspace",),
        rules=tuple(rules),
        columns=tuple(column.name for column in columns),
        matrix={n.id: tuple(_outcome(column, n.id) for column in columns) for n in dag.nodes if columns},
        seconds=round(monotonic() - began, 1),
    )
    if record.holds:
        store_proof(folder, record)
    return record


def _outcome(column: Column, node: str) -> Outcome:
    found = column.findings.get(node)
    return found.outcome if found else Outcome.NOT_RUN


async def _columns(
    folder: BuildFolder, dag: Dag, mutants: Sequence[BuildMutant], whole: bool, say: Say
) -> tuple[list[Column], list[str]]:
    """Every system, a few at a time, a mutant with all of the graph or what it names; and what failed."""
    room = asyncio.Semaphore(max(1, min(4, os.cpu_count() or 1)))
    problems: list[str] = []

    async def one(
        name: str, edits: Sequence[Edit] | None, full_marks: bool = True, mutant: BuildMutant | None = None
    ) -> Column | None:
        async with room:
            say(f"{folder.task.id}: {name}")
            try:
                asked = dag if whole or mutant is None else only(dag, mutant.kills)
                found = await _graded(folder, asked, edits, ScriptedScore(full_marks))
            except ScriptError as error:
                problems.append(f"{name} could not go on: {error}")
                return None
            return Column(name, {finding.node: finding for finding in found}, mutant)

    made = await asyncio.gather(
        one(REFERENCE, ()),
        one(AGAIN, (), full_marks=False),
        one(IDLE, None),
        *(one(f"mutant: {m.name}", m.edits, mutant=m) for m in mutants),
    )
    return [column for column in made if column is not None], problems


async def _graded(
    folder: BuildFolder, dag: Dag, edits: Sequence[Edit] | None, judge: Judge
) -> tuple[NodeFinding, ...]:
    """What the graph finds of a reference that is made wrong by ``edits``, or of an idle workspace."""
    async with open_workspace(folder.task) as workspace:
        if edits is None:
            await place_documents(folder, workspace.machine)
        else:
            await stand_up(folder, workspace.machine, edits)
        async with live_system(workspace, folder.task) as system:
            return await run_dag(dag, folder.task, system, judge=judge)


def _rules_of_documents(folder: BuildFolder) -> list[RuleFinding]:
    return found(
        {
            "the graph has no fault": lint(folder.dag, folder.task),
            "every node names a section or an entry that exists": _unknown_sources(folder),
        }
    )


def rules_of_systems(
    graph: Dag, dag: Dag, columns: Sequence[Column], problems: Sequence[str], whole: bool
) -> list[RuleFinding]:
    """What the systems show, a finding per rule.

    Args:
        graph: The task's graph.
        dag: What of it was asked.
        columns: The systems that stood up.
        problems: Why others did not, a line each.
        whole: Whether mutants were asked all of ``dag``.
    """
    by_name = {column.name: column for column in columns}
    rules = {
        "every system stands up": list(problems),
        "the reference passes every node, judged ones as the judge says": _reference(dag, by_name),
        "the idle agent scores nothing, for one cause": _idle(by_name),
        f"every mutant loses points at {'exactly ' if whole else ''}the nodes that it names": _mutants(
            graph, dag, columns
        ),
    }
    return found(rules)


def _unknown_sources(folder: BuildFolder) -> list[str]:
    sections = {f"§{number}" for number in _HEADING.findall((folder.path / "prd.md").read_text("utf-8"))}
    known = sections | folder.entries
    return [
        f"{node.id}: there is no {part}"
        for node in folder.dag.nodes
        for part in re.split(r"[,\s]+", node.source)
        if part not in known
    ]


def _reference(dag: Dag, by_name: dict[str, Column]) -> list[str]:
    wrong = []
    for name, full_marks in ((REFERENCE, True), (AGAIN, False)):
        if name not in by_name:
            continue
        for node in dag.nodes:
            found = by_name[name].findings[node.id]
            if node.method is Method.JUDGE and not full_marks:
                if found.outcome is not Outcome.FAILED:
                    wrong.append(
                        f"{node.id} is {found.outcome} where the judge gave no marks: {found.reason}"
                    )
            elif lost(found):
                points = f"{found.score} of {found.max_score}"
                wrong.append(f"{name}: {node.id} is {found.outcome}, {points}: {found.reason}")
    return wrong


def _idle(by_name: dict[str, Column]) -> list[str]:
    if IDLE not in by_name:
        return []
    findings = by_name[IDLE].findings.values()
    wrong = [f"{f.node} scores {f.score}" for f in findings if f.score > 0]
    causes = {f.node for f in findings if f.outcome is not Outcome.BLOCKED} | {
        f.root for f in findings if f.root
    }
    if len(causes) != 1:
        wrong.append(f"{len(causes)} causes: {', '.join(sorted(causes)[:SHOWN])}")
    return wrong


def _mutants(whole: Dag, dag: Dag, columns: Sequence[Column]) -> list[str]:
    known, there = {node.id for node in whole.nodes}, {node.id for node in dag.nodes}
    wrong = []
    for column in columns:
        if column.mutant is None:
            continue
        kills = set(column.mutant.kills)
        noticed = {f.node for f in column.findings.values() if f.outcome is not Outcome.BLOCKED and lost(f)}
        wrong += [f"{column.name}: there is no node {node}" for node in sorted(kills - known)]
        for node in sorted((kills & there & column.findings.keys()) - noticed):
            wrong.append(f"{column.name}: {node} is {column.findings[node].outcome} and loses nothing")
        for node in sorted(noticed - kills):
            wrong.append(f"{column.name}: {node} loses points too: {column.findings[node].reason}")
    return wrong


def lost(finding: NodeFinding) -> bool:
    """Whether a node did not get all of its points."""
    return finding.outcome is not Outcome.PASSED or finding.score < finding.max_score
