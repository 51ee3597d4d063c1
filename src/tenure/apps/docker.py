"""Apps in containers: the 23 released ones, by the images and compose files that their release makes.

Each opening has a network of its own that leads nowhere else; compose files bring theirs.
"""

import asyncio
import os
import secrets
import string
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tenure.apps.containers import SECONDS, ReleasedApp
from tenure.apps.engine import docker, labelled, labels, must, note, remove, sweep
from tenure.apps.opened import Apps, quiet
from tenure.apps.program import Say
from tenure.apps.reached import OK, Reached
from tenure.schema.errors import BadInput, Fault
from tenure.schema.operate import Account
from tenure.schema.sites import Site, sites
from tenure.workspace.machine import Finished
from tenure.workspace.relay import Streams
from tenure.workspace.services.base import free_port
from tenure.workspace.together import to_the_end, together

_GONE = (b"No such container", b"is not running", b"Cannot connect to the Docker daemon")
"""What the client says when a container, and not the command in it, is at fault."""


class DockerContainer:
    """A container of an engine; see ``Container``."""

    def __init__(self, name: str, started: str) -> None:
        """Stand for a running container."""
        self.name = name
        self.started = started

    @classmethod
    async def of(cls, name: str) -> "DockerContainer":
        """The container of a name.

        Raises:
            Fault: There is none.
        """
        return cls(name, await must("inspect", "--format", "{{.State.StartedAt}}", name))

    async def run(
        self, command: Sequence[str], *, env: Mapping[str, str], input: bytes, timeout: float
    ) -> Finished:
        """See ``Container``."""
        told = [word for name, value in env.items() for word in ("-e", f"{name}={value}")]
        return self._there(
            await docker("exec", "-i", *told, self.name, *command, input=input, timeout=timeout)
        )

    async def tar(self, path: str) -> Finished:
        """See ``Container``."""
        return self._there(await docker("cp", "-L", f"{self.name}:{path}", "-"))

    def _there(self, done: Finished) -> Finished:
        if done.returncode and any(words in done.stderr for words in _GONE):
            raise Fault(f"{self.name}: {done.stderr.decode('utf-8', 'replace').strip()[:200]}")
        return done


@dataclass(frozen=True)
class Released:
    """Where a release's images and compose files are, and what its tasks' apps are told.

    Attributes:
        images: App → image, where it is not the release's own name.
        composes: The folder with ``<app>.yml``, templates with ``$prefix``, ``$port`` and ``$hostname``.
        accounts: App → the account that the task gives; its password goes to images that take one.
    """

    images: Mapping[str, str] = field(default_factory=dict)
    composes: Path | None = None
    accounts: Mapping[str, Account] = field(default_factory=dict)


