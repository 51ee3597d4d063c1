"""Opening a machine: an isolated one where that is possible."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from tenure.schema import BadInput
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.gateway import PORT, Gateway
from tenure.workspace.machine import Machine, MachineSpec
from tenure.workspace.process import Process
from tenure.workspace.together import to_the_end

KINDS = ("bubblewrap", "process")


class Opening(Protocol):
    """Opens machines, as ``open_machine`` does."""

    def __call__(
        self, kind: str | None = None, spec: MachineSpec | None = None, *, gateway: Gateway | None = None
    ) -> AbstractAsyncContextManager[Machine]:
        """Open one for a block of code."""
        ...


async def start_machine(
    kind: str | None = None, spec: MachineSpec | None = None, *, gateway: Gateway | None = None
) -> Machine:
    """Start a machine; whoever calls must close it.

    Args:
        kind: ``bubblewrap`` or ``process``; without one bubblewrap, and where that is not to be had
            ``process``, which says on stderr that it does not isolate.
        spec: What it shall be.
        gateway: The way out to package registries; none by default. A ``process`` machine has the
            host's own network and needs none.

    Raises:
        BadInput: The kind is unknown, a program for it is missing, or the specification is wrong.
        Fault: It did not start.
    """
    spec = spec or MachineSpec()
    if kind is not None and kind not in KINDS:
        raise BadInput(f"machine {kind}: unknown; choose one of {', '.join(KINDS)}")
    missing = Bubblewrap.missing()
    if missing and kind == "bubblewrap":
        raise BadInput(missing)
    if missing and kind is None:
        print(f"note: {missing}", file=sys.stderr)
    if missing or kind == "process":
        return await Process.open(spec)
    return await behind(gateway, Bubblewrap.open, spec)


async def behind(
    gateway: Gateway | None, opening: Callable[[MachineSpec], Awaitable[Machine]], spec: MachineSpec
) -> Machine:
    """Open a machine that reaches a gateway, if there is one, and nothing else.

    Args:
        gateway: The way out.
        opening: Opens a machine without a network.
        spec: What it shall be.
    """
    if gateway is None:
        return await opening(spec)
    machine = await opening(replace(spec, environment={**gateway.environment, **spec.environment}))
    try:
        await machine.offer(PORT, gateway.handle)
    except BaseException:
        await to_the_end(machine.close())
        raise
    return machine


@asynccontextmanager
async def open_machine(
    kind: str | None = None, spec: MachineSpec | None = None, *, gateway: Gateway | None = None
) -> AsyncIterator[Machine]:
    """``start_machine`` for a block of code; nothing of the machine outlives the block."""
    machine = await start_machine(kind, spec, gateway=gateway)
    try:
        yield machine
    finally:
        await to_the_end(machine.close())
