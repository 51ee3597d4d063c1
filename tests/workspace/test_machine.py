"""A machine does what its protocol says: commands, files, ports, packages, and an end without a trace."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import pytest

import tenure
from support.machines import isolated
from tenure.schema import BadInput
from tenure.workspace import Machine, MachineLost, MachineSpec, TooMuch, open_machine
from tenure.workspace.bounds import sweep
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.rootfs import image_of, layers_of

pytestmark = [pytest.mark.anyio, isolated]


async def test_a_command_gets_the_machines_variables_its_own_and_nothing_else(machine: Machine) -> None:
    done = await machine.run(["env"], env={"PORT": "8000", "HOME": "/tmp"})
    seen = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
    assert seen.pop("PATH").endswith("/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin")
    assert seen == {
        "PORT": "8000",
        "HOME": "/tmp",
        "USER": "agent",
        "LOGNAME": "agent",
        "LANG": "C.UTF-8",
    } | ({"PWD": "/app"} if "PWD" in seen else {})


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="there is no dpkg")
async def test_a_machine_has_the_packages_that_are_asked_for_instead_of_the_usual_ones() -> None:
    async with open_machine("bubblewrap", MachineSpec(system=("sed",))) as machine:
        script = "for name in sed env git gcc; do command -v $name; done"
        there = (await machine.run(["sh", "-c", script])).stdout.decode().split()
        assert [Path(path).name for path in there] == ["sed", "env"]
        assert machine.image != image_of(*layers_of(MachineSpec()))


async def test_status_output_input_and_folder(machine: Machine) -> None:
    done = await machine.run(["sh", "-c", "cat; echo err >&2; pwd; exit 7"], input="ünï", cwd="/usr/bin")
    assert (done.returncode, done.stdout, done.stderr) == (7, "ünï/usr/bin\n".encode(), b"err\n")
    assert (await machine.run(["sh", "-c", "kill -TERM $$"])).returncode == 143
    missing = await machine.run(["no-such-program"])
    assert missing.returncode == 127 and b"no-such-program" in missing.stderr
    assert (await machine.run(["cat"])).stdout == b""


async def test_time_up_kills_the_group_and_spares_what_left_it(machine: Machine) -> None:
    script = "setsid sleep 61 & sleep 62 & sleep 63"
    done = await machine.run(["sh", "-c", script], timeout=0.5)
    assert done.timed_out and done.returncode == 124
    left = (await machine.run(["sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"])).stdout
    assert b"sleep 61" in left and b"sleep 62" not in left and b"sleep 63" not in left


async def test_a_cancelled_command_is_killed(machine: Machine) -> None:
    task = asyncio.create_task(machine.run(["sleep", "64"]))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert b"sleep\x0064" not in (await machine.run(["sh", "-c", "cat /proc/[0-9]*/cmdline"])).stdout


async def test_what_a_command_leaves_behind_goes_on_and_may_still_write(machine: Machine) -> None:
    """It holds the pipe of a command that has ended, and a server's log must not kill it."""
    script = "(i=0; while [ $i -lt 40 ]; do echo line; i=$((i+1)); sleep 0.05; done; echo done > /app/left) &"
    begun = asyncio.get_running_loop().time()
    done = await machine.run(["sh", "-c", f"echo first; {script}"])
    assert done.stdout.startswith(b"first\n")
    await asyncio.sleep(max(0.0, 3 - (asyncio.get_running_loop().time() - begun)))
    assert await machine.read("left") == b"done\n"


async def test_a_command_ends_although_what_it_left_writes_without_end(machine: Machine) -> None:
    begun = asyncio.get_running_loop().time()
    script = "(while :; do echo more; sleep 0.01; done) & echo $! > /tmp/left"
    assert (await machine.run(["sh", "-c", script])).returncode == 0
    assert asyncio.get_running_loop().time() - begun < 5
    assert (await machine.run(["sh", "-c", "kill $(cat /tmp/left)"])).returncode == 0


@pytest.mark.parametrize(
    "command", [["printf", "a\0b"], ["true", "x" * (1 << 18)], ["true", *["x" * 65536] * 64]]
)
async def test_a_command_that_no_system_takes_fails_like_any_other(
    machine: Machine, command: list[str]
) -> None:
    done = await machine.run(command)
    assert done.returncode == 126 and b"cannot be run" in done.stderr


async def test_zombies_are_collected(machine: Machine) -> None:
    await machine.run(["sh", "-c", "for i in 1 2 3 4 5; do (sleep 0.05 &); done"])
    await asyncio.sleep(0.5)
    states = await machine.run(["sh", "-c", "cut -d' ' -f3 /proc/[0-9]*/stat"])
    assert b"Z" not in states.stdout


