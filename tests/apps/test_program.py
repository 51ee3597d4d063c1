"""Programs are installed once, by lock files, whole or not at all, by code that is kept in."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from support.machines import isolated
from tenure.apps import Recipe, open_apps, read_recipe
from tenure.apps.program import apps_folder, install_program, locked_version, program_folder
from tenure.schema import BadInput, Fault

pytestmark = isolated
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"
SERVER = """
import http.server, sys

def main():
    http.server.test(http.server.SimpleHTTPRequestHandler, port=int(sys.argv[1]), bind="127.0.0.1")
"""
ACCOUNT = 'username = "a"\npassword = "b"'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of recipes, beside a registry that is a folder and holds one wheel."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    info = "parcel-1.0.dist-info"
    with zipfile.ZipFile(wheels / "parcel-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("parcel.py", SERVER)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: parcel\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\nparcel = parcel:main\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("UV_FIND_LINKS", str(wheels))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("TENURE_APPS", str(tmp_path / "recipes"))
    return tmp_path


def recipe(folder: Path, name: str, install: str = "", lock: str | None = None) -> Recipe:
    """A recipe around the wheel."""
    wheel = folder / "wheels/parcel-1.0-py3-none-any.whl"
    place = folder / "recipes" / name
    place.mkdir(parents=True, exist_ok=True)
    digest = lock or hashlib.sha256(wheel.read_bytes()).hexdigest()
    (place / "requirements.lock").write_text(f"parcel==1.0 \\\n    --hash=sha256:{digest}\n")
    (place / "recipe.toml").write_text(
        f"title = 'Parcel'\nsays = 'x'\ndomains = ['media']\nlicence = 'MIT'\npackage = 'parcel'\n"
        f"[install]\npython = ['{OWN}']\n{install}\n"
        f"[run]\nport = 8080\nstart = ['parcel', '${{port}}']\nmemory = 256\ndisk = 64\n"
        f"[accounts.agent]\n{ACCOUNT}\n[accounts.admin]\n{ACCOUNT}\n"
    )
    return read_recipe(place)


def left(name: str) -> list[str]:
    """What is in the cache of an app, but for locks and logs."""
    return [path.name for path in apps_folder().glob(f"{name}*") if path.suffix not in (".lock", ".log")]


@pytest.mark.anyio
async def test_what_is_locked_is_installed_once_and_runs_in_a_machine(folder: Path) -> None:
    wanted, said = recipe(folder, "parcel-one"), list[str]()
    assert program_folder(wanted) is None
    program = install_program(wanted, said.append)
    assert said[0] == "parcel-one: installing packages of PyPI (once)"
    assert program.versions["parcel"] == locked_version(wanted) == "1.0"
    assert program.layer is not None and program_folder(wanted) == program.layer.source
    said.clear()
    assert install_program(wanted, said.append) == program
    assert said == []
    async with open_apps(["parcel-one"]) as apps, apps["parcel-one"].client() as client:
        assert (await client.get("/")).status_code == 200
        assert apps.provenance["parcel-one"]["program"] == program.layer.hash


def test_the_same_lock_file_gives_the_same_hash(folder: Path) -> None:
    wanted = recipe(folder, "parcel-two")
    first = install_program(wanted, lambda line: None).layer
    assert first is not None
    shutil.rmtree(first.source)
    first.source.with_name(f"{first.source.name}.json").unlink()
    again = install_program(wanted, lambda line: None).layer
    assert again is not None and again.hash == first.hash


def test_another_file_than_the_locked_one_is_refused_and_nothing_is_kept(folder: Path) -> None:
    wanted = recipe(folder, "parcel-wrong", lock="0" * 64)
    with pytest.raises(Fault, match=r"parcel-wrong: uv pip failed: .*[Hh]ash"):
        install_program(wanted, lambda line: None)
    assert left("parcel-wrong") == []


def test_a_step_that_fails_says_why_and_nothing_is_kept(folder: Path) -> None:
    wanted = recipe(folder, "parcel-step", "steps = [['sh', '-c', 'echo error: no crane >&2; exit 3']]")
    with pytest.raises(Fault, match="parcel-step: sh -c failed: error: no crane"):
        install_program(wanted, lambda line: None)
    assert left("parcel-step") == []


def test_what_installs_gets_no_keys_and_writes_its_own_folder_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sesame")
    outside = folder / "outside"
    wanted = recipe(
        folder,
        "parcel-shut",
        f"steps = [['sh', '-c', 'env > seen; echo x > {outside} 2> /dev/null || true']]",
    )
    program = install_program(wanted, lambda line: None)
    assert program.layer is not None
    assert "sesame" not in (program.layer.source / "seen").read_text()
    assert not outside.exists()


def test_a_killed_installation_does_not_count_and_leaves_no_process(folder: Path) -> None:
    marker = folder / "marker"
    wanted = recipe(folder, "parcel-killed", f"steps = [['sh', '-c', 'test -e {marker} || exec sleep 4321']]")
    script = (
        "from pathlib import Path; from tenure.apps import read_recipe; "
        "from tenure.apps.program import install_program; "
        f"install_program(read_recipe(Path({str(wanted.path)!r})), print)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL) as process:
        while not sleepers():
            assert process.poll() is None
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
    for _ in range(100):
        if not sleepers():
            break
        time.sleep(0.1)
    assert not sleepers()
    assert program_folder(wanted) is None
    marker.touch()
    assert install_program(wanted, lambda line: None).layer is not None
    assert len(left("parcel-killed")) == 2


def sleepers() -> list[Path]:
    """Processes that sleep as the test's step does."""
    return [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"sleep\x004321" in read(path)]


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.skipif(not shutil.which("npm"), reason="needs npm")
def test_of_npm_only_named_packages_run_their_scripts(folder: Path) -> None:
    place = folder / "recipes/crate"
    place.mkdir(parents=True)
    needed = {}
    for name in ("crate-built", "crate-quiet"):
        manifest = {"name": name, "version": "2.0.0", "scripts": {"install": "touch built"}}
        with tarfile.open(folder / f"{name}.tgz", "w:gz") as archive:
            data = json.dumps(manifest).encode()
            entry = tarfile.TarInfo("package/package.json")
            entry.size = len(data)
            archive.addfile(entry, BytesIO(data))
        needed[name] = f"file:{folder}/{name}.tgz"
    (place / "package.json").write_text(
        json.dumps({"name": "crate", "private": True, "dependencies": needed})
    )
    lock = ["npm", "install", "--package-lock-only", "--ignore-scripts", "--offline", "--no-audit"]
    subprocess.run(lock, cwd=place, check=True, capture_output=True)
    (place / "recipe.toml").write_text(
        "title = 'Crate'\nsays = 'x'\ndomains = ['media']\nlicence = 'MIT'\npackage = 'crate-built'\n"
        "[install]\nrebuild = ['crate-built']\n[run]\nport = 8080\nstart = ['true']\n"
        f"[accounts.agent]\n{ACCOUNT}\n[accounts.admin]\n{ACCOUNT}\n"
    )
    wanted = read_recipe(place)
    program = install_program(wanted, lambda line: None)
    assert program.layer is not None
    modules = program.layer.source / "node_modules"
    assert (modules / "crate-built/built").exists() and not (modules / "crate-quiet/built").exists()
    assert program.versions == {"crate-built": "2.0.0", "crate-quiet": "2.0.0"}
    assert locked_version(wanted) == "2.0.0"


def test_what_the_host_lacks_is_named(folder: Path) -> None:
    place = recipe(folder, "parcel-old").path
    text = (place / "recipe.toml").read_text()
    (place / "recipe.toml").write_text(text.replace(f"['{OWN}']", "['2.6']"))
    with pytest.raises(BadInput, match=r"app parcel-old: needs Python 2\.6; install one of them"):
        install_program(read_recipe(place), lambda line: None)
    (place / "recipe.toml").write_text(text.replace("[install]", "[install]\npackages = ['no-such-boat']"))
    with pytest.raises(BadInput, match=r"app parcel-old: apt-get install no-such-boat|no dpkg"):
        install_program(read_recipe(place), lambda line: None)
