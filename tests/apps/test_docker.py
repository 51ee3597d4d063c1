"""Released apps in containers of a real engine, from an image that is made here of one program."""

import asyncio
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.docker import docker, engine
from tenure.apps import Apps
from tenure.apps.docker import DockerApp, DockerContainer, Released, open_released
from tenure.grading.operate import findings_of, run_verifier
from tenure.schema import BadInput, Fault, Outcome
from tenure.schema.evidence import SqlProbe
from tenure.schema.folder import find_operate
from tenure.schema.sites import sites

__all__ = ["engine"]
pytestmark = [pytest.mark.full, pytest.mark.anyio]
IMAGE = "tenure-test/pantry:1"
COMPOSE = f"""
services:
  app:
    image: {IMAGE}
    container_name: $prefix
    command: [sh, -c, "cd /www && busybox mkdir -p api/v4/system && >api/v4/system/ping && exec httpd -f"]
    ports: ["127.0.0.1:$port:80"]
    volumes: ["held:/data", "./told.txt:/told.txt:ro"]
  database:
    image: {IMAGE}
    container_name: $prefix-postgres
volumes:
  held:
"""
PANTRY = Released(images={"grocy": IMAGE, "farmos": IMAGE})
VERIFIER = """
import json, os, subprocess, sys, urllib.request

def check(label, points, passed, detail=""):
    print(f"[{'PASS' if passed else 'FAIL'}] ({points}pt) {label}  ({detail})", file=sys.stderr)

def docker(*words, **more):
    return subprocess.run(["docker", *words], capture_output=True, text=True, **more)

pantry = os.environ["GROCY_CONTAINER"]
url = f"http://{os.environ['SERVER_HOSTNAME']}:{os.environ['GROCY_PORT']}/index.html"
page = urllib.request.urlopen(url, timeout=10).read().decode()
check("1. the page is there", 1, page.strip() == "jars", page.strip())
docker("cp", f"{pantry}:/data/jars.txt", "/tmp/jars.txt")
held = open("/tmp/jars.txt").read()
check("2. there is quince", 2, "quince" in held, held.strip())
told = docker("exec", "-i", "-e", "WORD=plum", pantry, "sh", "-c", "cat; echo $WORD", input="sour ").stdout
check("3. commands run there", 1, told == "sour plum\\n", told.strip())
started = docker("inspect", "--format", "{{.State.StartedAt}}", pantry).stdout
check("4. it has a beginning", 1, started[:2] == "20", started.strip())
print("SCORE: 1.000  PASS: True  (5/5)", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def image(engine: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A web server and a file, from nothing."""
    place = tmp_path_factory.mktemp("busybox")
    fetched = subprocess.run(["apt-get", "-qq", "download", "busybox-static"], cwd=place, capture_output=True)
    if fetched.returncode:
        pytest.skip("apt cannot fetch busybox-static")
    (deb,) = place.glob("*.deb")
    subprocess.run(["dpkg", "-x", str(deb), str(place)], check=True)
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        archive.add(next(place.glob("**/bin/busybox")), "bin/busybox")
        for name in ("sh", "cat", "httpd", "test", "sleep"):
            link = tarfile.TarInfo(f"bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, "busybox"
            archive.addfile(link)
        for name, text in (("www/index.html", b"jars\n"), ("data/jars.txt", b"plum\n")):
            file = tarfile.TarInfo(name)
            file.size = len(text)
            archive.addfile(file, io.BytesIO(text))
    command = 'CMD ["/bin/httpd", "-f", "-p", "80", "-h", "/www"]'
    subprocess.run(["docker", "import", "-c", command, "-", IMAGE], input=made.getvalue(), check=True)
    return IMAGE


@pytest.fixture
async def pantry(image: str, anyio_backend: str) -> AsyncIterator[Apps]:
    async with open_released(["grocy"], PANTRY) as apps:
        yield apps


async def test_it_answers_at_a_port_of_the_host_and_says_what_it_is(pantry: Apps) -> None:
    async with pantry["grocy"].client() as client:
        assert (await client.get("/index.html")).text == "jars\n"
    told = pantry.provenance["grocy"]
    assert list(told) == [f"image {IMAGE}"] and told[f"image {IMAGE}"].startswith("sha256:")


async def test_it_comes_back_as_it_was_and_two_never_meet(pantry: Apps) -> None:
    write = ["sh", "-c", "echo quince >> /data/jars.txt"]
    async with open_released(["grocy"], PANTRY) as others:
        for apps in (pantry, others):
            done = await apps["grocy"].released().container.run(write, env={}, input=b"", timeout=10)
            assert done.returncode == 0
        port = pantry["grocy"].port
        await pantry.restore()
        assert await jars(pantry) == "plum\n"
        assert await jars(others) == "plum\nquince\n"
        assert pantry["grocy"].port == port != others["grocy"].port


async def jars(apps: Apps, name: str = "grocy") -> str:
    container = apps[name].released().container
    done = await container.run(["cat", "/data/jars.txt"], env={}, input=b"", timeout=10)
    return done.stdout.decode()


async def test_an_unmodified_verifier_reads_it(pantry: Apps, tmp_path: Path) -> None:
    folder = task(tmp_path)
    container = pantry["grocy"].released().container
    await container.run(["sh", "-c", "echo quince >> /data/jars.txt"], env={}, input=b"", timeout=10)
    run = await run_verifier(folder, pantry.released())
    findings, notes = findings_of(folder.task, run)
    assert [finding.outcome for finding in findings] == [Outcome.PASSED] * 4, (run.stderr, notes)
    await pantry.restore()
    run = await run_verifier(folder, pantry.released())
    outcomes = [finding.outcome for finding in findings_of(folder.task, run)[0]]
    assert outcomes == [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED, Outcome.PASSED]


async def test_a_container_that_is_gone_is_a_fault_and_never_a_fail(pantry: Apps, tmp_path: Path) -> None:
    released = pantry.released()
    container = released["grocy"].container
    assert isinstance(container, DockerContainer)
    docker("rm", "-f", container.name)
    with pytest.raises(Fault, match="No such container"):
        await container.run(["cat", "/data/jars.txt"], env={}, input=b"", timeout=10)
    folder = task(tmp_path)
    run = await run_verifier(folder, released)
    assert {finding.outcome for finding in findings_of(folder.task, run)[0]} == {Outcome.ERROR}


async def test_a_compose_file_starts_an_app_that_comes_back_and_goes(image: str, tmp_path: Path) -> None:
    (tmp_path / "mattermost.yml").write_text(COMPOSE)
    (tmp_path / "told.txt").write_text("beside the compose file\n")
    async with open_released(["mattermost"], Released(composes=tmp_path)) as apps:
        container = apps["mattermost"].released().container
        told = await container.run(["cat", "/told.txt"], env={}, input=b"", timeout=10)
        assert told.stdout == b"beside the compose file\n"
        write = ["sh", "-c", "echo quince >> /data/jars.txt"]
        assert (await container.run(write, env={}, input=b"", timeout=10)).returncode == 0
        assert len(ours()) == 2 + 2 + 1
        await apps.restore()
        assert await jars(apps, "mattermost") == "plum\n"
    assert ours() == []


async def test_nothing_is_left_and_what_a_killed_harness_left_goes(image: str, tmp_path: Path) -> None:
    program = tmp_path / "left.py"
    program.write_text(
        "import asyncio, os, signal\n"
        "from tenure.apps.docker import Released, open_released\n"
        "async def main():\n"
        f"    async with open_released(['grocy'], Released(images={{'grocy': '{IMAGE}'}})):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    await asyncio.to_thread(subprocess.run, [sys.executable, str(program)])
    assert len(ours()) == 2
    async with open_released(["farmos"], Released(images={"farmos": IMAGE})) as apps:
        assert isinstance(apps["farmos"], DockerApp)
        assert all(str(os.getpid()) in line for line in ours())
    assert ours() == []


def ours() -> list[str]:
    form = "{{.Labels}}"
    listings = (["ps", "-a"], ["network", "ls"], ["volume", "ls"])
    asked = ("--filter", "label=tenure.owner", "--format", form)
    return [line for listing in listings for line in docker(*listing, *asked).splitlines()]


async def test_what_is_missing_is_named(image: str, anyio_backend: str) -> None:
    for names, says in (
        (["grocy"], "app grocy: the image mw-grocy:latest is not on this engine"),
        (["mattermost"], "app mattermost: its release starts it by a compose file"),
        (["nothing"], "app nothing: is no released one; choose of code-server"),
    ):
        with pytest.raises(BadInput, match=says):
            async with open_released(names):
                pass
    assert ours() == []


async def test_probes_of_ours_do_not_ask_containers(pantry: Apps) -> None:
    got = (await pantry.collect({"it": SqlProbe(app="grocy", query="SELECT 1")})).got["it"]
    assert got.error == "grocy is a container: released verifiers alone ask it"


def task(folder: Path):  # type: ignore[no-untyped-def]
    place = folder / "pantry"
    place.mkdir(exist_ok=True)
    checks = "".join(
        f'[[checks]]\nid = "{n}"\nsays = "check {n}"\nweight = {2 if n == 2 else 1}\nkind = "script"\n'
        for n in range(1, 5)
    )
    (place / "task.toml").write_text(
        'suite = "operate"\nname = "pantry"\ntitle = "Pantry"\nversion = "1-0"\n'
        'canary = "0123456789abcdef0123456789abcdef"\ndomain = "agriculture"\napps = ["grocy"]\n'
        f'verifier = "verify.py"\n{checks}'
    )
    (place / "instruction.md").write_text("Put quince into the pantry.")
    (place / "verify.py").write_text(VERIFIER)
    return find_operate(str(place))


def test_every_released_app_says_how_it_starts() -> None:
    assert len(sites()) == 23
    for name, site in sites().items():
        assert bool(site.image) != site.compose, name
        assert site.health.startswith("/") and site.wait >= 60, name
        assert site.compose or site.port, name