async def test_files(machine: Machine) -> None:
    content = bytes(range(256)) * 4096
    await machine.write("deep/er/file name", content)
    assert await machine.read("/app/deep/er/file name") == content
    with pytest.raises(TooMuch):
        await machine.read("deep/er/file name", limit=len(content) - 1)
    with pytest.raises(IsADirectoryError):
        await machine.read("deep")
    with pytest.raises(FileNotFoundError):
        await machine.read("shallow")
    with pytest.raises(PermissionError):
        await machine.write("/etc/new", b"")
    await machine.write("empty", b"")
    assert await machine.read("empty") == b""


@pytest.mark.parametrize("bind", ["127.0.0.1", "::1", "0.0.0.0"])
async def test_a_published_port_leads_to_what_listens_inside(machine: Machine, bind: str) -> None:
    port = {"127.0.0.1": 8001, "::1": 8002, "0.0.0.0": 8003}[bind]
    await machine.write("index.html", b"<p>inside</p>")
    await machine.run(["bash", "-c", f"setsid nohup python3 -m http.server {port} --bind {bind} &"])
    published = await machine.publish(port)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{published}", trust_env=False) as client:
        for _ in range(100):
            try:
                answers = [await client.get("/") for _ in range(3)]
                break
            except httpx.TransportError:
                await asyncio.sleep(0.05)
    assert [answer.text for answer in answers] == ["<p>inside</p>"] * 3


async def test_a_published_port_with_nothing_behind_it_hangs_up(machine: Machine) -> None:
    published = await machine.publish(8099)
    async with httpx.AsyncClient(trust_env=False) as client:
        with pytest.raises(httpx.TransportError):
            await client.get(f"http://127.0.0.1:{published}/", timeout=5)


async def test_an_offered_port_leads_out_to_a_socket_a_port_or_a_function(
    machine: Machine, tmp_path: Path
) -> None:
    async def upper(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.read()).upper())
        await writer.drain()
        writer.close()

    folder = Path(tempfile.mkdtemp())
    try:
        unix = await asyncio.start_unix_server(upper, folder / "s")
        tcp = await asyncio.start_server(upper, "127.0.0.1", 0)
        async with unix, tcp:
            await machine.offer(9001, folder / "s")
            await machine.offer(9002, tcp.sockets[0].getsockname()[1])
            await machine.offer(9003, upper)
            for port in (9001, 9002, 9003):
                code = (
                    f"import socket; s = socket.create_connection(('127.0.0.1', {port}));"
                    "s.sendall(b'a' * 300000); s.shutdown(1);"
                    "print(sum(len(d) for d in iter(lambda: s.recv(65536), b'')))"
                )
                done = await machine.run(["python3", "-c", code], timeout=20)
                assert done.stdout == b"300000\n", done.stderr
            with pytest.raises(BadInput, match="9001 is taken"):
                await machine.offer(9001, upper)
    finally:
        shutil.rmtree(folder)


async def test_packages_come_with_all_that_they_need(anyio_backend: str) -> None:
    spec = MachineSpec(packages=("starlette", "uvicorn"), environment={"PORT": "8000"})
    async with open_machine("bubblewrap", spec) as machine:
        code = "import starlette, anyio, uvicorn, click, os; print(starlette.__file__, os.environ['PORT'])"
        done = await machine.run(["python3", "-c", code])
        assert done.stdout == b"/opt/packages/starlette/__init__.py 8000\n", done.stderr
        assert b"No module" in (await machine.run(["python3", "-c", "import tenure"])).stderr
        assert len(machine.provenance["layer /opt/packages"]) == 64


async def test_tools_that_builders_use_work(machine: Machine) -> None:
    script = """
set -e
python3 -m venv /tmp/venv && /tmp/venv/bin/python -c 'print(1)'
git init -q repo && cd repo && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
printf 'int main(void) { return 0; }' > a.c && cc a.c -o a && ./a
node -e 'console.log(2)'
"""
    done = await machine.run(["bash", "-c", script], timeout=120)
    needed = [name for name in ("git", "cc", "node") if not shutil.which(name)]
    if needed:
        pytest.skip(f"not installed on this host: {', '.join(needed)}")
    assert done.stdout == b"1\n2\n", done.stderr


