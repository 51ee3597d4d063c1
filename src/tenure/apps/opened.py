"""Opening apps for one attempt: each in its own machine, from its snapshot, on a loopback port."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tenure.apps.containers import ReleasedApp
from tenure.apps.probes import collect
from tenure.apps.program import Program, Say, install_program
from tenure.apps.reached import Reached
from tenure.apps.recipe import Recipe, find_recipe
from tenure.apps.running import INSIDE, RunningApp
from tenure.apps.snapshot import SEED, Snapshot, snapshot_of
from tenure.schema.evidence import Evidence, Probe
from tenure.workspace.together import each_to_the_end, together


@dataclass(frozen=True)
class Installed:
    """An app that can be opened at once.

    Attributes:
        recipe: What it is.
        program: What is run.
        snapshot: What every attempt starts from.
    """

    recipe: Recipe
    program: Program
    snapshot: Snapshot

    def running(self, *, address: str = "", port: int = 0) -> RunningApp:
        """The app, not yet opened; see ``RunningApp``."""
        inside = self.snapshot.folder / INSIDE
        return RunningApp(
            self.recipe,
            self.program,
            snapshot=self.snapshot.folder,
            inside=inside,
            address=address,
            port=port,
        )

    @property
    def provenance(self) -> dict[str, str]:
        """All that decides what the app is and holds."""
        program = {"program": self.program.layer.hash} if self.program.layer else {}
        versions = {f"version {name}": version for name, version in sorted(self.program.versions.items())}
        held = {"recipe": self.recipe.hash, "snapshot": self.snapshot.hash, "seed": str(self.snapshot.seed)}
        return {**held, **program, **versions}


class Apps(Mapping[str, Reached]):
    """Running apps by name.

    Attributes:
        provenance: App → what decides what it is and holds.
    """

    def __init__(self, running: Mapping[str, Reached], provenance: Mapping[str, Mapping[str, str]]) -> None:
        self._running = dict(running)
        self.provenance = dict(provenance)

    def __getitem__(self, name: str) -> Reached:
        return self._running[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._running)

    def __len__(self) -> int:
        return len(self._running)

    async def collect(self, probes: Mapping[str, Probe]) -> Evidence:
        """What the apps answer now; see ``tenure.apps.probes``."""
        return await collect(self, probes)

    def released(self) -> dict[str, ReleasedApp]:
        """The apps as a released verifier reaches them; see ``tenure.grading.operate.run_verifier``."""
        return {name: app.released() for name, app in self.items()}

    async def restore(self) -> None:
        """Take every app back to its snapshot, verified by hash.

        Raises:
            Fault: One does not come up again.
        """
        await together(app.restore() for app in self.values())


def quiet(line: str) -> None:
    """Says nothing."""


async def install(recipe: Recipe, say: Say = quiet, *, seed: int = SEED) -> Installed:
    """Install an app once, fill it once, and keep both; from the cache where they are there.

    Args:
        recipe: The app.
        say: Told what is going on, a line at a time.
        seed: What its data are made from.

    Raises:
        BadInput: The host lacks something; the text says what to do.
        Fault: It cannot be installed, started or filled.
    """
    program = await asyncio.to_thread(install_program, recipe, say)
    return Installed(recipe, program, await snapshot_of(recipe, program, seed, say))


@asynccontextmanager
async def open_apps(
    names: Sequence[str], *, seed: int | None = None, say: Say = quiet
) -> AsyncIterator[Apps]:
    """Run apps until the end of the block, installed first where need be; nothing of them outlives it.

    Args:
        names: Recipes' names.
        seed: What their data are made from; ``SEED`` by default.
        say: Told what is going on.

    Raises:
        BadInput: One is unknown, or the host lacks something.
        Fault: One cannot be installed, or does not come up.
    """
    ready = [await install(find_recipe(name), say, seed=SEED if seed is None else seed) for name in names]
    apps = {one.recipe.name: one.running() for one in ready}
    try:
        await together(app.up() for app in apps.values())
        yield Apps(apps, {one.recipe.name: one.provenance for one in ready})
    finally:
        await each_to_the_end(app.close() for app in apps.values())
