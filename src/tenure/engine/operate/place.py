"""What every driver of an operate attempt opens: the apps, a browser that reaches them alone, and files."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tenure.apps import Apps, open_apps
from tenure.apps.docker import Released, open_released
from tenure.apps.recipe import released
from tenure.apps.release import Release
from tenure.engine.operate.acts import Acts, Answer
from tenure.engine.operate.chromium import Chromium, open_chromium
from tenure.engine.operate.files import Files
from tenure.engine.operate.prompt import task_prompt
from tenure.engine.operate.sight import see
from tenure.engine.operate.view import Eye
from tenure.engine.usual import NO_SEED
from tenure.oracle.eyes import Look, Sight
from tenure.schema.folder import OperateFolder
from tenure.schema.operate import Account

FILES, HOME = "files", "browser"
"""Folders of an attempt: the agent's files, and the browser's own while it runs."""


class Ground(ABC):
    """What is open in an attempt, whoever works there.

    Attributes:
        folder: The task.
        apps: Its apps, as their snapshots are.
        files: The agent's files.
        instruction: The request.
    """

    def __init__(self, folder: OperateFolder, apps: Apps, files: Files) -> None:
        self.folder, self.apps, self.files = folder, apps, files
        self.instruction = task_prompt(folder.task, folder.instruction, self._accounts)

    @property
    def _accounts(self) -> dict[str, Account]:
        return {name: self.folder.task.credentials.get(name, app.account) for name, app in self.apps.items()}

    @property
    def provenance(self) -> dict[str, str]:
        """What of the apps and the browser belongs into provenance."""
        told = {f"{app}: {k}": v for app, held in self.apps.provenance.items() for k, v in held.items()}
        return {**self._browsing, **told}

    @property
    @abstractmethod
    def _browsing(self) -> dict[str, str]:
        """What of the browser belongs into provenance."""

    @abstractmethod
    async def leave(self) -> None:
        """Let what was begun in the browser come to its end, and give the browser up."""


class Place(Ground):
    """The open place of an attempt, and the browser in the harness's own hands.

    Attributes:
        browser: A browser with a blank tab.
        eye: Looks at its tabs.
    """

    def __init__(self, folder: OperateFolder, apps: Apps, browser: Chromium, files: Files) -> None:
        super().__init__(folder, apps, files)
        self.browser, self.eye = browser, Eye(browser)

    @property
    def _browsing(self) -> dict[str, str]:
        return {"browser": self.browser.version}

    async def leave(self) -> None:
        """See ``Ground.leave``."""
        await self.browser.leave()

    def acts(self, answer: Answer) -> Acts:
        """The agent's hands; ``answer`` answers what ``extract`` asks."""
        return Acts(self.browser, self.eye, self.files, answer)

    async def see(self, look: Look) -> Sight:
        """Answer what a scripted agent looks for."""
        return await see(self.browser, self.eye, look)


@asynccontextmanager
async def open_place(
    folder: OperateFolder,
    record: Path,
    *,
    seed: int,
    say: Callable[[str], None] = lambda line: None,
    release: Release | None = None,
) -> AsyncIterator[Place]:
    """Open the apps and a browser for an attempt; nothing of them outlives the block.

    Args:
        folder: The task.
        record: The attempt's folder; the agent's files stay there, in ``files/``.
        seed: What the apps' data are made from; their recipes' own for ``NO_SEED``.
        say: Told what is going on.
        release: Where released apps are made from.

    Raises:
        BadInput: An app is unknown, or the host lacks something.
        Fault: An app does not come up.
    """
    files = start_files(folder, record)
    async with opening_apps(folder, seed, say, release) as apps:
        ports = {name: app.port for name, app in apps.items()}
        async with open_chromium(ports, files.folder, record / HOME) as browser:
            yield Place(folder, apps, browser, files)


def start_files(folder: OperateFolder, record: Path) -> Files:
    """The agent's files as it finds them, in the attempt's folder."""
    files = Files(record / FILES)
    files.folder.mkdir(parents=True, exist_ok=True)
    files.start(folder.task.steps, [folder.path / "inputs" / one.file for one in folder.task.inputs])
    return files


def opening_apps(
    folder: OperateFolder, seed: int, say: Callable[[str], None], release: Release | None = None
) -> AbstractAsyncContextManager[Apps]:
    """The task's apps: recipes of ours, or a released task's containers."""
    if released(folder):
        made_of = Released(accounts=folder.task.credentials)
        if release is not None:
            release = release.as_it_was()
            made_of = replace(made_of, composes=release.folder, images=release.images)
        return open_released(folder.task.apps, made_of, say=say)
    return open_apps(folder.task.apps, seed=None if seed in NO_SEED else seed, say=say)
