"""A run's folder: which attempts are planned, which are finished, what is missing.

The truth is on disk: an attempt is finished when its ``attempt.json`` is there, and that file
appears whole or not at all. Whatever a killed run left half done is done again from the start; only a
build of grow, which takes hours, goes on where it was.
"""

import fcntl
import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import ValidationError

from tenure.engine.spec import RunSpec
from tenure.schema import AttemptRecord, BadInput, Ending, Outcome, Suite

LEDGER = "spent.txt"
ENDED, GRADED, RECORD = "ended.json", "findings.json", "attempt.json"
"""An attempt's files: what the agent's part left, what grading found (build, grow), and its record."""
LEFT = "left.json"
"""Of operate: how the agent's part ended; the apps' answers lie beside it."""
END_STATE = "end.tenure"


class Planned(NamedTuple):
    """One planned attempt.

    Attributes:
        task: Task name or folder path, as the command gave it.
        attempt: 1-based.
        seed: The seed of its world.
        folder: Where its files go.
    """

    task: str
    attempt: int
    seed: int
    folder: Path

    @property
    def id(self) -> str:
        """Unique within the run."""
        return f"{self.task}#{self.attempt}"


class RunFolder:
    """The folder of one run."""

    def __init__(self, path: Path, spec: RunSpec) -> None:
        """Open the folder, making it when it is not there.

        Raises:
            BadInput: The folder belongs to another run.
        """
        self.path, self.spec = path, spec
        path.mkdir(parents=True, exist_ok=True)
        kept = path / "run.json"
        if not kept.exists():
            write_whole(kept, orjson.dumps(spec.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
            return
        if read_spec(kept).key != spec.key:
            raise BadInput(f"{path} holds a run with other arguments; choose another folder")

    def planned(self) -> list[Planned]:
        """Every attempt of the run, task by task."""
        return [
            Planned(task.name, n, self.spec.seed_of(n), self.path / "attempts" / f"{_slug(task.id)}-{n}")
            for task in self.spec.tasks
            for n in range(1, self.spec.attempts + 1)
        ]

    def finished(self) -> list[AttemptRecord]:
        """The records of the finished attempts, in planned order."""
        return [read_record(p.folder / RECORD) for p in self.planned() if (p.folder / RECORD).exists()]

    def missing(self) -> list[Planned]:
        """Attempts that are not finished, and those that our own faults ended (tried again)."""
        found = []
        for planned in self.planned():
            path = planned.folder / RECORD
            if not path.exists() or read_record(path).outcome is Outcome.ERROR:
                found.append(planned)
        return found

    def clear_errors(self) -> None:
        """Forget the attempts that our own faults ended, so that they are made again.

        A build of grow goes on from what it has made.
        """
        for planned in self.missing():
            if not (planned.folder / RECORD).exists():
                continue
            if self.spec.suite is not Suite.GROW:
                shutil.rmtree(planned.folder)
                continue
            (planned.folder / GRADED).unlink(missing_ok=True)
            if orjson.loads((planned.folder / ENDED).read_bytes())["ending"] == Ending.FAULT:
                (planned.folder / ENDED).unlink()
            (planned.folder / RECORD).unlink()

    def alone(self) -> AbstractContextManager[None]:
        """Keep other commands out of the folder.

        Raises:
            BadInput: Another command is at work in it.
        """
        return alone(self.path, "run")

    def start_over(self) -> None:
        """Throw away every attempt, and what they have cost (``--new``)."""
        for name in ("attempts", "logs"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        (self.path / LEDGER).unlink(missing_ok=True)


@contextmanager
def alone(folder: Path, what: str) -> Iterator[None]:
    """Keep other commands out of a folder.

    Args:
        folder: The folder.
        what: What it holds.

    Raises:
        BadInput: Another command is at work in it.
    """
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadInput(f"{folder}: this {what} is under way in another command") from error
        yield


def read_spec(path: Path) -> RunSpec:
    """What a run is, from its ``run.json``.

    Raises:
        BadInput: The file is damaged.
    """
    try:
        return RunSpec.model_validate_json(path.read_bytes())
    except (ValidationError, OSError) as error:
        raise BadInput(f"{path} is damaged, or of another version; move its folder away") from error


def read_record(path: Path) -> AttemptRecord:
    """One finished attempt.

    Raises:
        BadInput: The file is damaged.
    """
    try:
        return AttemptRecord.model_validate_json(path.read_bytes())
    except (ValidationError, OSError) as error:
        raise BadInput(f"{path} is damaged; remove its folder and run the same command again") from error


def write_record(folder: Path, record: AttemptRecord) -> None:
    """Finish an attempt: its record appears whole or not at all."""
    write_whole(folder / RECORD, record.model_dump_json(indent=1).encode())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all."""
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)


def keep_base(base: Path, attempt: Path) -> Path:
    """Keep a base in the run's folder (hard link where possible), so that the folder stands alone."""
    kept = attempt.parent.parent / "bases" / base.name
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        try:
            kept.hardlink_to(base)
        except OSError:
            part = kept.with_suffix(f".{attempt.name}.part")
            shutil.copyfile(base, part)
            part.replace(kept)
    return kept


def _slug(task: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")
