"""What is kept of a graded machine for whoever wants to look: its files, its database, its logs."""

from collections.abc import Awaitable
from pathlib import Path

from tenure.workspace import Machine
from tenure.workspace.ready import Workspace
from tenure.workspace.services.dumping import dump

_SECONDS = 120.0
_KEPT = "kept"
_LIMIT = 256 << 20
"""Packed bytes of one file."""
_SMALL_KIB = 512
_PACK = "tar --create --gzip --ignore-failed-read --file -"
_CACHES = ("node_modules", ".venv", "venv", "__pycache__", ".cache", ".npm", "target", ".pytest_cache")

_BARE = " ".join(f"--exclude={name}" for name in _CACHES)
_APP = f"{_PACK} {_BARE} ."
_SMALL = f"find . -type f -size -{_SMALL_KIB}k -print0 | {_PACK} {_BARE} --no-recursion --null -T -"
"""What is kept of an app that is too large: no source file is that long."""
_LOGS = (
    # Something of the agent's may be there, such as a pipe that nobody reads.
    "rm -rf /tmp/processes.log; ps axww > /tmp/processes.log; cd /tmp && "
    f"find . -maxdepth 1 -type f \\( -name '*.log' -o -name '*.out' \\) -print0 | {_PACK} --null -T -"
)


async def freeze(place: Workspace, folder: Path) -> dict[str, str]:
    """Keep the evidence; what cannot be kept is said, and is no failure of the attempt.

    Args:
        place: The workspace, after grading.
        folder: Where the files go.

    Returns:
        File → ``kept``, or why it is not there.
    """
    frozen: dict[str, str] = {}

    async def keep(name: str, taken: Awaitable[bytes]) -> None:
        try:
            (folder / name).write_bytes(await taken)
            frozen[name] = _KEPT
        except Exception as error:
            frozen[name] = f"{type(error).__name__}: {error}"[:300]

    await keep("app.tar.gz", _packed(place.machine, _APP))
    if frozen["app.tar.gz"] != _KEPT:
        await keep("app-small.tar.gz", _packed(place.machine, _SMALL))
    await keep("logs.tar.gz", _packed(place.machine, _LOGS))
    await keep("database.sql.gz", dump(place.service, readable=True, limit=_LIMIT))
    return frozen


async def _packed(machine: Machine, command: str) -> bytes:
    done = await machine.run(["sh", "-c", command], timeout=_SECONDS, limit=_LIMIT)
    if done.cut:
        raise ValueError(f"more than {_LIMIT} bytes")
    if done.returncode > 1:  # 1: a file changed while it was read.
        raise OSError(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    return done.stdout
