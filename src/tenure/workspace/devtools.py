"""The harness's own connection to a browser: DevTools commands, answers and events over one web socket."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tenure.schema.errors import Fault
from tenure.workspace.machine import Machine
from tenure.workspace.relay import Streams, relay

ANSWER = 10.0
"""Seconds in which a command is answered."""
_UP, _AGAIN = 20.0, 0.02
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)

OnEvent = Callable[[str, dict[str, Any], str], None]
"""Takes an event's method, its parameters and its session."""


class Refused(Exception):
    """The browser did not do a command: what it was about is gone, or does not answer."""


class Late(Refused):
    """It did not answer in time."""


class DevTools:
    """An open connection."""

    def __init__(self, link: ClientConnection, on_event: OnEvent) -> None:
        """Read it until it closes; ``on_event`` is told of each event in its order."""
        self._link, self._on_event = link, on_event
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._reading = asyncio.create_task(self._read())

    async def send(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """Do a command; returns its result.

        Args:
            method: As ``Page.reload``.
            session: Of the page that it is about; of the browser itself without it.
            parameters: Its parameters.

        Raises:
            Refused: It cannot be done.
            Late: It is not answered in time.
            Fault: The browser is gone.
        """
        self._number += 1
        number, asked = self._number, asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        message = {"id": number, "method": method, "params": parameters}
        try:
            async with asyncio.timeout(ANSWER):
                await self._link.send(json.dumps(message | ({"sessionId": session} if session else {})))
                answer: dict[str, Any] = await asked
        except TimeoutError as error:
            raise Late(f"{method}: no answer in {ANSWER:g} seconds") from error
        except ConnectionClosed as error:
            raise Fault("the browser in the machine is gone") from error
        finally:
            del self._asked[number]
        if "error" in answer:
            raise Refused(f"{method}: {answer['error'].get('message', 'refused')}")
        result: dict[str, Any] = answer["result"]
        return result

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self._link:
                message = json.loads(text)
                if "id" not in message:
                    self._on_event(message["method"], message["params"], message.get("sessionId", ""))
                elif (asked := self._asked.get(message["id"])) is not None and not asked.done():
                    asked.set_result(message)
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(Fault("the browser in the machine is gone"))

    async def close(self) -> None:
        """Hang up."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


@asynccontextmanager
async def open_devtools(machine: Machine, port: int, on_event: OnEvent) -> AsyncIterator[DevTools]:
    """Connect to a browser that is starting in a machine.

    Args:
        machine: Where it is.
        port: Its debugging port inside.
        on_event: Told of each event.

    Raises:
        Fault: It does not answer.
    """
    path = await _path(machine, port)
    # A pair of sockets: nothing of the host may listen for what leads to the browser.
    ours, theirs = socket.socketpair()
    outer = await asyncio.open_connection(sock=theirs)
    carrying = asyncio.create_task(relay(outer, await machine.connect(port)))
    try:
        uri = f"ws://127.0.0.1:{port}{path}"
        async with connect(uri, sock=ours, max_size=None, ping_interval=None, compression=None) as link:
            tools = DevTools(link, on_event)
            try:
                yield tools
            finally:
                await tools.close()
    finally:
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)


async def _path(machine: Machine, port: int) -> str:
    """Where the browser takes commands, once it is up."""
    try:
        async with asyncio.timeout(_UP):
            while True:
                with contextlib.suppress(ConnectionRefusedError):
                    return await _told(await machine.connect(port), port)
                await asyncio.sleep(_AGAIN)
    except (TimeoutError, OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise Fault(f"the browser in the machine did not start ({type(error).__name__})") from error


async def _told(streams: Streams, port: int) -> str:
    reader, writer = streams
    try:
        writer.write(b"GET /json/version HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        body = json.loads(await reader.readexactly(int(length[1]) if length else 0))
    finally:
        writer.close()
    _, _, path = str(body["webSocketDebuggerUrl"]).removeprefix("ws://").partition("/")
    return f"/{path}"
