"""A world behind TLS in a process of its own: the process. See ``server`` for the parent's side."""

import asyncio
import json
import logging
import socket
import sys
import traceback
from pathlib import Path
from typing import IO, Any

import uvicorn
import uvloop

from tenure.schema import BadInput, TenureError, Via
from tenure.world.freeze import freeze
from tenure.world.gateway import Gateway
from tenure.world.server import ServerSpec, load_twins
from tenure.world.session import open_session
from tenure.world.tls import authority
from tenure.world.world import World


async def _until_told(
    gateway: Gateway,
    config: uvicorn.Config,
    listener: socket.socket,
    control: socket.socket,
    requests: IO[bytes],
    session: str,
) -> Any:
    """Serve until the parent sends its last request (returned) or is gone (``None``)."""
    server = uvicorn.Server(config)
    loop = asyncio.get_running_loop()
    told: list[Any] = []

    def hear() -> None:
        loop.remove_reader(control.fileno())
        if line := requests.readline():
            told.append(json.loads(line))
        # A client that holds its connection open is no error of the server's.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        server.should_exit = True

    loop.add_reader(control.fileno(), hear)
    _say(control, {"hosts": gateway.hosts, "session": session})
    await server.serve(sockets=[listener])
    return told[0] if told else None


def _serve(control: socket.socket, listener: socket.socket) -> None:
    requests = control.makefile("rb")
    spec = ServerSpec.model_validate_json(requests.readline())
    world = World(spec.base, load_twins(spec.twins), journal=spec.journal)
    gateway = Gateway(world, spec.log)
    session = _session(world, spec.persona) if spec.persona else ""
    config = uvicorn.Config(
        gateway,
        http="httptools",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=120,
        timeout_graceful_shutdown=1,
    )
    config.load()
    config.ssl = authority(spec.authority).server_context(gateway.hosts)
    last = uvloop.run(_until_told(gateway, config, listener, control, requests, session))
    if last is None:
        return
    if "end_state" in last:
        world.settle(last["horizon_ms"])
        freeze(world, gateway, Path(last["end_state"]), base=last["packed"])
    _say(control, {})


def _session(world: World, persona: str) -> str:
    try:
        with world.act(Via.WORLD) as act:
            return open_session(act, persona)
    except LookupError as error:
        raise BadInput(f"{error}; name the account of a base") from error


def _say(control: socket.socket, message: dict[str, Any]) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")


def main() -> None:
    """Serve the world that the parent describes; arguments are the two sockets' numbers."""
    control, listener = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    try:
        _serve(control, listener)
    except Exception as error:
        if not isinstance(error, TenureError):
            traceback.print_exc()
        text = str(error) if isinstance(error, TenureError) else f"the world server failed: {error!r}"
        _say(control, {"error": text, "bad_input": isinstance(error, BadInput)})
        sys.exit(1)


if __name__ == "__main__":
    main()
