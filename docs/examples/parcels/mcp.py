"""The carrier's MCP tools, over the same service."""

from typing import Any

from parcels import service
from tenure.world import Act, Tool, ToolError

URL = "https://mcp.parcels.example/mcp"


def _divert(act: Act, given: dict[str, Any]) -> dict[str, str]:
    try:
        parcel = service.divert(act, given["id"], given["address"])
    except service.Refused as error:
        raise ToolError(str(error)) from error
    return {"id": parcel.id, "status": parcel.status}


TOOLS = (
    Tool(
        "divert_parcel",
        "Send a parcel that is on its way to another address.",
        {
            "type": "object",
            "properties": {"id": {"type": "string"}, "address": {"type": "string"}},
            "required": ["id", "address"],
            "additionalProperties": False,
        },
        _divert,
    ),
)
