"""A workspace as a task wants it: a machine with its packages, and its database beside it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from tenure.schema.build import BuildTask
from tenure.schema.grow import Product
from tenure.workspace.choose import Opening, open_machine
from tenure.workspace.gateway import Gateway
from tenure.workspace.machine import Machine, MachineSpec
from tenure.workspace.services import Service, open_service

NO_SERVICE = "none"


@dataclass(frozen=True)
class Workspace:
    """An open workspace.

    Attributes:
        machine: Where the agent works.
        service: The database beside it; ``None`` where the task wants none.
        database: What the database is, as ``PostgreSQL 17.2``; empty without one.
        provenance: All that decides what both are.
    """

    machine: Machine
    service: Service | None
    database: str
    provenance: dict[str, str]


@asynccontextmanager
async def open_workspace(
    task: BuildTask | Product,
    kind: str | None = None,
    spec: MachineSpec | None = None,
    *,
    gateway: Gateway | None = None,
    opening: Opening = open_machine,
) -> AsyncIterator[Workspace]:
    """Open a fresh workspace for a task; nothing of it outlives the block.

    Args:
        task: Names the service, the port and the packages.
        kind: The machine's kind; the most isolating one that is to be had without it.
        spec: What else the machine shall have; the task's packages and variables are added. Its variables
            win over a product's own, which a plan may set otherwise.
        gateway: The way out to package registries; none by default.
        opening: Opens the machine; it may know more kinds than ``open_machine``.

    Raises:
        BadInput: Something is not installed; the text says what to install.
        Fault: The machine or the service does not start.
    """
    spec = spec or MachineSpec()
    environment, port, url = dict(spec.environment), "PORT", "DATABASE_URL"
    if isinstance(task, Product):
        environment = {**task.environment, **environment}
        port, url = "APPLICATION_PORT", f"{task.service.upper()}_DATABASE_URL"
    environment[port] = str(task.port)
    async with AsyncExitStack() as stack:
        service = None
        if task.service != NO_SERVICE:
            service = await stack.enter_async_context(open_service(task.service))
            environment[url] = service.url()
        wanted = replace(spec, packages=(*spec.packages, *task.packages), environment=environment)
        machine = await stack.enter_async_context(opening(kind, wanted, gateway=gateway))
        provenance, database = dict(machine.provenance), ""
        if service is not None:
            if service.address is not None:
                await machine.offer(service.port, service.address)
            probe = await service.probe()
            database = f"{_TITLES.get(service.name, service.name)} {probe['version']}"
            provenance |= {
                f"{service.name} {key}": str(value) for key, value in probe.items() if key != "ready"
            }
        yield Workspace(machine, service, database, provenance)


_TITLES = {
    "postgres": "PostgreSQL",
    "mariadb": "MariaDB",
    "redis": "Redis",
    "mongodb": "MongoDB",
    "clickhouse": "ClickHouse",
    "sqlite": "SQLite",
}
