"""The full tier's part through the engine: the same scripts as a model in the real loop."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.engine.plan import END_STATE, RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.prove.record import RuleFinding
from tenure.schema import Outcome
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world import reopen
from tenure.world.prepare import base_for

if TYPE_CHECKING:
    from tenure.prove.proof import Column

_MODELS = {
    "tenure/oracle": "oracle (REST first)",
    "tenure/oracle:prefer=mcp": "oracle (MCP first)",
    "tenure/idle": "idle",
}


def through_the_loop(folder: TaskFolder, by_seed: dict[int, list["Column"]]) -> RuleFinding:
    """Whether the provider's end states and outcomes equal the direct driver's, for every seed."""
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for model, column_name in _MODELS.items():
            spec = RunSpec(
                suite=folder.task.suite,
                tasks=(TaskRef.of(str(folder.path), folder),),
                model=model,
                attempts=len(by_seed),
                seeds=tuple(by_seed),
            )
            run = RunFolder(spec.folder(Path(scratch)), spec)
            records = make_missing(run)
            for planned, record in zip(run.planned(), records, strict=True):
                direct = next(c for c in by_seed[planned.seed] if c.name == column_name)
                at = f"seed {planned.seed}: {model}"
                want = Outcome.PASSED if "oracle" in model else Outcome.FAILED
                if record.outcome is not want:
                    wrong.append(f"{at}: {record.outcome} {record.error}")
                    continue
                base = base_for(folder, planned.seed)
                end = reopen(
                    planned.folder / END_STATE, load(folder.task.twins), base, scratch=planned.folder
                )
                if end.fingerprint != direct.fingerprint:
                    wrong.append(f"{at}: ends in another state than the direct driver")
                end.close()
    return RuleFinding(
        rule="through the real loop, the same states and outcomes",
        holds=not wrong,
        detail="; ".join(wrong[:8]),
    )
