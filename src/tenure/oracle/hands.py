"""Hands: what a scripted agent works with. One protocol, whatever drives it.

A task's ``async def solve(hands)`` runs its work as named steps and acts only through ``hands.http``
and ``hands.mcp``. Each action suspends the script with one tool call; a ``Performance`` is the script
seen from outside: response in, next tool call out. The direct driver performs the calls on the spot,
the model provider ``tenure/oracle`` emits them through the real loop. Nothing runs beside them.
"""

import json
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tenure.world import Response
from tenure.world.door import HTTP_TOOL


class Action(NamedTuple):
    """One tool call.

    Attributes:
        tool: ``http_request`` or an MCP tool's prefixed name.
        arguments: JSON-able.
    """

    tool: str
    arguments: dict[str, Any]


class ScriptError(Exception):
    """A scripted agent met something that it cannot go on from."""


class Notes(SimpleNamespace):
    """What a script has learnt so far; steps read and write its attributes."""


Step = Callable[["Hands", Notes], Awaitable[None]]
Solve = Callable[["Hands"], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class _Suspended:
    """Awaiting it hands the action to whoever drives the script, and gives its response."""

    action: Action

    def __await__(self) -> Generator[Action, Response, Response]:
        response = yield self.action
        return response


@dataclass(frozen=True)
class Changes:
    """How a script is made wrong in one way (see ``Mutant``).

    Attributes:
        skip: Steps that are left out.
        repeat: Steps that are done twice.
        after: Step → function that spoils the notes once the step is done.
        instead: Step → another step that is done in its place.
    """

    skip: frozenset[str] = frozenset()
    repeat: frozenset[str] = frozenset()
    after: Mapping[str, Callable[[Notes], None]] = field(default_factory=dict)
    instead: Mapping[str, Step] = field(default_factory=dict)

    @property
    def steps(self) -> frozenset[str]:
        """Every step that is touched."""
        return self.skip | self.repeat | frozenset(self.after) | frozenset(self.instead)


class Http:
    """REST requests on the products' own hostnames."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        json_body: Any = None,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """One request.

        Args:
            method: HTTP method.
            url: Full ``https://`` URL.
            params: Query arguments; a list repeats the argument.
            json_body: Sent as JSON.
            body: Sent as it is.
            headers: Extra headers.

        Raises:
            ScriptError: The response is not a success.
        """
        if params:
            url += "?" + urlencode([(k, v) for k, v in params.items() if v is not None], doseq=True)
        arguments: dict[str, Any] = {"method": method, "url": url}
        if headers:
            arguments["headers"] = dict(headers)
        if json_body is not None:
            arguments["body"] = json.dumps(json_body)
        elif body is not None:
            arguments["body"] = body
        response = await _Suspended(Action(HTTP_TOOL, arguments))
        if not response.ok:
            raise ScriptError(f"{method} {url}: {response.status} {response.text[:300]}")
        return response

    async def get(self, url: str, **params: Any) -> Any:
        """GET; returns the decoded JSON."""
        return (await self.request("GET", url, params=params)).json()

    async def post(self, url: str, body: Any) -> Any:
        """POST JSON; returns the decoded JSON."""
        return (await self.request("POST", url, json_body=body)).json()

    async def patch(self, url: str, body: Any) -> Any:
        """PATCH JSON; returns the decoded JSON."""
        return (await self.request("PATCH", url, json_body=body)).json()

    async def put(self, url: str, body: Any) -> Any:
        """PUT JSON; returns the decoded JSON."""
        return (await self.request("PUT", url, json_body=body)).json()

    async def delete(self, url: str) -> None:
        """DELETE."""
        await self.request("DELETE", url)


class Mcp:
    """MCP tools by prefixed name."""

    async def call(self, tool: str, **arguments: Any) -> Any:
        """One tool call; returns the decoded JSON, or the text when it is not JSON.

        Raises:
            ScriptError: The tool refused.
        """
        response = await _Suspended(Action(tool, arguments))
        if not response.ok:
            raise ScriptError(f"{tool}: {response.text[:300]}")
        try:
            return response.json()
        except ValueError:
            return response.text


class Hands:
    """One scripted agent's hands.

    Attributes:
        http: REST.
        mcp: MCP tools.
        instruction: The request, as any agent gets it.
        prefer: ``rest`` or ``mcp``: which of the two a script should use where both can do it.
    """

    def __init__(self, instruction: str, *, prefer: str = "rest", changes: Changes | None = None) -> None:
        """Hands for one performance.

        Args:
            instruction: The request.
            prefer: ``rest`` or ``mcp``.
            changes: Makes the script wrong, for mutants.
        """
        self.instruction, self.prefer = instruction, prefer
        self.changes = changes or Changes()
        self.done: list[str] = []
        """Steps that the script came to, in order."""
        self.http, self.mcp = Http(), Mcp()

    async def step(self, name: str, run: Step, notes: Notes) -> None:
        """Do one named step, unless a mutant has it otherwise."""
        if name in self.done:
            raise ScriptError(f"two steps are called {name!r}")
        self.done.append(name)
        if name in self.changes.skip:
            return
        step = self.changes.instead.get(name, run)
        for _ in range(2 if name in self.changes.repeat else 1):
            await step(self, notes)
        if spoil := self.changes.after.get(name):
            spoil(notes)


class Performance:
    """A script under way, seen from outside: a response in, the next action out."""

    def __init__(self, solve: Solve, hands: Hands) -> None:
        """Start a script; ``send(None)`` gives its first action."""
        self.hands = hands
        self._script = solve(hands)

    def send(self, response: Response | None) -> Action | None:
        """Resume the script.

        Args:
            response: What the last action gave; ``None`` to start.

        Returns:
            The next action, or ``None`` when the script has ended.

        Raises:
            ScriptError: The script could not go on, or awaited something other than its hands.
        """
        try:
            action = self._script.send(response)
        except StopIteration:
            return None
        except ScriptError:
            raise
        except Exception as error:
            raise ScriptError(f"{type(error).__name__}: {error}") from error
        if not isinstance(action, Action):
            self._script.close()
            raise ScriptError("a script may await its hands only")
        return action

    def close(self) -> None:
        """End the script where it stands."""
        self._script.close()
