"""The oracle of a build: hands that write files and run commands, mutants as patches, a direct driver.

A build task's ``oracle.py`` is ``from tenure.oracle.build import solve`` unless its reference needs
more than being written and started. By convention ``reference/start.sh`` migrates, seeds and serves in
the foreground.
"""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from tenure.oracle.acts import Act, Action, ScriptError
from tenure.oracle.direct import load_solve
from tenure.oracle.hands import Changes, Notes, Performance, Steps
from tenure.schema import BadInput
from tenure.schema.folder import BuildFolder
from tenure.workspace import Finished, Machine
from tenure.world import Response

SHELL, WRITE = "bash", "write_file"
"""The two acts of a build: ``{command, timeout}`` and ``{path, content}``."""
APP = PurePosixPath("/app")
START_SECONDS = 120
SHOWN_COMMAND = 200
"""Characters of a command that failed."""
_EXIT = re.compile(r"\[exit code (\d+)\]")
_START = """\
cd /app && chmod +x start.sh && (setsid nohup ./start.sh > /tmp/start.log 2>&1 < /dev/null &)
for _ in $(seq {tries}); do
  python3 -c 'import socket; socket.create_connection(("127.0.0.1", {port}), 1)' 2> /dev/null && exit 0
  sleep 0.25
done
tail -n 40 /tmp/start.log
exit 1"""


class Edit(NamedTuple):
    """One replacement in one file of the reference.

    Attributes:
        path: Below the reference.
        old: Text that the file holds exactly once.
        new: What stands there instead.
    """

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class BuildMutant:
    """The reference made wrong in one way, and the nodes that must notice it.

    Attributes:
        name: What went wrong, in words.
        kills: Ids of the nodes that must fail; nothing else may, but what waits for these is blocked.
        edits: The patch.
    """

    name: str
    kills: tuple[str, ...]
    edits: tuple[Edit, ...]


def load_build_mutants(folder: BuildFolder) -> list[BuildMutant]:
    """A build task's mutants.

    Raises:
        BadInput: ``mutants.py`` has none, two of one name, or one that names no node.
    """
    mutants: list[BuildMutant] = list(getattr(folder.module("mutants"), "MUTANTS", ()))
    names = [mutant.name for mutant in mutants]
    if not mutants or len(names) != len(set(names)):
        raise BadInput(f"{folder.path}/mutants.py must have MUTANTS, each with a name of its own")
    for mutant in mutants:
        if not mutant.kills:
            raise BadInput(f"{folder.path}/mutants.py: {mutant.name!r} must name a node that it kills")
    return mutants


