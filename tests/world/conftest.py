from pathlib import Path

import pytest

from world import sample


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample product's base, shared: nothing can write to it."""
    return sample.build(tmp_path_factory.mktemp("bases") / "sample.db")
