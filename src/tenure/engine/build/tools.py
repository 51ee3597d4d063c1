"""A native agent's tools in the machine: a command and a file."""

from collections.abc import Mapping

from inspect_ai.tool import Tool, ToolDef, ToolError

from tenure.engine.build.settings import CALL_SECONDS
from tenure.oracle.build import APP, SHELL, WRITE, shown
from tenure.workspace import Machine

SHOWN_CHARS = 20_000
"""Characters of a command's output that the model sees; the middle of more is left out."""
USUAL_SECONDS = 120


def machine_tools(machine: Machine) -> list[Tool]:
    """The tools of a build.

    Args:
        machine: Where they work.
    """

    async def write_file(path: str, content: str) -> str:
        """Write a text file, and the folders above it; what was there is replaced.

        Args:
            path: Absolute, or below /app.
            content: The whole text.
        """
        where = str(APP / path)
        try:
            await machine.write(where, content.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise ToolError(f"{where}: {error.strerror or error}") from error
        return f"{where} is written."

    return [bash_tool(machine), ToolDef(write_file, name=WRITE, parallel=False).as_tool()]


def bash_tool(machine: Machine, variables: Mapping[str, str] | None = None) -> Tool:
    """A command in the machine. One at a time: what a command leaves is there for the next.

    Args:
        machine: Where it runs.
        variables: Set for each command beside the machine's own, as they are when it begins.
    """

    async def bash(command: str, timeout: int = USUAL_SECONDS) -> str:
        """Run a command with bash in /app.

        Args:
            command: What to run. Servers go into the background, detached:
                `setsid nohup … > log 2>&1 < /dev/null &`.
            timeout: Seconds after which it is ended; at most 900.
        """
        seconds = min(max(timeout, 1), CALL_SECONDS)
        done = await machine.run(["bash", "-c", command], env=variables, timeout=seconds)
        return shown(done, SHOWN_CHARS)

    return ToolDef(bash, name=SHELL, parallel=False).as_tool()
