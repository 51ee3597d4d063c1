"""The full tier's part through the engine: the same scripts as a model in the real loops."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.engine.plan import END_STATE, Planned, RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.grading import load_checks
from tenure.prove.expects import unfounded
from tenure.prove.record import RuleFinding
from tenure.schema import AttemptRecord, Backend, Interface, Outcome
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world import EndState, reopen
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
                with _end_of(folder, planned) as end:
                    if end.fingerprint != direct.fingerprint:
                        wrong.append(f"{at}: ends in another state than the direct driver")
    return RuleFinding(
        rule="through the real loop, the same states and outcomes",
        holds=not wrong,
        detail="; ".join(wrong[:8]),
    )


def at_the_screen(folder: TaskFolder, seeds: Sequence[int]) -> RuleFinding:
    """Whether the oracle passes at the screen with no refusal, on the ``page`` backend.

    End states are not compared with those of other ways: what a product does on its own on the way
    (ids, times, drafts that save themselves) may differ.

    Args:
        folder: The task.
        seeds: Seeds of its world.
    """
    spec = RunSpec(
        suite=folder.task.suite,
        tasks=(TaskRef.of(str(folder.path), folder),),
        model="tenure/oracle",
        interface=Interface.SCREEN,
        backend=Backend.PAGE,
        attempts=len(seeds),
        seeds=tuple(seeds),
    )
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        run = RunFolder(spec.folder(Path(scratch)), spec)
        for planned, record in zip(run.planned(), make_missing(run, parallel=1), strict=True):
            found = _amiss(record)
            if record.scorecard is not None:
                with _end_of(folder, planned) as end:
                    found += unfounded(load_checks(folder).specs.values(), end, record.instruction)
            wrong += [f"seed {record.seed}: {line}" for line in found]
    return RuleFinding(
        rule="the oracle passes at the screen, without a refusal",
        holds=not wrong,
        detail="; ".join(wrong[:8]),
    )


@contextmanager
def _end_of(folder: TaskFolder, planned: Planned) -> Iterator[EndState]:
    base = base_for(folder, planned.seed)
    end = reopen(planned.folder / END_STATE, load(folder.task.twins), base, scratch=planned.folder)
    try:
        yield end
    finally:
        end.close()


def _amiss(record: AttemptRecord) -> list[str]:
    if record.outcome is not Outcome.PASSED:
        return [f"{record.outcome} {record.error or record.answer}"]
    return [f"refused: {turn['text']}" for turn in record.transcript if turn.get("tool") and turn["text"]]
