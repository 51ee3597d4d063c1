"""The footprint guard: changes that a task did not allow (protocols, Carry 7)."""

from collections.abc import Iterable, Mapping
from typing import Any

from tenure.schema import BadInput, Footprint
from tenure.world.difference import Difference


def strays(
    footprint: Footprint, facts: Mapping[str, Any], differences: Iterable[Difference]
) -> tuple[str, ...]:
    """The net changes outside a footprint, one line each.

    Args:
        footprint: What may be created and changed.
        facts: Resolve ``$fact`` entries: an id, ``kind/id``, or a list of either.
        differences: The end state's net difference, incidental parts left out.
    """
    allowed = {kind: _ids(kind, entries, facts) for kind, entries in footprint.change.items()}
    found = []
    for change in differences:
        ids = allowed.get(change.kind, set())
        if change.created and change.kind in footprint.create:
            continue
        if not change.created and not change.deleted and ("*" in ids or change.id in ids):
            continue
        what = (
            "created"
            if change.created
            else "deleted"
            if change.deleted
            else "changed " + ", ".join(change.fields)
        )
        found.append(f"{change.kind} {change.id}: {what}")
    return tuple(found)


def _ids(kind: str, entries: Iterable[str], facts: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    for entry in entries:
        if not entry.startswith("$"):
            found.add(entry)
            continue
        if entry[1:] not in facts:
            raise BadInput(f"footprint: no fact is called {entry[1:]!r}")
        value = facts[entry[1:]]
        for one in value if isinstance(value, list) else [value]:
            found.add(str(one).removeprefix(f"{kind}/"))
    return found
