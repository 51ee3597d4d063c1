"""What the gateway asks of a twin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tenure.world.act import Act
from tenure.world.record import Record
from tenure.world.wire import Call, Reply


@dataclass(frozen=True)
class Surface:
    """One stretch of one hostname, and who answers it.

    The longest prefix that matches a path wins. Twins may name the same surface (Google's share
    their token endpoint): equal surfaces are one.

    Attributes:
        host: Hostname, lower-case.
        handle: Call → reply. Runs inside the call's transaction, which a status of 400 or more
            rolls back; it must not await.
        prefix: Path prefix.
        quiet: Its exchanges show no record and change nothing (built files, a screen's look at
            whether anything changed): they take no world time and stay out of the log.
        home: Path at which a person opens the product; empty where nothing is shown.
    """

    host: str
    handle: Callable[[Call], Reply]
    prefix: str = "/"
    quiet: bool = False
    home: str = ""


@dataclass(frozen=True)
class Tool:
    """One MCP tool of a twin.

    Attributes:
        name: The vendor's name.
        description: What it does, in our own words.
        schema: JSON schema of the arguments.
        run: (act, arguments) → a JSON-able result. Raises ``ToolError`` for the vendor's errors.
        assumed: The vendor's argument shapes were not captured; ours are by analogy.
    """

    name: str
    description: str
    schema: dict[str, Any]
    run: Callable[[Act, dict[str, Any]], Any]
    assumed: bool = False


class ToolError(Exception):
    """A tool's refusal, as the vendor would say it; its text reaches the agent."""


class Twin(Protocol):
    """A sandboxed copy of one product."""

    name: str
    """Folder name: ``gmail``."""
    kinds: Sequence[type[Record]]
    surfaces: Sequence[Surface]
    tools: Sequence[Tool]
    """The MCP tools that tasks offer."""
    mcp: str
    """URL at which the twin serves its tools: ``https://host/path``."""
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]]
    """Handlers of due events, by full name (``gmail.deliver``)."""

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """The headers that sign an account's requests in, from tokens in the world."""
        ...
