"""The interface of an attempt: what the loop offers a model of a world, api or screen."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.model import ChatMessage, Model
from inspect_ai.tool import Tool

from tenure.engine.prompt import system_prompt
from tenure.engine.spec import RunSpec
from tenure.engine.tools import tools_of
from tenure.oracle import Look, Sight
from tenure.schema import Backend, Interface
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world import freeze
from tenure.world.place import Place


class Opened(Protocol):
    """An open place, from the loop's side.

    Attributes:
        instruction: The request.
        system: The system message.
        tools: The tools offered.
        screenshots: Message id → file of its screenshot, relative to the attempt's folder.
    """

    instruction: str
    system: str
    tools: Sequence[Tool]
    screenshots: Mapping[str, str]

    def provenance(self, model: Model) -> dict[str, str]:
        """What belongs into an attempt's provenance beside the settings."""
        ...

    def trim(self, messages: Sequence[ChatMessage]) -> None:
        """Take what has become old out of a history, in place."""
        ...

    async def see(self, look: Look) -> Sight:
        """Answer what a scripted agent looks for.

        Raises:
            LookupError: It is not in sight.
        """
        ...

    async def freeze(self, path: Path, about: Mapping[str, Any]) -> None:
        """Settle the world and freeze it into a file."""
        ...


class _Api:
    """REST and MCP, in process."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.instruction, self.system = place.instruction, system_prompt(place)
        self.tools: Sequence[Tool] = tools_of(place.door)
        self.screenshots: Mapping[str, str] = {}

    def provenance(self, model: Model) -> dict[str, str]:
        return {}

    def trim(self, messages: Sequence[ChatMessage]) -> None:
        return None

    async def see(self, look: Look) -> Sight:
        raise LookupError("the api interface shows nothing; use --interface screen")

    async def freeze(self, path: Path, about: Mapping[str, Any]) -> None:
        self._place.settle()
        freeze(self._place.world, self._place.gateway, path, about=dict(about))


@asynccontextmanager
async def open_interface(
    spec: RunSpec, folder: TaskFolder, base: Path, record: Path
) -> AsyncIterator[Opened]:
    """Open the place of an attempt with the run's interface, and end it on leaving.

    Args:
        spec: The run.
        folder: The task.
        base: The base to start from.
        record: The attempt's folder.

    Raises:
        BadInput: The persona has no account in the world, or the screen cannot be had here.
        Fault: The screen's world or its network does not start.
    """
    if spec.interface is Interface.SCREEN:
        from tenure.engine.screen.attempt import open_screen

        async with open_screen(folder, base, spec.backend or Backend.DESKTOP, record) as screen:
            yield screen
        return
    place = Place(folder, base, load(folder.task.twins), record)
    try:
        yield _Api(place)
    finally:
        place.close()
