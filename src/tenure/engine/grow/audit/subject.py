"""What an audit grades: finished references, references with a planted bug, builds of stored runs."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tenure.engine.grow.stored import CODE, SEEDS
from tenure.engine.plan import RECORD, RunFolder, read_record, read_spec
from tenure.oracle.grow import PlantedBug, load_bugs, packed, reference_at
from tenure.schema import AttemptRecord, BadInput, Outcome, Suite
from tenure.schema.folder import GrowFolder, find_grow
from tenure.schema.grow import Rules
from tenure.scoring.grow.audit import build_name

REFERENCE = "reference"


@dataclass(frozen=True, eq=False)
class Subject:
    """One finished code whose plans are graded.

    Attributes:
        name: What the audit calls it.
        folder: Its product.
        code: The packed code.
        model: Who built it; nothing for a reference.
        plans: Ids of the plans that can be graded on it.
        verdicts: Plan → what its run made of it; empty for a reference.
        graders: Plan → who graded it in the run.
        bug: What is planted in it.
        seeds: Where its run keeps the seeding scripts; a reference has its product's own.
    """

    name: str
    folder: GrowFolder
    code: bytes
    plans: tuple[str, ...]
    model: str = ""
    verdicts: Mapping[str, bool] = field(default_factory=dict)
    graders: Mapping[str, str] = field(default_factory=dict)
    bug: PlantedBug | None = None
    seeds: Path | None = None

    @property
    def key(self) -> str:
        """A folder's name for it: equal for equal code of an equal product."""
        digest = hashlib.sha256(f"{self.folder.hash}\n".encode() + self.code).hexdigest()
        readable = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")
        return f"{readable[:60]}-{digest[:12]}"

    def works(self, plan: str) -> bool | None:
        """Whether a plan holds, as far as that is known before a person looks.

        A reference passes every plan: its proof says so. A planted bug breaks the plan that is aimed at
        it, and what else it breaks is not known. Of a run's build a plan holds when it passed; a plan
        that failed may have been failed wrongly.
        """
        if self.bug is not None:
            return False if plan == self.bug.plan else None
        return (True if self.verdicts[plan] else None) if self.model else True


def reference_of(folder: GrowFolder) -> Subject:
    """A product's finished reference.

    Raises:
        BadInput: The reference does not build a stage.
    """
    return Subject(
        name=f"{folder.task.id}:{REFERENCE}",
        folder=folder,
        code=packed(reference_at(folder, len(folder.stages))),
        plans=tuple(plan.id for plan in folder.plans),
    )


def planted_of(folder: GrowFolder, words: Sequence[str] = ()) -> list[Subject]:
    """The reference once with each planted bug.

    Args:
        folder: The product.
        words: Only bugs whose name holds one of these.

    Raises:
        BadInput: The bugs are broken.
    """
    return [
        Subject(
            name=f"{folder.task.id}:{REFERENCE} with {bug.name}",
            folder=folder,
            code=packed(reference_at(folder, len(folder.stages), bug.edits)),
            plans=(bug.plan,),
            bug=bug,
        )
        for bug in load_bugs(folder)
        if not words or any(word.casefold() in bug.name.casefold() for word in words)
    ]


def subjects_of_run(run: Path) -> tuple[list[Subject], list[AttemptRecord]]:
    """The graded builds of a stored run that left code, and the run's records.

    Raises:
        BadInput: It is no grow run's folder, a product has changed since, or has rules of its own.
    """
    kept = run / "run.json"
    if not kept.is_file():
        raise BadInput(f"{run}: is no run's folder; give one that tenure run grow wrote")
    spec = read_spec(kept)
    if spec.suite is not Suite.GROW:
        raise BadInput(f"{run}: holds a {spec.suite} run; an audit takes grow runs")
    subjects, records = [], []
    for planned in RunFolder(run, spec).planned():
        if not (planned.folder / RECORD).exists():
            continue
        record = read_record(planned.folder / RECORD)
        records.append(record)
        if (planned.folder / CODE).is_file() and record.grow is not None:
            subjects.append(_built(find_grow(planned.task), planned.folder, record))
    if not records:
        raise BadInput(f"{run}: holds no finished build yet")
    return subjects, records


def _built(folder: GrowFolder, attempt: Path, record: AttemptRecord) -> Subject:
    if folder.hash != record.provenance.task_hash:
        raise BadInput(f"{folder.task.id} is not what {attempt} was graded by; use the version of that run")
    if folder.task.rules is not Rules.PROTOCOL:
        raise BadInput(
            f"{folder.task.id} is graded by its release's own rules; an audit is of the protocol's"
        )
    findings = record.grow.findings if record.grow else ()
    graded = [f for f in findings if f.outcome in (Outcome.PASSED, Outcome.FAILED)]
    return Subject(
        name=build_name(record),
        folder=folder,
        code=(attempt / CODE).read_bytes(),
        plans=tuple(f.plan for f in graded),
        model=record.row.model,
        verdicts={f.plan: f.outcome is Outcome.PASSED for f in graded},
        graders={f.plan: f.grades[0].grader for f in graded if f.grades},
        seeds=attempt / SEEDS,
    )
