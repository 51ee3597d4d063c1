"""The door: the api interface of one world, as an agent gets it.

Every driver (the direct one, the engine's loop, ``tenure.attempt``) goes through here, so that an
oracle and a model meet the same caps, the same refusals and the same text.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from tenure.schema import Via
from tenure.world.gateway import Gateway
from tenure.world.twin import Tool, Twin

MAX_CHARS = 60_000
"""Longest response that an agent is shown, in characters."""
HTTP_TOOL = "http_request"
MAX_TOOLS = 128
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Response:
    """A response as an agent reads it.

    Attributes:
        status: HTTP status; 0 when the door itself refused.
        text: The body's text, capped with a note.
    """

    status: int
    text: str

    @property
    def ok(self) -> bool:
        """Whether the exchange succeeded."""
        return 200 <= self.status < 300

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ValueError: The body is not JSON, for instance because it was capped.
        """
        return orjson.loads(self.text) if self.text else None

    def render(self) -> str:
        """One text: a status line, an empty line, the body."""
        phrase = HTTPStatus(self.status).phrase if self.status in HTTPStatus._value2member_map_ else ""
        return f"HTTP {self.status} {phrase}".rstrip() + f"\n\n{self.text}"

    @classmethod
    def parse(cls, text: str) -> "Response":
        """The inverse of ``render``."""
        head, _, body = text.partition("\n\n")
        return cls(int(head.split()[1]), body)


class Door:
    """What an agent with the api interface can do in a world.

    Attributes:
        tools: The task's MCP tools by prefixed name (``gmail_search_threads``).
    """

    def __init__(self, gateway: Gateway, account: str) -> None:
        """Open the door for a persona.

        Args:
            gateway: The world's gateway.
            account: Account id whose credentials sign the requests.
        """
        self.gateway = gateway
        self._headers: dict[str, dict[str, str]] = {}
        self.tools: dict[str, tuple[Twin, Tool]] = {}
        with gateway.world.act(Via.WORLD) as act:
            for twin in gateway.world.twins.values():
                headers = twin.credential(act, account)
                for host in {s.host for s in twin.surfaces} | {urlsplit(twin.mcp).hostname or ""}:
                    self._headers.setdefault(host, headers)
                for tool in twin.tools:
                    self.tools[tool_name(twin, tool)] = (twin, tool)
        if len(self.tools) > MAX_TOOLS:
            raise ValueError(f"{len(self.tools)} MCP tools; models take at most {MAX_TOOLS}")

    def headers(self, host: str) -> dict[str, str]:
        """The headers that sign the persona in on a host; none for hosts outside the world."""
        return dict(self._headers.get(host, {}))

    def declared_chars(self) -> int:
        """Length of the MCP tools' declarations as a model reads them, in characters."""
        declared = [
            {"name": name, "description": tool.description, "parameters": tool.schema}
            for name, (_, tool) in self.tools.items()
        ]
        return len(orjson.dumps(declared))

    def use(self, tool: str, arguments: dict[str, Any]) -> Response:
        """One tool call of an agent: ``http_request`` or an MCP tool by prefixed name."""
        if tool != HTTP_TOOL:
            return self.call(tool, arguments)
        return self.http(
            str(arguments.get("method", "GET")),
            str(arguments.get("url", "")),
            arguments.get("headers"),
            arguments.get("body"),
        )

    def http(
        self,
        method: str,
        url: str,
        headers: dict[str, str] | None = None,
        body: Any = None,
    ) -> Response:
        """One REST request.

        Args:
            method: HTTP method.
            url: Full ``https://`` URL on one of the products' own hostnames.
            headers: Extra headers; credentials are added and cannot be replaced.
            body: Text as it is, anything else as JSON, ``None`` for no body.
        """
        method = method.upper()
        if method not in METHODS:
            return Response(
                0, f"{method} is not an HTTP method this tool sends. Use one of {', '.join(METHODS)}."
            )
        try:
            url.encode()
            parts = urlsplit(url)
        except ValueError as error:
            return Response(0, f"{url!r} is not a URL ({error}).")
        if parts.scheme != "https" or not parts.hostname:
            return Response(0, f"{url!r} is not a full https:// URL.")
        if "_screen" in re.split(r"[/\\;]", unquote(parts.path)):
            return Response(0, "The screens' own routes are not part of the api interface.")
        try:
            sent = {name.lower(): value for name, value in (headers or {}).items()}
            "".join(sent.values()).encode()
        except (AttributeError, TypeError, ValueError):
            return Response(0, "Headers are an object of names and text values.")
        try:
            data = b"" if body is None else body.encode() if isinstance(body, str) else orjson.dumps(body)
        except (TypeError, ValueError) as error:
            return Response(0, f"The body cannot be sent: {error}.")
        if body is not None:
            plain = isinstance(body, str) and body[:1] not in ("{", "[")
            sent.setdefault("content-type", "text/plain" if plain else "application/json")
        sent |= {name.lower(): value for name, value in self._headers.get(parts.hostname, {}).items()}
        reply = self.gateway.answer(method, parts.hostname, parts.path or "/", parts.query, sent, data)
        _, raw = reply.encoded()
        return Response(reply.status, cap(raw.decode("utf-8", "replace")))

    def call(self, name: str, arguments: dict[str, Any]) -> Response:
        """One MCP tool call, by prefixed name. ``status`` is 200 or, for a refusal, 400."""
        if name not in self.tools:
            return Response(0, f"There is no tool {name!r}. Tools: {', '.join(sorted(self.tools))}.")
        twin, tool = self.tools[name]
        url = urlsplit(twin.mcp)
        host = url.hostname or ""
        request = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool.name, "arguments": arguments},
        }
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **{name.lower(): value for name, value in self._headers[host].items()},
        }
        try:
            data = orjson.dumps(request)
        except (TypeError, ValueError) as error:
            return Response(0, f"The arguments cannot be sent: {error}.")
        reply = self.gateway.answer("POST", host, url.path, "", headers, data)
        _, raw = reply.encoded()
        if reply.status != 200:
            return Response(reply.status, cap(raw.decode("utf-8", "replace")))
        answer = orjson.loads(raw)
        if "error" in answer:
            return Response(400, cap(answer["error"]["message"]))
        result = answer["result"]
        text = "\n".join(part.get("text", "") for part in result["content"])
        return Response(400 if result.get("isError") else 200, cap(text))


def tool_name(twin: Twin, tool: Tool) -> str:
    """A tool's name with its twin's prefix, in the alphabet that model providers accept."""
    return f"{twin.name}_{tool.name}".replace("-", "_")


def cap(text: str) -> str:
    """A response cut to what an agent is shown, with a clear note when it was cut."""
    if len(text) <= MAX_CHARS:
        return text
    note = f"\n[cut: {len(text)} characters, {MAX_CHARS} shown; ask for fewer fields or a smaller page]"
    return text[:MAX_CHARS] + note
