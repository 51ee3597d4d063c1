"""Serving a twin's tools as MCP: stateless Streamable HTTP with JSON responses.

Source: the Model Context Protocol's specification, transports and tools; the shapes come from the
official SDK's types. Each request is one transaction, so the SDK's task-based server is not used.
"""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import orjson
from jsonschema.validators import validator_for

from tenure.schema import Via
from tenure.world import Call, Reply, Surface, Tool, ToolError

PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Protocol revisions answered, newest first."""
_PARSE, _INVALID, _UNKNOWN, _PARAMS = -32700, -32600, -32601, -32602


class _RpcError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def mcp_surface(
    url: str,
    server: str,
    tools: Sequence[Tool],
    sign_in: Callable[[Call], bool],
    *,
    open_list: bool = False,
) -> Surface:
    """A surface that serves tools at a URL.

    Args:
        url: ``https://host/path``.
        server: Name that ``initialize`` gives.
        tools: What ``tools/list`` lists, in order.
        sign_in: Takes the call's credentials on; ``False`` answers 401 with the RFC 9728 pointer.
        open_list: Whether ``initialize`` and ``tools/list`` need no credentials (Google's do not).
    """
    parts = urlsplit(url)
    host, path = parts.hostname or "", parts.path
    by_name = {tool.name: tool for tool in tools}
    validators = {tool.name: validator_for(tool.schema)(tool.schema) for tool in tools}

    def handle(call: Call) -> Reply:
        call.act.via = Via.MCP
        if call.method == "GET":
            return Reply(405, None, {"allow": "POST"})
        if call.method == "DELETE":
            return Reply(200)
        if call.method != "POST":
            return Reply(405, None, {"allow": "POST"})
        try:
            request = orjson.loads(call.body)
            if not isinstance(request, dict):
                raise _RpcError(_INVALID, "Batches are not part of this protocol revision.")
        except orjson.JSONDecodeError:
            return Reply(400, _error(None, _PARSE, "Parse error"))
        except _RpcError as error:
            return Reply(400, _error(None, error.code, error.message))
        signed = sign_in(call)
        if not signed and not (open_list and request.get("method") in {"initialize", "ping", "tools/list"}):
            pointer = f'Bearer resource_metadata="https://{host}/.well-known/oauth-protected-resource{path}"'
            return Reply(
                401, _error(request.get("id"), _INVALID, "Unauthorized"), {"www-authenticate": pointer}
            )
        if "id" not in request:
            return Reply(202)
        try:
            result = answer(call, request.get("method"), request.get("params") or {})
        except _RpcError as error:
            return Reply(200, _error(request["id"], error.code, error.message))
        return Reply(200, {"jsonrpc": "2.0", "id": request["id"], "result": result})

    def answer(call: Call, method: str | None, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                asked = params.get("protocolVersion")
                return {
                    "protocolVersion": asked if asked in PROTOCOLS else PROTOCOLS[0],
                    "capabilities": {"tools": {"listChanged": False}},
                    "serverInfo": {"name": server, "version": "1.0.0"},
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [listed(tool) for tool in tools]}
            case "tools/call":
                return run(call, params)
        raise _RpcError(_UNKNOWN, f"Method not found: {method}")

    def run(call: Call, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = str(params.get("name")), params.get("arguments") or {}
        tool = by_name.get(name)
        if tool is None:
            raise _RpcError(_PARAMS, f"Unknown tool: {name}")
        call.act.tool = name
        wrong = jsonschema.exceptions.best_match(validators[name].iter_errors(arguments))
        if wrong is not None:
            where = ".".join(str(part) for part in wrong.absolute_path) or "arguments"
            return _result(f"Invalid arguments for tool {name}: {where}: {wrong.message}", failed=True)
        try:
            with call.act.nested():
                result = tool.run(call.act, arguments)
        except ToolError as error:
            return _result(str(error), failed=True)
        return _result(result if isinstance(result, str) else orjson.dumps(result).decode())

    return Surface(host, handle, path)


def listed(tool: Tool) -> dict[str, Any]:
    """A tool as ``tools/list`` lists it."""
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}


def _result(text: str, failed: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _error(id: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
