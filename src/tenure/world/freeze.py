"""Freezing a world into an end state, packing it with its base, and opening it again.

An end-state file is a zip: ``manifest.json`` (format, base hash, SHA-256 of each member),
``delta.db``, ``gateway.jsonl`` and, when packed, ``base.db``. A packed file needs nothing else to
be graded again years later.
"""

import hashlib
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import orjson

from tenure.schema import BadInput, Connection, JournalEntry, Shape
from tenure.world.difference import Difference, difference, fingerprint
from tenure.world.gateway import Gateway
from tenure.world.layout import FORMAT
from tenure.world.record import WORLD_KINDS, Key, Record
from tenure.world.store import Store
from tenure.world.twin import Twin
from tenure.world.world import World

R = TypeVar("R", bound=Record)

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    KeyError,
    OverflowError,
)
"""What the standard library raises on a damaged archive (RuntimeError: a flipped "encrypted" bit)."""


class Manifest(Shape):
    """What an end-state file says of itself."""

    format: int
    base: str
    """The base's hash."""
    twins: tuple[str, ...]
    about: dict[str, Any] = {}
    """What ``freeze`` was told."""
    sha256: dict[str, str] = {}
    """Of each other member."""


class EndState:
    """A world that no longer moves: what graders read.

    Attributes:
        facts: What the story's author knows.
        connections: The gateway's log.
        now: World time at the freeze, epoch milliseconds.
    """

    def __init__(self, store: Store, connections: Sequence[Connection]) -> None:
        """Look at a store; nothing here writes to it."""
        self._store = store
        self.connections = tuple(connections)
        self.facts: dict[str, Any] = orjson.loads(store.meta("facts"))
        self.now = int(store.meta("now"))

    @classmethod
    def of(cls, world: World, gateway: Gateway) -> "EndState":
        """The state of a settled world that stays open (for mutants: no file in between)."""
        return cls(world.store, gateway.log)

    def get(self, kind: type[R], id: str) -> R | None:
        """A record at the end, or ``None``."""
        return self._store.get(kind, id)

    def start(self, kind: type[R], id: str) -> R | None:
        """The record as it was in the base, or ``None``."""
        data = self._store.raw_start(kind.kind, id)
        return None if data is None else kind.model_validate_json(data)

    def all(self, kind: type[R], index: str, value: Key = "") -> list[R]:
        """Every record filed under a value of an index, in order."""
        return self._store.all(kind, index, value)

    def every(self, kind: type[R]) -> list[R]:
        """Every record of a kind, by id."""
        return self._store.every(kind)

    def count(self, kind: type[Record], index: str = "", value: Key = "") -> int:
        """How many records; see ``Store.count``."""
        return self._store.count(kind, index, value)

    def blob(self, name: str) -> bytes:
        """Stored bytes by hash."""
        return self._store.blob(name)

    def raw(self, kind: str, id: str) -> bytes | None:
        """A record's JSON at the end."""
        return self._store.raw(kind, id)

    def raw_start(self, kind: str, id: str) -> bytes | None:
        """The record's JSON in the base, or ``None``."""
        return self._store.raw_start(kind, id)

    @cached_property
    def differences(self) -> list[Difference]:
        """The net difference, incidental parts left out."""
        return difference(self._store)

    @cached_property
    def journal(self) -> list[JournalEntry]:
        """Every change, oldest first, incidental ones marked."""
        return self._store.changes()

    def created(self, kind: type[R]) -> list[R]:
        """The records of a kind that were not in the base, by id."""
        ids = [d.id for d in self.differences if d.kind == kind.kind and d.created]
        return [record for id in ids if (record := self.get(kind, id)) is not None]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical difference; equal for equal work."""
        return fingerprint(self.differences)

    @property
    def base_hash(self) -> str:
        """The hash of the base that the state started from."""
        return str(self._store.meta("hash"))

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def freeze(
    world: World, gateway: Gateway, path: Path, *, base: bool = False, about: Mapping[str, Any] | None = None
) -> Path:
    """Write a world's end state.

    Args:
        world: A settled world.
        gateway: Its gateway, for the connection log.
        path: The file to write; it appears whole or not at all.
        base: Pack the base in, so that the file stands alone.
        about: What a grader needs to know beside the state (task, ending, …); JSON-able.

    Returns:
        ``path``.
    """
    members = {
        "delta.db": world.store.save_delta(),
        "gateway.jsonl": b"".join(line.model_dump_json().encode() + b"\n" for line in gateway.log),
    }
    manifest = Manifest(
        format=FORMAT,
        base=world.store.meta("hash"),
        twins=tuple(sorted(world.twins)),
        about=dict(about or {}),
    )
    if base:
        members["base.db"] = world.store.base.read_bytes()
    _write(path, manifest, members)
    return path


def _write(path: Path, manifest: Manifest, members: dict[str, bytes]) -> None:
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    head = manifest.model_copy(update={"sha256": sums}).model_dump_json(indent=2).encode()
    part = path.with_suffix(path.suffix + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"manifest.json": head, **members}.items():
            # A ZipInfo made from a name alone carries no time: equal end states are equal files.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    part.replace(path)


def _read(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        manifest = Manifest.model_validate_json(members.pop("manifest.json"))
    except FileNotFoundError as error:
        raise BadInput(f"{path}: no such end-state file") from error
    except _DAMAGE as error:
        why = str(error).partition("\n")[0]
        raise BadInput(f"{path} is not an end-state file, or it is damaged ({why})") from error
    if manifest.format != FORMAT:
        raise BadInput(f"{path} has format {manifest.format}; this version reads {FORMAT}")
    found = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    if found != manifest.sha256 or not found.keys() >= {"delta.db", "gateway.jsonl"}:
        wrong = sorted(name for name, _ in found.items() ^ manifest.sha256.items()) or sorted(found)
        raise BadInput(f"{path} is damaged: {wrong[0]} does not match its checksum; copy the file again")
    return manifest, members


def about(path: Path) -> dict[str, Any]:
    """What an end-state file says about itself: ``base``, ``twins`` and what ``freeze`` was told.

    Raises:
        BadInput: The file is damaged.
    """
    manifest, _ = _read(path)
    return {**manifest.about, "base": manifest.base, "twins": list(manifest.twins)}


def is_packed(path: Path) -> bool:
    """Whether an end-state file holds its base."""
    _, members = _read(path)
    return "base.db" in members


def describe(path: Path, about: Mapping[str, Any]) -> None:
    """Set what an end-state file says about itself (for states that a world server froze)."""
    manifest, members = _read(path)
    _write(path, manifest.model_copy(update={"about": dict(about)}), members)


def pack(path: Path, base: Path, out: Path) -> Path:
    """Write a copy of an end-state file that holds its base too.

    Raises:
        BadInput: The file is damaged, or started from another base.
    """
    manifest, members = _read(path)
    store = Store(base, ())
    _same_base(store, manifest, path)
    store.close()
    _write(out, manifest, {**members, "base.db": base.read_bytes()})
    return out


def _same_base(store: Store, manifest: Manifest, path: Path) -> None:
    if store.meta("hash") != manifest.base:
        raise BadInput(f"{store.base} is another base than the one {path} started from")


def reopen(path: Path, twins: Sequence[Twin], base: Path | None = None, *, scratch: Path) -> EndState:
    """Open an end-state file for grading.

    Args:
        path: The file.
        twins: The twins whose records it holds.
        base: The base file; not needed when the file is packed.
        scratch: Folder for what is unpacked; it must outlive the end state.

    Raises:
        BadInput: The file is damaged, or the base is missing or another one.
    """
    manifest, members = _read(path)
    if lacking := set(manifest.twins) - {twin.name for twin in twins}:
        raise BadInput(f"{path} holds records of {', '.join(sorted(lacking))}; give that twin too")
    if (packed := members.get("base.db")) is not None:
        scratch.mkdir(parents=True, exist_ok=True)
        base = scratch / f"{manifest.sha256['base.db']}.db"
        if not base.exists():
            part = base.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(packed)
            part.replace(base)
    if base is None or not base.exists():
        raise BadInput(
            f"{path} needs its base {manifest.base[:12]}, which is not at {base}; use a packed file"
        )
    kinds = {kind.kind: kind for twin in twins for kind in twin.kinds}
    store = Store(base, [*WORLD_KINDS, *kinds.values()])
    _same_base(store, manifest, path)
    store.load_delta(members["delta.db"])
    log = [Connection.model_validate_json(line) for line in members["gateway.jsonl"].splitlines()]
    return EndState(store, log)
