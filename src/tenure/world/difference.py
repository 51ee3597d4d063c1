"""The net difference between a base and an end state: O(changes), incidental parts left out."""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from tenure.world.journal import compare, flat, is_incidental
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


def difference(store: Store) -> list[Difference]:
    """Every net change of a record that matters, ordered by kind and id."""
    found = []
    for name, id, before, after in store.changed():
        kind = store.kinds[name]
        old, new = flat(before), flat(after)
        fields = compare(old, new)
        if is_incidental(kind, fields):
            continue
        if (apart := kind.incidental) and not isinstance(apart, bool):
            old, new, fields = (
                {key: value for key, value in part.items() if key not in apart} for part in (old, new, fields)
            )
        found.append(Difference(name, id, old or None, new or None, fields))
    return found


def canonical(differences: Iterable[Difference]) -> bytes:
    """The net difference as canonical JSON: equal bytes mean equal end states."""
    rows = [[d.kind, d.id, d.after] for d in differences]
    return orjson.dumps(rows, option=orjson.OPT_SORT_KEYS)


def fingerprint(differences: Iterable[Difference]) -> str:
    """SHA-256 of the canonical difference."""
    return hashlib.sha256(canonical(differences)).hexdigest()
