"""Which scope of a token a call needs."""

from tenure.twins.hubspot.objecttypes import standard
from tenure.twins.hubspot.service.errors import HubSpotError
from tenure.world import Call, Token

_READS = ("/search", "/batch/read")


def _way(call: Call) -> str:
    return "read" if call.method == "GET" or call.path.endswith(_READS) else "write"


def _of_type(name: str) -> str:
    """The scope family of an object type; ``tickets`` is one scope, activities go with contacts."""
    spec = standard(name)
    if spec is None:
        return "custom"
    return spec.name if spec.name in {"companies", "deals", "tickets"} else "contacts"


def needed(call: Call) -> str:
    """The scope that a call needs; empty when any token will do."""
    parts = call.segments
    match parts:
        case ["crm", _, "objects", name, *_]:
            family, what = _of_type(name), "objects"
        case ["crm", _, "properties" | "pipelines", name, *_]:
            family, what = _of_type(name), "schemas"
        case ["crm", "v3" | "v4", "associations", name, *_]:
            family, what = _of_type(name), "objects"
        case ["crm-object-schemas", *_]:
            family, what = "custom", "schemas"
        case ["crm", _, "owners", *_]:
            return "crm.objects.owners.read"
        case ["crm", _, "lists", *_]:
            return f"crm.lists.{_way(call)}"
        case ["automation", *_]:
            return "automation"
        case ["engagements", *_]:
            family, what = "contacts", "objects"
        case _:
            return ""
    return "tickets" if family == "tickets" else f"crm.{what}.{family}.{_way(call)}"


def require(call: Call, token: Token) -> None:
    """Refuse a call that the token's scopes do not cover.

    Raises:
        HubSpotError: 403.
    """
    scope = needed(call)
    if scope and scope not in token.scopes:
        raise HubSpotError(
            403,
            "MISSING_SCOPES",
            "This app hasn't been granted all required scopes to make this call.",
            errors=[
                {
                    "message": "One or more of the following scopes are required.",
                    "context": {"requiredGranularScopes": [scope]},
                }
            ],
        )
