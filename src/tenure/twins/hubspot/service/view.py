"""Objects as the vendor writes them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.service import derived, properties
from tenure.twins.hubspot.service.links import named_links
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.hubspot.service.types import Type, resolve
from tenure.twins.hubspot.times import iso
from tenure.world import Act


@dataclass(frozen=True)
class Asked:
    """What a read asked to see of each object.

    Attributes:
        properties: Names; empty for the type's defaults. Unknown ones are ignored.
        history: Names whose earlier values are wanted too.
        associations: Types whose associated ids are wanted.
        whole: Every value that is set is wanted, beside the defaults.
    """

    properties: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    associations: tuple[str, ...] = ()
    whole: bool = False

    @classmethod
    def of(
        cls, properties: Iterable[str] = (), history: Iterable[str] = (), associations: Iterable[str] = ()
    ) -> "Asked":
        """From the lists of a request."""
        return cls(tuple(properties), tuple(history), tuple(associations))


WHOLE = Asked(whole=True)
"""What a write answers."""


def _names(act: Act, t: Type, record: CrmObject, asked: Asked) -> list[str]:
    base = [t.created, t.spec.modified, "hs_object_id"]
    if asked.whole:
        return sorted({*t.spec.defaults, *base, *record.properties})
    wanted = [*asked.properties, *asked.history] or list(t.spec.defaults)
    known = [n for n in wanted if n in t.spec.defaults or properties.definition(act, t, n) is not None]
    return sorted({*known, *base})


def body(act: Act, t: Type, record: CrmObject, asked: Asked = Asked()) -> dict[str, Any]:
    """One object; notes that it was shown."""
    act.show(record)
    found: dict[str, Any] = {
        "id": record.id,
        "properties": {name: derived.value(act, t, record, name) for name in _names(act, t, record, asked)},
        "createdAt": iso(record.created_at),
        "updatedAt": iso(record.updated_at),
        "archived": record.archived,
    }
    if record.archived_at:
        found["archivedAt"] = iso(record.archived_at)
    if asked.history:
        found["propertiesWithHistory"] = {name: _history(act, t, record, name) for name in asked.history}
    if asked.associations:
        linked = {
            to.key: {"results": results}
            for name in asked.associations
            if (results := named_links(act, t, record, to := resolve(act, name)))
        }
        if linked:
            found["associations"] = linked
    return found


def _history(act: Act, t: Type, record: CrmObject, name: str) -> list[dict[str, Any]]:
    """A property's values, newest first."""
    entries = [
        {"value": c.value, "timestamp": iso(c.at), "sourceType": c.source, "sourceId": c.by}
        for c in reversed(record.history)
        if c.name == name
    ]
    if entries:
        return entries
    current = derived.value(act, t, record, name)
    if current is None:
        return []
    return [
        {"value": current, "timestamp": iso(record.created_at), "sourceType": "INTEGRATION", "sourceId": ""}
    ]


def page(
    act: Act, t: Type, records: Sequence[CrmObject], asked: Asked, after: str, link: str = ""
) -> dict[str, Any]:
    """A list answer: results, and where the next page starts when there is one."""
    return listed([body(act, t, record, asked) for record in records], after, link)
