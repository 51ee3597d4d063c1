"""Folders that machines show: copied once from a list, hashed, kept read-only in the user's cache."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tenure.schema import Fault
from tenure.world.prepare import cache_folder

FORMAT = 1
"""Rises when layers are made differently; older ones are then made anew."""
_KEPT = 30 * 86400.0


@dataclass(frozen=True)
class Layer:
    """One folder of the host that a machine shows.

    Attributes:
        name: What it is (``usr``, ``etc``, ``python``, ``packages``).
        source: The folder on the host.
        target: Where it appears.
        hash: SHA-256 over names, kinds, modes and bytes; ``unpinned`` for a folder of the host itself.
        contents: What was copied, for people: package → version.
    """

    name: str
    source: Path
    target: str
    hash: str
    contents: tuple[tuple[str, str], ...] = ()


def layer(
    name: str,
    target: str,
    key: Iterable[str],
    fill: Callable[[Path], dict[str, str]],
    *,
    cache: Path | None = None,
) -> Layer:
    """A layer from the cache; made when it is not there yet.

    Args:
        name: What it is.
        target: Where it appears.
        key: All that decides its contents.
        fill: Fills an empty folder; returns what it copied.
        cache: The folder that keeps it; that of machines by default.

    Raises:
        Fault: It cannot be made.
    """
    cache = cache or cache_folder() / "machines"
    folder, record = _place(name, target, key, cache)
    if not record.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # The lock file stays: whoever removed it would let the next one in beside the one who makes.
        with record.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not record.exists():
                _prune(name, cache)
                _make(folder, record, fill)
    known = json.loads(record.read_text())
    with contextlib.suppress(OSError):
        os.utime(record)
    return Layer(name, folder, target, known["hash"], tuple(sorted(known["contents"].items())))


def kept(name: str, target: str, key: Iterable[str], cache: Path) -> Path | None:
    """The folder of a layer that is in the cache, without making it; arguments as of ``layer``."""
    folder, record = _place(name, target, key, cache)
    return folder if record.exists() else None


def _place(name: str, target: str, key: Iterable[str], cache: Path) -> tuple[Path, Path]:
    digest = hashlib.sha256("\0".join((str(FORMAT), name, target, *key)).encode()).hexdigest()
    return cache / f"{name}-{digest[:16]}", cache / f"{name}-{digest[:16]}.json"


def _prune(name: str, cache: Path) -> None:
    """Remove layers that nobody has used for a month: those of packages that have been renewed since."""
    for record in cache.glob(f"{name}-*.json"):
        if time.time() - record.stat().st_mtime > _KEPT:
            record.unlink()
            shutil.rmtree(record.with_suffix(""), ignore_errors=True)


def _make(folder: Path, record: Path, fill: Callable[[Path], dict[str, str]]) -> None:
    # The folder of one who was killed before its record was written, and what he was at.
    for left in (folder, *(each for each in folder.parent.glob(f"{folder.name}.*") if each.is_dir())):
        shutil.rmtree(left, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        contents = fill(work)
        work.chmod(0o755)
        written = {"hash": contents_hash(work), "contents": contents}
        work.rename(folder)
        half = record.with_suffix(".half")
        half.write_text(json.dumps(written, indent=1, sort_keys=True))
        half.rename(record)
    except OSError as error:
        raise Fault(f"the machine's folder {folder.name} cannot be made: {error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def contents_hash(folder: Path) -> str:
    """SHA-256 over all names, kinds, modes and bytes; caches of Python, derived from them, left out."""
    digest = hashlib.sha256()
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in sorted((*files, *links)):
            path = Path(place) / name
            head = f"{path.relative_to(folder)}\0"
            if path.is_symlink():
                digest.update(f"{head}->{path.readlink()}\0".encode("utf-8", "surrogateescape"))
                continue
            mode = stat.S_IMODE(path.stat().st_mode)
            digest.update(f"{head}{mode:o}\0".encode("utf-8", "surrogateescape"))
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def copy_file(source: Path, target: Path) -> None:
    """Copy a file or link, without special bits (setuid) and readable for all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        target.unlink(missing_ok=True)
        target.symlink_to(source.readlink())
        return
    shutil.copyfile(source, target)
    state = source.stat()
    target.chmod(0o755 if state.st_mode & 0o111 else 0o644)
    os.utime(target, ns=(state.st_mtime_ns, state.st_mtime_ns))


def copy_tree(source: Path, target: Path, *, without: Callable[[Path], bool] = lambda path: False) -> None:
    """Copy a folder's files and links.

    Args:
        source: The folder.
        target: Where its contents go.
        without: Says of a path relative to the folder whether it is left out.
    """
    for place, folders, files in os.walk(source):
        here = Path(place).relative_to(source)
        folders[:] = [name for name in folders if not without(here / name)]
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in (*files, *links):
            path = Path(place) / name
            if not without(here / name) and (path.is_symlink() or path.is_file()):
                copy_file(path, target / here / name)
