"""HubSpot's MCP tools: names and arguments of the vendor's npm package 0.4.0.

``tools.json`` holds the arguments as that package's ``tools/list`` gives them, without its texts.
"""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson

from tenure.twins.hubspot.mcp import objects, settings, words
from tenure.twins.hubspot.records import AUDIENCE
from tenure.twins.hubspot.service.errors import HubSpotError
from tenure.twins.wire import mcp_surface
from tenure.world import Act, Call, Tool, ToolError

URL = "https://mcp.hubspot.com/"
Run = Callable[[Act, dict[str, Any]], Any]


def _refusing(run: Run) -> Run:
    """Turn the service's refusals into the tool's, in the words of the vendor's package."""

    def wrapped(act: Act, args: dict[str, Any]) -> Any:
        try:
            return run(act, args)
        except HubSpotError as error:
            phrase = HTTPStatus(error.status).phrase
            body = orjson.dumps(error.body()).decode()
            raise ToolError(f"HubSpot API Error: {error.status} {phrase} - {body}") from None

    return wrapped


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    arguments = {
        name: {**argument, "description": words.ARGUMENTS[name]}
        for name, argument in schema["properties"].items()
    }
    return {**schema, "properties": arguments}


def _tools() -> tuple[Tool, ...]:
    schemas = orjson.loads(Path(__file__).with_name("tools.json").read_bytes())
    run: dict[str, Run] = {**objects.RUN, **settings.RUN}
    return tuple(
        Tool(name, words.TOOLS[name], _described(schema), _refusing(run[name]))
        for name, schema in schemas.items()
    )


def _signed_in(call: Call) -> bool:
    return call.act.sign_in(call.bearer, AUDIENCE) is not None


TOOLS = _tools()
SURFACE = mcp_surface(URL, "hubspot", TOOLS, _signed_in)
