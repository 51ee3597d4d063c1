"""The agent's tools: one HTTP tool and the task's MCP tools, all through the door."""

from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolParams

from tenure.world import Door
from tenure.world.door import HTTP_TOOL, MAX_CHARS

MAX_BYTES = 4 * MAX_CHARS + 1_000
"""What Inspect may keep of a tool's output: all that the door shows, in UTF-8."""

_HTTP = {
    "type": "object",
    "properties": {
        "method": {"type": "string", "description": "GET, POST, PUT, PATCH or DELETE."},
        "url": {"type": "string", "description": "Full https:// URL on one of the products' hostnames."},
        "headers": {
            "type": "object",
            "description": "Extra request headers. Credentials are added for you.",
            "additionalProperties": {"type": "string"},
        },
        "body": {"type": "string", "description": "The request body as text, usually JSON."},
    },
    "required": ["method", "url"],
    "additionalProperties": False,
}


def tools_of(door: Door) -> list[Tool]:
    """The tools of an api attempt."""
    about = (
        "Send one HTTP request to a product's REST API and read the response. "
        f"Responses longer than {MAX_CHARS} characters are cut, with a note."
    )
    found = [_tool(door, HTTP_TOOL, about, _HTTP)]
    found += [_tool(door, name, tool.description, tool.schema) for name, (_, tool) in door.tools.items()]
    return found


def _tool(door: Door, name: str, description: str, schema: dict[str, Any]) -> Tool:
    async def execute(**arguments: Any) -> str:
        return door.use(name, arguments).render()

    params = ToolParams.model_validate(
        {
            "properties": {
                # Inspect refuses parameters without a description, which vendors' schemas may have.
                argument: {"description": f"The tool's argument {argument}.", **declared}
                for argument, declared in schema.get("properties", {}).items()
            },
            "required": schema.get("required", []),
            "additionalProperties": schema.get("additionalProperties", False),
        }
    )
    return ToolDef(execute, name=name, description=description, parameters=params).as_tool()