async def test_a_pinned_image_is_the_same_each_time_and_another_than_the_hosts(machine: Machine) -> None:
    if not machine.image.startswith("pinned:"):
        pytest.skip("pinned roots need dpkg")
    root, layers = layers_of(MachineSpec(root="pinned"))
    assert machine.image == image_of(root, layers)
    assert image_of(*layers_of(MachineSpec(root="host"))).startswith("host:")
    usr = next(one for one in layers if one.name == "usr")
    assert dict(usr.contents)["bash"]


async def test_what_holds_tenure_cannot_be_shown(tmp_path: Path) -> None:
    package = Path(tenure.__file__).parent
    for folder in (package, package / "catalog", package.parent, Path("/")):
        with pytest.raises(BadInput, match="Tenure's own files"):
            async with open_machine("bubblewrap", MachineSpec(binds=((folder, "/opt/x"),))):
                pass
    with pytest.raises(BadInput, match="no-such-thing is not installed"):
        async with open_machine("bubblewrap", MachineSpec(packages=("no-such-thing",))):
            pass


async def test_a_bind_shows_a_folder_read_only(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho tool")
    (tmp_path / "tool").chmod(0o755)
    tmp_path.chmod(0o755)
    spec = MachineSpec(binds=((tmp_path, "/opt/agents/tools"),), path=("/opt/agents/tools",))
    async with open_machine("bubblewrap", spec) as machine:
        assert (await machine.run(["tool"])).stdout == b"tool\n"
        assert (await machine.run(["touch", "/opt/agents/tools/x"])).returncode != 0


async def test_only_the_agent_can_be_run_as(machine: Machine) -> None:
    with pytest.raises(BadInput, match="root"):
        await machine.run(["true"], user="root")


# --- the end


async def test_nothing_is_left_after_the_end_nor_after_an_exception() -> None:
    before = _traces()
    with pytest.raises(RuntimeError, match="in between"):
        async with open_machine("bubblewrap") as machine:
            await machine.run(["sh", "-c", "setsid sleep 77 > /dev/null 2>&1 &"])
            await machine.write("file", b"x" * 1000000)
            published = await machine.publish(8000)
            raise RuntimeError("in between")
    assert _traces() == before
    with pytest.raises(OSError):
        await asyncio.open_connection("127.0.0.1", published)
    with pytest.raises(MachineLost):
        await machine.run(["true"])
    await machine.close()


async def test_a_machine_that_cannot_start_leaves_nothing() -> None:
    before = _traces()
    spec = MachineSpec(binds=((Path("/nowhere-at-all"), "/opt/x"),))
    with pytest.raises(Exception, match="nowhere-at-all"):
        async with open_machine("bubblewrap", spec):
            pass
    assert _traces() == before


async def test_a_killed_harness_takes_its_machines_along(machine: Machine) -> None:
    code = """
import asyncio, json, sys
from tenure.workspace import open_machine
async def main():
    async with open_machine("bubblewrap") as machine:
        await machine.run(["sh", "-c", "setsid sleep 78 > /dev/null 2>&1 &"])
        print(json.dumps({"pid": machine._pid, "folder": str(machine._folder)}), flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""
    harness = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert harness.stdout is not None
    with harness, harness.stdout:
        told = json.loads(harness.stdout.readline())
        harness.send_signal(signal.SIGKILL)
    for _ in range(100):
        if not Path("/proc", str(told["pid"])).exists():
            break
        await asyncio.sleep(0.05)
    assert not Path("/proc", str(told["pid"])).exists()
    sweep()
    assert not Path(told["folder"]).exists()
    assert not [path for path in _traces() if f"-{harness.pid}-" in path]


async def test_two_machines_at_once_have_different_owners_and_the_same_paths() -> None:
    async with open_machine("bubblewrap") as one, open_machine("bubblewrap") as other:
        assert isinstance(one, Bubblewrap) and isinstance(other, Bubblewrap)
        assert one.owner != other.owner or one.form == "user"
        await one.write("which", b"one")
        await other.write("which", b"other")
        assert await one.read("which") == b"one"


def _traces() -> set[str]:
    """What machines of this process could leave on the host."""
    mine = f"-{os.getpid()}-"
    folders = [str(path) for path in Path(tempfile.gettempdir()).glob("tenure-*") if mine in path.name]
    groups = [str(path) for path in Path("/sys/fs/cgroup").glob("*/tenure-*") if mine in path.name]
    loops = [
        str(path) for path in Path("/sys/block").glob("loop*/loop/backing_file") if mine in path.read_text()
    ]
    mounts = [line for line in Path("/proc/self/mounts").read_text().splitlines() if "tenure-machine" in line]
    return {*folders, *groups, *loops, *mounts}
