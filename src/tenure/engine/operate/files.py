"""The agent's files: a flat folder with its list of things to do, the task's inputs and what it downloads."""

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from pypdf import PdfReader

from tenure.engine.screen.backend import Refused
from tenure.schema.operate import TODO
from tenure.schema.text import cut

TEXTS = (".md", ".txt", ".csv", ".json", ".jsonl", ".html", ".xml")
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
LONGEST = 60_000
"""Characters of a file that are read at once."""
LARGEST = 20 << 20
"""Bytes of all that the agent may write."""
_SIDE = 2_000
"""Pixels that a picture is at most shown wide or high."""
MOST_PICTURES = 8
"""Pictures of a PDF document that are shown at once."""
_NAME_BYTES, _NUMBER_BYTES = 200, len(" (9999)")
"""Bytes of a file's name, and of the number that one may get."""
_NO_NAME = re.compile(r"[/\\\x00-\x1f\x7f\ud800-\udfff]")


class ReadBack(NamedTuple):
    """What reading a file gives.

    Attributes:
        text: In words.
        pictures: PNG files: the picture itself, or those that stand in a PDF document.
    """

    text: str
    pictures: tuple[bytes, ...] = ()


class Files:
    """One attempt's folder of files, by name."""

    def __init__(self, folder: Path) -> None:
        """Use a folder that is there."""
        self.folder = folder

    def start(self, steps: Sequence[str], inputs: Sequence[Path]) -> None:
        """Put the list of things to do and the task's inputs in place."""
        listed = [f"- [ ] {step}" for step in steps] or ["(no steps are given; plan them here)"]
        (self.folder / TODO).write_text("\n".join(["# To do", "", *listed, ""]), "utf-8")
        for path in inputs:
            (self.folder / path.name).write_bytes(path.read_bytes())

    def names(self) -> list[str]:
        """The files that are there."""
        return sorted(path.name for path in self.folder.iterdir())

    @property
    def todo(self) -> str:
        """The list of things to do."""
        path = self.folder / TODO
        return path.read_text("utf-8", "replace") if path.is_file() else ""

    def path(self, name: str) -> Path:
        """The path of a file that is there.

        Raises:
            Refused: It is not.
        """
        path = self._path(name)
        if not path.is_file():
            raise Refused(f"There is no file {name}; files: {', '.join(self.names())}.")
        return path

    def read(self, name: str) -> ReadBack:
        """Read a file.

        Raises:
            Refused: It is not there, or cannot be read.
        """
        path = self.path(name)
        if path.suffix.lower() in PICTURES:
            return ReadBack(f"{path.name}, a picture:", (_png(path),))
        text, pictures = _pdf(path) if path.suffix.lower() == ".pdf" else (_text(path), ())
        cut = f"\n[{len(text)} characters in all]" if len(text) > LONGEST else ""
        return ReadBack(f"{path.name}:\n{text[:LONGEST]}{cut}", pictures)

    def write(self, name: str, text: str, *, append: bool = False) -> None:
        """Write a text file.

        Raises:
            Refused: The name is none for a text file, or there is no room.
        """
        path = self._path(name)
        if path.suffix.lower() not in TEXTS:
            raise Refused(f"{name}: only text files can be written: {', '.join(TEXTS)}.")
        used = sum(other.stat().st_size for other in self.folder.iterdir())
        if used + len(text.encode("utf-8", "replace")) > LARGEST:
            raise Refused(f"There is no room left: your files may hold {LARGEST >> 20} MiB.")
        with path.open("a" if append else "w", encoding="utf-8", errors="replace") as file:
            file.write(text)

    def replace(self, name: str, old: str, new: str) -> int:
        """Replace a text; how often it stood there.

        Raises:
            Refused: The file is not there or is none of text, or the text does not stand in it.
        """
        if not old:
            raise Refused("old_str is empty.")
        text = _text(self.path(name))
        if not (count := text.count(old)):
            raise Refused(f"{name} does not hold that text.")
        self.write(name, text.replace(old, new))
        return count

    def _path(self, name: str) -> Path:
        plain = name.strip().removeprefix("./")
        if _NO_NAME.search(plain) or plain in ("", ".", ".."):
            raise Refused(f"{name[:200]!r} is no file's name: there are no folders.")
        if len(plain.encode()) > _NAME_BYTES:
            raise Refused(f"{name[:60]}… is too long for a file's name.")
        return self.folder / plain


def free(folder: Path, name: str) -> Path:
    """A path of a folder that no file has: the name as far as it can be one, with a number where it is taken.

    Args:
        folder: The folder.
        name: As a page or an agent gives it; of a path, the last part.
    """
    plain = _NO_NAME.sub("_", name.replace("\\", "/").rpartition("/")[2]).strip()
    plain = "download" if plain in ("", ".", "..") else plain
    suffix = cut(Path(plain).suffix, _NAME_BYTES // 4)
    stem = cut(Path(plain).stem, _NAME_BYTES - _NUMBER_BYTES - len(suffix.encode()))
    names = (f"{stem}{suffix}", *(f"{stem} ({n}){suffix}" for n in range(1, 10_000)))
    return next(path for one in names if not (path := folder / one).exists())


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name} holds no text; {path.stat().st_size} bytes.") from error


def _pdf(path: Path) -> tuple[str, tuple[bytes, ...]]:
    """A document's text, page by page, and the pictures in it: a page that was scanned has nothing else."""
    told: list[str] = []
    shown: list[bytes] = []
    try:
        pages = PdfReader(path).pages
        for n, page in enumerate(pages, 1):
            told += [f"[page {n} of {len(pages)}]", page.extract_text()]
            for picture in page.images:
                if len(shown) == MOST_PICTURES:
                    told.append("[its pictures are not shown: too many]")
                    break
                if picture.image is not None:
                    shown.append(_small(picture.image))
                    told.append(f"[picture {len(shown)} stands here]")
    except Exception as error:
        # Whatever a damaged document does to the reader: the agent is told, and nothing else is lost.
        raise Refused(f"{path.name} cannot be read as a PDF document.") from error
    return "\n".join(told), tuple(shown)


def _png(path: Path) -> bytes:
    try:
        with Image.open(path) as picture:
            return _small(picture)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise Refused(f"{path.name} cannot be read as a picture.") from error


def _small(picture: Image.Image) -> bytes:
    """A PNG file that is not too large to show."""
    out = BytesIO()
    picture.thumbnail((_SIDE, _SIDE))
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue()
