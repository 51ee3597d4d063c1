"""The filter branches of active lists: which records they match."""

from typing import Any

from tenure.twins.hubspot.records import CrmObject, Property
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
        if part.text("filterType") != "PROPERTY":
            raise invalid(f"filterType {part.text('filterType')} is not supported; use PROPERTY")
        operation = part.part("operation")
        operator = operation.text("operator")
        if operator not in _COMPARED and operator not in _TEXT:
            raise invalid(f"operator {operator} is not supported; one of {', '.join((*_COMPARED, *_TEXT))}")
        if properties.definition(act, t, part.text("property")) is None:
            raise invalid(f"Property {part.text('property')} does not exist")


def in_branch(act: Act, t: Type, record: CrmObject, branch: dict[str, Any]) -> bool:
    """Whether a record matches a checked filter branch; an empty one matches nothing."""
    results = [in_branch(act, t, record, part) for part in branch.get("filterBranches", ())]
    results += [_holds(act, t, record, part) for part in branch.get("filters", ())]
    if not results:
        return False
    return any(results) if branch.get("filterBranchType") == "OR" else all(results)


def _holds(act: Act, t: Type, record: CrmObject, part: dict[str, Any]) -> bool:
    p = properties.definition(act, t, str(part["property"]))
    if p is None:
        return False
    operation: dict[str, Any] = part["operation"]
    text = derived.value(act, t, record, p.name)
    wanted = [str(v) for v in operation.get("values", [operation["value"]] if "value" in operation else [])]
    name = str(operation["operator"])
    if name in _TEXT:
        return _text(name, (text or "").lower(), [w.lower() for w in wanted])
    return _compared(p, _COMPARED[name], text, wanted, operation)


def _text(name: str, text: str, wanted: list[str]) -> bool:
    if name == "STARTS_WITH":
        return any(text.startswith(w) for w in wanted)
    if name == "ENDS_WITH":
        return any(text.endswith(w) for w in wanted)
    return any(w in text for w in wanted) == (name == "CONTAINS")


def _compared(
    p: Property, operator: str, text: str | None, wanted: list[str], operation: dict[str, Any]
) -> bool:
    kind = "list" if p.field_type == "checkbox" else p.type
    if operator in {"EQ", "NEQ"} and len(wanted) > 1:
        operator = {"EQ": "IN", "NEQ": "NOT_IN"}[operator]
    low = str(operation.get("lowerBound", wanted[0] if wanted else ""))
    high = str(operation.get("upperBound", ""))
    values = tuple(w.lower() for w in wanted) if kind == "string" else tuple(wanted)
    return matches(Filter(p.name, operator, kind, low, high, values), text)
