"""A machine in which an agent from outside has a browser of its own.

It is a network of its own, too: what answers there are the task's apps, the browser and, while the agent
works, the bridge to its model. The browser finds the apps alone, and they are at the addresses that they
have everywhere.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic

from tenure.apps import Apps
from tenure.apps.release import Release
from tenure.engine.build.lines import INSIDE, interpreter_of
from tenure.engine.build.settings import Agent, agents_folder, cli_version
from tenure.engine.operate.chromium import HEIGHT, LAST_SETTLED, SAVED, WIDTH, closed
from tenure.engine.operate.files import Files
from tenure.engine.operate.place import Ground, opening_apps, start_files
from tenure.schema.errors import BadInput, Fault
from tenure.schema.folder import OperateFolder
from tenure.workspace import Limits, Machine, MachineSpec, open_machine
from tenure.workspace.browsing import PROGRAM, missing, with_browser
from tenure.workspace.devtools import open_devtools
from tenure.workspace.machine import HOME, MEBI
from tenure.workspace.relay import leading_to

BROWSER = 9_222
"""Where the browser takes an agent's commands."""
GIVEN, OWN = f"{HOME}/files", f"{HOME}/own"
"""Folders of the machine: what the agent is given and downloads, and what it writes itself."""
_APPS = 8_101
_SYSTEM = ("findutils", "python3", "libffi[0-9]*", "libsqlite3-0", "libssl[0-9]*")
"""What the bridge looks for requests with, and what any build of Python links against: all of that comes
with the system's own, where there is one."""
_LIMITS = Limits(memory=4 << 30, disk=4 << 30)
_LARGEST, _MOST_FILES = 100 * MEBI, 500
_LIST = 'cd "$1" 2>/dev/null || exit 0; for one in *; do [ -f "$one" ] && printf "%s\\0" "$one"; done; true'
_QUIET, _MOMENT = 1.0, 0.1


class Rented(Ground):
    """The open place of an attempt, with a browser in a machine for an agent from outside.

    Attributes:
        machine: The machine.
        hosts: The apps' names in the browser.
    """

    def __init__(
        self, folder: OperateFolder, apps: Apps, files: Files, machine: Machine, version: str
    ) -> None:
        super().__init__(folder, apps, files)
        self.machine, self._version = machine, version
        self.hosts = [app.host for app in apps.values()]
        self.moved = monotonic()

    @property
    def _browsing(self) -> dict[str, str]:
        return {"browser": self._version, "machine": self.machine.image}

    async def leave(self) -> None:
        """See ``Ground.leave``: nothing must have been carried between browser and apps for a second."""
        await asyncio.sleep(SAVED)
        until = monotonic() + LAST_SETTLED
        while monotonic() < min(until, self.moved + _QUIET):
            await asyncio.sleep(_MOMENT)

    async def give(self) -> None:
        """Put the agent's files into the machine."""
        for path in sorted(self.files.folder.iterdir()):
            await self.machine.write(f"{GIVEN}/{path.name}", path.read_bytes())

    async def take(self, *folders: str) -> None:
        """Bring the files of folders of the machine into the attempt's, as far as there is room.

        Args:
            folders: What lies in a later one stands for what has its name in an earlier one.
        """
        room = _LARGEST
        for folder in folders:
            listed = await self.machine.run(["/bin/sh", "-c", _LIST, "list", folder], timeout=60)
            for name in listed.stdout.decode("utf-8", "replace").split("\0")[:-1][:_MOST_FILES]:
                with suppress(OSError, Fault):
                    content = await self.machine.read(f"{folder}/{name}", limit=room)
                    (self.files.folder / name).write_bytes(content)
                    room -= len(content)


@asynccontextmanager
async def open_rented(
    folder: OperateFolder,
    record: Path,
    *,
    seed: int,
    say: Callable[[str], None] = lambda line: None,
    release: Release | None = None,
) -> AsyncIterator[Rented]:
    """Open the apps and a browser in a machine for an attempt; nothing of them outlives the block.

    Args:
        folder: The task.
        record: The attempt's folder; the agent's files stay there, in ``files/``.
        seed: What the apps' data are made from; their recipes' own for ``NO_SEED``.
        say: Told what is going on.
        release: Where released apps are made from.

    Raises:
        BadInput: An app is unknown, or the host lacks something.
        Fault: An app or the browser does not come up.
    """
    if lacks := missing():
        raise BadInput(f"--agent {Agent.BROWSER_USE} needs {lacks}")
    files = start_files(folder, record)
    opening = opening_apps(folder, seed, say, release)
    async with opening as apps, open_machine("bubblewrap", _machine()) as machine:
        ports = {name: _APPS + n for n, name in enumerate(apps)}
        running = asyncio.create_task(machine.run(_command(ports)))
        try:
            async with open_devtools(machine, BROWSER, lambda method, given, session: None) as tools:
                version = (await tools.send("Browser.getVersion"))["product"]
            place = Rented(folder, apps, files, machine, version)

            def moved() -> None:
                place.moved = monotonic()

            for name, port in ports.items():
                await machine.offer(port, leading_to(apps[name].dial, moved))
            yield place
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def _machine() -> MachineSpec:
    """What the agent and its browser need to see."""
    cli_version(Agent.BROWSER_USE)
    environment = agents_folder() / Agent.BROWSER_USE
    binds = [(environment, INSIDE), *interpreter_of(environment)]
    return with_browser(MachineSpec(system=_SYSTEM, binds=tuple(binds), limits=_LIMITS))


def _command(ports: Mapping[str, int]) -> list[str]:
    return [
        PROGRAM,
        *closed(ports),
        f"--remote-debugging-port={BROWSER}",
        "--user-data-dir=/tmp/browser",
        f"--window-size={WIDTH},{HEIGHT}",
        "--lang=en-US",
        "--force-prefers-reduced-motion",
        "about:blank",
    ]
