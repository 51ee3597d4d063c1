"""``tenure apps``: what people see of real apps."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.command import Tenure
from support.machines import isolated
from tenure.world.prepare import cache_folder

RECIPES = Path(__file__).parents[1] / "apps/recipes"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of the tests' own, and their own apps beside those that ship."""
    kept, folder = cache_folder(), tmp_path_factory.mktemp("cache") / "tenure"
    folder.mkdir()
    for name in ("machines", "services"):
        (kept / name).mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(kept / name)
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(folder.parent))
    patch.setenv("TENURE_APPS", str(RECIPES))
    yield
    patch.undo()


def test_every_app_is_listed_with_what_it_is(tenure: Tenure) -> None:
    rows = {row["app"]: row for row in json.loads(tenure("apps", "list", "--json").out)}
    assert {"roundup", "tryton", "actual", "tally"} <= set(rows)
    roundup = rows["roundup"]
    assert (roundup["title"], roundup["domains"], roundup["version"]) == ("Roundup", ["software"], "2.6.0")
    assert (roundup["installed"], roundup["bytes"]) == (False, None)
    table = tenure("apps", "list").out
    assert "Roundup" in table and "2.6.0" in table


def test_wrong_words_get_one_line(tenure: Tenure) -> None:
    assert tenure.complains("apps", "open", "ledgerly").startswith("app ledgerly: unknown; choose one of ")
    assert "name the apps to install, or give --all" in tenure.complains("apps", "install")


@isolated
def test_an_app_that_is_well_is_told_from_one_that_is_not(
    tenure: Tenure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tenure("apps", "doctor", "tally")
    assert said.status == 0, said
    assert [line.strip().split(":")[0] for line in said.out.splitlines()] == [
        "Tally",
        "ok starts",
        "ok the agent is let in",
        "ok probes are let in",
        "ok rows are read",
        "ok comes back",
    ]
    shutil.copytree(RECIPES / "tally", tmp_path / "tally")
    server = tmp_path / "tally/inside/server.py"
    server.write_text(server.read_text().replace('"root-pass"', '"another"'))
    monkeypatch.setenv("TENURE_APPS", str(tmp_path))
    said = tenure("apps", "doctor", "tally")
    assert said.status == 1
    last = said.out.splitlines()[-1]
    assert "not well probes are let in: root is not let in; is the administrator's account" in last


@isolated
def test_an_open_app_is_at_its_address_until_it_is_stopped() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tenure.cli.main", "apps", "open", "tally"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    ) as process:
        assert process.stdout is not None
        where, account = process.stdout.readline(), process.stdout.readline()
        url = where.split("(or ")[1].rstrip(")\n")
        assert account == "sign in as ada with the password ada-pass\n"
        told = httpx.get(f"{url}/health").json()
        assert told["address"] == f"http://tally.localhost:{url.rpartition(':')[2]}"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")
