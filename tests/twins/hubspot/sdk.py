"""What the official Python client says about itself: its operations, and schemas of its models."""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import hubspot

from tenure.twins.hubspot.objecttypes import standard

ROOT = Path(hubspot.__file__).parent
_METHOD = re.compile(r"def (\w+)_with_http_info\(.*?(?=\n    def |\Z)", re.S)
_CALL = re.compile(r'call_api\(\s*"([^"]+)",\s*"(\w+)"')
_TYPES = re.compile(r"response_types_map = (\{.*?\})\n", re.S)
_REQUIRED = re.compile(r"Invalid value for `(\w+)`, must not be `None`")
_OBJECTS = re.compile(r"/crm/v3/objects/([\w-]+)(?=/|$)")
_PARAM = re.compile(r"\{\w+\}")


class Operation(NamedTuple):
    """One operation of the client.

    Attributes:
        method: HTTP method.
        path: Path template; object types that the twin knows are folded into ``{objectType}``.
        name: Package and method.
        models: Status → (package, model) that the client reads the answer into.
    """

    method: str
    path: str
    name: str
    models: dict[int, tuple[str, str]]


def shape(path: str) -> str:
    """A template without its parameters' names."""
    return _PARAM.sub("{}", path.rstrip("/"))


def _folded(path: str) -> str:
    match = _OBJECTS.match(path)
    if match and standard(match[1]):
        return path.replace(match[1], "{objectType}", 1)
    return path


@cache
def operations() -> tuple[Operation, ...]:
    """The distinct operations of the client's packages, by path and method."""
    found: dict[tuple[str, str], Operation] = {}
    for file in sorted(ROOT.rglob("api/*_api.py")):
        package = ".".join(file.relative_to(ROOT).parts[:-2])
        for match in _METHOD.finditer(file.read_text()):
            call = _CALL.search(match[0])
            if call is None:
                continue
            path = _folded(call[1])
            listed = _TYPES.search(match[0])
            models = {} if listed is None else ast.literal_eval(listed[1])
            name = f"{package}.{file.stem.removesuffix('_api')}.{match[1]}"
            made = Operation(call[2], path, name, {code: (package, m) for code, m in models.items() if m})
            key = (shape(path), call[2])
            # The generic package names an operation best.
            if key not in found or package == "crm.objects":
                found[key] = made
    return tuple(found[key] for key in sorted(found))


# -- schemas ---------------------------------------------------------------------------------

_PLAIN: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"},
    "object": {},
}


@cache
def _class(package: str, name: str) -> Any:
    return getattr(importlib.import_module(f"hubspot.{package}.models"), name)


def schema(package: str, name: str) -> dict[str, Any]:
    """A JSON schema of one of the client's models, from its ``openapi_types`` and its checks.

    What is not required may be null, and so may the values of a mapping: the client takes both.
    """
    return _schema(package, name, ())


def _schema(package: str, name: str, above: tuple[str, ...]) -> dict[str, Any]:
    # The generator folded every kind of filter branch into one class that requires the fields of all.
    if name in above or "FilterBranch" in name:
        return {"type": "object"}
    model = _class(package, name)
    required = set(_REQUIRED.findall(inspect.getsource(model)))
    fields = {}
    for own, wire in model.attribute_map.items():
        kind = _type(package, model.openapi_types[own], (*above, name))
        fields[wire] = kind if own in required else {"anyOf": [kind, {"type": "null"}]}
    needed = sorted(wire for own, wire in model.attribute_map.items() if own in required)
    return {"type": "object", "properties": fields, "required": needed}


def _type(package: str, text: str, above: tuple[str, ...]) -> dict[str, Any]:
    if text.startswith("list["):
        return {"type": "array", "items": _type(package, text[5:-1], above)}
    if text.startswith("dict["):
        inner = _type(package, text.partition(",")[2][:-1].strip(), above)
        return {"type": "object", "additionalProperties": {"anyOf": [inner, {"type": "null"}]}}
    return _PLAIN[text] if text in _PLAIN else _schema(package, text, above)


def listing() -> str:
    """The text of the twin's ``operations.txt``: every operation of the client's ``crm`` packages."""
    lines = [f"{o.method} {o.path} {o.name}" for o in operations() if o.name.startswith("crm.")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from tenure.twins.hubspot.readme import OPERATIONS

    OPERATIONS.write_text(listing())
