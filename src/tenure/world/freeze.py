"""Freezing a world into an end state, packing it with its base, and opening it again.

An end-state file is a zip: ``manifest.json`` (format, base hash, SHA-256 of each member),
``delta.db``, ``gateway.jsonl`` and, when packed, ``base.db``. A packed file needs nothing else to
be graded again years later.
"""

import hashlib
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import orjson

from tenure.schema import BadInput, Connection, JournalEntry
from tenure.world.difference import Difference, difference, fingerprint
from tenure.world.gateway import Gateway
from tenure.world.layout import FORMAT
from tenure.world.record import WORLD_KINDS, Key, Record
from tenure.world.store import Store
from tenure.world.twin import Twin
from tenure.world.world import World

R = TypeVar("R", bound=Record)


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
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        delta = Path(folder) / "delta.db"
        world.store.save_delta(delta)
        members = {
            "delta.db": delta.read_bytes(),
            "gateway.jsonl": b"".join(line.model_dump_json().encode() + b"\n" for line in gateway.log),
        }
        if base:
            members["base.db"] = world.store.base.read_bytes()
        manifest = {
            "format": FORMAT,
            "base": world.store.meta("hash"),
            "twins": sorted(world.twins),
            "about": dict(about or {}),
            "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
        }
        _write(path, {"manifest.json": orjson.dumps(manifest, option=orjson.OPT_INDENT_2), **members})
    return path


def _write(path: Path, members: dict[str, bytes]) -> None:
    part = path.with_suffix(path.suffix + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    part.replace(path)


def _read(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        manifest = orjson.loads(members["manifest.json"])
        sums: dict[str, str] = manifest["sha256"]
        found = manifest["format"]
    except FileNotFoundError as error:
        raise BadInput(f"{path}: no such end-state file") from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, EOFError) as error:
        raise BadInput(f"{path} is not an end-state file, or it is damaged ({error})") from error
    if found != FORMAT:
        raise BadInput(f"{path} has format {found}; this version reads {FORMAT}")
    for name, expected in sums.items():
        if name not in members or hashlib.sha256(members[name]).hexdigest() != expected:
            raise BadInput(f"{path} is damaged: {name} does not match its checksum; copy the file again")
    return members


def about(path: Path) -> dict[str, Any]:
    """What an end-state file says about itself: ``base``, ``twins`` and what ``freeze`` was told.

    Raises:
        BadInput: The file is damaged.
    """
    manifest: dict[str, Any] = orjson.loads(_read(path)["manifest.json"])
    return {**manifest.get("about", {}), "base": manifest["base"], "twins": manifest["twins"]}


def pack(path: Path, base: Path, out: Path) -> Path:
    """Write a copy of an end-state file that holds its base too."""
    members = _read(path)
    manifest = orjson.loads(members.pop("manifest.json"))
    members["base.db"] = base.read_bytes()
    manifest["sha256"]["base.db"] = hashlib.sha256(members["base.db"]).hexdigest()
    _write(out, {"manifest.json": orjson.dumps(manifest, option=orjson.OPT_INDENT_2), **members})
    return out


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
    members = _read(path)
    manifest = orjson.loads(members["manifest.json"])
    scratch.mkdir(parents=True, exist_ok=True)
    if "base.db" in members:
        base = scratch / f"{manifest['base']}.db"
        if not base.exists():
            base.write_bytes(members["base.db"])
    if base is None or not base.exists():
        raise BadInput(
            f"{path} needs its base {manifest['base'][:12]}, which is not at {base}; use a packed file"
        )
    delta = scratch / f"{hashlib.sha256(members['delta.db']).hexdigest()}.delta"
    delta.write_bytes(members["delta.db"])
    kinds = {kind.kind: kind for twin in twins for kind in twin.kinds}
    store = Store(base, [*WORLD_KINDS, *kinds.values()])
    if store.meta("hash") != manifest["base"]:
        raise BadInput(f"{base} is another base than the one {path} started from")
    store.load_delta(delta)
    delta.unlink()
    log = [Connection.model_validate_json(line) for line in members["gateway.jsonl"].splitlines()]
    return EndState(store, log)
