"""The net difference between a base and an end state: O(changes), incidental parts left out."""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from tenure.world.journal import changed_fields, flat, is_incidental
from tenure.world.record import Record
from tenure.world.store import Store


class Difference(NamedTuple):
    """One record that ended otherwise than it began.

    Attributes:
        kind: The record's kind.
        id: Its id.
        before: Flat fields in the base (dotted for mappings), ``None`` when created.
        after: Flat fields at the end, ``None`` when deleted.
        fields: Changed field → (before, after), without incidental ones.
    """

    kind: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    fields: dict[str, tuple[Any, Any]]

    @property
    def created(self) -> bool:
        """The record did not exist in the base."""
        return self.before is None

    @property
    def deleted(self) -> bool:
        """The record no longer exists."""
        return self.after is None


def _without(kind: type[Record], fields: dict[str, Any] | None) -> dict[str, Any] | None:
    if fields is None or isinstance(kind.incidental, bool):
        return fields
    return {name: value for name, value in fields.items() if name not in kind.incidental}


def difference(store: Store) -> list[Difference]:
    """Every net change of a record that matters, ordered by kind and id."""
    found = []
    for kind_name, id in store.changed_ids():
        kind = store.kinds[kind_name]
        before, after = store.raw_start(kind_name, id), store.raw(kind_name, id)
        if before == after:
            continue
        fields = orjson.loads(changed_fields(before, after))
        if is_incidental(kind, fields, existed=before is not None and after is not None):
            continue
        kept = _without(kind, fields) or {}
        found.append(
            Difference(
                kind_name,
                id,
                _without(kind, flat(before) if before else None),
                _without(kind, flat(after) if after else None),
                {name: (old, new) for name, (old, new) in kept.items()},
            )
        )
    return found


def canonical(differences: Iterable[Difference]) -> bytes:
    """The net difference as canonical JSON: equal bytes mean equal end states."""
    rows = [[d.kind, d.id, d.after] for d in differences]
    return orjson.dumps(rows, option=orjson.OPT_SORT_KEYS)


def fingerprint(differences: Iterable[Difference]) -> str:
    """SHA-256 of the canonical difference."""
    return hashlib.sha256(canonical(differences)).hexdigest()
