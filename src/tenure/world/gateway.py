"""The gateway: every exchange of a world passes here, is logged, and finds its twin by hostname.

An ASGI application and, below it, the plain function ``answer``. The listener (a socket or an
in-process transport) decides the world; nothing in a request can.
"""

import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from tenure.schema import Connection, Via
from tenure.world.act import Act
from tenure.world.twin import Surface
from tenure.world.wire import Call, Reply
from tenure.world.world import World

MAX_BODY = 32 * 1024 * 1024
"""Largest request body, bytes."""
MISDIRECTED = 421

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class _Refused(Exception):
    """Carries an error reply out of the transaction that it undoes."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


class Gateway:
    """Routes exchanges to twins and keeps the connection log.

    Attributes:
        log: Every exchange but those of quiet surfaces, refused ones too, in order.
    """

    def __init__(self, world: World, log: Path | None = None) -> None:
        """Serve a world.

        Args:
            world: The world.
            log: File that the connection log is appended to as it happens.
        """
        self.world = world
        self.log: list[Connection] = []
        self._file = log.open("ab", buffering=0) if log else None
        self._surfaces: dict[str, list[Surface]] = {}
        for twin in world.twins.values():
            for surface in twin.surfaces:
                known = self._surfaces.setdefault(surface.host, [])
                if surface not in known:
                    known.append(surface)
        for known in self._surfaces.values():
            known.sort(key=lambda s: len(s.prefix), reverse=True)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hostnames that this world answers."""
        return tuple(sorted(self._surfaces))

    def close(self) -> None:
        """Close the log file."""
        if self._file:
            self._file.close()
            self._file = None

    def answer(
        self,
        method: str,
        host: str,
        path: str,
        query: str = "",
        headers: dict[str, str] | None = None,
        body: bytes = b"",
    ) -> Reply:
        """Carry one exchange: a tick of world time, one transaction, one line in the log.

        A quiet surface's exchange is a transaction alone.

        Args:
            method: Upper-case HTTP method.
            host: Hostname, port allowed.
            path: Percent-encoded path.
            query: Raw query string.
            headers: Lower-case names.
            body: The whole body.
        """
        host = host.partition(":")[0].lower()
        surface = self._find(host, path)
        if surface is None:
            reply = self._unknown(host, path)
            self._note(host, method, path, query, reply, None, "")
            return reply
        act: Act | None = None
        fault = ""
        try:
            if not surface.quiet:
                self.world.tick()
            with self.world.act(Via.REST) as act:
                reply = surface.handle(Call(act, method, host, path, query, headers or {}, body))
                reply.seal()
                if reply.status >= 400:
                    raise _Refused(reply)
                if surface.quiet and (act.written or act.shown):
                    raise RuntimeError(f"{host}{surface.prefix} is not as quiet as it says")
        except _Refused as refused:
            reply = refused.reply
            if act is not None:
                act.written = 0
        except Exception:
            fault = traceback.format_exc()
            reply = Reply(500, {"error": "The copy of this product failed inside. This is not your mistake."})
            if act is not None:
                act.written = 0
        if fault or not surface.quiet:
            self._note(host, method, path, query, reply, act, fault)
        return reply

    def _find(self, host: str, path: str) -> Surface | None:
        for surface in self._surfaces.get(host, ()):
            prefix = surface.prefix.rstrip("/")
            if not prefix or path == prefix or path.startswith(prefix + "/"):
                return surface
        return None

    def _unknown(self, host: str, path: str) -> Reply:
        if host in self._surfaces:
            return Reply(404, {"error": f"Nothing on {host} answers {path}."})
        here = ", ".join(self.hosts)
        return Reply(MISDIRECTED, {"error": f"{host} is not part of this world. Hosts here: {here}."})

    def _note(
        self, host: str, method: str, path: str, query: str, reply: Reply, act: Act | None, fault: str
    ) -> None:
        line = Connection(
            n=len(self.log) + 1,
            at=self.world.now,
            host=host,
            method=method,
            path=f"{path}?{query}" if query else path,
            status=reply.status,
            actor=act.actor if act else "",
            via=act.via if act else Via.REST,
            tool=act.tool if act else "",
            records=tuple(act.shown) if act and reply.status < 400 else (),
            changed=act.written if act else 0,
            fault=fault,
        )
        self.log.append(line)
        if self._file:
            self._file.write(line.model_dump_json().encode() + b"\n")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection (HTTP and lifespan)."""
        if scope["type"] == "lifespan":
            while (message := await receive())["type"] != "lifespan.shutdown":
                await send({"type": f"{message['type']}.complete"})
            await send({"type": "lifespan.shutdown.complete"})
            return
        if scope["type"] != "http":
            raise RuntimeError(f"the gateway does not speak {scope['type']}")
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if len(body) > MAX_BODY:
                await self._send(send, Reply(413, {"error": f"The body is larger than {MAX_BODY} bytes."}))
                return
            if not message.get("more_body"):
                break
        path = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1").partition("?")[0]
        reply = self.answer(
            scope["method"],
            headers.get("host", ""),
            path,
            scope["query_string"].decode("latin-1"),
            headers,
            bytes(body),
        )
        await self._send(send, reply, head=scope["method"] == "HEAD")

    @staticmethod
    async def _send(send: Send, reply: Reply, head: bool = False) -> None:
        headers, body = reply.encoded()
        if reply.status != 204:
            headers["content-length"] = str(len(body))
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": raw})
        await send({"type": "http.response.body", "body": b"" if head or reply.status == 204 else body})
