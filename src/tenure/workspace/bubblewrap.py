"""A machine made by bubblewrap: one long-lived sandbox that each command is entered into.

Two forms, by what the harness may do. As *root* bubblewrap makes the mounts, and each command drops
to an unprivileged user that no other machine has, without capabilities, before it starts: uid 0,
even without any capability, could write the kernel's settings. As an ordinary *user* the sandbox is
a user namespace that forbids further ones.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache

from tenure.schema import BadInput, Fault
from tenure.workspace.base import PATH, Base
from tenure.workspace.bounds import JOIN, may_mount, private_folder
from tenure.workspace.cgroups import Group
from tenure.workspace.commands import exit_of
from tenure.workspace.disk import blank, mounted
from tenure.workspace.machine import MachineSpec
from tenure.workspace.network import Network
from tenure.workspace.rootfs import image_of, layers_of, variables_of
from tenure.workspace.stock import FIRST
from tenure.workspace.together import to_the_end
from tenure.workspace.users import AGENT_UID, Users, accounts, owner_of
from tenure.workspace.view import view

PROGRAMS = {"bwrap": "bubblewrap", "nsenter": "util-linux", "unshare": "util-linux", "setpriv": "util-linux"}
_APART = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net")
_READY = 30.0
_ENDED = 20.0

_INIT = "echo ready; exec > /dev/null; while :; do sleep 2147483647 & wait $!; done"
"""The first process of the sandbox: outlives its children, and collects whoever ended."""


class Bubblewrap(Base):
    """See ``Machine``. Made by ``Bubblewrap.open``."""

    kind = "bubblewrap"

    @classmethod
    async def open(cls, spec: MachineSpec) -> "Bubblewrap":
        """Start a sandbox.

        Raises:
            BadInput: A program is missing, or the specification cannot be met.
            Fault: The sandbox did not start.
        """
        if missing := cls.missing():
            raise BadInput(missing)
        machine = cls(spec)
        try:
            await machine._start()
        except BaseException:
            await to_the_end(machine.close())
            raise
        return machine

    @staticmethod
    @cache
    def missing() -> str:
        """Why there can be no such machine here, and what to do; empty when there can. Tried once."""
        for program, package in PROGRAMS.items():
            if shutil.which(program, path=PATH) is None:
                return f"isolated machines need {program}; install the package {package}"
        user = [] if may_mount() else ["--unshare-user"]
        command = ["bwrap", *user, "--ro-bind", "/", "/", "--proc", "/proc", *_APART, "true"]
        tried = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": PATH})
        if tried.returncode == 0:
            return ""
        said = tried.stderr.strip().splitlines() or ["it said nothing"]
        return f"this system does not let bubblewrap work ({said[-1]}); allow user namespaces or use root"

    def __init__(self, spec: MachineSpec) -> None:
        """Prepare what must be removed again; ``open`` starts the sandbox."""
        super().__init__(spec)
        self.form = "root" if may_mount() else "user"
        self._users = Users() if self.form == "root" else None
        self._uid = self._users.inside if self._users else AGENT_UID
        self._folder = private_folder()
        self._group = Group(spec.limits)
        self._process: subprocess.Popen[bytes] | None = None
        self._first = self._pid = -1
        self._killed = False
        self._userns = self._users.handle if self._users else -1
        self._ending: asyncio.TimerHandle | None = None

    async def _start(self) -> None:
        root, layers = await asyncio.to_thread(layers_of, self.spec)
        self.image = image_of(root, layers)
        self._variables |= await asyncio.to_thread(variables_of, self.spec, layers)
        self._write_etc()
        disk, image = self._folder / "disk", self._folder / "disk.img"
        disk.mkdir()
        options = view(layers, self._folder, disk if self.form == "root" else None, self.spec.limits)
        if self.form == "root":
            await asyncio.to_thread(blank, image, self.spec.limits.disk)
        info, told = os.pipe()
        command = ["bwrap", *options, "--info-fd", str(told), *self._unshared(), "/bin/sh", "-c", _INIT]
        if self.form == "root":
            command = [*mounted(image, disk, self.spec.limits.disk, self.owner), *command]
        with os.fdopen(info) as answer, (self._folder / "said").open("wb") as said:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=said,
                    pass_fds=(told,),
                    env={"PATH": PATH},
                    start_new_session=True,
                )
            finally:
                os.close(told)
            kind = await self._ready()
            # Only a sandbox that is ready has its mounts done; its number is told before.
            self._pid = json.load(answer)["child-pid"]
        self._first = os.pidfd_open(self._pid)
        if self.form == "user":
            self._userns = owner_of(self._pid)
        # Root's helper stays root outside: in the users' namespace it could not even read its own script.
        own = (
            self._nsenter("--net")
            if self.form == "user"
            else ["nsenter", f"--net=/proc/{self._pid}/ns/net", "--"]
        )
        self._network = Network(own)
        if self.spec.limits.lifetime is not None:
            self._ending = asyncio.get_running_loop().call_later(self.spec.limits.lifetime, self._kill)
        self.provenance = {
            "kind": self.kind,
            "form": self.form,
            "isolates": "yes",
            "image": self.image,
            **{f"layer {one.target}": one.hash for one in layers},
            "disk": kind,
            "limits": self._group.enforced or "rlimits",
        }
        for target, command in FIRST.items():
            if any(one.target == target for one in layers) and (await self.run(command)).returncode != 0:
                raise Fault(f"{target} cannot be copied into the machine; is its disk too small?")

    async def _ready(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._process.stdout
        )
        try:
            async with asyncio.timeout(_READY):
                lines = [line.decode().strip() async for line in _until_ready(reader)]
        except TimeoutError:
            lines = []
        finally:
            pipe.close()
        if lines[-1:] != ["ready"]:
            said = (self._folder / "said").read_text("utf-8", "replace").strip().splitlines()
            raise Fault(f"the sandbox did not start: {said[-1] if said else 'bubblewrap said nothing'}")
        return lines[0] if len(lines) > 1 else "tmpfs"

    def _write_etc(self) -> None:
        for name, text in accounts(self._uid).items():
            (self._folder / name).write_text(text)
            (self._folder / name).chmod(0o644)

    def _unshared(self) -> list[str]:
        flags = [*_APART, "--unshare-cgroup-try", "--hostname", "workspace"]
        flags += ["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]
        if self.form == "root":
            return [*flags, "--cap-drop", "ALL", "--setenv", "PATH", PATH]
        user = ["--unshare-user", "--uid", str(self._uid), "--gid", str(self._uid), "--disable-userns"]
        return [*user, *flags, "--setenv", "PATH", PATH]

    def _nsenter(self, *spaces: str) -> list[str]:
        # Root enters the users' namespace last, which takes all rights from it; an ordinary user
        # enters it first, which gives it the right to enter the others.
        user = [f"--user=/proc/{os.getpid()}/fd/{self._userns}"] if self._userns >= 0 else []
        kept = ["--preserve-credentials"] if self.form == "user" else []
        return ["nsenter", "--target", str(self._pid), *user, *kept, *spaces, "--"]

    def _enter(self, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> list[str]:
        limits = self.spec.limits
        bounds = []
        if "pids" not in self._group.enforced:
            bounds.append(f"--nproc={limits.processes}")
        if "memory" not in self._group.enforced:
            bounds.append(f"--data={limits.memory}")
        if self.form == "root":
            uid = str(self._uid)
            drop = [f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--bounding-set=-all"]
            inner = []
        else:
            # The namespace of the mounts would make it their root: on into the one of the agent.
            drop = []
            inner = ["/usr/bin/nsenter", "--user=/proc/1/ns/user", "--preserve-credentials", "--"]
        return [
            *("/bin/sh", "-c", JOIN, "join", str(limits.open_files), *self._group.doors, "--"),
            *(["prlimit", *bounds] if bounds else []),
            *self._nsenter("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup"),
            *inner,
            *("/usr/bin/setpriv", *drop, "--inh-caps=-all", "--no-new-privs", "--"),
            *("/usr/bin/env", "-i", f"--chdir={cwd}", *(f"{name}={value}" for name, value in env.items())),
            *command,
        ]

    def _lost(self) -> bool:
        return self._killed or self._process is None or self._process.poll() is not None

    @property
    def owner(self) -> int:
        """The host's number of the user whose processes and files the machine's are."""
        return self._users.agent if self._users else os.geteuid()

    def peak_memory(self) -> int | None:
        """The most bytes of memory that the machine had in use, where the kernel counts them."""
        return self._group.peak_memory()

    def _kill(self) -> None:
        """End the first process, and with it everything in the sandbox."""
        self._killed = True
        if self._first >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)

    async def close(self) -> None:
        """See ``Machine.close``."""
        if self._ending:
            self._ending.cancel()
        await self._hang_up()
        self._kill()
        if self._process is not None:
            try:
                async with asyncio.timeout(_ENDED if self._first >= 0 else 0):
                    await exit_of(self._process)
            except TimeoutError:
                self._process.kill()
                self._process.wait()
        if self._network is not None:
            self._network.close()
        for handle in (self._first, self._userns):
            if handle >= 0:
                os.close(handle)
        self._first = self._userns = -1
        await asyncio.to_thread(self._group.remove)
        await asyncio.to_thread(shutil.rmtree, self._folder, True)


async def _until_ready(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while line := await reader.readline():
        yield line
        if line == b"ready\n":
            return
