"""Finding and reading the files of a released ViBench 1.0 product, in either of its two layouts."""

import hashlib
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tenure.adopt.anomaly import Findings
from tenure.adopt.files import inside
from tenure.schema.errors import BadInput
from tenure.schema.grow import Audience

MVP = "mvp"
ORDER = "order.json"
INSTRUCTIONS = "seeding_instructions.txt"
LARGEST = 64 * 1024**2
"""Bytes of one file that is read."""
ASSETS = {
    "assets": (Audience.BUILDER,),
    "test_assets": (Audience.SEEDER, Audience.GRADER),
    "test-assets": (Audience.SEEDER, Audience.GRADER),
}
"""Folder → who gets what is in it."""


class Layout(StrEnum):
    """Which of the two released trees a product is of."""

    APART = "prds"
    """``prd/``, and plans below the part that they grade."""
    IN_ORDER = "prds-multiagent"
    """``PRD/``, ``order.json``, and plans of the finished product."""


@dataclass(frozen=True)
class File:
    """A file as released.

    Attributes:
        name: Path below the product's folder.
        data: Its bytes.
    """

    name: str
    data: bytes

    @property
    def stem(self) -> str:
        """The name without folders and ending."""
        return Path(self.name).stem


@dataclass(frozen=True)
class Source:
    """What a released folder holds.

    Attributes:
        name: The product.
        layout: Which tree it is of.
        prds: In the order of building.
        plans: Part (its PRD's stem; empty for the finished product) and file, in order.
        assets: Who gets a file, and the file.
        hashes: Path below the folder → SHA-256 of what was read.
    """

    name: str
    layout: Layout
    prds: tuple[File, ...]
    plans: tuple[tuple[str, File], ...]
    assets: tuple[tuple[tuple[Audience, ...], File], ...]
    hashes: dict[str, str]


def read_source(folder: Path, found: Findings) -> Source:
    """Read a released product.

    Args:
        folder: ``prds/<app>`` or ``prds-multiagent/<app>``.
        found: Takes what is odd.

    Raises:
        BadInput: The folder is of neither layout, or a file cannot be read.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder; give prds/APP or prds-multiagent/APP")
    there = {path.name for path in folder.iterdir()}
    layout = Layout.IN_ORDER if "PRD" in there else Layout.APART
    prd_folder = folder / ("PRD" if layout is Layout.IN_ORDER else "prd")
    if not prd_folder.is_dir() or not (folder / "tests").is_dir():
        raise BadInput(f"{folder}: holds no prd (or PRD) and tests; give prds/APP or prds-multiagent/APP")
    files = {
        path.relative_to(folder).as_posix(): _file(folder, path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    prds = _prds(prd_folder.name, files, found)
    if layout is Layout.IN_ORDER:
        prds = _ordered(prds, files, found)
    if not prds:
        raise BadInput(f"{prd_folder}: holds no PRD")
    plans = _plans(layout, files, {prd.stem for prd in prds}, found)
    assets = _assets(layout, files, found)
    read = [*prds, *(file for _, file in plans), *(file for _, file in assets)]
    if layout is Layout.IN_ORDER and ORDER in files:
        read.append(files[ORDER])
    told = {anomaly.where for anomaly in found.all}
    for name in sorted(files.keys() - {file.name for file in read} - told):
        found.note("stray_file", name, "a file that the layout has no place for", "left out")
    return Source(
        name=slug(folder.resolve().name),
        layout=layout,
        prds=tuple(prds),
        plans=tuple(plans),
        assets=tuple(assets),
        hashes={file.name: hashlib.sha256(file.data).hexdigest() for file in read},
    )


def slug(name: str) -> str:
    """A name in our form: lower case, words joined by single dashes or underscores."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    joined = re.sub(r"[^a-z0-9]+", lambda run: "_" if "_" in run[0] else "-", snake)
    return joined.strip("-_") or "unnamed"


def text_of(file: File, found: Findings) -> str:
    """A plan's or PRD's text, byte-order mark and line ends as they stand.

    Raises:
        BadInput: It is not UTF-8.
    """
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file.name}: is not UTF-8 text") from error
    if text.startswith("\ufeff"):
        found.note("byte_order_mark", file.name, "begins with one", "kept")
    if "\r" in text:
        found.note("line_ends", file.name, "CRLF or CR", "kept as they are; read as line ends")
    return text


def _file(folder: Path, path: Path) -> File:
    name = path.relative_to(folder).as_posix()
    try:
        if not inside(path, folder):
            raise BadInput(f"{name}: leads out of the folder")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{name}: larger than {LARGEST // 1024**2} MiB; this is no product's file")
        return File(name, path.read_bytes())
    except OSError as error:
        raise BadInput(f"{name}: cannot be read ({error.strerror})") from error


def _prds(folder: str, files: dict[str, File], found: Findings) -> list[File]:
    own = [f for name, f in files.items() if re.fullmatch(rf"{folder}/(?:mvp|feature\w*)\.txt", name)]
    prds = sorted(own, key=lambda file: (file.stem != MVP, _natural(file.stem)))
    if prds and prds[0].stem != MVP:
        found.lost("no_mvp", folder, "no mvp.txt", "the first feature stands in its place")
    return prds


def _ordered(prds: list[File], files: dict[str, File], found: Findings) -> list[File]:
    if ORDER not in files:
        found.changed("no_order", ORDER, "there is none", "the features' names give the order")
        return prds
    by_name = {prd.stem: prd for prd in prds}
    ordered: list[File] = []
    for name in _order(files[ORDER]):
        if name not in by_name:
            found.lost("unknown_prd", ORDER, name, "left out: there is no such PRD")
        elif by_name[name] not in ordered:
            ordered.append(by_name[name])
    for name, prd in by_name.items():
        if prd not in ordered:
            found.changed("not_in_order", ORDER, name, "built last")
            ordered.append(prd)
    return ordered


def _order(file: File) -> list[str]:
    try:
        held: Any = json.loads(file.data)
        phases = sorted(held["order"], key=lambda phase: phase["phase_index"])
        return [Path(str(phase["prd_file"])).name.removesuffix(".txt") for phase in phases]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{file.name}: must hold order, a list of {{prd_file, phase_index}}") from error


def _plans(
    layout: Layout, files: dict[str, File], parts: set[str], found: Findings
) -> list[tuple[str, File]]:
    plans = []
    for name in sorted(files, key=_natural):
        match Path(name).parts:
            case ("tests", part, _) if layout is Layout.APART and name.endswith(".txt"):
                if part in parts:
                    plans.append((part, files[name]))
                else:
                    found.lost("unknown_part", name, part, "left out: no PRD is called that")
            case ("tests", _) if layout is Layout.IN_ORDER and name.endswith(".txt"):
                plans.append(("", files[name]))
    return plans


def _assets(
    layout: Layout, files: dict[str, File], found: Findings
) -> list[tuple[tuple[Audience, ...], File]]:
    usual = "test_assets" if layout is Layout.APART else "test-assets"
    assets: list[tuple[tuple[Audience, ...], File]] = []
    for name, file in files.items():
        top = name.partition("/")[0]
        if name == INSTRUCTIONS:
            assets.append(((Audience.SEEDER,), file))
        elif top in ASSETS and "/" in name:
            if top not in ("assets", usual):
                found.note("asset_folder", name, f"{top} in the {layout} layout", "read as the usual one")
            assets.append((ASSETS[top], file))
    return assets


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts ``test10`` after ``test2``."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
