"""Google's discovery documents: methods, parameters, and binding requests to their schemas.

Error texts follow the vendor's JSON transcoding; the shapes follow the documents.
"""

import re
from functools import cached_property
from importlib.resources import files
from typing import Any, NamedTuple

import orjson

from tenure.twins.google.errors import GoogleError, bad_request

_TYPES = {
    "boolean": "TYPE_BOOL",
    "integer": "TYPE_INT32",
    "number": "TYPE_DOUBLE",
    "string": "TYPE_STRING",
    "int64": "TYPE_INT64",
    "uint64": "TYPE_UINT64",
    "uint32": "TYPE_UINT32",
    "byte": "TYPE_BYTES",
}
_RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint64": (0, 2**64 - 1),
}
_INTEGER = re.compile(r"[+-]?\d+")


class Method(NamedTuple):
    """One method of a discovery document.

    Attributes:
        id: ``gmail.users.messages.get``.
        http: Upper-case HTTP method.
        path: Template from the root, with its leading slash.
        parameters: Path and query parameters as described.
        request: Reference to the body's schema, or ``None``.
        response: Reference to the result's schema, or ``None``.
        scopes: Any one of which opens the method.
        uploads: Path templates that take media.
    """

    id: str
    http: str
    path: str
    parameters: dict[str, dict[str, Any]]
    request: dict[str, Any] | None
    response: dict[str, Any] | None
    scopes: frozenset[str]
    uploads: tuple[str, ...]


