"""Figures of a served read: Gmail's ``messages.get`` beside a bare application, served the same way."""

import asyncio
import os
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from bench import floor
from bench.bases import ADA, MAILBOX, TOKEN, id_of, mail_id
from bench.figure import Figure, timed, timed_async
from tenure.twins.gmail import TWIN
from tenure.world import Door, Gateway, World
from tenure.world.server import ServerSpec, WorldServer, listen
from tenure.world.tls import authority

HOST = "gmail.googleapis.com"
PATH = "/gmail/v1/users/me/messages/{}?format=metadata"
HEADERS = {"authorization": f"Bearer {TOKEN}"}
Read = Callable[[int], Awaitable[Any]]


def _reader(client: httpx.AsyncClient, host: str, path: str, id: Callable[[int], str], address: str) -> Read:
    """Reads one record per call; the address may differ from the name, as a resolver's answer would."""
    more: dict[str, Any] = {"extensions": {"sni_hostname": host}, "headers": HEADERS | {"host": host}}

    async def read(n: int) -> None:
        response = await client.get(f"https://{address}" + path.format(id(n % MAILBOX)), **more)
        if response.status_code != 200 or len(response.content) < 100:
            raise RuntimeError(f"{host} answered {response.status_code}: {response.text[:200]}")

    return read


async def _in_process(mailbox: Path, raw: Path) -> list[Figure]:
    gateway = Gateway(World(mailbox, [TWIN]))
    async with (
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway)) as ours,
        httpx.AsyncClient(transport=httpx.ASGITransport(floor.application(raw))) as bare,
    ):
        reads = (
            _reader(ours, HOST, PATH, mail_id, HOST),
            _reader(bare, floor.HOST, "/messages/{}", id_of, floor.HOST),
        )
        return [await timed_async("read in process", *reads, goal=2, times=1_000)]


def _at_the_door(mailbox: Path, raw: Path) -> list[Figure]:
    door = Door(Gateway(World(mailbox, [TWIN])), ADA)
    application = floor.application(raw)

    async def bare(n: int) -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application)) as client:
            await client.get(f"https://{floor.HOST}/messages/{id_of(n % MAILBOX)}")

    with asyncio.Runner() as runner:
        figure = timed(
            "read at the door",
            lambda n: door.http("GET", f"https://{HOST}" + PATH.format(mail_id(n % MAILBOX))),
            lambda n: runner.run(bare(n)),
            goal=1,
            times=1_000,
            unit="ms",
        )
    return [figure]


async def _through_tls(mailbox: Path, raw: Path, folder: Path) -> list[Figure]:
    trust = authority(folder)
    spec = ServerSpec(base=mailbox, twins=("tenure.twins.gmail:TWIN",), authority=folder)
    listener = listen()
    command = [sys.executable, "-m", "bench.floor", str(raw), str(folder), str(listener.fileno())]
    bare_port = listener.getsockname()[1]
    with listener:
        bare = subprocess.Popen(command, pass_fds=(listener.fileno(),), env=dict(os.environ))
    context = ssl.create_default_context(cafile=str(trust.ca_pem))
    try:
        with WorldServer(spec) as server:
            async with httpx.AsyncClient(verify=context, trust_env=False) as client:
                reads = (
                    _reader(client, HOST, PATH, mail_id, f"127.0.0.1:{server.port}"),
                    _reader(client, floor.HOST, "/messages/{}", id_of, f"127.0.0.1:{bare_port}"),
                )
                return [await timed_async("read through TLS", *reads, goal=2, times=600)]
    finally:
        bare.kill()
        bare.wait()


def served(mailbox: Path, raw: Path, folder: Path) -> list[Figure]:
    """One read, three ways."""
    return [
        *asyncio.run(_in_process(mailbox, raw)),
        *_at_the_door(mailbox, raw),
        *asyncio.run(_through_tls(mailbox, raw, folder / "tls")),
    ]
