"""Packs a folder into one archive, and unpacks it: a program that runs inside a machine.

Runs with the standard library only (``python3 -I -c SOURCE pack|unpack FOLDER …``), because both what is
packed and what is unpacked may be hostile, and neither happens outside a machine. The same folder
always gives the same bytes: names are in order, times are nought, nobody owns anything.
"""

import contextlib
import gzip
import io
import os
import stat
import sys
import tarfile
from collections.abc import Collection, Iterable, Iterator
from typing import IO, NamedTuple

TOO_MUCH = 70
"""Exit status: the folder holds more than an archive may."""
_CACHE = "__pycache__"


class Entry(NamedTuple):
    """One thing of a folder.

    Attributes:
        name: Its path below the folder.
        mode: Permissions.
        data: A file's bytes; ``None`` for a folder or a link.
        link: A link's target; ``None`` for what is no link.
    """

    name: str
    mode: int
    data: bytes | None = None
    link: str | None = None


class TooMuch(Exception):
    """The folder holds more than an archive may."""


def write(entries: Iterable[Entry], file: IO[bytes]) -> None:
    """Write entries as a packed archive."""
    with (
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed,
        tarfile.open(
            fileobj=packed,
            mode="w|",
            format=tarfile.GNU_FORMAT,
            encoding="utf-8",
            errors="surrogateescape",
        ) as archive,
    ):
        for entry in entries:
            made = tarfile.TarInfo(entry.name)
            made.mode = entry.mode
            if entry.data is not None:
                made.size = len(entry.data)
                archive.addfile(made, io.BytesIO(entry.data))
                continue
            made.type = tarfile.DIRTYPE if entry.link is None else tarfile.SYMTYPE
            made.linkname = entry.link or ""
            archive.addfile(made)


def entries_of(folder: str, without: Collection[str], files: int, size: int) -> Iterator[Entry]:
    """A folder's files, folders and links, in order; pipes, sockets and what cannot be read are left out.

    Args:
        folder: The folder.
        without: Names of folders that are left out, at any depth; ``/name`` at the top alone.
        files: Entries at most.
        size: Bytes of all files at most.

    Raises:
        TooMuch: There is more.
    """
    for place, folders, names in os.walk(folder):
        below = os.path.relpath(place, folder)
        top = {name[1:] for name in without if name[0] == "/"} if below == "." else set()
        folders[:] = sorted(name for name in folders if name not in without and name not in top)
        for name in sorted((*folders, *names)):
            path = os.path.join(place, name)
            with contextlib.suppress(OSError):  # What runs in the machine may remove it meanwhile.
                entry = _entry(path, os.path.normpath(os.path.join(below, name)), size)
                if entry is None:
                    continue
                files, size = files - 1, size - len(entry.data or b"")
                if files < 0:
                    raise TooMuch("too many files")
                yield entry


def _entry(path: str, name: str, room: int) -> Entry | None:
    state = os.lstat(path)
    mode = stat.S_IMODE(state.st_mode) & 0o777
    if stat.S_ISLNK(state.st_mode):
        return Entry(name, 0o777, link=os.readlink(path))
    if stat.S_ISDIR(state.st_mode):
        return Entry(name, mode | 0o700)
    if not stat.S_ISREG(state.st_mode):
        return None
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        data = file.read(room + 1)
    if len(data) > room:
        raise TooMuch(f"{name}: too large")
    return Entry(name, mode, data)


def unpack(file: IO[bytes], folder: str) -> None:
    """Write an archive's files, folders and links below a folder; nothing is written through a link.

    Raises:
        ValueError: It would write elsewhere, or what it holds is none of these.
        tarfile.TarError, OSError: It is no archive, or there is no room.
    """
    root = os.path.realpath(folder)
    with tarfile.open(fileobj=file, mode="r|gz", encoding="utf-8", errors="surrogateescape") as archive:
        for member in archive:
            path = os.path.join(root, os.path.normpath(member.name))
            parent = os.path.dirname(path)
            if os.path.realpath(parent) != parent or not f"{parent}/".startswith(f"{root}/") or path == root:
                raise ValueError(f"{member.name!r} lies elsewhere")
            os.makedirs(parent, exist_ok=True)
            if member.issym():
                os.symlink(member.linkname, path)
            elif member.isdir():
                os.makedirs(path, exist_ok=True)
                os.chmod(path, member.mode & 0o777 | 0o700)
            elif member.isfile() and (held := archive.extractfile(member)) is not None:
                with open(path, "xb") as made:
                    while part := held.read(1 << 20):
                        made.write(part)
                os.chmod(path, member.mode & 0o777)
            else:
                raise ValueError(f"{member.name!r} is neither file, folder nor link")


def main(verb: str, folder: str, *given: str) -> int:
    """``pack FOLDER FILES SIZE [NAME…]`` to standard output, ``unpack FOLDER`` from standard input."""
    try:
        if verb == "pack":
            files, size, *names = given
            write(entries_of(folder, {_CACHE, *names}, int(files), int(size)), sys.stdout.buffer)
        else:
            unpack(sys.stdin.buffer, folder)
    except TooMuch as error:
        print(error, file=sys.stderr)
        return TOO_MUCH
    except (ValueError, OSError, EOFError, tarfile.TarError) as error:
        print(
            f"{type(error).__name__}: {error}".encode("ascii", "backslashreplace").decode(), file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
