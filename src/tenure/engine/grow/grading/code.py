"""A read-only copy of a product's code, for a grader to find its way by; it decides nothing."""

import io
import tarfile
import zlib
from contextlib import suppress
from pathlib import PurePosixPath

SHOWN_LINES, SHOWN_CHARS, FOUND = 400, 20_000, 60
_FILE, _ALL = 1 << 20, 64 << 20
"""Bytes of a file, and of all of them, that are kept."""
_OTHERS = frozenset(["node_modules", ".venv", "venv", ".git", "__pycache__"])
"""Folders that hold what others wrote."""


class Code:
    """The text files of a snapshot, read when they are first asked for."""

    def __init__(self, packed: bytes) -> None:
        """Take a snapshot, a compressed tar archive."""
        self._packed = packed
        self._held: dict[str, str] | None = None

    @property
    def _files(self) -> dict[str, str]:
        if self._held is None:
            self._held = _texts(self._packed)
        return self._held

    def read(self, path: str, first: int = 1) -> str:
        """Lines of a file, numbered; of a folder, the files below it.

        Args:
            path: Below the code's root; nothing for the root.
            first: The first line that is shown.

        Raises:
            FileNotFoundError: There is no such file or folder.
        """
        place = PurePosixPath("/", path.removeprefix("/app"))
        name = str(place).lstrip("/")
        if (text := self._files.get(name)) is not None:
            lines = text.splitlines()
            shown = [f"{n}\t{line}" for n, line in enumerate(lines, 1) if n >= first][:SHOWN_LINES]
            return _cut("\n".join(shown)) or "(nothing)"
        below = [one for one in self._files if place in PurePosixPath("/", one).parents]
        if not below:
            raise FileNotFoundError(f"there is no {name or 'code'}")
        return _cut("\n".join(below))

    def search(self, text: str) -> str:
        """Lines that hold a text, whatever its case, with file and number."""
        wanted, found = text.lower(), []
        for name, held in self._files.items():
            if wanted not in held.lower():
                continue
            for n, line in enumerate(held.splitlines(), 1):
                if wanted in line.lower():
                    found.append(f"{name}:{n}: {line.strip()[:200]}")
        more = f"\n({len(found) - FOUND} more)" if len(found) > FOUND else ""
        return _cut("\n".join(found[:FOUND])) + more or "(nothing)"


def _texts(packed: bytes) -> dict[str, str]:
    held: dict[str, str] = {}
    left = _ALL
    # Whoever built the product packed this; what cannot be read of it is not shown.
    with (
        suppress(tarfile.TarError, OSError, EOFError, zlib.error),
        tarfile.open(fileobj=io.BytesIO(packed), mode="r:*") as archive,
    ):
        for member in archive:
            path = PurePosixPath("/", member.name).relative_to("/")
            if not member.isfile() or member.size > min(_FILE, left) or not _OTHERS.isdisjoint(path.parts):
                continue
            content = archive.extractfile(member)
            data = content.read() if content is not None else b""
            if b"\0" not in data:
                held[str(path)] = data.decode("utf-8", "replace")
                left -= len(data)
    return dict(sorted(held.items()))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}\n(more is left out)"
