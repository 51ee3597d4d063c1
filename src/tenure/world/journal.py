"""The journal: every change of every record, appended to disk in the transaction's own line.

One line of ``journal.jsonl`` is one committed transaction: what changed (fields before and after),
the whole records after it, new blobs and settings. A torn last line is a transaction that never
was. ``replay`` rebuilds a delta from the file, which is how a killed attempt can be looked at.
"""

import base64
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from tenure.schema import BadInput, Fault, JournalEntry, Via
from tenure.world.record import Record

if TYPE_CHECKING:
    from tenure.world.store import Store


class Stamp(NamedTuple):
    """Who changed something, when, through which door, and because of what.

    Attributes:
        at: World time, epoch milliseconds.
        actor: Account id; empty for the world itself.
        via: The door.
        cause: Sequence number of the change that led to this one.
    """

    at: int
    actor: str
    via: Via
    cause: int | None = None


def flat(data: bytes | None) -> dict[str, Any]:
    """Top-level fields, with mapping fields spread to dotted names."""
    fields: dict[str, Any] = orjson.loads(data) if data else {}
    if dict not in map(type, fields.values()):
        return fields
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat


NO_FIELDS = "{}"
"""What ``changed_fields`` says of two documents that are equal as JSON."""


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; unlike Python's ``==``, true is not 1."""
    kind = type(one)
    if kind is not type(other):
        return bool(one == other) and bool not in (kind, type(other))
    if kind is list:
        return len(one) == len(other) and all(map(same, one, other))
    if kind is dict:
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    return bool(one == other)


def compare(old: dict[str, Any], new: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Changed field → (before, after) of two flat documents; absent reads as ``None``."""
    fields = {
        name: (old.get(name), value)
        for name, value in new.items()
        if name not in old or not same(old[name], value)
    }
    return fields | {name: (value, None) for name, value in old.items() if name not in new}


def changed_fields(before: bytes | None, after: bytes | None) -> str:
    """``compare`` of two documents, as JSON."""
    return orjson.dumps(compare(flat(before), flat(after))).decode()


def is_incidental(kind: type[Record], fields: Mapping[str, Any]) -> bool:
    """Whether a change earns nothing and breaks nothing.

    Args:
        kind: The record's kind.
        fields: The changed fields, dotted; those of a created or deleted record hold its id, which is
            never incidental.
    """
    if isinstance(kind.incidental, bool):
        return kind.incidental
    return all(name in kind.incidental for name in fields)


def entry_of(
    kinds: Mapping[str, type[Record]],
    seq: int,
    at: int,
    actor: str,
    via: str,
    cause: int | None,
    kind: str,
    id: str,
    fields: str,
) -> JournalEntry:
    """One row of the journal as a shape."""
    changed = orjson.loads(fields)
    return JournalEntry(
        seq=seq,
        at=at,
        actor=actor,
        via=Via(via),
        cause=cause,
        kind=kind,
        id=id,
        fields=changed,
        incidental=is_incidental(kinds[kind], changed),
    )


class Journal:
    """Buffers the open transaction and appends it when it commits.

    The write reaches the operating system before the commit returns, so killing the process loses
    nothing that a caller was told.
    """

    def __init__(self, path: Path | None) -> None:
        """Start a journal; ``None`` keeps nothing.

        Raises:
            BadInput: The file holds another attempt's journal.
        """
        self._file: FileIO | None = None
        self._size = 0
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
            if self._file.tell():
                raise BadInput(f"{path} holds the journal of another attempt; move it away to start anew")
        self._pending: list[tuple[str, Any]] = []

    def mark(self) -> int:
        """A place to come back to when an inner transaction fails."""
        return len(self._pending)

    def back_to(self, mark: int) -> None:
        """Forget what came after the mark."""
        del self._pending[mark:]

    def change(self, seq: int, stamp: Stamp, kind: str, id: str, fields: str, after: bytes | None) -> None:
        """Note one change, with the whole record after it (``None`` = deleted)."""
        if self._file is not None:
            self._pending.append(("changes", (seq, *stamp, kind, id, orjson.Fragment(fields), after)))

    def blob(self, name: str, data: bytes) -> None:
        """Note new bytes."""
        if self._file is not None:
            self._pending.append(("blobs", (name, data)))

    def meta(self, key: str, value: str | int) -> None:
        """Note a setting."""
        if self._file is not None:
            self._pending.append(("meta", (key, value)))

    def commit(self) -> None:
        """Append the transaction, if there is one.

        Raises:
            Fault: The file cannot be written; it is left as it was.
        """
        if self._file is None or not self._pending:
            return
        line: dict[str, Any] = {}
        for what, item in self._pending:
            if what == "meta":
                line.setdefault("meta", {})[item[0]] = item[1]
            elif what == "blobs":
                line.setdefault("blobs", {})[item[0]] = base64.b64encode(item[1]).decode()
            else:
                after = item[-1]
                line.setdefault("changes", []).append(
                    [*item[:-1], None if after is None else orjson.Fragment(after)]
                )
        self._pending.clear()
        data = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
        try:
            if self._file.write(data) != len(data):
                raise OSError("the disk is full")
        except OSError as error:
            self._file.truncate(self._size)
            raise Fault(f"{self._file.name} cannot be written ({error}); the change was undone") from error
        self._size += len(data)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def replay(path: Path, store: "Store") -> int:
    """Apply a journal to a fresh store; returns the number of changes applied.

    Raises:
        BadInput: A line other than the last is damaged, or the changes do not follow each other.
    """
    applied = 0
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            item = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            if number == len(lines):
                break
            raise BadInput(f"{path}:{number} is damaged; the attempt cannot be reopened from it") from error
        try:
            applied += _redo(item, store)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            why = str(error).partition("\n")[0]
            raise BadInput(f"{path}:{number} does not follow from {store.base}: {why}") from error
    return applied


def _redo(item: dict[str, Any], store: "Store") -> int:
    changes = item.get("changes", [])
    with store.transaction():
        for name, data in item.get("blobs", {}).items():
            if store.put_blob(base64.b64decode(data)) != name:
                raise ValueError(f"blob {name} does not match its hash")
        for seq, at, actor, via, cause, kind, id, _, after in changes:
            stamp = Stamp(at, actor, Via(via), cause)
            model = store.kinds[kind]
            if after is None:
                done = store.delete(model, id, stamp)
            else:
                done = store.put(model.model_validate(after), stamp)
            if done != seq:
                raise ValueError(f"change {seq} is number {done} here")
            store.set_meta("now", at)
        for key, value in item.get("meta", {}).items():
            store.set_meta(key, value)
    return len(changes)