def reference_files(folder: BuildFolder, changes: Sequence[Edit] = ()) -> dict[str, bytes]:
    """The reference's files by their path below /app, patched.

    Raises:
        BadInput: There is no reference, or a patch does not fit.
    """
    files = {
        path.relative_to(folder.reference).as_posix(): path.read_bytes()
        for path in sorted(folder.reference.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    if "start.sh" not in files:
        raise BadInput(f"{folder.path}: reference/start.sh is missing")
    for path, old, new in changes:
        text = files.get(path, b"").decode("utf-8")
        if text.count(old) != 1:
            holds = f"holds {old[:60]!r} {text.count(old)} times, not once"
            raise BadInput(f"{folder.path}/reference/{path} {holds}")
        files[path] = text.replace(old, new).encode()
    return files


class WorkspaceHands(Steps):
    """What a scripted agent does in a machine."""

    async def shell(self, command: str, *, timeout: float = 300) -> str:
        """Run a command in /app; returns what it printed.

        Raises:
            ScriptError: It failed.
        """
        said = (await Act(Action(SHELL, {"command": command, "timeout": timeout}))).text
        ended = list(_EXIT.finditer(said))
        if not ended or ended[-1][1] != "0":
            raise ScriptError(f"{command[:SHOWN_COMMAND]}: {said[-600:]}")
        return said[: ended[-1].start()]

    async def write(self, path: str, content: str) -> None:
        """Write a text file; ``path`` is absolute or below /app.

        Raises:
            ScriptError: It was refused.
        """
        response = await Act(Action(WRITE, {"path": str(APP / path), "content": content}))
        if not response.ok or any(code != "0" for code in _EXIT.findall(response.text)):
            raise ScriptError(f"{path}: {response.text[-600:]}")


class BuildHands(WorkspaceHands):
    """What a scripted agent builds with.

    Attributes:
        folder: The task.
        instruction: The prompt, as any agent gets it.
        edits: Patches of the reference, for mutants.
    """

    def __init__(
        self,
        folder: BuildFolder,
        instruction: str,
        changes: Changes | None = None,
        edits: Sequence[Edit] = (),
    ) -> None:
        """Hands for one performance."""
        super().__init__(changes)
        self.folder, self.instruction, self.edits = folder, instruction, tuple(edits)


async def solve(hands: BuildHands) -> None:
    """The usual oracle: look at the documents, write the reference, start it."""
    notes = Notes()
    await hands.step("read", _read, notes)
    await hands.step("write", write_reference, notes)
    await hands.step("start", start_reference, notes)


async def _read(hands: BuildHands, notes: Notes) -> None:
    await hands.shell("ls /app && head -n 20 /app/task.md && head -c 600 /app/knowledge_base.json")


async def write_reference(hands: BuildHands, notes: Notes) -> None:
    """Write every file of the reference below /app."""
    for path, content in reference_files(hands.folder, hands.edits).items():
        await hands.write(path, content.decode("utf-8"))
    if programs := [path for path in _executables(hands.folder) if path != "start.sh"]:
        await hands.shell(f"cd /app && chmod +x {shlex.join(programs)}")


async def start_reference(hands: BuildHands, notes: Notes) -> None:
    """Start it in the background and wait until it answers on its port.

    Raises:
        ScriptError: It does not answer.
    """
    port = hands.folder.task.port
    command = _START.format(port=port, tries=START_SECONDS * 4)
    try:
        await hands.shell(command, timeout=START_SECONDS + 30)
    except ScriptError as error:
        log = " ".join(str(error).removeprefix(command[:SHOWN_COMMAND]).split())
        raise ScriptError(f"start.sh serves nothing on port {port} after {START_SECONDS} s{log}") from error


def _executables(folder: BuildFolder) -> list[str]:
    files = (path for path in sorted(folder.reference.rglob("*")) if path.is_file())
    return [path.relative_to(folder.reference).as_posix() for path in files if os.access(path, os.X_OK)]


async def place_documents(folder: BuildFolder, machine: Machine) -> None:
    """Put the requirements and the knowledge base where the agent finds them."""
    for name, path in (("task.md", "prd.md"), ("knowledge_base.json", "knowledge_base.json")):
        await machine.write(str(APP / name), (folder.path / path).read_bytes())


async def stand_up(folder: BuildFolder, machine: Machine, changes: Sequence[Edit] = ()) -> None:
    """Do what the oracle does, in a machine, without Inspect.

    Args:
        folder: The task.
        machine: Opened for the task: its packages, its database's address in the environment.
        changes: Patches of the reference.

    Raises:
        ScriptError: The reference does not start.
        BadInput: A patch does not fit.
    """
    await place_documents(folder, machine)
    hands = BuildHands(folder, "", edits=changes)
    performance = Performance(load_solve(folder), hands)
    action = performance.send(None)
    while action is not None:
        action = performance.send(await act(machine, action))


async def act(machine: Machine, action: Action) -> Response:
    """Do one act of a build on the spot."""
    given = action.arguments
    if action.tool == WRITE:
        await machine.write(given["path"], given["content"].encode())
        return Response(200, "")
    done = await machine.run(["bash", "-c", given["command"]], timeout=given["timeout"])
    return Response(200, shown(done))


def shown(done: Finished, cap: int = 1 << 20) -> str:
    """What a command printed, cut in the middle, and on a last line how it ended.

    Args:
        done: The command.
        cap: Characters kept.
    """
    text = "\n".join(part.decode("utf-8", "replace").rstrip() for part in (done.stdout, done.stderr) if part)
    if len(text) > cap:
        half = cap // 2
        text = f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
    note = "its time was up; it was ended\n" if done.timed_out else ""
    return f"{text}\n{note}[exit code {done.returncode}]".lstrip("\n")
