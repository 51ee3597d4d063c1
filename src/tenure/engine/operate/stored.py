"""What an operate attempt leaves on disk, and its scorecard made of that alone: no app, no browser.

The live grade and every later one are ``score_stored``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from tenure.engine.plan import LEFT, write_whole
from tenure.grading import Judge
from tenure.grading.operate import VerifierRun, findings_of, grade
from tenure.schema import BadInput, Ending, Shape
from tenure.schema.evidence import Evidence
from tenure.schema.finding import JudgeVerdict
from tenure.schema.folder import OperateFolder
from tenure.schema.operate import OperateFinding, OperateScorecard
from tenure.scoring.operate import score_task

BEFORE, AFTER, VERIFIER = "evidence-before.json", "evidence-after.json", "verifier.json"
_Kept = TypeVar("_Kept", bound=Shape)


class Left(Shape):
    """How the agent's part ended; written last, so that all else is there when it is."""

    ending: Ending
    claimed: bool | None = None
    """Whether the agent said that it succeeded; ``None`` when it did not say."""
    actions: int = 0
    """Actions that it asked for, refused ones too."""
    error: str = ""
    """What kept the apps from being asked."""


def keep(attempt: Path, name: str, shape: Shape) -> None:
    """Write one of the files."""
    write_whole(attempt / name, shape.model_dump_json(indent=1).encode())


async def score_stored(
    folder: OperateFolder,
    attempt: Path,
    *,
    judges: Sequence[Judge] = (),
    verdicts: Mapping[str, tuple[JudgeVerdict, ...]] | None = None,
) -> OperateScorecard:
    """The scorecard of an attempt, from its files.

    Args:
        folder: The task.
        attempt: The attempt's folder.
        judges: First and second judge of judged checks. A released verifier has asked its own already.
        verdicts: Verdicts to use again instead of asking.

    Raises:
        BadInput: A file is damaged or missing, or the task's checks are not what they should be.
    """
    left = _read(attempt / LEFT, Left)
    findings: list[OperateFinding] = []
    notes: list[str] = []
    if not left.error and left.ending is not Ending.FAULT:
        if folder.task.verifier:
            findings, notes = findings_of(folder.task, _read(attempt / VERIFIER, VerifierRun))
        else:
            before, after = (_read(attempt / name, Evidence) for name in (BEFORE, AFTER))
            findings = await grade(folder, before, after, judges=judges, stored=verdicts)
    return score_task(
        folder.task, findings, ending=left.ending, claimed=left.claimed, error=left.error, notes=notes
    )


def _read(path: Path, shape: type[_Kept]) -> _Kept:
    try:
        return shape.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{path} is missing or damaged: {error}") from error
