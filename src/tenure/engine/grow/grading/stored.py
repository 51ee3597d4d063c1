"""What one grade leaves on disk, and the grade made of that alone. It imports no Inspect."""

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tenure.engine.grow.stored import GRADE, keep
from tenure.engine.plan import write_whole
from tenure.grading.grow import EVENTS, Event, Look, derive
from tenure.schema import BadInput, Shape
from tenure.schema.grow import Plan
from tenure.schema.verdict import Grade, StepVerdict

CLAIMS, SEEN, HAPPENED, MADE, TRANSCRIPT = (
    "claims.json",
    "looks.json",
    "events.json",
    "made.json",
    "transcript.json",
)
_CLAIMS: TypeAdapter[tuple[StepVerdict, ...]] = TypeAdapter(tuple[StepVerdict, ...])
_LOOKS: TypeAdapter[tuple[Look, ...]] = TypeAdapter(tuple[Look, ...])
_TRANSCRIPT: TypeAdapter[tuple[dict[str, Any], ...]] = TypeAdapter(tuple[dict[str, Any], ...])


class Made(Shape):
    """How a grade was made."""

    vote: int
    attempt: int
    error: str = ""
    """What kept the grader from finishing."""
    grader: str = ""
    """Its model's name."""
    browser: str = ""
    seconds: float = 0.0
    cost: float | None = None
    steps: int = 0
    """The model's turns."""
    input_tokens: int = 0
    output_tokens: int = 0


class Evidence(Shape):
    """What a grade is derived from, beside its plan."""

    claims: tuple[StepVerdict, ...]
    looks: tuple[Look, ...]
    events: tuple[Event, ...]
    made: Made


def store(into: Path, plan: Plan, found: Evidence, transcript: tuple[dict[str, Any], ...]) -> Grade:
    """Write a grade's files, the grade itself last.

    Args:
        into: The grade's folder.
        plan: What was walked.
        found: What the grade is derived from.
        transcript: The conversation with the grader, for people.
    """
    into.mkdir(parents=True, exist_ok=True)
    write_whole(into / TRANSCRIPT, _TRANSCRIPT.dump_json(transcript, indent=1))
    write_whole(into / CLAIMS, _CLAIMS.dump_json(found.claims, indent=1))
    write_whole(into / SEEN, _LOOKS.dump_json(found.looks, indent=1))
    write_whole(into / HAPPENED, EVENTS.dump_json(found.events, indent=1))
    keep(into / MADE, found.made)
    grade = derived(into, plan)
    keep(into / GRADE, grade)
    return grade


def derived(into: Path, plan: Plan) -> Grade:
    """A grade from its stored files: the live one and every later one are this function.

    Args:
        into: The grade's folder.
        plan: What was walked.

    Raises:
        BadInput: A file is missing or damaged.
    """
    try:
        claims = _CLAIMS.validate_json((into / CLAIMS).read_bytes())
        looks = _LOOKS.validate_json((into / SEEN).read_bytes())
        events = EVENTS.validate_json((into / HAPPENED).read_bytes())
        made = Made.model_validate_json((into / MADE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{into}: a file of this grade is missing or damaged; remove its folder") from error
    return derive(
        plan,
        claims,
        looks,
        events,
        vote=made.vote,
        attempt=made.attempt,
        error=made.error,
        grader=made.grader,
        seconds=made.seconds,
        cost=made.cost,
    )
