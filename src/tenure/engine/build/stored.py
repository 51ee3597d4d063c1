"""What a graded build leaves on disk, and its scorecard made of that alone: no machine, no model."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tenure.engine.build.leaks import Ran, leaks
from tenure.engine.plan import GRADED, write_whole
from tenure.schema import BadInput, BuildScorecard, Ending, NodeFinding, Shape
from tenure.schema.folder import BuildFolder
from tenure.scoring.build import score_task

COMMANDS = "commands.json"
_RAN = TypeAdapter(tuple[Ran, ...])


class Graded(Shape):
    """What grading the living machine found; the judges' verdicts are inside the findings."""

    ending: Ending
    error: str = ""
    """What kept the machine from being graded."""
    findings: tuple[NodeFinding, ...] = ()
    frozen: dict[str, str] = {}
    """File of the evidence → ``kept``, or why it is missing."""


def store(attempt: Path, graded: Graded, ran: tuple[Ran, ...]) -> None:
    """Write both files."""
    write_whole(attempt / COMMANDS, _RAN.dump_json(ran, indent=1))
    write_whole(attempt / GRADED, graded.model_dump_json(indent=1).encode())


def score_stored(folder: BuildFolder, attempt: Path) -> BuildScorecard:
    """The scorecard of an attempt, from its files: live grade and every later one are this function.

    Args:
        folder: The task.
        attempt: The attempt's folder.

    Raises:
        BadInput: A file is damaged or missing.
    """
    try:
        graded = Graded.model_validate_json((attempt / GRADED).read_bytes())
        ran = _RAN.validate_json((attempt / COMMANDS).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{attempt} holds no graded build, or a damaged one: {error}") from error
    return score_task(
        folder.task, graded.findings, ending=graded.ending, leaked=leaks(ran), error=graded.error
    )
