"""Search: filter groups, the text query, sorting and paging by offset."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tenure.twins.hubspot.records import Association, CrmObject, Property
from tenure.twins.hubspot.service import derived, properties, types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.matching import Filter, matches, sort_key, tokens
from tenure.twins.hubspot.service.paging import check_limit, cursor
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

MAX_GROUPS, MAX_FILTERS, MAX_ALL_FILTERS = 5, 6, 18
MAX_LIMIT, MAX_RESULTS, MAX_QUERY = 200, 10_000, 3_000
OPERATORS = (
    "EQ",
    "NEQ",
    "LT",
    "LTE",
    "GT",
    "GTE",
    "BETWEEN",
    "IN",
    "NOT_IN",
    "HAS_PROPERTY",
    "NOT_HAS_PROPERTY",
    "CONTAINS_TOKEN",
    "NOT_CONTAINS_TOKEN",
)
_ASSOCIATIONS = "associations."


class Sort(NamedTuple):
    """What results are ordered by."""

    name: str
    descending: bool


class Search(NamedTuple):
    """A parsed search.

    Attributes:
        groups: ORed groups of ANDed filters; none matches everything.
        query: Words that must each begin a word of a searchable property.
        sort: The one sort, or ``None`` for creation order.
        limit: Page size.
        offset: Results to skip.
    """

    groups: list[list[Filter]]
    query: str
    sort: Sort | None
    limit: int
    offset: int


# -- parsing ---------------------------------------------------------------------------------


def parse(act: Act, t: Type, body: Body) -> Search:
    """Read a search request.

    Raises:
        HubSpotError: 400, it breaks one of the vendor's limits or names an unknown property.
    """
    groups = [group.parts("filters") for group in body.parts("filterGroups")]
    if body.parts("filters"):
        groups.append(body.parts("filters"))
    if len(groups) > MAX_GROUPS:
        raise invalid(f"There may be at most {MAX_GROUPS} filterGroups, found {len(groups)}")
    if any(len(group) > MAX_FILTERS for group in groups):
        raise invalid(f"There may be at most {MAX_FILTERS} filters in a filterGroup")
    if sum(map(len, groups)) > MAX_ALL_FILTERS:
        raise invalid(f"There may be at most {MAX_ALL_FILTERS} filters in a search")
    limit = body.number("limit", 10)
    check_limit(limit, MAX_LIMIT)
    offset = cursor(body.text("after", "")) or 0
    if offset + limit > MAX_RESULTS:
        raise invalid(f"A search reaches the first {MAX_RESULTS} results only; narrow the filters instead")
    query = body.text("query", "")
    if len(query) > MAX_QUERY:
        raise invalid(f"query may have at most {MAX_QUERY} characters")
    parsed = [[_filter(act, t, part) for part in group] for group in groups if group]
    return Search(parsed, query, _sort(act, t, body.items("sorts")), limit, offset)


def _property(act: Act, t: Type, name: str) -> Property:
    found = properties.definition(act, t, name)
    if found is None:
        raise invalid(f"There was a problem with the request: Property {name} does not exist")
    return found


def _sort(act: Act, t: Type, sorts: list[Any]) -> Sort | None:
    if len(sorts) > 1:
        raise invalid("There may be at most one sort")
    if not sorts:
        return None
    if isinstance(sorts[0], str):
        sort = Sort(sorts[0].lstrip("-"), sorts[0].startswith("-"))
    else:
        part = Body(sorts[0], "each of sorts")
        direction = part.text("direction", "ASCENDING").upper()
        if direction not in {"ASCENDING", "DESCENDING"}:
            raise invalid(f"direction must be ASCENDING or DESCENDING, was {direction}")
        sort = Sort(part.text("propertyName"), direction == "DESCENDING")
    _property(act, t, sort.name)
    return sort


def _filter(act: Act, t: Type, part: Body) -> Filter:
    part.need("propertyName", "operator")
    name, operator = part.text("propertyName"), part.text("operator")
    if operator not in OPERATORS:
        raise invalid(f"operator must be one of {', '.join(OPERATORS)}, was {operator}")
    low, high, many = part.text("value", ""), part.text("highValue", ""), part.texts("values")
    if operator in {"IN", "NOT_IN"}:
        if not many:
            raise invalid(f"operator {operator} requires values")
    elif operator == "BETWEEN":
        part.need("value", "highValue")
    elif operator not in {"HAS_PROPERTY", "NOT_HAS_PROPERTY"} and "value" not in part:
        raise invalid(f"operator {operator} requires a value")
    if name.startswith(_ASSOCIATIONS):
        to = types.resolve(act, name.removeprefix(_ASSOCIATIONS))
        if operator not in {"EQ", "NEQ", "IN", "NOT_IN", "HAS_PROPERTY", "NOT_HAS_PROPERTY"}:
            raise invalid(f"operator {operator} is not supported on {name}")
        return Filter(name, operator, "association", low, high, tuple(many), to.key)
    p = _property(act, t, name)
    kind = "list" if p.field_type == "checkbox" else p.type
    made = Filter(name, operator, kind, low, high, tuple(many))
    if error := made.problem():
        raise invalid(error)
    return made


# -- running ---------------------------------------------------------------------------------


def run(act: Act, t: Type, search: Search) -> tuple[list[CrmObject], int]:
    """One page of results and how many there are in all."""
    delay = types.portal(act).search_delay_ms
    horizon = act.now - delay if delay else None
    if not search.groups and not search.query and search.sort is None and horizon is None:
        ids = act.ids(t.kind, "created", t.live)
        shown = ids[search.offset : search.offset + search.limit]
        return [found for id in shown if (found := act.get(t.kind, id)) is not None], len(ids)
    hits = [r for r in _candidates(act, t, search, horizon) if _hit(act, t, r, search)]
    hits.sort(key=lambda r: (r.created_at, int(r.id)))
    if search.sort is not None:
        hits = _sorted(act, t, hits, search.sort)
    return hits[search.offset : search.offset + search.limit], len(hits)


def _sorted(act: Act, t: Type, hits: list[CrmObject], sort: Sort) -> list[CrmObject]:
    """Ordered by one property; records without a value are the least."""
    kind = _property(act, t, sort.name).type
    valued = [(v, r) for r in hits if (v := derived.value(act, t, r, sort.name))]
    valued.sort(key=lambda pair: sort_key(kind, pair[0]), reverse=sort.descending)
    have = {r.id for _, r in valued}
    without = [r for r in hits if r.id not in have]
    ordered = [r for _, r in valued]
    return ordered + without if sort.descending else without + ordered


def _candidates(act: Act, t: Type, search: Search, horizon: int | None) -> list[CrmObject]:
    """The records that can match: by index where every group allows it, else all of the type."""
    if horizon is not None:
        return _as_of(act, t, horizon)
    ids: set[str] = set()
    for group in search.groups:
        narrow = [few for f in group if (few := _narrow(act, t, f)) is not None]
        if not narrow:
            return act.all(t.kind, "state", t.live)
        ids |= min(narrow, key=len)
    if not search.groups:
        return act.all(t.kind, "state", t.live)
    found = (act.get(t.kind, id) for id in ids)
    return [
        r for r in found if r is not None and not r.archived and not r.merged_into and r.type_key == t.key
    ]


def _narrow(act: Act, t: Type, f: Filter) -> set[str] | None:
    """Ids that hold all that a filter can match, when an index knows."""
    if f.operator not in {"EQ", "IN"}:
        return None
    wanted = f.values if f.operator == "IN" else (f.value,)
    if f.association:
        ends = (f"{f.association}/{id}>{t.key}" for id in wanted)
        links = [(end, a) for end in ends for a in act.all(Association, "between", end)]
        return {a.a_id if end.startswith(f"{a.b_type}/{a.b_id}>") else a.b_id for end, a in links}
    if f.name == "hs_object_id":
        return set(wanted)
    if f.name in t.spec.indexed and f.kind in {"string", "enumeration"}:
        return {id for v in wanted for id in act.ids(t.kind, "value", f"{f.name}={v.strip().lower()}")}
    return None


def _as_of(act: Act, t: Type, horizon: int) -> list[CrmObject]:
    """The type's records as they were at a time: what an index that lags still shows."""
    found = []
    recent = [r for r in act.all(t.kind, "state", t.archived) if (r.archived_at or 0) > horizon]
    for record in [*act.all(t.kind, "state", t.live), *recent]:
        if record.created_at > horizon:
            continue
        for name in {c.name for c in record.history if c.at > horizon}:
            record.properties[name] = next(
                c.value for c in reversed(record.history) if c.name == name and c.at <= horizon
            )
        found.append(record)
    return found


def _hit(act: Act, t: Type, record: CrmObject, search: Search) -> bool:
    if search.query and not _says(record, t.spec.searchable, search.query):
        return False
    if not search.groups:
        return True
    read = _reader(act, t, record)
    return any(all(matches(f, read(f)) for f in group) for group in search.groups)


def _reader(act: Act, t: Type, record: CrmObject) -> Callable[[Filter], str | None]:
    def read(f: Filter) -> str | None:
        if f.association:
            return ";".join(derived.linked(act, record, f.association)) or None
        return derived.value(act, t, record, f.name)

    return read


def _says(record: CrmObject, names: Iterable[str], query: str) -> bool:
    """Whether each word of the query begins a word of some searchable value."""
    text = " ".join(v for name in names if (v := record.properties.get(name))).lower()
    asked = query.lower().split()
    if not all(word in text for word in asked):
        return False
    words = tokens(text) | set(text.split())
    return all(any(word.startswith(start) for word in words) for start in asked)
