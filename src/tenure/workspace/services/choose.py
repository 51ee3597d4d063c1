"""Services by name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tenure.schema import BadInput
from tenure.workspace.machine import Machine
from tenure.workspace.services.base import Service
from tenure.workspace.services.clickhouse import ClickHouse
from tenure.workspace.services.mariadb import MariaDB
from tenure.workspace.services.mongodb import MongoDB
from tenure.workspace.services.postgres import Postgres
from tenure.workspace.services.redis import Redis
from tenure.workspace.services.sqlite import Sqlite

_SERVERS: dict[str, type[Service]] = {
    each.name: each for each in (Postgres, MariaDB, Redis, MongoDB, ClickHouse)
}
SERVICES = (*_SERVERS, Sqlite.name)
"""The services that can be asked for."""


@asynccontextmanager
async def open_service(
    name: str, machine: Machine | None = None, *, saved: Path | None = None
) -> AsyncIterator[Service]:
    """A fresh service, started; stopped and removed at the end.

    Args:
        name: One of ``SERVICES``.
        machine: Where the app runs. Only SQLite, whose file is in there, needs it; the address of
            the others is for ``Machine.offer``.
        saved: What ``Service.save`` kept: the service begins with it, and not empty.

    Raises:
        BadInput: There is no such service, or its engine is not installed.
        Fault: It does not come up.
    """
    if name not in SERVICES:
        raise BadInput(f"service {name}: unknown; choose one of {', '.join(SERVICES)}")
    if name in _SERVERS:
        service = _SERVERS[name]()
    elif machine is None:
        raise BadInput("service sqlite: needs the machine that its file is in")
    else:
        service = Sqlite(machine)
    service.saved = saved
    async with service:
        yield service
