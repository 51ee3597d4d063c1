"""Which lock files of somebody's code pip and npm may read outside a machine, and that they work inside."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.machines import isolated
from tenure.oracle.grow import packed
from tenure.schema import Fault
from tenure.workspace import open_machine, product
from tenure.workspace.locks import MANIFEST, PIP_LOCK, locked, npm_lock, pip_lock
from tenure.workspace.product import open_code, set_up
from tenure.workspace.stock import NPM_LOCK

from .test_product import TASK


def test_exact_versions_are_taken_over_in_order_without_what_else_a_line_says() -> None:
    text = """
    # Ours
    uvicorn[standard]==0.34.0 ; python_version >= "3.8"  # serves
    asyncpg==0.30.0 \\
        --hash=sha256:aa --hash=sha256:bb
    """
    wanted = b'asyncpg==0.30.0\nuvicorn[standard]==0.34.0; python_version >= "3.8"\n'
    assert pip_lock(text) == {PIP_LOCK: wanted}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "asyncpg",
        "asyncpg>=0.30",
        "asyncpg==0.*",
        "asyncpg==0.30.0,!=0.31",
        "asyncpg @ https://example.org/asyncpg.tar.gz",
        "asyncpg @ file:///etc/passwd",
        "-e git+https://example.org/x#egg=x",
        "-r /etc/passwd",
        "--index-url https://example.org/simple",
        "asyncpg==0.30.0 --config-settings=x",
        "./local",
    ],
)
def test_a_line_that_could_lead_elsewhere_locks_nothing(line: str) -> None:
    assert pip_lock(line) == {}
    assert line == "" or pip_lock(f"iniconfig==2.1.0\n{line}\n") == {}


MS: dict[str, Any] = {
    "version": "2.1.3",
    "resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz",
    "integrity": "sha512-of-what-was-published",
}
OWN: dict[str, Any] = {
    "name": "x",
    "scripts": {"preinstall": "touch /tmp/x"},
    "dependencies": {"ms": "2.1.3"},
}


def lock(package: dict[str, Any], name: str = "node_modules/ms", manifest: dict[str, Any] = OWN) -> Any:
    made = {"name": "x", "lockfileVersion": 3, "packages": {"": OWN, name: package}}
    return npm_lock(json.dumps(made), json.dumps(manifest))


def test_packages_of_a_registry_are_taken_over_without_scripts() -> None:
    files = lock(MS)
    assert set(files) == {NPM_LOCK, MANIFEST} and not any(b"preinstall" in data for data in files.values())
    assert json.loads(files[NPM_LOCK])["packages"]["node_modules/ms"] == MS
    assert lock({"version": "1", "inBundle": True}) != {}


@pytest.mark.parametrize(
    "found",
    [
        lock({**MS, "resolved": "https://example.org/ms-2.1.3.tgz"}),
        lock({**MS, "resolved": "git+ssh://git@registry.npmjs.org/ms.git"}),
        lock({**MS, "resolved": "file:../../etc"}),
        lock({"resolved": "../secrets", "link": True}),
        lock({name: value for name, value in MS.items() if name != "integrity"}),
        lock({**MS, "dependencies": {"y": "github:a/b"}}),
        lock(MS, "packages/own"),
        lock(MS, "node_modules/../../x"),
        lock(MS, manifest={"dependencies": {"ms": "https://example.org/ms.tgz"}}),
        lock(MS, manifest={"dependencies": {"ms": "a/b"}}),
        lock(MS, manifest={"dependencies": ["ms"]}),
        npm_lock(json.dumps({"lockfileVersion": 1, "dependencies": {"ms": MS}}), json.dumps(OWN)),
        npm_lock("[]", "{}"),
    ],
)
def test_what_could_lead_elsewhere_locks_nothing(found: dict[str, bytes]) -> None:
    assert found == {}


@isolated
@pytest.mark.anyio
async def test_the_highest_usable_lock_file_is_taken() -> None:
    async with open_machine() as machine:
        for path in ("node_modules/x", ".venv", "a/b", "web"):
            await machine.write(f"{path}/requirements.txt", f"{path[-1]}==1".encode())
        await machine.write("requirements.txt", b"open\n")
        await machine.write("a/package-lock.json", b"not JSON")
        await machine.run(["ln", "-s", "/etc/passwd", "package-lock.json"])
        assert await locked(machine) == {PIP_LOCK: b"b==1\n"}


FAILS = {"setup.sh": b"echo no network; exit 1", "requirements.txt": b"no-such-package-of-tenure==9.9.9\n"}


@isolated
@pytest.mark.anyio
async def test_what_cannot_be_fetched_is_a_fault_where_it_is_needed_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(locks: tuple[Path, ...]) -> None:
        if locks:
            raise Fault(f"{locks[0].name}: pip cannot fetch what it names")

    monkeypatch.setattr(product, "stock_layers", fail)
    async with open_code(TASK, packed(FAILS)) as place:
        with pytest.raises(Fault, match=r"requirements\.txt: pip cannot fetch what it names"):
            await set_up(place, TASK)
    async with open_code(TASK, packed({**FAILS, "setup.sh": b"true"})) as place:
        await set_up(place, TASK)


INSTALLS = {
    "requirements.txt": b"iniconfig==2.1.0\n",
    "setup.sh": b"python3 -m venv v && v/bin/pip install -r requirements.txt",
}


@pytest.mark.full
@isolated
@pytest.mark.anyio
async def test_what_a_lock_file_names_is_installed_without_a_network() -> None:
    async with open_code(TASK, packed(INSTALLS)) as place:
        if "not fetched" in place.provenance:
            pytest.skip(place.provenance["not fetched"])
        await set_up(place, TASK)
        assert "layer /opt/stock/wheels" in place.provenance
