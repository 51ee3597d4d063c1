"""Patches in OpenAI's apply-patch format: reading one, and what files become of it. No files are touched.

A patch lies between ``*** Begin Patch`` and ``*** End Patch``. Its parts begin with ``*** Add File: path``,
``*** Delete File: path`` or ``*** Update File: path``, the last perhaps with ``*** Move to: path`` after it.
Places in a file are named by ``@@`` and a line above the place, and by the lines around the change:
``" "`` kept, ``"-"`` taken out, ``"+"`` put in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

BEGIN, END, END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
_ALIKE: tuple[Callable[[str], str], ...] = (str, str.rstrip, str.strip)
"""How lines are compared, strictest first: models get blanks wrong."""


class PatchError(Exception):
    """A patch that cannot be read, or does not fit."""


@dataclass
class Hunk:
    """One change in a file.

    Attributes:
        above: Lines that stand somewhere above it, in order.
        old: The lines that are there.
        new: The lines that shall be there.
        last: Whether ``old`` ends the file.
    """

    above: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    last: bool = False


@dataclass
class Part:
    """What a patch does to one file.

    Attributes:
        path: The file.
        added: Its whole text, where it is added.
        deleted: Whether it is deleted.
        to: Its new path, where it moves.
        hunks: Changes from top to bottom.
    """

    path: str
    added: str | None = None
    deleted: bool = False
    to: str = ""
    hunks: list[Hunk] = field(default_factory=list)


class Written(NamedTuple):
    """A file after a patch: its text, or ``None`` where it is no more."""

    path: str
    text: str | None


def apply(parts: Iterable[Part], texts: Mapping[str, str]) -> list[Written]:
    """What files become.

    Args:
        parts: The parts of a patch.
        texts: The present texts of the files that it changes, by their paths in it.

    Raises:
        PatchError: A change does not fit.
    """
    written: list[Written] = []
    for part in parts:
        if part.added is not None:
            written.append(Written(part.path, part.added))
        elif part.deleted:
            written.append(Written(part.path, None))
        else:
            written.append(Written(part.to or part.path, changed(texts[part.path], part)))
            if part.to and part.to != part.path:
                written.append(Written(part.path, None))
    return written


def parse(patch: str) -> list[Part]:
    """The parts of a patch, in order.

    Raises:
        PatchError: It cannot be read.
    """
    lines = patch.replace("\r\n", "\n").strip().split("\n")
    if lines[0].strip() != BEGIN or lines[-1].strip() != END:
        raise PatchError(f"a patch begins with the line {BEGIN!r} and ends with the line {END!r}")
    parts: list[Part] = []
    for line in lines[1:-1]:
        if line.startswith(_ADD):
            parts.append(Part(line.removeprefix(_ADD).strip(), added=""))
        elif line.startswith(_DELETE):
            parts.append(Part(line.removeprefix(_DELETE).strip(), deleted=True))
        elif line.startswith(_UPDATE):
            parts.append(Part(line.removeprefix(_UPDATE).strip()))
        elif not parts:
            raise PatchError(f"no part has begun before {line!r}")
        else:
            _continue(parts[-1], line)
    paths = [part.path for part in parts]
    if twice := next((path for path in paths if paths.count(path) > 1), ""):
        raise PatchError(f"{twice} has two parts; put its changes into one")
    if not parts:
        raise PatchError("the patch changes nothing")
    for part in parts:
        if part.added is None and not part.deleted and not part.hunks and not part.to:
            raise PatchError(f"{part.path}: the part changes nothing")
    return parts


def _continue(part: Part, line: str) -> None:
    if part.added is not None:
        if not line.startswith("+"):
            raise PatchError(f"{part.path}: each line of a new file begins with '+', unlike {line!r}")
        part.added += f"{line[1:]}\n"
    elif part.deleted:
        raise PatchError(f"{part.path}: nothing follows a deletion, unlike {line!r}")
    elif line.startswith(_MOVE):
        part.to = line.removeprefix(_MOVE).strip()
    elif line.startswith("@@"):
        _place(part, line[2:].strip())
    elif line.strip() == END_OF_FILE:
        _hunk(part).last = True
    else:
        hunk, sign, text = _hunk(part), line[:1], line[1:]
        if sign not in ("", " ", "+", "-"):
            raise PatchError(f"{part.path}: a line begins with ' ', '+', '-' or '@@', unlike {line!r}")
        if sign != "+":
            hunk.old.append(text)
        if sign != "-":
            hunk.new.append(text)


def _place(part: Part, above: str) -> None:
    """Begin a change at ``@@``; several of them in a row name one place."""
    if not part.hunks or part.hunks[-1].old or part.hunks[-1].new:
        part.hunks.append(Hunk())
    if above:
        part.hunks[-1].above.append(above)


def _hunk(part: Part) -> Hunk:
    if not part.hunks:
        part.hunks.append(Hunk())
    return part.hunks[-1]


def changed(text: str, part: Part) -> str:
    """A file's text after its part of a patch; lines end as they did.

    Raises:
        PatchError: A change does not fit.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    out: list[str] = []
    at = 0
    for hunk in part.hunks:
        begin = _found(lines, hunk, at, part.path)
        out += [*lines[at:begin], *_put(hunk, lines[begin : begin + len(hunk.old)])]
        at = begin + len(hunk.old)
    out += lines[at:]
    return "".join(f"{line}{ending}" for line in out)


def _put(hunk: Hunk, there: Sequence[str]) -> Iterator[str]:
    """The new lines; one that the patch keeps stays as it is in the file, blanks and all."""
    kept = list(zip(hunk.old, there, strict=True))
    for line in hunk.new:
        n = next((n for n, (old, _) in enumerate(kept) if old == line), None)
        if n is None:
            yield line
        else:
            yield kept[n][1]
            del kept[: n + 1]


def _found(lines: Sequence[str], hunk: Hunk, at: int, path: str) -> int:
    """Where a change begins, at or after a line."""
    for above in hunk.above:
        at = _seek(lines, [above], at) + 1
        if at == 0:
            raise PatchError(f"{path}: there is no line {above!r} after the change before")
    if not hunk.old:
        # Only new lines: below the named place, or at the end.
        return at if hunk.above and not hunk.last else len(lines)
    begin = _seek(lines, hunk.old, max(at, len(lines) - len(hunk.old)) if hunk.last else at)
    if begin < 0:
        shown = "\n".join(hunk.old[:6])
        raise PatchError(f"{path}: these lines do not stand together after the change before:\n{shown}")
    return begin


def _seek(lines: Sequence[str], wanted: Sequence[str], at: int) -> int:
    """The first place of consecutive lines, as alike as possible; -1 where there is none."""
    for alike in _ALIKE:
        asked = [alike(line) for line in wanted]
        for begin in range(at, len(lines) - len(wanted) + 1):
            if [alike(line) for line in lines[begin : begin + len(wanted)]] == asked:
                return begin
    return -1