def camel(name: str) -> str:
    """``label_ids`` as ``labelIds``: requests may use either."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest) if head else name


def snake(name: str) -> str:
    """``labelIds`` as ``label_ids``: error texts use it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Document:
    """A discovery document that lies beside a twin; read when first used."""

    def __init__(self, package: str, file: str) -> None:
        """Name the file.

        Args:
            package: The package that holds it.
            file: Its name.
        """
        self._package, self._file = package, file

    @cached_property
    def raw(self) -> bytes:
        """The document as served."""
        return files(self._package).joinpath(self._file).read_bytes()

    @cached_property
    def content(self) -> dict[str, Any]:
        """The document."""
        content: dict[str, Any] = orjson.loads(self.raw)
        return content

    @cached_property
    def methods(self) -> dict[str, Method]:
        """Every method by id."""
        found: dict[str, Method] = {}
        pending = [self.content]
        while pending:
            resource = pending.pop()
            pending += resource.get("resources", {}).values()
            for method in resource.get("methods", {}).values():
                protocols = method.get("mediaUpload", {}).get("protocols", {})
                found[method["id"]] = Method(
                    method["id"],
                    method["httpMethod"],
                    "/" + self.content["servicePath"] + method["path"],
                    method.get("parameters", {}),
                    method.get("request"),
                    method.get("response"),
                    frozenset(method.get("scopes", ())),
                    tuple(protocol["path"] for protocol in protocols.values()),
                )
        return dict(sorted(found.items()))

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema, following its reference."""
        resolved: dict[str, Any] = self.content["schemas"][schema["$ref"]] if "$ref" in schema else schema
        return resolved

    def bind_query(self, method: Method, path: dict[str, str], args: dict[str, list[str]]) -> dict[str, Any]:
        """Typed parameters of a call; defaults of the description filled in.

        Args:
            method: The method.
            path: Path parameters, decoded.
            args: Query arguments.

        Raises:
            GoogleError: 400, an unknown parameter or a value of the wrong type.
        """
        wrong: list[tuple[str, str]] = []
        bound: dict[str, Any] = dict(path)
        for given, values in args.items():
            name = given if given in method.parameters else camel(given)
            described = method.parameters.get(name)
            if described is None:
                if given not in self.content["parameters"]:
                    text = (
                        f"Cannot bind query parameter. Field '{given}' could not be found in request message."
                    )
                    wrong.append(("", f'Invalid JSON payload received. Unknown name "{given}": {text}'))
                continue
            typed = [self._scalar(described, value, snake(name), wrong) for value in values]
            bound[name] = typed if described.get("repeated") else typed[-1]
        for name, described in method.parameters.items():
            if name not in bound and "default" in described and described["location"] == "query":
                bound[name] = self._scalar(described, described["default"], name, wrong)
        if wrong:
            raise bad_request(wrong)
        return bound

    def bind_body(self, schema: dict[str, Any], body: bytes) -> dict[str, Any]:
        """A JSON body as its schema types it, in the schema's own field names.

        Raises:
            GoogleError: 400, no JSON, an unknown field or a value of the wrong type.
        """
        try:
            value = orjson.loads(body) if body.strip() else {}
        except orjson.JSONDecodeError as error:
            text = f"Invalid JSON payload received. {error}"
            raise GoogleError(400, text, "parseError") from None
        if not isinstance(value, dict):
            raise bad_request(
                [("", f'Invalid JSON payload received. Root element must be a message, not "{value}".')]
            )
        wrong: list[tuple[str, str]] = []
        bound: dict[str, Any] = self._value(schema, value, "", wrong)
        if wrong:
            raise bad_request(wrong)
        return bound

    def _value(self, schema: dict[str, Any], value: Any, path: str, wrong: list[tuple[str, str]]) -> Any:
        schema = self.resolve(schema)
        kind = schema.get("type")
        if kind == "array":
            if not isinstance(value, list):
                value = [value]
            return [self._value(schema["items"], v, f"{path}[{i}]", wrong) for i, v in enumerate(value)]
        if kind != "object":
            return self._scalar(schema, value, path, wrong)
        if not isinstance(value, dict):
            wrong.append((path, f"Invalid value at '{path}' (type.googleapis.com/{schema.get('id', '')})"))
            return {}
        bound = {}
        properties = schema.get("properties", {})
        for given, item in value.items():
            name = given if given in properties else camel(given)
            described = properties.get(name, schema.get("additionalProperties"))
            if described is None:
                where = f" at '{path}'" if path else ""
                text = f'Invalid JSON payload received. Unknown name "{given}"{where}: Cannot find field.'
                wrong.append((path, text))
            elif item is not None:
                inner = f"{path}.{snake(name)}" if path else snake(name)
                bound[name] = self._value(described, item, inner, wrong)
        return bound

    def _scalar(self, schema: dict[str, Any], value: Any, path: str, wrong: list[tuple[str, str]]) -> Any:
        kind, form = schema.get("type", "any"), schema.get("format", "")
        text = value if isinstance(value, str) else orjson.dumps(value).decode()
        good, result = True, value
        if kind == "boolean":
            good = text.lower() in ("true", "false", "1", "0")
            result = text.lower() in ("true", "1")
        elif kind == "integer" or form in ("int64", "uint64"):
            good = isinstance(value, int | str) and not isinstance(value, bool)
            good = good and _INTEGER.fullmatch(text) is not None
            if good:
                low, high = _RANGES[form or "int32"]
                good = low <= int(text) <= high
                result = int(text) if kind == "integer" else str(int(text))
        elif kind == "number":
            good = isinstance(value, int | float) and not isinstance(value, bool)
        elif kind == "string":
            known = {name.lower(): name for name in schema.get("enum", ())}
            good = isinstance(value, str) and (not known or text.lower() in known)
            result = known.get(text.lower(), value) if good else value
        if not good:
            name = _TYPES.get(form) or _TYPES.get(kind, "TYPE_ENUM")
            name = "TYPE_ENUM" if "enum" in schema and isinstance(value, str) else name
            shown = orjson.dumps(value).decode()
            wrong.append((path, f"Invalid value at '{path}' ({name}), {shown}"))
        return result


def json_schema(document: Document, name: str) -> dict[str, Any]:
    """A response schema as JSON Schema (draft 2020-12), closed: unknown fields are errors.

    Args:
        document: The discovery document.
        name: Of one of its schemas.
    """

    def convert(schema: Any) -> Any:
        if "$ref" in schema:
            return {"$ref": f"#/$defs/{schema['$ref']}"}
        kind = schema.get("type")
        if kind == "array":
            return {"type": "array", "items": convert(schema["items"])}
        if kind == "object":
            properties = {key: convert(value) for key, value in schema.get("properties", {}).items()}
            more = schema.get("additionalProperties")
            return {
                "type": "object",
                "properties": properties,
                "additionalProperties": False if more is None else convert(more),
            }
        if kind == "any":
            return {}
        found: dict[str, Any] = {"type": kind}
        if "enum" in schema:
            found["enum"] = schema["enum"]
        if schema.get("format") in ("int64", "uint64"):
            found["pattern"] = r"^-?\d+$"
        if schema.get("format") == "byte":
            found["pattern"] = r"^[A-Za-z0-9_-]*=*$"
        return found

    definitions = {key: convert(value) for key, value in document.content["schemas"].items()}
    return {"$ref": f"#/$defs/{name}", "$defs": definitions}
