"""Property values: how the vendor checks what is written, and what it stores."""

import re
from typing import Any

from tenure.twins.hubspot.definitions import PIPELINE_PROPERTIES
from tenure.twins.hubspot.records import CrmObject, Owner, Property
from tenure.twins.hubspot.service import pipelines, properties
from tenure.twins.hubspot.service.errors import invalid_values, problem
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.valuetext import as_text, typed_text
from tenure.world import Act

MAX_LENGTH = 65_536
"""Longest value, characters."""
_EMAIL = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>.]+")
_OWNERS = frozenset({"hubspot_owner_id"})


class _Invalid(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def _choice(p: Property, text: str) -> str:
    allowed = {o.value for o in p.options}
    parts = text.split(";") if p.field_type == "checkbox" else [text]
    for part in parts:
        if part not in allowed:
            listed = ", ".join(
                f'label: "{o.label}" value: "{o.value}"'
                for o in sorted(p.options, key=lambda o: o.display_order)
            )
            raise _Invalid("INVALID_OPTION", f"{part} was not one of the allowed options: [{listed}]")
    return ";".join(dict.fromkeys(parts))


def _owner(act: Act, text: str) -> str:
    found = act.get(Owner, text)
    if found is None or found.archived:
        raise _Invalid("INVALID_OWNER_ID", f"Owner with id {text} does not exist")
    return text


def _one(act: Act, t: Type, p: Property, text: str, before: str) -> str:
    """One value as stored."""
    if p.read_only:
        raise _Invalid("READ_ONLY_VALUE", f'"{p.name}" is a read only property; its value cannot be set.')
    if not text:
        return ""
    if len(text) > MAX_LENGTH:
        raise _Invalid("PROPERTY_VALUE_TOO_LONG", f"{p.name} is longer than {MAX_LENGTH} characters")
    try:
        text = typed_text(p.type, text)
    except ValueError as error:
        if p.type == "number":
            raise _Invalid("INVALID_NUMBER", f"{text} was not a valid number.") from None
        raise _Invalid("INVALID_DATE", str(error)) from None
    if p.name in _OWNERS:
        return _owner(act, text)
    if p.field_type == "checkbox" and text.startswith(";"):
        text = f"{before}{text}" if before else text[1:]
    if p.type in {"enumeration", "bool"}:
        return text if p.external_options else _choice(p, text.lower() if p.type == "bool" else text)
    if t.key == "contacts" and p.name == "email":
        if not _EMAIL.fullmatch(text.strip()):
            raise _Invalid("INVALID_EMAIL", f"Email address {text} is invalid")
        return text.strip().lower()
    return text.strip().lower() if t.key == "companies" and p.name == "domain" else text


def checked(act: Act, t: Type, given: dict[str, Any], record: CrmObject | None = None) -> dict[str, str]:
    """What a write stores.

    Args:
        act: The act.
        t: The object's type.
        given: Name → value as it came; null and ``""`` clear.
        record: The record written to; ``None`` for a new one.

    Returns:
        Name → text, empty to clear.

    Raises:
        HubSpotError: 400 with every invalid value.
    """
    before = record.properties if record else {}
    found: dict[str, str] = {}
    problems: list[dict[str, Any]] = []
    for name, value in given.items():
        p = properties.definition(act, t, name)
        if p is None:
            problems.append(problem(name, "PROPERTY_DOESNT_EXIST", f'Property "{name}" does not exist'))
            continue
        try:
            if isinstance(value, (dict, list)):
                raise _Invalid("INVALID_VALUE", f"{name} must be a string")
            found[name] = _one(act, t, p, as_text(value), before.get(name, ""))
        except _Invalid as error:
            problems.append(problem(name, error.code, error.message))
    problems += _stages(act, t, found, before)
    if problems:
        raise invalid_values(problems)
    _hold_lifecycle(act, t, found, before)
    return found


def _stages(act: Act, t: Type, found: dict[str, str], before: dict[str, str]) -> list[dict[str, Any]]:
    """Fill in the pipeline that a stage is in, and refuse a stage of another one."""
    names = PIPELINE_PROPERTIES.get(t.key)
    if names is None or not (found.get(names[0]) or found.get(names[1])):
        return []
    of_pipeline, of_stage = names
    if not found.get(of_pipeline) and not before.get(of_pipeline):
        every = pipelines.every(act, t)
        if every:
            found[of_pipeline] = every[0].pipeline_id
    id = found.get(of_pipeline) or before.get(of_pipeline, "")
    pipeline = pipelines.find(act, t, id)
    if pipeline is None:
        return [
            problem(
                of_pipeline, "INVALID_OPTION", f"{id} was not one of the allowed options: no such pipeline"
            )
        ]
    stage = found.get(of_stage, before.get(of_stage, ""))
    stages = [s.id for s in pipelines.live_stages(pipeline)]
    if stage and stage not in stages:
        message = f"{stage} is not a stage of pipeline {id}; its stages: {', '.join(stages)}"
        return [problem(of_stage, "INVALID_OPTION", message)]
    return []


def _hold_lifecycle(act: Act, t: Type, found: dict[str, str], before: dict[str, str]) -> None:
    """Keep the lifecycle stage when a write would move it back: the vendor ignores such a value."""
    p = properties.definition(act, t, "lifecyclestage")
    if p is None or not found.get("lifecyclestage"):
        return
    order = {o.value: n for n, o in enumerate(sorted(p.options, key=lambda o: o.display_order))}
    if order[found["lifecyclestage"]] < order.get(before.get("lifecyclestage", ""), -1):
        del found["lifecyclestage"]
