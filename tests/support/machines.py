"""What tests of machines share."""

import os
from pathlib import Path

import pytest

from tenure.workspace.bubblewrap import Bubblewrap

isolated = pytest.mark.skipif(bool(Bubblewrap.missing()), reason=Bubblewrap.missing() or "there")
CACHE = Path.home() / ".cache" / "tenure"
"""The user's own."""


@pytest.fixture(scope="session", autouse=True)
def machines(cache_folder: None) -> None:
    """Machines' files are the user's own: read-only, named by their hash, and slow to make."""
    here = Path(os.environ["XDG_CACHE_HOME"]) / "tenure" / "machines"
    if not here.exists():
        (CACHE / "machines").mkdir(parents=True, exist_ok=True)
        here.parent.mkdir(parents=True, exist_ok=True)
        here.symlink_to(CACHE / "machines")
