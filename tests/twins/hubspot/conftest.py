"""One base for all tests of the twin; each test has its own world over it."""

from pathlib import Path

import pytest

from twins.hubspot.make import Api, build


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("hubspot") / "base.db")


@pytest.fixture
def api(base: Path) -> Api:
    return Api(base)
