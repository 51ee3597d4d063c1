"""One app that runs: its machine, its database beside it, its mail; from a snapshot and back to it."""

import asyncio
import hashlib
import io
import shlex
import tarfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx

from tenure.apps.containers import MachineContainer, ReleasedApp
from tenure.apps.mail import PORT as MAIL
from tenure.apps.mail import Sink
from tenure.apps.program import Program
from tenure.apps.recipe import Recipe, filled
from tenure.schema.errors import Fault
from tenure.schema.operate import Account
from tenure.workspace.choose import start_machine
from tenure.workspace.machine import APP, MEBI, Finished, Limits, Machine, MachineLost, MachineSpec
from tenure.workspace.relay import Servers, Streams, leading_to, loopback_listener
from tenure.workspace.services import Service, open_service
from tenure.workspace.services.base import QueryFailed, SqlService
from tenure.workspace.services.sqlite import Sqlite

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
_SCHEMAS = "FROM information_schema.tables WHERE table_schema NOT IN"
_TABLES = {
    "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    "postgres": f"SELECT table_name AS name {_SCHEMAS} ('pg_catalog', 'information_schema') ORDER BY 1",
    "mariadb": f"SELECT table_name AS name {_SCHEMAS} ('mysql', 'information_schema') ORDER BY 1",
}
_CLIENTS = {
    "postgres": {
        "PGHOST": "database_host",
        "PGPORT": "database_port",
        "PGUSER": "database_user",
        "PGPASSWORD": "database_password",
        "PGDATABASE": "database_name",
    },
    "mariadb": {
        "MYSQL_HOST": "database_host",
        "MYSQL_TCP_PORT": "database_port",
        "MYSQL_PWD": "database_password",
    },
}
"""How a database's clients are told what placeholders say."""
_LARGEST = 4 << 30
"""Bytes of an app's files."""
_GLANCE = 0.02
"""Seconds between two looks whether an app is ready."""
_ALIVE = 1.0
"""Seconds between two looks whether it still runs."""


class RunningApp:
    """An app in a machine of its own.

    Attributes:
        recipe: What it is.
        address: Where browsers find it; no slash at the end.
        port: The host's loopback port that leads to it, the same after each restore.
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
        self.recipe = recipe
        self.address = address or recipe.address
        self._program = program
        self._snapshot = snapshot
        self._inside = inside
        self._listener = loopback_listener(port)
        self.port: int = self._listener.getsockname()[1]
        self._servers = Servers()
        self._listening = False
        self._stack = AsyncExitStack()
        self._machine: Machine | None = None
        self._service: Service | None = None
        self._sink = Sink()

    @property
    def name(self) -> str:
        """The recipe's."""
        return self.recipe.name

    @property
    def account(self) -> Account:
        """The one that agents get."""
        return self.recipe.accounts.agent

    @property
    def url(self) -> str:
        """Where the host finds it; no slash at the end. Its own name goes into the Host header."""
        return f"http://127.0.0.1:{self.port}"

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
        if not self._listening:
            await self._servers.serve(self._listener, leading_to(self._reach))
            await self._sink.open()
            self._listening = True
        self._sink.messages.clear()
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
        begun = looked = time.monotonic()
        while (status := await self.status(run.health)) not in run.ok:
            now = time.monotonic()
            if now - begun > run.wait:
                raise Fault(
                    f"{self.name}: not healthy after {run.wait:g} s: {run.health} "
                    f"{f'answers {status}' if status else 'is not answered'}{await self._last()}"
                )
            if now - looked > _ALIVE:
                looked = now
                if (await self._sh(f'kill -0 "-$(cat {PIDS})"')).returncode:
                    raise Fault(f"{self.name}: ended while it was starting{await self._last()}")
            await asyncio.sleep(_GLANCE)

    async def stop(self) -> None:
        """End the app's processes, politely first; its machine and its state stay."""
        await self._sh(_STOP)

    async def restore(self) -> None:
        """Go back to the snapshot, in a new machine; ``start`` is part of it."""
        await self._leave()
        await self.open()
        await self.start()

    async def close(self) -> None:
        """End everything and remove it. May be called again."""
        await self._leave()
        await self._servers.close()
        self._listener.close()
        self._sink.close()

    async def _leave(self) -> None:
        self._machine = self._service = None
        await self._stack.aclose()

    async def status(self, path: str) -> int:
        """The status that a path answers with; 0 where nothing does."""
        try:
            async with asyncio.timeout(self.recipe.run.wait):
                reader, writer = await self.dial()
                try:
                    writer.write(
                        f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\nConnection: close\r\n\r\n".encode()
                    )
                    return int((await reader.readline()).split()[1])
                finally:
                    writer.close()
        except (OSError, TimeoutError, IndexError, ValueError):
            return 0

    def released(self) -> ReleasedApp:
        """The app for a released verifier: its machine stands for its container and its database's."""
        told = self.values()
        names = _CLIENTS.get(self._service.name, {}) if self._service else {}
        container = MachineContainer(self.machine, {name: told[of] for name, of in names.items()})
        return ReleasedApp(self.dial, container, container if self._service else None)

    def client(self, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """A client of its HTTP interface, by its own name.

        Args:
            headers: Of every request, beyond Host.
        """
        return httpx.AsyncClient(
            base_url=self.url, headers={"Host": self._host, **(headers or {})}, timeout=60, trust_env=False
        )

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
            found = [str(row["name"]) for row in await self.rows(_TABLES[kind or "sqlite"])]
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
            "host": self._host,
            "port": str(self.recipe.run.port),
            "secret": hashlib.sha256(f"tenure {self.name}".encode()).hexdigest(),
            "agent": accounts.agent.username,
            "agent_password": accounts.agent.password,
            "admin": accounts.admin.username,
            "admin_password": accounts.admin.password,
            "mail_port": str(MAIL),
        }
        if self._service is not None:
            url = httpx.URL(self._service.url())
            told |= {
                "database_url": str(url),
                "database_host": url.host,
                "database_port": str(url.port),
                "database_user": url.username,
                "database_password": url.password,
                "database_name": url.path.lstrip("/"),
            }
        return told

    @property
    def _host(self) -> str:
        return self.address.partition("://")[2]

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

    async def _reach(self) -> Streams:
        try:
            return await self.dial()
        except MachineLost as error:
            raise ConnectionRefusedError(str(error)) from error

    async def _perform(self, command: Sequence[str], input: bytes | str | None, timeout: float) -> Finished:
        return await self.machine.run(command, env=self._environment, input=input, timeout=timeout)

    async def _must(self, command: Sequence[str], trouble: str, input: bytes | None = None) -> None:
        done = await self._perform(command, input, 600)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise Fault(f"{self.name}: {trouble}: {''.join(said)}")

    async def _sh(self, script: str) -> Finished:
        return await self.machine.run(["/bin/sh", "-c", script], cwd="/")

    async def _last(self) -> str:
        said = (await self._sh(f"tail -c 2000 {LOG}")).stdout.decode("utf-8", "replace").strip().splitlines()
        return f": {said[-1][:300]}" if said else ""


Hook = Callable[..., Awaitable[Any]]


def hook(recipe: Recipe, name: str) -> Hook | None:
    """One of a recipe's hooks, if it has it."""
    found: Hook | None = getattr(recipe.hooks, name, None)
    return found
