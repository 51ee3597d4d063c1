"""Reading a request's JSON: missing and mistyped fields are refused as the vendor refuses them."""

from typing import Any

from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.valuetext import as_text

MAX_INTEGER = 2**53
"""Integers of a request beyond this are refused: JSON readers do not agree on them."""


class Body:
    """A JSON object of a request. Unknown fields are ignored, as the vendor ignores them."""

    def __init__(self, data: Any, where: str = "") -> None:
        """Wrap decoded JSON.

        Raises:
            HubSpotError: 400, it is no object.
        """
        if not isinstance(data, dict):
            raise invalid(f"Invalid input JSON: {where or 'the request body'} must be an object")
        self.data: dict[str, Any] = data

    def __contains__(self, name: str) -> bool:
        return self.data.get(name) is not None

    def _get(self, name: str, types: tuple[type, ...], what: str, required: bool) -> Any:
        value = self.data.get(name)
        if value is None:
            if required:
                raise invalid(f"Invalid input JSON: Some required fields were not set: [{name}]")
            return None
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise invalid(f"Invalid input JSON: {name} must be {what}")
        return value

    def need(self, *names: str) -> None:
        """Refuse when any of the fields is missing."""
        missing = [name for name in names if name not in self]
        if missing:
            raise invalid(f"Invalid input JSON: Some required fields were not set: [{', '.join(missing)}]")

    def text(self, name: str, default: str | None = None) -> str:
        """A string, or a number or boolean as one; required unless there is a default."""
        value = self._get(name, (str, int, float, bool), "a string", default is None)
        return as_text(value) if value is not None else default or ""

    def number(self, name: str, default: int | None = None) -> int:
        """An integer, or its digits; required unless there is a default."""
        value = self._get(name, (int, str), "an integer", default is None)
        if value is None:
            return default or 0
        try:
            number = int(value)
        except ValueError:
            raise invalid(f"Invalid input JSON: {name} must be an integer") from None
        if abs(number) > MAX_INTEGER:
            raise invalid(f"Invalid input JSON: {name} is out of range")
        return number

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean."""
        value = self._get(name, (bool,), "a boolean", False)
        return default if value is None else bool(value)

    def items(self, name: str, required: bool = False) -> list[Any]:
        """An array."""
        return list(self._get(name, (list,), "an array", required) or [])

    def parts(self, name: str, required: bool = False) -> "list[Body]":
        """An array of objects."""
        return [Body(item, f"each of {name}") for item in self.items(name, required)]

    def texts(self, name: str) -> list[str]:
        """An array of strings."""
        return [str(item) if isinstance(item, (dict, list)) else as_text(item) for item in self.items(name)]

    def part(self, name: str) -> "Body":
        """An object; required."""
        return Body(self._get(name, (dict,), "an object", True), name)

    def mapping(self, name: str, required: bool = False) -> dict[str, Any]:
        """An object whose keys are free."""
        return dict(self._get(name, (dict,), "an object", required) or {})
