"""Carrying bytes between two connections, and servers that do so."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from tenure.workspace.machine import Handler, Target

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], Awaitable[Streams]]
T = TypeVar("T")
_CHUNK = 1 << 16


async def relay(one: Streams, other: Streams, moved: Callable[[], None] = lambda: None) -> None:
    """Carry bytes both ways until both sides have ended; closes both.

    Args:
        one: A connection.
        other: Another one.
        moved: Told whenever something was carried.
    """
    for _, writer in (one, other):
        at_once(writer)
    try:
        await asyncio.gather(_pump(one[0], other[1], moved), _pump(other[0], one[1], moved))
    finally:
        for _, writer in (one, other):
            writer.close()


def at_once(writer: asyncio.StreamWriter) -> None:
    """Let a TCP connection send small pieces when they come.

    asyncio sees to that only for sockets that were made with the protocol's number; the others wait
    some forty milliseconds for an acknowledgement between two pieces of one message.
    """
    held = writer.get_extra_info("socket")
    if held is not None and held.family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            held.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, moved: Callable[[], None]
) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            moved()
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.write_eof()


async def while_there(reader: asyncio.StreamReader, work: Coroutine[Any, Any, T]) -> T | None:
    """Do what a peer asked for, and stop when it hangs up meanwhile.

    Args:
        reader: The peer's side, of which everything that belongs to its request was read. A peer that ends
            its own writing early counts as gone.
        work: What it asked for.

    Returns:
        What came of the work; ``None`` when nobody waits for it any more.
    """
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_end_of(reader))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        working.cancel()
        gone.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _end_of(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(_CHUNK):
            pass


def leading_to(dial: Dial, moved: Callable[[], None] = lambda: None) -> Handler:
    """A handler that opens a connection elsewhere for each one that it is given.

    Args:
        dial: Opens it.
        moved: Told whenever something is carried.
    """

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            other = await dial()
        except OSError:
            writer.transport.abort()
            return
        await relay((reader, writer), other, moved)

    return handle


def handler_of(target: Target) -> Handler:
    """What serves an offered port."""
    if isinstance(target, Path):
        return leading_to(lambda: asyncio.open_unix_connection(target))
    if isinstance(target, int):
        return leading_to(lambda: asyncio.open_connection("127.0.0.1", target))
    return target


class Servers:
    """Listening sockets and the connections that came of them."""

    def __init__(self) -> None:
        self._servers: list[asyncio.Server] = []
        self._open: set[asyncio.Task[None]] = set()

    async def serve(self, listener: socket.socket, handler: Handler) -> None:
        """Serve a bound socket, which this takes over."""

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._open.add(task)
            try:
                await handler(reader, writer)
            except (OSError, asyncio.CancelledError):
                # Cancelled by close() alone: nobody waits for this task's result.
                writer.transport.abort()
            finally:
                self._open.discard(task)
                writer.close()

        self._servers.append(await asyncio.start_server(handle, sock=listener))

    async def close(self) -> None:
        """Stop listening and end what is connected."""
        for server in self._servers:
            server.close()
        running = list(self._open)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._servers.clear()


def loopback_listener(port: int = 0) -> socket.socket:
    """A socket of the host that listens on loopback; on a free port by default.

    Raises:
        OSError: The port is taken.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(256)
    except OSError:
        listener.close()
        raise
    return listener
