"""The full tier's part through the engine: the oracle and the idle agent as models in the agent's loop."""

import asyncio
import tempfile
from pathlib import Path

from tenure.engine.operate.stored import score_stored
from tenure.engine.plan import RunFolder
from tenure.engine.run import make_missing
from tenure.engine.spec import RunSpec, TaskRef
from tenure.prove.record import RuleFinding
from tenure.schema.folder import OperateFolder
from tenure.schema.operate import CheckKind, OperateScorecard
from tenure.schema.words import Outcome


def through_the_loop(folder: OperateFolder) -> RuleFinding:
    """Whether the oracle passes, the idle agent scores nothing, and stored evidence gives the same again."""
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for model in ("tenure/oracle", "tenure/idle"):
            spec = RunSpec(
                suite=folder.task.suite,
                tasks=(TaskRef.of(str(folder.path), folder),),
                model=model,
                attempts=1,
            )
            run = RunFolder(spec.folder(Path(scratch)), spec)
            for planned, record in zip(run.planned(), make_missing(run), strict=True):
                card = record.operate
                again = asyncio.run(score_stored(folder, planned.folder))
                if card is None or card != again:
                    wrong.append(f"{model}: stored evidence is graded differently")
                elif not _as_wanted(card, model.endswith("oracle")):
                    wrong.append(f"{model}: {card.outcome}, {card.checkpoint}: {record.error or card.reason}")
    return RuleFinding(rule="through the agent's loop, the same", holds=not wrong, detail="; ".join(wrong))


def _as_wanted(card: OperateScorecard, oracle: bool) -> bool:
    if not oracle:
        return card.checkpoint == 0.0
    decided = [f for f in card.findings if f.kind is not CheckKind.JUDGED]
    return card.claimed is True and all(f.outcome is Outcome.PASSED for f in decided)
