"""Reading a call: query arguments, the object type, the JSON body."""

from tenure.twins.hubspot.service import types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import HubSpotError, invalid
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import Asked
from tenure.world import Call


def listed(call: Call, name: str) -> list[str]:
    """A query argument given as comma-separated values, repeated, or both."""
    return [part.strip() for value in call.args.get(name, ()) for part in value.split(",") if part.strip()]


def number(call: Call, name: str, default: int) -> int:
    """An integer query argument.

    Raises:
        HubSpotError: 400, it is none.
    """
    text = call.arg(name)
    if not text:
        return default
    try:
        return int(text)
    except ValueError:
        raise invalid(f"{name} must be an integer, was {text!r}") from None


def flag(call: Call, name: str) -> bool:
    """A boolean query argument, in any case.

    Raises:
        HubSpotError: 400, it is neither true nor false.
    """
    text = (call.arg(name) or "false").lower()
    if text not in {"true", "false"}:
        raise invalid(f"{name} must be true or false, was {text!r}")
    return text == "true"


def asked(call: Call) -> Asked:
    """What a read asks to see of objects."""
    return Asked.of(
        listed(call, "properties"), listed(call, "propertiesWithHistory"), listed(call, "associations")
    )


def json(call: Call) -> Body:
    """The body.

    Raises:
        HubSpotError: 400, it is no JSON object; 415, it is of another type.
    """
    kind = call.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if call.body and kind not in {"application/json", "*/*"} and not kind.endswith("+json"):
        raise HubSpotError(415, "UNSUPPORTED_MEDIA_TYPE", f"Media type {kind} is not supported")
    return Body(_decoded(call))


def array(call: Call) -> list[Body]:
    """A body that is an array of objects."""
    data = _decoded(call)
    if not isinstance(data, list):
        raise invalid("Invalid input JSON: the request body must be an array")
    return [Body(item, "each item") for item in data]


def strings(call: Call) -> list[str]:
    """A body that is an array of ids."""
    data = _decoded(call)
    if not isinstance(data, list) or not all(isinstance(item, (str, int)) for item in data):
        raise invalid("Invalid input JSON: the request body must be an array of ids")
    return [str(item) for item in data]


def _decoded(call: Call) -> object:
    try:
        decoded: object = call.json
    except ValueError as error:
        raise invalid(f"Invalid input JSON: {error}") from None
    return decoded


def type_of(call: Call, name: str = "objectType") -> Type:
    """The object type in the path."""
    return types.resolve(call.act, call.params[name])


def pair_of(call: Call) -> tuple[Type, Type]:
    """The two object types in an association's path."""
    return type_of(call, "fromObjectType"), type_of(call, "toObjectType")
