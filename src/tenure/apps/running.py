"""One app that runs: its machine, its database beside it, its mail; from a snapshot and back to it."""

import hashlib
import io
import shlex
import tarfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from tenure.apps.containers import MachineContainer, ReleasedApp
from tenure.apps.database import TABLES, client_environment, placeholders
from tenure.apps.mail import PORT as MAIL
from tenure.apps.mail import Sink
from tenure.apps.program import Program
from tenure.apps.reached import Reached
from tenure.apps.recipe import Recipe, filled
from tenure.schema.errors import Fault
from tenure.workspace.choose import start_machine
from tenure.workspace.machine import APP, MEBI, Finished, Limits, Machine, MachineLost, MachineSpec
from tenure.workspace.relay import Streams
from tenure.workspace.services import Service, open_service
from tenure.workspace.services.base import QueryFailed, SqlService
from tenure.workspace.services.sqlite import Sqlite
from tenure.workspace.together import to_the_end

RECIPE, SNAPSHOT, LOG, PIDS = "/opt/recipe", "/opt/snapshot", "/tmp/app.log", "/tmp/app.pid"
ARCHIVE, MANIFEST, DATABASE, INSIDE = "app.tar", "manifest", "database.tar", "inside"
ROWS = 100_000
"""Rows that a probe may read; more are an error, never cut off."""
_START = f'tar -xf - -C /; echo; setsid "$@" > {LOG} 2>&1 < /dev/null & echo $! > {PIDS}'
_STOP = f"""
group=$(cat {PIDS}) || exit 0
kill -TERM "-$group" 2> /dev/null || exit 0
for _ in $(seq 200); do kill -0 "-$group" 2> /dev/null || exit 0; sleep 0.05; done
kill -KILL "-$group"
"""
_RESTORE = f"""
tar -xpf {SNAPSHOT}/{ARCHIVE} -C {APP} && cd {APP} || exit
[ ! -s {SNAPSHOT}/{MANIFEST} ] || exec sha256sum --quiet --check {SNAPSHOT}/{MANIFEST}
"""
_LARGEST = 4 << 30
"""Bytes of an app's files."""