class DockerApp(Reached):
    """A released app in its containers."""

    def __init__(self, name: str, site: Site, release: Released, network: str) -> None:
        """Nothing runs yet.

        Args:
            name: The app's.
            site: What is known of it.
            release: Where its image or compose file is.
            network: The network of this opening.
        """
        super().__init__(name, release.accounts.get(name, Account(username="", password="")))
        self.image = release.images.get(name, site.image)
        self._site = site
        self._release = release
        self._network = network
        self._prefix = f"{network}-{name}"
        self._target: tuple[str, int] | None = None
        self._containers: dict[str, DockerContainer] = {}

    async def dial(self) -> Streams:
        """See ``Reached.dial``."""
        if self._target is None:
            raise Fault(f"{self.name} is not open")
        return await asyncio.open_connection(*self._target)

    async def up(self) -> None:
        """See ``Reached.up``."""
        await self._listen()
        await (self._compose() if self._site.compose else self._run())
        for suffix in {self._site.suffix, self._site.database_suffix or ""}:
            self._containers[suffix] = await DockerContainer.of(self._prefix + suffix)
        await self._healthy(self._site.health, OK, self._site.wait)

    async def restore(self) -> None:
        """See ``Reached.restore``: new containers of the same image, which holds the data."""
        await self._remove()
        await self.up()

    async def close(self) -> None:
        """See ``Reached.close``."""
        try:
            await self._remove()
        finally:
            await self._unlisten()

    def released(self) -> ReleasedApp:
        """See ``Reached.released``."""
        database = self._site.database_suffix
        return ReleasedApp(
            self.dial,
            self._containers[self._site.suffix],
            None if database is None else self._containers[database],
        )

    async def identity(self) -> dict[str, str]:
        """What decides what the app is and holds: the images' hashes."""
        form = "{{.Config.Image}} {{.Image}}"
        found = [await must("inspect", "--format", form, c.name) for c in self._containers.values()]
        return {f"image {name}": hash for name, hash in (line.split(" ", 1) for line in found)}

    async def _run(self) -> None:
        if (await docker("image", "inspect", self.image)).returncode:
            raise BadInput(
                f"app {self.name}: the image {self.image} is not on this engine; make it as its release says"
            )
        values = {"host": self.host, "password": self.account.password}
        told = [f"{name}={value.format(**values)}" for name, value in self._site.environment.items()]
        words = ["--name", self._prefix, "--network", self._network, *labels(self._prefix)]
        words += [word for one in told for word in ("-e", one)]
        words += ["--user", self._site.user] if self._site.user else []
        # Stopped half-way, the engine might make the container when all has been removed.
        await to_the_end(must("run", "-d", *words, self.image, trouble=f"{self.name} cannot be started"))
        form = f'{{{{(index .NetworkSettings.Networks "{self._network}").IPAddress}}}}'
        assert self._site.port is not None
        self._target = await must("inspect", "--format", form, self._prefix), self._site.port

    async def _compose(self) -> None:
        folder = self._release.composes
        file = folder / f"{self.name}.yml" if folder else None
        if file is None or not file.is_file():
            raise BadInput(
                f"app {self.name}: its release starts it by a compose file; give the folder that has "
                f"{self.name}.yml (--release)"
            )
        port = free_port()
        text = string.Template(file.read_text("utf-8")).safe_substitute(
            prefix=self._prefix, port=port, hostname=self.host
        )
        compose = ("compose", "-p", self._prefix, "--project-directory", str(file.parent), "-f", "-")
        trouble = f"{self.name} cannot be started"
        model = await must(*compose, "config", "--format", "json", input=text.encode(), trouble=trouble)
        ours = labelled(model, self._prefix).encode()
        await must(*compose, "up", "-d", input=ours, trouble=trouble, timeout=max(SECONDS, self._site.wait))
        self._target = "127.0.0.1", port

    async def _remove(self) -> None:
        self._target = None
        self._containers.clear()
        await remove(self._prefix)

    async def _still(self) -> None:
        name = self._prefix + self._site.suffix
        if await must("inspect", "--format", "{{.State.Running}}", name) != "true":
            raise Fault(f"{self.name}: ended while it was starting{await self._last()}")

    async def _last(self) -> str:
        done = await docker("logs", "--tail", "1", self._prefix + self._site.suffix)
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        return f": {said[-300:]}" if said else ""


@asynccontextmanager
async def open_released(
    names: Sequence[str], release: Released | None = None, *, say: Say = quiet
) -> AsyncIterator[Apps]:
    """Run released apps in containers until the end of the block; nothing of them outlives it.

    Args:
        names: Released apps, by the names of ``tenure.schema.sites``.
        release: Where images and compose files are; the release's own names by default.
        say: Told what is going on.

    Raises:
        BadInput: An app or its image is unknown, or there is no Docker.
        Fault: The engine does not answer, or an app does not come up.
    """
    known = sites()
    if unknown := [name for name in names if name not in known]:
        raise BadInput(f"app {unknown[0]}: is no released one; choose of {', '.join(known)}")
    await must("version", trouble="Docker's engine does not answer")
    await sweep()
    network = f"tenure-{os.getpid()}-{secrets.token_hex(4)}"
    apps = {name: DockerApp(name, known[name], release or Released(), network) for name in names}
    try:
        await to_the_end(must("network", "create", "--internal", *labels(network), network))
        say(f"starting {', '.join(names)}; the slowest may take {max(known[n].wait for n in names)} s")
        await together(app.up() for app in apps.values())
        yield Apps(apps, {name: await app.identity() for name, app in apps.items()})
    finally:
        await to_the_end(_end(apps.values(), network))


async def _end(apps: Iterable[DockerApp], network: str) -> None:
    """Close apps and remove their network. What stays is said: by now it cannot touch what was done."""
    said = await asyncio.gather(*(app.close() for app in apps), return_exceptions=True)
    said += await asyncio.gather(remove(network), return_exceptions=True)
    for error in said:
        if error is not None:
            note(error)
