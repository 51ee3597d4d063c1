"""The filter branches of active lists: which records they match."""

from typing import Any, NamedTuple

from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.service import derived, properties
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.matching import Filter, matches
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

_COMPARED = {
    "IS_EQUAL_TO": "EQ",
    "IS_EXACTLY": "EQ",
    "IS_NOT_EQUAL_TO": "NEQ",
    "IS_NOT_EXACTLY": "NEQ",
    "IS_GREATER_THAN": "GT",
    "IS_GREATER_THAN_OR_EQUAL_TO": "GTE",
    "IS_AFTER": "GT",
    "IS_LESS_THAN": "LT",
    "IS_LESS_THAN_OR_EQUAL_TO": "LTE",
    "IS_BEFORE": "LT",
    "IS_ANY_OF": "IN",
    "IS_NONE_OF": "NOT_IN",
    "IS_KNOWN": "HAS_PROPERTY",
    "IS_UNKNOWN": "NOT_HAS_PROPERTY",
    "IS_BETWEEN": "BETWEEN",
}
"""A list operation's operator → the search operator of the same meaning."""
MAX_DEPTH = 10
_TEXT = ("CONTAINS", "DOES_NOT_CONTAIN", "STARTS_WITH", "ENDS_WITH")


class _Condition(NamedTuple):
    """One filter of a branch.

    Attributes:
        name: The property.
        operator: The vendor's operator.
        wanted: What to compare with: the values, else the value.
        low: Lower bound of a range, else what to compare with.
        high: Upper bound.
    """

    name: str
    operator: str
    wanted: list[str]
    low: str
    high: str


def _condition(part: Body) -> _Condition:
    """Read one filter.

    Raises:
        HubSpotError: 400, its form or its operator is not known.
    """
    if part.text("filterType") != "PROPERTY":
        raise invalid(f"filterType {part.text('filterType')} is not supported; use PROPERTY")
    operation = part.part("operation")
    operator = operation.text("operator")
    if operator not in _COMPARED and operator not in _TEXT:
        raise invalid(f"operator {operator} is not supported; one of {', '.join((*_COMPARED, *_TEXT))}")
    wanted = operation.texts("values") or ([operation.text("value")] if "value" in operation else [])
    low = operation.text("lowerBound", wanted[0] if wanted else "")
    return _Condition(part.text("property"), operator, wanted, low, operation.text("upperBound", ""))


def check(act: Act, t: Type, branch: dict[str, Any], depth: int = 1) -> None:
    """Refuse a filter branch that the twin cannot evaluate, or one nested deeper than ``MAX_DEPTH``.

    Raises:
        HubSpotError: 400, a part of it is not known.
    """
    body = Body(branch, "filterBranch")
    if depth > MAX_DEPTH:
        raise invalid(f"Filter branches may be nested {MAX_DEPTH} deep")
    if body.text("filterBranchType") not in {"AND", "OR"}:
        raise invalid("filterBranchType must be AND or OR")
    for part in body.parts("filterBranches"):
        check(act, t, part.data, depth + 1)
    for part in body.parts("filters"):
        name = _condition(part).name
        if properties.definition(act, t, name) is None:
            raise invalid(f"Property {name} does not exist")


def in_branch(act: Act, t: Type, record: CrmObject, branch: dict[str, Any]) -> bool:
    """Whether a record matches a checked filter branch; an empty one matches nothing."""
    body = Body(branch)
    results = [in_branch(act, t, record, part.data) for part in body.parts("filterBranches")]
    results += [_holds(act, t, record, _condition(part)) for part in body.parts("filters")]
    if not results:
        return False
    return any(results) if body.text("filterBranchType") == "OR" else all(results)


def _holds(act: Act, t: Type, record: CrmObject, c: _Condition) -> bool:
    p = properties.definition(act, t, c.name)
    if p is None:
        return False
    text = derived.value(act, t, record, c.name)
    if c.operator in _TEXT:
        return _says(c, (text or "").lower())
    kind = "list" if p.field_type == "checkbox" else p.type
    operator = _COMPARED[c.operator]
    if operator in {"EQ", "NEQ"} and len(c.wanted) > 1:
        operator = {"EQ": "IN", "NEQ": "NOT_IN"}[operator]
    values = (w.lower() if kind == "string" else w for w in c.wanted)
    return matches(Filter(c.name, operator, kind, c.low, c.high, tuple(values)), text)


def _says(c: _Condition, text: str) -> bool:
    wanted = [w.lower() for w in c.wanted]
    if c.operator == "STARTS_WITH":
        return text.startswith(tuple(wanted))
    if c.operator == "ENDS_WITH":
        return text.endswith(tuple(wanted))
    return any(w in text for w in wanted) == (c.operator == "CONTAINS")
