"""The product that ships."""

import pytest

from tenure.schema.folder import GrowFolder, find_grow


@pytest.fixture(scope="session")
def folder() -> GrowFolder:
    return find_grow("grow/loomhouse")
