"""Refusals, in the vendor's words and statuses."""

from typing import Any

import orjson


class HubSpotError(Exception):
    """An error that the vendor would answer with.

    Attributes:
        status: HTTP status.
        category: The vendor's error category.
        message: What a caller reads.
        errors: Details, when the vendor gives any.
        context: Names and values that the message speaks of.
    """

    def __init__(
        self,
        status: int,
        category: str,
        message: str,
        *,
        errors: list[dict[str, Any]] | None = None,
        context: dict[str, list[str]] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.category, self.message = status, category, message
        self.errors, self.context = errors or [], context or {}

    def body(self) -> dict[str, Any]:
        """The error's body, without its correlation id."""
        body: dict[str, Any] = {"status": "error", "message": self.message, "category": self.category}
        if self.errors:
            body["errors"] = self.errors
        if self.context:
            body["context"] = self.context
        return body

    @property
    def sentence(self) -> str:
        """What a person reads: of invalid values, what is wrong with each."""
        return " ".join(str(e["message"]) for e in self.errors if "in" in e) or self.message

    def entry(self) -> dict[str, Any]:
        """The error as one of a batch answer's ``errors``: every field is always there."""
        return {**self.body(), "errors": self.errors, "context": self.context, "links": {}}


def invalid(message: str, **more: Any) -> HubSpotError:
    """A 400."""
    return HubSpotError(400, "VALIDATION_ERROR", message, **more)


def invalid_values(problems: list[dict[str, Any]]) -> HubSpotError:
    """A 400 for property values; ``problems`` come from ``problem``."""
    details = [
        {
            "message": p["message"],
            "code": p["error"],
            "in": p["name"],
            "context": {"propertyName": [p["name"]]},
        }
        for p in problems
    ]
    return invalid(f"Property values were not valid: {orjson.dumps(problems).decode()}", errors=details)


def problem(name: str, code: str, message: str) -> dict[str, Any]:
    """One invalid property value, as the vendor lists it inside its message."""
    return {"isValid": False, "message": message, "error": code, "name": name}


def not_found(message: str = "resource not found", **more: Any) -> HubSpotError:
    """A 404."""
    return HubSpotError(404, "OBJECT_NOT_FOUND", message, **more)


def conflict(message: str) -> HubSpotError:
    """A 409."""
    return HubSpotError(409, "CONFLICT", message)
