"""Bytes that are carried between two connections go on at once."""

import asyncio
import socket

from tenure.workspace.relay import Servers, loopback_listener, relay


def test_small_pieces_wait_for_no_acknowledgement() -> None:
    asyncio.run(_carried())


async def _carried() -> None:
    """A listener made without the protocol's number gives connections that asyncio leaves as they are."""
    echo, front = loopback_listener(), loopback_listener()
    seen: list[int] = []
    moved: list[int] = []
    servers = Servers()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(2))
        await writer.drain()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, echo.getsockname())
        other = await asyncio.open_connection(sock=plain)
        both = [w.get_extra_info("socket") for w in (writer, other[1])]
        assert not any(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in both)
        carried = asyncio.create_task(relay((reader, writer), other, lambda: moved.append(1)))
        await asyncio.sleep(0)
        seen.extend(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in both)
        await carried

    address = front.getsockname()
    await servers.serve(echo, answer)
    await servers.serve(front, carry)
    try:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"a")
        await writer.drain()
        writer.write(b"b")
        assert await reader.readexactly(2) == b"ab"
        writer.close()
    finally:
        await servers.close()
    assert len(seen) == 2 and all(seen)
    assert 2 <= len(moved) <= 3, "what is carried is told, one way and the other"
