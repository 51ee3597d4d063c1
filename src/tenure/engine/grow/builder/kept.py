"""What each stage of a build leaves on disk, so that a killed build goes on at the stage under way.

A stage is over when its record is there, and that is written last: whatever a killed stage left half done
is done again from what the stage before it left.
"""

from pathlib import Path
from typing import NamedTuple

from inspect_ai.model import ChatMessage
from pydantic import Field, ValidationError

from tenure.engine.grow.stored import CODE, STAGES
from tenure.engine.plan import write_whole
from tenure.schema import BadInput, Shape
from tenure.schema.folder import GrowFolder, PlacedStage
from tenure.schema.verdict import StageRecord
from tenure.workspace import TooMuch
from tenure.workspace.machine import APP
from tenure.workspace.product import snapshot, unpack
from tenure.workspace.ready import Workspace
from tenure.workspace.services.dumping import dump, restore

_APP, _HOME, _DATABASE, _SAID, _RECORD = ".tar.gz", ".home.tar.gz", ".database", ".messages.json", ".json"
_CACHES = ("/.cache", "/.npm")
"""Of the home folder; not kept."""


class Said(Shape):
    """A stage's part of the conversation, and what the next stage needs to know of it."""

    begun: str
    """When the stage began."""
    system: str
    """The system prompt."""
    input_tokens: int
    output_tokens: int
    answered_by: tuple[str, ...]
    messages: tuple[ChatMessage, ...]
    """What was said in this stage."""
    view: tuple[ChatMessage, ...] = ()
    """What the model saw of all stages at this one's end; nothing where a command line keeps that."""
    resumed: bool = False
    """Whether the stage began in a workspace that was made again from files."""
    place: dict[str, str] = Field(default_factory=dict)
    """What the workspace was."""


class Passed(NamedTuple):
    """A stage that is over."""

    record: StageRecord
    said: Said


class Taken(NamedTuple):
    """What a workspace held at the end of a stage; ``missing`` says of what could not be taken why not."""

    app: bytes | None
    home: bytes | None
    database: bytes | None
    missing: dict[str, str]


async def take(place: Workspace, home: str) -> Taken:
    """Take what a resumed build needs; the code is what is graded.

    Args:
        place: The workspace.
        home: The home folder.

    Raises:
        Fault: The code or the home folder cannot be packed at all.
    """
    missing: dict[str, str] = {}
    app = rest = database = None
    try:
        app = await snapshot(place.machine)
    except TooMuch as error:
        missing["code"] = str(error)
    try:
        rest = await snapshot(place.machine, home, _CACHES)
    except TooMuch as error:
        missing["home folder"] = str(error)
    try:
        database = await dump(place.service)
    except (LookupError, OSError, ValueError, TimeoutError) as error:
        missing["database"] = f"{type(error).__name__}: {error}"
    return Taken(app, rest, database, missing)


class Shelf:
    """The folder of an attempt's stages."""

    def __init__(self, attempt: Path, folder: GrowFolder) -> None:
        """Open it.

        Args:
            attempt: The attempt's folder.
            folder: The product.
        """
        self._attempt, self._product = attempt, folder
        self._folder = attempt / STAGES
        self._folder.mkdir(parents=True, exist_ok=True)

    def passed(self) -> list[Passed]:
        """The stages that are over, in order.

        Raises:
            BadInput: A file is damaged.
        """
        found = []
        for placed in self._product.stages:
            record, said = self._path(placed, _RECORD), self._path(placed, _SAID)
            if not record.exists():
                break
            try:
                one = StageRecord.model_validate_json(record.read_bytes())
                found.append(Passed(one, Said.model_validate_json(said.read_bytes())))
            except (OSError, ValidationError) as error:
                raise BadInput(f"{record}: damaged; remove it and run the same command again") from error
        return found

    def keep(self, placed: PlacedStage, passed: Passed, taken: Taken) -> None:
        """Write down that a stage is over."""
        for suffix, data in ((_APP, taken.app), (_HOME, taken.home), (_DATABASE, taken.database)):
            path = self._path(placed, suffix)
            path.unlink(missing_ok=True)
            if data is not None:
                write_whole(path, data)
        write_whole(self._path(placed, _SAID), passed.said.model_dump_json().encode())
        write_whole(self._path(placed, _RECORD), passed.record.model_dump_json(indent=1).encode())

    async def restore(self, number: int, place: Workspace, home: str | None) -> dict[str, str]:
        """Make a fresh workspace what it was at the end of a stage.

        Args:
            number: The stage's number.
            place: The workspace.
            home: Its home folder; ``None`` leaves that as it is.

        Returns:
            What could not be made again, and why not.

        Raises:
            Fault: A file cannot be unpacked.
        """
        placed, missing = self._product.stages[number - 1], {}
        for suffix, folder in ((_APP, APP), (_HOME, home)):
            path = self._path(placed, suffix)
            if folder is not None and path.exists():
                await unpack(place.machine, path.read_bytes(), folder)
        path = self._path(placed, _DATABASE)
        if path.exists():
            try:
                await restore(place.service, path.read_bytes())
            except (LookupError, OSError, TimeoutError) as error:
                missing["database"] = f"{type(error).__name__}: {error}"
        return missing

    def finish(self) -> None:
        """Put the finished code, as the last stage left it, where the seeder and the grader find it."""
        packed = [path for placed in self._product.stages if (path := self._path(placed, _APP)).exists()]
        if packed:
            write_whole(self._attempt / CODE, packed[-1].read_bytes())

    def _path(self, placed: PlacedStage, suffix: str) -> Path:
        return self._folder / f"{placed.path.name}{suffix}"
