"""Rule 4: whatever a check demands stands in the instruction or in a record that was read in time."""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from tenure.grading.values import states
from tenure.schema import CheckSpec, Expect, Source, Via
from tenure.world import EndState

_AGENT = frozenset({Via.REST, Via.MCP, Via.SCREEN})


def read_before_writing(end: EndState) -> set[tuple[str, str]]:
    """(kind, id) of the records returned to the agent before its first change that counts."""
    writes = [entry.at for entry in end.journal if entry.via in _AGENT and not entry.incidental]
    first = min(writes, default=None)
    return {
        record
        for connection in end.connections
        if first is None or connection.at < first
        for record in connection.records
    }


def unfounded(specs: Iterable[CheckSpec], end: EndState, instruction: str) -> list[str]:
    """The expectations that an agent could not know, one line each.

    Args:
        specs: The task's checks.
        end: The end state of an oracle's attempt.
        instruction: The request as the agent got it.
    """
    read = read_before_writing(end)
    found = []
    for spec in specs:
        for expect in spec.expects:
            problem = _problem(expect, end, instruction, read)
            if problem:
                found.append(f"{spec.id} expects {expect.fact}: {problem}")
    return found


def _problem(expect: Expect, end: EndState, instruction: str, read: set[tuple[str, str]]) -> str:
    if expect.fact not in end.facts:
        return "no such fact"
    value = end.facts[expect.fact]
    if expect.source is Source.INSTRUCTION:
        return "" if states(instruction, value) else f"{value!r} is not in the instruction"
    records = [tuple(ref.partition("/")[::2]) for name in expect.records for ref in _references(end, name)]
    if not records:
        return "it names no record"
    unread = [f"{kind}/{id}" for kind, id in records if (kind, id) not in read]
    if expect.source is Source.DERIVED:
        return f"the oracle did not read {', '.join(unread)} before it wrote" if unread else ""
    stating = [(kind, id) for kind, id in records if states(_text(end, kind, id), value)]
    if not stating:
        return f"{value!r} stands in none of its records"
    if not any(record in read for record in stating):
        return f"the oracle did not read {', '.join(unread)} before it wrote"
    return ""


def _references(end: EndState, fact: str) -> list[str]:
    value = end.facts.get(fact, [])
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _text(end: EndState, kind: str, id: str) -> str:
    data = end.raw_start(kind, id)
    return "\n".join(_strings(orjson.loads(data))) if data else ""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif value is not None:
        yield str(value)
