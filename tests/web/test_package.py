"""The npm package of the screens: pinned, free of hosts, and an entry per twin that has a screen."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tenure import twins
from tenure.twins.wire import built

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="module")
def package() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((WEB / "package.json").read_text())
    return read


def test_every_dependency_is_pinned(package: dict[str, Any]) -> None:
    wanted = package["dependencies"] | package["devDependencies"]
    assert not [name for name, version in wanted.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)]


def test_the_lock_names_no_registry(package: dict[str, Any]) -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    locked = lock["packages"]
    assert not [name for name, entry in locked.items() if "resolved" in entry]
    assert not [name for name, entry in locked.items() if name and "integrity" not in entry]
    assert locked[""]["dependencies"] == package["dependencies"]


@pytest.mark.parametrize("name", twins.NAMES)
def test_a_screen_has_an_entry(name: str) -> None:
    (twin,) = twins.load([name])
    screens = any(surface.handle is built.asset for surface in twin.surfaces)
    assert (WEB / "src" / name / "main.tsx").exists() or not screens
