"""Running a server for one attempt: its user, its folder, its keeper, and prepared folders."""

import asyncio
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import IO

from tenure.schema import BadInput, Fault
from tenure.workspace.cgroups import Group
from tenure.workspace.machine import Limits
from tenure.workspace.services import keeper
from tenure.workspace.services.base import privileged
from tenure.world.prepare import cache_folder

_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TZ": "UTC"}
_SHARED_CACHE = Path("/var/cache/tenure")
_USERS = range(61184, 65520)
"""User numbers that Debian and systemd give to nobody for good; a server draws one of them."""
_GIB = 1 << 30
LIMITS = Limits(memory=2 * _GIB, disk=4 * _GIB, processes=512)
"""What one service may use: an app must not starve the host by way of its database."""
_STARTED = 30.0
"""Seconds that a server may need to come up on a busy machine."""


class Server:
    """One running server process in a private folder, owned by a user of its own where we are root.

    Attributes:
        folder: Mode 0700, its user's; gone with the server.
    """

    def __init__(self, name: str) -> None:
        """Make the folder."""
        self._name = name
        self._keeper: subprocess.Popen[bytes] | None = None
        self._group: Group | None = None
        self._user = secrets.choice(_USERS) if privileged() else None
        self.folder = Path(tempfile.mkdtemp(prefix=f"tenure-{name}-")).resolve()
        if self._user is not None:
            os.chown(self.folder, self._user, self._user)

    async def run(self, *argv: str, text: str = "") -> str:
        """Run a command to its end as the server's user, in its folder; gives its output.

        Raises:
            Fault: It fails.
        """
        return await asyncio.to_thread(run_as, self._user, self.folder, argv, text)

    def write(self, name: str, text: str) -> Path:
        """A file in the folder that only the server's user can read."""
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text, "utf-8")
        if self._user is not None:
            os.chown(path, self._user, self._user)
        return path

    async def copy(self, source: Path, name: str) -> Path:
        """A copy of a prepared folder, in the server's folder."""
        await self.run("/bin/cp", "-R", "--reflink=auto", str(source), name)
        return self.folder / name

    async def pack(self, name: str, archive: Path) -> None:
        """Keep one of the server's folders in an archive of the harness's.

        Raises:
            Fault: It cannot be read.
        """
        with archive.open("wb") as file:
            await self._tar(["-c", "--sort=name", name], out=file)

    async def unpack(self, archive: Path, name: str) -> Path:
        """Put a folder there that ``pack`` kept; gives where it is.

        Raises:
            Fault: The archive is broken.
        """
        (self.folder / name).mkdir(mode=0o700)
        if self._user is not None:
            os.chown(self.folder / name, self._user, self._user)
        with archive.open("rb") as file:
            await self._tar(["-xp", "--strip-components=1", "-C", name], given=file)
        return self.folder / name

    async def _tar(
        self, words: Sequence[str], *, given: IO[bytes] | None = None, out: IO[bytes] | None = None
    ) -> None:
        done = await asyncio.to_thread(
            subprocess.run,
            ["/bin/tar", *words],
            stdin=given or subprocess.DEVNULL,
            stdout=out or subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=_ENVIRONMENT,
            umask=0o077,
            user=self._user,
            group=self._user,
            extra_groups=None if self._user is None else (),
        )
        if done.returncode:
            raise Fault(f"{self._name}: its files cannot be kept or put back{_last(done.stderr)}")

    async def start(
        self,
        argv: Sequence[str],
        ready: Callable[[], Awaitable[bool]],
        *,
        ends: signal.Signals = signal.SIGTERM,
        kept: signal.Signals | None = None,
        spacious: bool = False,
        port: int | None = None,
    ) -> None:
        """Start the server and wait until it is ready.

        Args:
            argv: The program, by its full path, and its arguments.
            ready: Whether it answers; asked again and again.
            ends: The signal that ends the server.
            kept: The one that ends it when its folder stays; the same by default.
            spacious: Whether it reserves far more address space than it uses. Where it does not, each
                of its processes is held to ``LIMITS.memory`` on hosts without cgroups too.
            port: Where the server listens on loopback, if it cannot listen on a Unix socket; ``relay``
                leads there. Where we are root that is a loopback of its own, and there is no other
                network, whatever the server can be made to do.

        Raises:
            Fault: It ends, or does not answer in time; the text ends with its log's last line.
        """
        self._group = Group(LIMITS)
        spec = {
            "argv": list(argv),
            "env": _ENVIRONMENT,
            "folder": str(self.folder),
            "uid": self._user,
            "gid": self._user,
            "signal": int(ends),
            "kept": int(kept or ends),
            "disk": LIMITS.disk,
            "memory": None if spacious else LIMITS.memory,
            "groups": self._group.doors,
            "port": port,
        }
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, json.dumps(spec)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_STARTED):
                while not await ready():
                    if self._keeper.poll() is not None:
                        _, log = self._keeper.communicate()
                        raise Fault(f"{self._name} ended while it was starting{_last(log)}")
                    await asyncio.sleep(0.01)
        except TimeoutError:
            log = (self.folder / keeper.LOG).read_bytes()
            raise Fault(f"{self._name} did not answer within {_STARTED:g} s{_last(log)}") from None

    @property
    def relay(self) -> Path:
        """The Unix socket that leads to the server's port."""
        return self.folder / keeper.RELAY

    async def pause(self) -> None:
        """End the server but keep its folder, so that it can be started again."""
        await self._end(keeper.KEEP)

    async def close(self) -> None:
        """End the server and remove the folder. May be called again."""
        await self._end(b"")
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    async def _end(self, word: bytes) -> None:
        kept, self._keeper = self._keeper, None
        if kept is not None:
            await asyncio.to_thread(kept.communicate, word)
        if self._group is not None:
            await asyncio.to_thread(self._group.remove)


