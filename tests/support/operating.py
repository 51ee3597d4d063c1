"""Runs of the smallest operate task, over the smallest app."""

from pathlib import Path
from typing import Any

from tenure.engine.plan import RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.schema import AttemptRecord, Suite
from tenure.schema.folder import find_operate

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
CASHBOOK, APPS = EXAMPLES / "cashbook", EXAMPLES / "apps"


def run_of(runs: Path, model: str = "tenure/oracle", task: Path = CASHBOOK, **fields: Any) -> RunFolder:
    """A run's folder."""
    ref = TaskRef.of(str(task), find_operate(str(task)))
    given = {"commit": "test", "attempts": 1} | fields
    spec = RunSpec(suite=Suite.OPERATE, tasks=(ref,), model=model, **given)
    return RunFolder(spec.folder(runs), spec)


def make(runs: Path, model: str = "tenure/oracle", task: Path = CASHBOOK, **fields: Any) -> AttemptRecord:
    """Make a run's one attempt."""
    (record,) = make_missing(run_of(runs, model, task, **fields))
    return record
