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
        footprint: What may be created, changed and deleted.
        facts: Resolve ``$fact`` entries: an id, ``kind/id``, or a list of either.
        differences: The end state's net difference, incidental parts left out.
    """
    change, delete = _allowed(footprint.change, facts), _allowed(footprint.delete, facts)
    found = []
    for one in differences:
        if one.created:
            allowed, what = one.kind in footprint.create, "created"
        elif one.deleted:
            allowed, what = _holds(delete, one), "deleted"
        else:
            allowed, what = _holds(change, one), "changed " + ", ".join(one.fields)
        if not allowed:
            found.append(f"{one.kind} {one.id}: {what}")
    return tuple(found)


def _holds(ids: Mapping[str, set[str]], one: Difference) -> bool:
    return not {"*", one.id}.isdisjoint(ids.get(one.kind, ()))


def _allowed(entries: Mapping[str, Iterable[str]], facts: Mapping[str, Any]) -> dict[str, set[str]]:
    return {kind: _ids(kind, names, facts) for kind, names in entries.items()}


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
