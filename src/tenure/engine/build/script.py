"""Scripts that play a model in a build: the oracle, its mutants, the idle agent, in any agent's tools."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai.model import ChatMessageTool

from tenure.engine.puppet import Part, playing
from tenure.oracle import Action, Changes, Performance, ScriptError, Solve, idle, load_solve
from tenure.oracle.build import SHELL, WRITE, BuildHands, Edit, load_build_mutants
from tenure.schema import BadInput
from tenure.schema.folder import BuildFolder
from tenure.world import Response

_SCRIPTS = ("oracle", "idle")


def build_script(folder: BuildFolder, name: str) -> tuple[Solve, Changes, tuple[Edit, ...]]:
    """What a stand-in's name asks for: ``oracle``, ``oracle:skip=…``, ``oracle:mutant=…``, ``idle``.

    Args:
        folder: The task.
        name: The model name after ``tenure/``.

    Raises:
        BadInput: The name is not one that the task can play.
    """
    script, _, options = name.partition(":")
    word, _, value = options.partition("=")
    if script not in _SCRIPTS or word not in ("", "skip", "mutant"):
        raise BadInput(f"no stand-in tenure/{name} builds; stand-ins: {', '.join(_SCRIPTS)}")
    if script == "idle":
        return idle, Changes(), ()
    edits: tuple[Edit, ...] = ()
    if word == "mutant":
        mutant = next((m for m in load_build_mutants(folder) if m.name == value), None)
        if mutant is None:
            raise BadInput(f"{folder.task.id} has no mutant {value!r}")
        edits = mutant.edits
    return load_solve(folder), Changes(skip=frozenset([value] if word == "skip" else [])), edits


@contextmanager
def performing(folder: BuildFolder, name: str, instruction: str) -> Iterator[None]:
    """Give the stand-in that plays in this attempt its script.

    Args:
        folder: The task.
        name: The model name after ``tenure/``.
        instruction: The prompt.
    """
    solve, changes, edits = build_script(folder, name)
    performance = Performance(solve, BuildHands(folder, instruction, changes, edits))
    with playing(Part(performance, hear=hear, speak=speak, takes=takes), folder.task.id):
        yield


def hear(message: ChatMessageTool) -> Response:
    """A tool's result as a script takes it."""
    return Response(0, message.error.message) if message.error else Response(200, message.text)


def takes(offered: Sequence[str]) -> bool:
    """Whether a shell is among the tools: a request without one is a side errand."""
    return not _SHELLS.keys().isdisjoint(offered)


def speak(action: Action, offered: Sequence[str]) -> Action:
    """An act of a build in the words of the agent's own tools.

    Args:
        action: ``bash`` or ``write_file``.
        offered: Names of the tools.

    Raises:
        ScriptError: None of them is known.
    """
    if action.tool in offered:
        return action
    shell = next((name for name in _SHELLS if name in offered), None)
    if shell is None:
        raise ScriptError(f"none of the tools is a shell: {', '.join(offered)}")
    given = action.arguments
    if action.tool == WRITE and shell == "Bash":
        return Action("Write", {"file_path": given["path"], "content": given["content"]})
    command = _writing(**given) if action.tool == WRITE else given["command"]
    wrapped = f'bash -c {shlex.quote(command)}; echo "[exit code $?]"'
    return Action(shell, _SHELLS[shell](wrapped, float(given.get("timeout", 60))))


def _writing(path: str, content: str) -> str:
    target = shlex.quote(path)
    return f'mkdir -p "$(dirname {target})" && printf %s {shlex.quote(content)} > {target}'


def _claude(command: str, seconds: float) -> dict[str, Any]:
    return {"command": command, "description": "Next step", "timeout": int(min(seconds, 600) * 1000)}


def _codex(command: str, seconds: float) -> dict[str, Any]:
    return {"cmd": command, "yield_time_ms": 30_000}


def _terminal(command: str, seconds: float) -> dict[str, Any]:
    return {"command": command, "timeout": seconds}


_SHELLS = {SHELL: _terminal, "Bash": _claude, "exec_command": _codex, "terminal": _terminal}
"""Names of shell tools → their arguments; the first that is offered is used."""
