"""Partial responses: the ``fields`` parameter."""

import re
from typing import Any

from tenure.twins.google.document import Document
from tenure.twins.google.errors import GoogleError

_WORD = re.compile(r"[\w.$-]+|[*,/()]")
Mask = dict[str, "Mask"]
"""Field → what is kept of it; an empty mask keeps all."""


def _refuse(path: str) -> GoogleError:
    text = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    violation = {"field": path, "description": text}
    details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}]
    return GoogleError(400, "Request contains an invalid argument.", "badRequest", details=details)


def parse(selector: str) -> Mask:
    """A selector such as ``messages(id,payload/headers),nextPageToken`` as a mask.

    A dot separates fields as a slash does: newer APIs' clients write ``sheets.properties.title``.

    Raises:
        GoogleError: 400, the selector is malformed.
    """
    words = _WORD.findall(selector)
    if "".join(words) != re.sub(r"\s+", "", selector) or not words:
        raise _refuse(selector)
    mask, rest = _list(words, selector)
    if rest:
        raise _refuse(selector)
    return mask


def _list(words: list[str], selector: str) -> tuple[Mask, list[str]]:
    mask: Mask = {}
    while True:
        node = mask
        while True:
            if not words or words[0] in ",/()":
                raise _refuse(selector)
            name, words = words[0], words[1:]
            for part in name.split("."):
                node = node.setdefault(part, {})
            if words[:1] != ["/"]:
                break
            words = words[1:]
        if words[:1] == ["("]:
            inner, words = _list(words[1:], selector)
            if words[:1] != [")"]:
                raise _refuse(selector)
            node.update(inner)
            words = words[1:]
        if words[:1] != [","]:
            return mask, words
        words = words[1:]


def check(document: Document, schema: dict[str, Any], mask: Mask, path: str = "") -> None:
    """Check that a schema has every field of a mask.

    Raises:
        GoogleError: 400, it lacks one.
    """
    schema = document.resolve(schema)
    while schema.get("type") == "array":
        schema = document.resolve(schema["items"])
    properties = schema.get("properties", {})
    for name, inner in mask.items():
        here = f"{path}/{name}" if path else name
        if name == "*" or "additionalProperties" in schema:
            continue
        if name not in properties:
            raise _refuse(here)
        check(document, properties[name], inner, here)


def select(value: Any, mask: Mask) -> Any:
    """What a mask keeps of a value."""
    if not mask:
        return value
    if isinstance(value, list):
        return [select(item, mask) for item in value]
    if not isinstance(value, dict):
        return value
    everywhere = mask.get("*")
    kept = {}
    for name, item in value.items():
        inner = mask.get(name, everywhere)
        if inner is not None:
            kept[name] = select(item, inner)
    return kept
