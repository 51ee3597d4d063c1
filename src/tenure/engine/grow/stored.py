"""What a grow attempt leaves on disk: names, shapes, reading and writing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from tenure.adopt.grow import read_released
from tenure.engine.plan import write_whole
from tenure.grading.grow import PROTOCOL, SINGLE, VoteRules
from tenure.schema import BadInput, Shape
from tenure.schema.folder import GrowFolder
from tenure.schema.grow import Plan, Rules
from tenure.schema.verdict import Grade, PlanFinding, StageRecord

STAGES, CODE = "stages", "code.tar.gz"
START, SEEDS, GRADES, SCREENS = "start.json", "seeds", "grades", "screens"
SEED, GRADE = "seed.json", "grade.json"
_FILES = "files"


class StartRecord(Shape):
    """Whether the finished code stands up on an empty database."""

    ok: bool
    reason: str = ""
    """Why it does not, in one line and what its log said last."""
    versions: dict[str, str] = Field(default_factory=dict)
    """What was really there: the database, Python, Node.js, the browser."""


class Graded(Shape):
    """What grading came to."""

    error: str = ""
    """What of ours kept the build from being made, or a plan from being graded."""
    findings: tuple[PlanFinding, ...] = ()


Kept = TypeVar("Kept", bound=Shape)


def keep(path: Path, record: Shape) -> None:
    """Write a record, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, record.model_dump_json(indent=1).encode())


def kept(path: Path, shape: type[Kept]) -> Kept | None:
    """A stored record; ``None`` where there is none yet.

    Raises:
        BadInput: It is damaged.
    """
    if not path.exists():
        return None
    try:
        return shape.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{path} is damaged; remove it and run the same command again") from error


def keep_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a seeding script and its files below a folder."""
    for name, data in files.items():
        path = folder / _FILES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def kept_files(folder: Path) -> dict[str, bytes]:
    """A stored seeding script and its files, by path below the folder that they are run in."""
    held = folder / _FILES
    return {
        path.relative_to(held).as_posix(): path.read_bytes() for path in held.rglob("*") if path.is_file()
    }


def rules_of(folder: GrowFolder) -> VoteRules:
    """How often a plan of a product is graded (protocols, Grow 11 and 17)."""
    return SINGLE if folder.task.rules is Rules.V1 else PROTOCOL


def codes_of(folder: GrowFolder, attempt: Path) -> dict[str, Path]:
    """Plan → the code that it is graded on: the finished one.

    Under ViBench 1.0's rules the MVP and every feature are parts of their own, and a plan is graded on its
    part's code (protocols, Grow 17).

    Raises:
        BadInput: A plan of an adopted product is not among those that were adopted.
    """
    finished = attempt / CODE
    if folder.task.rules is Rules.PROTOCOL:
        return {plan.id: finished for plan in folder.plans}
    parts = {stage.name: attempt / STAGES / f"{stage.path.name}.tar.gz" for stage in folder.stages}
    adopted = {plan.plan: plan.part for plan in read_released(folder.path)}
    if unknown := [plan.id for plan in folder.plans if plan.id not in adopted]:
        raise BadInput(
            f"{folder.path}: plan {unknown[0]} was not adopted; remove it, or adopt the product again"
        )
    return {plan: parts.get(part, finished) for plan, part in adopted.items()}


def start_file(code: Path) -> Path:
    """Where it is said whether a code stands."""
    return code.with_name(START if code.name == CODE else code.name.replace(".tar.gz", f".{START}"))


def stages_of(folder: GrowFolder, attempt: Path) -> tuple[StageRecord, ...]:
    """The stages that ran, in order."""
    found = (kept(attempt / STAGES / f"{stage.path.name}.json", StageRecord) for stage in folder.stages)
    return tuple(stage for stage in found if stage is not None)


def grade_folder(attempt: Path, plan: str, vote: int, number: int) -> Path:
    """Where one grade's files are."""
    return attempt / GRADES / plan / f"{vote}-{number}"


def made(attempt: Path, plan: Plan) -> tuple[Path, ...]:
    """The folders of a plan's finished grades, in the order in which they were made."""
    done = (path.parent for path in (attempt / GRADES / plan.id).glob(f"*/{GRADE}"))
    return tuple(sorted(done, key=lambda folder: tuple(int(part) for part in folder.name.split("-"))))


def grades_of(attempt: Path, plan: Plan) -> tuple[Grade, ...]:
    """A plan's grades as they were stored."""
    found = (kept(folder / GRADE, Grade) for folder in made(attempt, plan))
    return tuple(grade for grade in found if grade is not None)
