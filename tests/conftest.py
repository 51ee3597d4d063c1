"""Makes ``support`` importable and keeps tests out of the user's own data folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One data folder, and so one certificate authority, per session."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    yield
    patch.undo()


BROWSERS = frozenset(
    f"test_screen_{view}"
    for view in (
        "book",
        "cells",
        "home",
        "index",
        "looks",
        "moves",
        "reading",
        "record",
        "settings",
        "writing",
    )
) | {"test_attempts", "test_backends", "test_person"}
"""Modules that drive a real browser action by action: minutes on a busy machine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests belong to the full run."""
    for item in items:
        if item.path.stem in BROWSERS:
            item.add_marker(pytest.mark.full)