class RunningApp(Reached):
    """An app in a machine of its own.

    Attributes:
        recipe: What it is.
    """

    def __init__(
        self,
        recipe: Recipe,
        program: Program,
        *,
        snapshot: Path | None,
        inside: Path,
        address: str = "",
        port: int = 0,
    ) -> None:
        """Nothing runs yet; ``open`` and ``start`` do that.

        Args:
            recipe: What it is.
            program: What is run.
            snapshot: The folder with the state to start from; an empty app without one.
            inside: The folder that the machine shows as ``/opt/recipe``.
            address: Where browsers find it; the recipe's own by default.
            port: A loopback port of the host; a free one by default.
        """
        super().__init__(recipe.name, recipe.accounts.agent, address=address, port=port)
        self.recipe = recipe
        self._program = program
        self._snapshot = snapshot
        self._inside = inside
        self._stack = AsyncExitStack()
        self._machine: Machine | None = None
        self._service: Service | None = None
        self._sink = Sink()
        self._mail = False

    @property
    def machine(self) -> Machine:
        """Where it runs.

        Raises:
            MachineLost: It is not open.
        """
        if self._machine is None:
            raise MachineLost(f"{self.name} is not open")
        return self._machine

    @property
    def service(self) -> Service | None:
        """Its database server, if it has one."""
        return self._service

    @property
    def messages(self) -> list[Any]:
        """What it has sent since it was opened or restored."""
        return self._sink.messages

    @property
    def unread(self) -> Sequence[str]:
        """Why messages among them are missing: they cannot be read."""
        return self._sink.unread

    async def dial(self) -> Streams:
        """Connect to its port.

        Raises:
            ConnectionRefusedError: It does not listen.
            MachineLost: Its machine is gone.
        """
        return await self.machine.connect(self.recipe.run.port)

    async def open(self) -> None:
        """Make its machine and put its state there; the app itself is not started.

        Raises:
            BadInput: This host cannot have such a machine.
            Fault: It does not come up, or the state is not what the snapshot's hash says.
        """
        run, program = self.recipe.run, self._program
        await self._listen()
        if not self._mail:
            await self._sink.open()
            self._mail = True
        self._sink.clear()
        database = self.recipe.database
        if database is not None and database.kind != "sqlite":
            kept = self._snapshot / DATABASE if self._snapshot else None
            self._service = await self._stack.enter_async_context(open_service(database.kind, saved=kept))
        binds = [(self._inside, RECIPE), *program.binds]
        binds += [(self._snapshot, SNAPSHOT)] if self._snapshot else []
        spec = MachineSpec(
            root="host" if self.recipe.install.packages else None,
            binds=tuple(binds),
            path=program.path,
            limits=Limits(memory=run.memory * MEBI, disk=run.disk * MEBI),
        )
        self._machine = await start_machine("bubblewrap", spec)
        self._stack.push_async_callback(self._machine.close)
        await self._machine.offer(MAIL, self._sink.socket)
        if self._service is not None and self._service.address is not None:
            await self._machine.offer(self._service.port, self._service.address)
        if self._snapshot is not None:
            await self._must(["/bin/sh", "-c", _RESTORE], "its state is not what its snapshot's hash says")

    async def start(self) -> None:
        """Start the app and wait until it is healthy.

        Raises:
            Fault: It ends, or is not healthy in time; the text ends with its log's last line.
        """
        run = self.recipe.run
        command = self.filled(run.start)
        await self._must(["/bin/sh", "-c", _START, "start", *command], "it cannot be started", self._files())
        await self._healthy(run.health, run.ok, run.wait)

    async def up(self) -> None:
        """See ``Reached.up``."""
        await self.open()
        await self.start()

    async def stop(self) -> None:
        """End the app's processes, politely first; its machine and its state stay."""
        await self._sh(_STOP)

    async def restore(self) -> None:
        """See ``Reached.restore``: from the snapshot, in a new machine."""
        await self._leave()
        await self.up()

    async def close(self) -> None:
        """See ``Reached.close``."""
        await self._leave()
        await self._unlisten()
        self._sink.close()

    async def _leave(self) -> None:
        self._machine = self._service = None
        await to_the_end(self._stack.aclose())

    def released(self) -> ReleasedApp:
        """See ``Reached.released``: its machine stands for its container and its database's."""
        container = MachineContainer(self.machine, client_environment(self._service))
        return ReleasedApp(self.dial, container, container if self._service else None)

    async def run(
        self, command: Sequence[str], *, input: bytes | str | None = None, timeout: float = 600
    ) -> str:
        """Run a command in its machine, with its environment; gives what it prints.

        Raises:
            Fault: It fails; the text ends with its last line.
        """
        done = await self._perform(command, input, timeout)
        if done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()[-1:]
            raise Fault(
                f"{self.name}: {shlex.join(command)[:100]} failed with {done.returncode}: {''.join(said)}"
            )
        return done.stdout.decode("utf-8", "replace")

    async def rows(self, sql: str) -> list[dict[str, Any]]:
        """All rows of a reading query.

        Raises:
            QueryFailed: It cannot be run.
            Fault: The app has no database that is read, or there are more than ``ROWS``.
        """
        database = self.recipe.database
        if database is None:
            raise Fault(f"{self.name} has no database that is read")
        held = self._service
        reader = held if isinstance(held, SqlService) else Sqlite(self.machine, database.path)
        found = await reader.rows(sql, limit=ROWS + 1, timeout=60)
        if len(found) > ROWS:
            raise Fault(f"more than {ROWS} rows; ask for fewer columns or a count")
        return found

    async def tables(self) -> list[str]:
        """The names of its database's tables.

        Raises:
            Fault: It has none, or none are read.
        """
        kind = self.recipe.database.kind if self.recipe.database else ""
        try:
            found = [str(row["name"]) for row in await self.rows(TABLES[kind or "sqlite"])]
        except QueryFailed as error:
            raise Fault(f"{self.name}: {error}") from error
        if not found:
            raise Fault(f"{self.name}: its database has no tables")
        return found

    async def refresh(self) -> None:
        """Bring the database that is read up to date, where the app keeps its state in another form."""
        if self.recipe.database is not None and self.recipe.database.refresh:
            await self.run(self.filled(self.recipe.database.refresh))

    def values(self) -> dict[str, str]:
        """What placeholders of its recipe stand for."""
        accounts = self.recipe.accounts
        told = {
            "address": self.address,
            "host": self.host,
            "port": str(self.recipe.run.port),
            "secret": hashlib.sha256(f"tenure {self.name}".encode()).hexdigest(),
            "agent": accounts.agent.username,
            "agent_password": accounts.agent.password,
            "admin": accounts.admin.username,
            "admin_password": accounts.admin.password,
            "mail_port": str(MAIL),
        }
        return told | placeholders(self._service)

    def filled(self, words: Sequence[str]) -> list[str]:
        """Words of its recipe with their placeholders filled.

        Raises:
            BadInput: One is unknown.
        """
        return [self._filled(word) for word in words]

    async def archive(self) -> bytes:
        """All files below ``/app`` but those of configuration, as a tar archive.

        Raises:
            Fault: They cannot be read.
        """
        left_out = [f"--exclude=./{config.path.removeprefix('/app/')}" for config in self.recipe.config]
        form = ["--sort=name", "--numeric-owner", "--owner=0", "--group=0", "--anchored", *left_out]
        command = ["tar", "-C", APP, "-cf", "-", *form, "."]
        done = await self.machine.run(command, cwd="/", limit=_LARGEST)
        if done.returncode or done.cut:
            raise Fault(
                f"{self.name}: its files cannot be read: {done.stderr.decode('utf-8', 'replace')[-300:]}"
            )
        return done.stdout

    def _filled(self, text: str) -> str:
        return filled(text, self.values(), f"{self.recipe.path}/recipe.toml")

    @property
    def _environment(self) -> dict[str, str]:
        return {"TZ": "UTC"} | {k: self._filled(v) for k, v in self.recipe.run.environment.items()}

    def _files(self) -> bytes:
        """The files of configuration, as a tar archive from the root."""
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w") as archive:
            for config in self.recipe.config:
                data = self._filled(config.text).encode()
                entry = tarfile.TarInfo(config.path.lstrip("/"))
                entry.size, entry.mode, entry.mtime = len(data), 0o644, int(time.time())
                archive.addfile(entry, io.BytesIO(data))
        return made.getvalue()

    async def configure(self) -> None:
        """Write the files of configuration without a start: for commands before the first one."""
        await self._must(["tar", "-xf", "-", "-C", "/"], "its configuration cannot be written", self._files())

    async def _perform(self, command: Sequence[str], input: bytes | str | None, timeout: float) -> Finished:
        return await self.machine.run(command, env=self._environment, input=input, timeout=timeout)

    async def _must(self, command: Sequence[str], trouble: str, input: bytes | None = None) -> None:
        done = await self._perform(command, input, 600)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise Fault(f"{self.name}: {trouble}: {''.join(said)}")

    async def _sh(self, script: str) -> Finished:
        return await self.machine.run(["/bin/sh", "-c", script], cwd="/")

    async def _still(self) -> None:
        if (await self._sh(f'kill -0 "-$(cat {PIDS})"')).returncode:
            raise Fault(f"{self.name}: ended while it was starting{await self._last()}")

    async def _last(self) -> str:
        said = (await self._sh(f"tail -c 2000 {LOG}")).stdout.decode("utf-8", "replace").strip().splitlines()
        return f": {said[-1][:300]}" if said else ""


Hook = Callable[..., Awaitable[Any]]


def hook(recipe: Recipe, name: str) -> Hook | None:
    """One of a recipe's hooks, if it has it."""
    found: Hook | None = getattr(recipe.hooks, name, None)
    return found
