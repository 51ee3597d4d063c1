"""The Python door: one attempt, driven by your own code.

async with tenure.attempt("carry/renewal", seed=11) as a:
    deals = await a.http.post("https://api.hubapi.com/crm/v3/objects/deals/search", json={…})
    threads = a.call("gmail_search_threads", query="renewal")
    result = await a.finish()
print(result.scorecard.outcome)
"""

from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from tenure.engine.spec import RELEASE_SEEDS
from tenure.grading import Judge, grade
from tenure.schema import Scorecard
from tenure.schema.folder import find_task
from tenure.twins import load
from tenure.world import Door, EndState, Response
from tenure.world.place import Place
from tenure.world.prepare import base_for


class Result(NamedTuple):
    """A finished attempt.

    Attributes:
        scorecard: The grade.
        end: The end state; readable until the attempt is left.
    """

    scorecard: Scorecard
    end: EndState


class _SignedIn(httpx.Auth):
    """Adds the persona's credentials by host."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.update(self._door.headers(request.url.host))
        yield request


class Attempt:
    """An open attempt.

    Attributes:
        instruction: The request.
        http: A client on the products' real hostnames, signed in as the persona.
        tools: Names of the MCP tools.
    """

    def __init__(self, place: Place) -> None:
        """Wrap a place."""
        self._place = place
        self.instruction = place.instruction
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=place.gateway), auth=_SignedIn(place.door), timeout=None
        )
        self.tools: Sequence[str] = tuple(place.door.tools)
        self._result: Result | None = None

    def call(self, tool: str, /, **arguments: object) -> Response:
        """One MCP tool call by prefixed name."""
        return self._place.door.call(tool, arguments)

    async def finish(self, judges: Sequence[Judge] = ()) -> Result:
        """Let the horizon pass and grade; a second call gives the same result."""
        if self._result is None:
            end = self._place.settle()
            self._result = Result(await grade(self._place.folder, end, judges=judges), end)
        return self._result


@asynccontextmanager
async def attempt(
    task: str, *, seed: int = RELEASE_SEEDS[0], record: Path | None = None
) -> AsyncIterator[Attempt]:
    """Open an attempt at a task.

    Args:
        task: ``suite/name`` or a task folder's path.
        seed: The world's seed.
        record: Folder that the journal and the connection log are appended to.

    Raises:
        BadInput: There is no such task, or it is broken.
    """
    folder = find_task(task)
    place = Place(folder, base_for(folder, seed), load(folder.task.twins), record)
    opened = Attempt(place)
    try:
        yield opened
    finally:
        await opened.http.aclose()
        place.close()
