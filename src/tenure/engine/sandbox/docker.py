"""Machines that are containers of Docker, opened by Inspect from an image that is made here.

The image holds the files that a bubblewrap machine shows, no more and no less, and is made once. The
container has no network; the harness enters its network namespace where the engine is this host's own.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from tenure.engine.sandbox.line import Line
from tenure.engine.sandbox.named import Named
from tenure.schema import BadInput, Fault
from tenure.workspace.bounds import may_mount
from tenure.workspace.layers import Layer
from tenure.workspace.machine import APP, Limits
from tenure.workspace.network import Network
from tenure.workspace.owner import gone, owner
from tenure.workspace.packed import FORMAT, pack
from tenure.workspace.users import AGENT_UID
from tenure.workspace.view import SHARED, WRITABLE
from tenure.world.prepare import cache_folder

IMAGE = "tenure-machine"
_OWNER = "tenure.harness"
"""A container's label: the process that opened it."""
INIT = "while :; do sleep 2147483647 & wait $!; done"
"""The first process: collects whoever ended."""
_BESIDE = ("packages", "wheels", "npm")
"""Layers that differ between tasks: they lie on an image of the others."""


class Docker(Named):
    """See ``Machine``."""

    kind = "docker"

    def _check(self) -> None:
        _there()

    async def _configure(self, layers: Sequence[Layer]) -> str:
        await asyncio.to_thread(_sweep)
        image = await asyncio.to_thread(image_for, layers)
        file = self._folder / "compose.yaml"
        file.write_text(json.dumps({"services": {"default": _service(image, layers, self.spec.limits)}}))
        return str(file)

    async def _reach(self) -> Network | Line:
        if may_mount():
            opened = await self._sandbox.connection()
            form = ("inspect", "--format", "{{.State.Pid}}", str(opened.container))
            network = f"/proc/{(await asyncio.to_thread(_docker, *form)).strip()}/ns/net"
            with contextlib.suppress(OSError):
                # The same number on another host is another network.
                seen = await self.run(["readlink", "/proc/self/ns/net"])
                if os.readlink(network).encode() == seen.stdout.strip():
                    return Network(["nsenter", f"--net={network}", "--"])
        return await super()._reach()


def _service(image: str, layers: Sequence[Layer], limits: Limits) -> dict[str, Any]:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = limits.open_files if hard == resource.RLIM_INFINITY else min(limits.open_files, hard)
    binds = [one for one in layers if one.name == "bind"]
    return {
        "image": image,
        "pull_policy": "never",
        "command": ["/bin/sh", "-c", INIT.replace("$", "$$")],
        "user": f"{AGENT_UID}:{AGENT_UID}",
        "working_dir": APP,
        "hostname": "workspace",
        "network_mode": "none",
        "read_only": True,
        "tmpfs": [_tmpfs(target, limits) for target in WRITABLE],
        "volumes": [
            {
                "type": "bind",
                "source": str(one.source).replace("$", "$$"),
                "target": one.target.replace("$", "$$"),
                "read_only": True,
                "bind": {"create_host_path": False},
            }
            for one in binds
        ],
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "mem_limit": limits.memory,
        "memswap_limit": limits.memory,
        "pids_limit": limits.processes,
        **({} if limits.cpus is None else {"cpus": limits.cpus}),
        "shm_size": limits.shared_memory,
        "ulimits": {"nofile": {"soft": files, "hard": files}, "core": 0},
        "stop_signal": "SIGKILL",
        "labels": {_OWNER: owner()},
    }


def _tmpfs(target: str, limits: Limits) -> str:
    """A folder that the agent may write: in memory, and all of them together leave an eighth of it."""
    size = min(limits.disk, limits.memory // (2 if target == APP else 8))
    mode = "1777" if target in SHARED else "0755"
    return f"{target}:exec,nosuid,nodev,size={size},mode={mode},uid={AGENT_UID},gid={AGENT_UID}"


def image_for(layers: Sequence[Layer]) -> str:
    """The name of the image that shows these layers; made when the engine does not have it.

    Raises:
        Fault: The engine does not take it.
    """
    shown = [one for one in layers if one.name != "bind"]
    base = [one for one in shown if one.name not in _BESIDE]
    beside = [one for one in shown if one.name in _BESIDE]
    ground, name = _named(base), image_name(layers)
    with _alone():
        if not _has(ground):
            _feed(["import", "-", ground], base, AGENT_UID)
        if not _has(name):
            made = _docker("create", "--network", "none", ground, "/bin/true").strip()
            try:
                _feed(["cp", "-", f"{made}:/"], beside, None)
                _docker("commit", made, name)
            finally:
                _docker("rm", made)
    return name


def image_name(layers: Sequence[Layer]) -> str:
    """The name of the image that shows these layers, and nothing of the host."""
    return _named([one for one in layers if one.name != "bind"])


def _named(layers: Sequence[Layer]) -> str:
    said = "\n".join(f"{one.target} {one.hash}" for one in layers)
    return f"{IMAGE}:{hashlib.sha256(f'{FORMAT} {AGENT_UID} {said}'.encode()).hexdigest()[:16]}"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two attempts that need the same image make it once."""
    folder = cache_folder() / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "docker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _has(image: str) -> bool:
    return bool(_docker("image", "ls", "--quiet", image).strip())


def _feed(command: list[str], layers: Sequence[Layer], agent: int | None) -> None:
    process = subprocess.Popen(
        ["docker", *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stderr is not None
    with process:
        with contextlib.suppress(BrokenPipeError), process.stdin as file:
            pack(layers, file, agent=agent)
        said = process.stderr.read().decode("utf-8", "replace").strip()
    if process.returncode != 0:
        raise Fault(f"docker {command[0]}: {said.splitlines()[-1] if said else 'failed'}")


def _docker(*arguments: str) -> str:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        raise Fault(f"docker {arguments[0]}: {said[-1]}")
    return done.stdout


def _there() -> None:
    if shutil.which("docker") is None:
        raise BadInput("--sandbox docker needs Docker; install its engine, client and compose plugin")
    try:
        _docker("version", "--format", "{{.Server.Version}}")
    except Fault as error:
        raise BadInput(
            f"--sandbox docker: no engine answers ({error}); start one, or set DOCKER_HOST"
        ) from error
    try:
        _docker("compose", "version")
    except Fault as error:
        raise BadInput("--sandbox docker needs Docker's compose plugin, version 2.24 or later") from error


def _sweep() -> None:
    """Remove the containers of harness processes that were killed."""
    form = f'{{{{.ID}}}} {{{{.Label "{_OWNER}"}}}}'
    for line in _docker("ps", "--all", "--filter", f"label={_OWNER}", "--format", form).splitlines():
        container, _, made_for = line.partition(" ")
        if gone(made_for):
            with contextlib.suppress(Fault):
                _docker("rm", "--force", container)
