"""The files that a released task gives to the agent."""

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tenure.adopt.anomaly import Findings
from tenure.adopt.files import inside
from tenure.schema.operate import TaskInput, Track

TRACKS = {"multi-m": Track.MULTIMODAL, "uni-m": Track.TEXT}
"""Folder of the release → the track of the tasks below it."""


@dataclass(frozen=True)
class Place:
    """Where a released task lies.

    Attributes:
        folder: The task's folder, an absolute path.
        root: The folder that was given: the task's own, or one above it.
    """

    folder: Path
    root: Path

    @property
    def name(self) -> str:
        """The path below the root, or the folder's name where the two are one."""
        return self.folder.relative_to(self.root).as_posix() if self.folder != self.root else self.folder.name

    @property
    def track(self) -> Track:
        """By the nearest folder that is called like a track."""
        return TRACKS[self._track.name] if self._track else Track.TEXT

    @property
    def release(self) -> Path:
        """What files of the release lie below: the given folder, or that of its track where it is in one."""
        return self._track if self._track and self.root.is_relative_to(self._track) else self.root

    @property
    def _track(self) -> Path | None:
        return next((path for path in self.folder.parents if path.name in TRACKS), None)


@dataclass(frozen=True)
class Given:
    """One input.

    Attributes:
        input: As the task declares it.
        path: Where it lies.
        released: Its path in the release.
        hash: SHA-256.
    """

    input: TaskInput
    path: Path
    released: str
    hash: str


def read_inputs(told: Any, task: str, place: Place, found: Findings) -> list[Given]:
    """Each input that the task declares and the release holds.

    Args:
        told: ``multimodal_input``.
        task: The task's id, for anomalies.
        place: Where the task lies.
        found: Takes what is odd.
    """
    if isinstance(told, dict):
        found.note("input_form", task, "one object, no list of them", "a list of one")
    held: dict[str, Given] = {}
    for one in told if isinstance(told, list) else [] if told is None else [told]:
        released = str(one.get("file", "")) if isinstance(one, dict) else ""
        given = _given(one, released, task, place, found) if released else None
        if given is None:
            found.lost("input_missing", task, released or one, "left out")
        elif given.input.file in held:
            found.lost(
                "input_repeated", task, f"{released}: another is called {given.input.file}", "left out"
            )
        else:
            held[given.input.file] = given
    if place.track is Track.MULTIMODAL and not held:
        found.note("no_input", task, "multimodal, and given no file")
    return list(held.values())


def _given(one: dict[str, Any], released: str, task: str, place: Place, found: Findings) -> Given | None:
    try:
        path = _path(released, place)
        data = path.read_bytes() if path else b""
    except OSError:
        return None
    if path is None:
        return None
    kind = "pdf" if path.suffix.lower() == ".pdf" else "image"
    if one.get("type") != kind:
        found.note("input_type", task, f"{released} is called {one.get('type')}", kind)
    given = TaskInput(file=PurePosixPath(released).name, type=kind, role=str(one.get("role", "")))
    return Given(given, path, released, hashlib.sha256(data).hexdigest())


def _path(released: str, place: Place) -> Path | None:
    """Where an input lies: its path is meant from the release's own root, and leads to a file of it."""
    asked = PurePosixPath(released)
    if asked.is_absolute() or ".." in asked.parts:
        return None
    there = (up / asked for up in place.folder.parents)
    return next((path for path in there if path.is_file() and inside(path, place.release)), None)