def _last(log: bytes) -> str:
    lines = log.decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""


def run_as(user: int | None, folder: Path, argv: Sequence[str], text: str = "") -> str:
    """Run a command to its end as a user (``None``: as we are); gives its standard output.

    Raises:
        Fault: It cannot be run or fails; the text ends with its last line.
    """
    try:
        done = subprocess.run(
            argv,
            input=text,
            capture_output=True,
            text=True,
            cwd=folder,
            env=_ENVIRONMENT,
            umask=0o077,
            user=user,
            group=user,
            extra_groups=None if user is None else (),
        )
    except OSError as error:
        raise Fault(f"{argv[0]} cannot be run: {error}") from error
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Fault(f"{Path(argv[0]).name} failed with status {done.returncode}: {''.join(last)}")
    return done.stdout


def program(names: Sequence[str], install: str) -> Path:
    """The first of some programs that is installed.

    Args:
        names: Programs that do the same, the best one first.
        install: What to do where there is none.

    Raises:
        BadInput: There is none.
    """
    for name in names:
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_ENVIRONMENT['PATH']}")
        if found is not None:
            return Path(found)
    raise BadInput(f"{names[0]} is missing; {install}")


def prepared(name: str, build: Callable[[Path], None]) -> Path:
    """A folder that is built once per machine and kept, readable by every server's user.

    Args:
        name: Names the content: equal names hold equal content.
        build: Fills an empty folder.
    """
    root = _cache()
    path = root / name
    if path.is_dir():
        return path
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_dir():
            with tempfile.TemporaryDirectory(dir=root, prefix=f"{name}.") as work:
                Path(work).chmod(0o755)
                made = Path(work) / "made"
                made.mkdir(mode=0o755)
                build(made)
                _publish(made)
                made.rename(path)
    return path


def _publish(folder: Path) -> None:
    """Make a folder ours and everybody's to read."""
    for each in (folder, *folder.rglob("*")):
        if each.is_symlink():
            continue
        if privileged():
            os.chown(each, 0, 0)
        each.chmod(0o755 if each.is_dir() or each.stat().st_mode & 0o100 else 0o644)


def _cache() -> Path:
    root = cache_folder() / "services"
    if privileged() and not reachable(cache_folder()):
        root = _SHARED_CACHE / "services"
    root.mkdir(mode=0o755, parents=True, exist_ok=True)
    return root


def reachable(path: Path) -> bool:
    """Whether any user can go to a path and read it; what is not there yet counts by its parent."""
    path = path.resolve()
    while not path.exists():
        path = path.parent
    return bool(path.stat().st_mode & 0o004) and all(each.stat().st_mode & 0o001 for each in path.parents)
