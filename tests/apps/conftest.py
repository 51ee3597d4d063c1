"""A cache of the tests' own, beside the machines that are in the user's already, and the tests' own app."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tenure.apps import Apps, open_apps
from tenure.world.prepare import cache_folder

RECIPES = Path(__file__).parent / "recipes"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the tests' programs and snapshots are kept."""
    kept, folder = cache_folder(), tmp_path_factory.mktemp("cache") / "tenure"
    folder.mkdir()
    for name in ("machines", "services"):
        (kept / name).mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(kept / name)
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(folder.parent))
    patch.setenv("TENURE_APPS", str(RECIPES))
    yield folder / "apps"
    patch.undo()


@pytest.fixture
async def tally(anyio_backend: str) -> AsyncIterator[Apps]:
    """The tests' own app, up."""
    async with open_apps(["tally"]) as apps:
        yield apps
