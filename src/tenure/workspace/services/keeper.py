"""Keeps one server: starts it, watches over it and ends it when whoever asked for it is gone.

Runs as a program of its own (``python -I -S keeper.py SPEC``), single-threaded and with the
standard library only, because the promise that a crash leaves nothing running cannot be kept by
the process that crashed. Its standard input is a pipe whose other end its owner holds: when the
owner closes it, or dies in any way, the pipe ends, and so does the server, and its folder goes.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
from types import FrameType
from typing import Any

LOG = "server.log"
"""What the server prints; its end is our standard error when the server ended by itself."""
RELAY = "relay.sock"
"""Leads to the server's port, where it has one."""
KEEP = b"k"
"""Sent before the pipe ends: the folder stays."""
_PATIENCE = 5.0
"""Seconds that a server has to end after its signal."""
_TICK = 1.0
_TOLD = 4096
_PR_SET_PDEATHSIG = 1
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_CLONE_NEWNET = 0x40000000


def main(spec: dict[str, Any]) -> int:
    """Start the server, wait for the end of input or of the server, and clean up.

    Args:
        spec: ``argv``, ``env``, ``folder``, ``uid`` and ``gid`` (or null), ``signal`` (ends the
            server), ``kept`` (likewise, when its folder stays), ``disk`` (bytes that the folder may
            hold), ``memory`` (bytes of address space per process, or null), ``groups`` (files that take
            its number into a cgroup), ``port`` (on its loopback, to be reached through the socket
            ``relay.sock``, or null).

    Returns:
        The exit status: 0 when the owner ended it, 1 when the server ended by itself, 2 when it
        filled its disk.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    owner = os.getppid()
    server = os.fork()
    if server == 0:
        _become(spec)
    ended = os.pidfd_open(server)
    status, keep = 0, False
    try:
        while status == 0:
            ready, _, _ = select.select([0, ended], [], [], _TICK)
            if ended in ready:
                status = 1
                _tell(f"{spec['folder']}/{LOG}")
            elif 0 in ready:
                keep = os.read(0, 1) == KEEP
                break
            elif os.getppid() != owner:
                break
            elif _size(spec["folder"]) > spec["disk"]:
                status = 2
    except SystemExit:
        pass
    finally:
        _end(server, ended, spec["kept" if keep else "signal"])
        if not keep:
            _remove(spec["folder"])
    return status


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _become(spec: dict[str, Any]) -> None:
    """Turn this fork into the server; never returns."""
    try:
        keeper = os.getppid()
        os.setsid()
        # As root, in a folder of the server's: it may not lead us elsewhere.
        flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW
        log = os.open(f"{spec['folder']}/{LOG}", flags, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        for door in spec["groups"]:
            with open(door, "w") as group:
                group.write(str(os.getpid()))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if spec["memory"] is not None:
            resource.setrlimit(resource.RLIMIT_AS, (spec["memory"], spec["memory"]))
        os.umask(0o077)
        libc = ctypes.CDLL(None)
        if spec["port"] is not None:
            # Now: the server's user may not be able to read Python's library.
            import asyncio  # noqa: F401
        if spec["uid"] is not None:
            # A network of its own, with nothing but loopback in it.
            if libc.unshare(_CLONE_NEWNET) == 0:
                _loopback()
            os.setgroups([])
            os.setresgid(spec["gid"], spec["gid"], spec["gid"])
            os.setresuid(spec["uid"], spec["uid"], spec["uid"])
        # After the change of user, which clears it.
        libc.prctl(_PR_SET_PDEATHSIG, spec["signal"])
        if os.getppid() == keeper:
            os.chdir(spec["folder"])
            if spec["port"] is not None and os.fork() == 0:
                libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                _relay(spec["port"])
            os.execve(spec["argv"][0], spec["argv"], spec["env"])
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(127)


def _loopback() -> None:
    import fcntl
    import socket
    import struct

    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))


def _relay(port: int) -> None:
    """Lead a Unix socket to a port of a server that cannot listen on one; runs until killed."""
    import asyncio

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(1 << 16):
                sink.write(data)
                await sink.drain()
            sink.write_eof()
        except OSError:
            sink.close()

    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pump(reader, back), pump(there, writer))
        back.close()
        writer.close()

    async def serve() -> None:
        async with await asyncio.start_unix_server(lead, RELAY) as server:
            await server.serve_forever()

    asyncio.run(serve())


def _tell(log: str) -> None:
    with open(log, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _TOLD))
        os.write(2, file.read())


def _size(folder: str) -> int:
    total = 0
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue  # The server removes files while we look.
    return total


def _end(server: int, ended: int, number: int) -> None:
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    os.kill(server, number)
    select.select([ended], [], [], _PATIENCE)
    # The server leads its process group (unless it ended before it could), which stays ours to
    # signal until the server is reaped.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server, signal.SIGKILL)
    os.waitpid(server, 0)


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
