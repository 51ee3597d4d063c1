"""What services that run a server have in common."""

from abc import abstractmethod
from pathlib import Path

from tenure.schema import Fault
from tenure.workspace.services.base import Service
from tenure.workspace.services.process import Server


class Served(Service):
    """A service that is one server process."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._server: Server | None = None

    @property
    def _running(self) -> Server:
        if self._server is None:
            raise Fault(f"{self.name} is not running: start it first")
        return self._server

    async def save(self, archive: Path) -> None:
        """See ``Service.save``: the folder ``data`` while the server is down."""
        server = self._running
        await server.pause()
        await server.pack("data", archive)

    async def stop(self) -> None:
        """See ``Service.stop``."""
        server, self._server = self._server, None
        if server is not None:
            await server.close()


class Copied(Served):
    """A server whose whole state is a folder: templates are copies of it, taken while it is down."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        super().__init__()
        self._kept = Path()

    @abstractmethod
    async def _go(self, server: Server) -> None:
        """Start the server's process on the folder ``data``."""

    async def _begin(self, server: Server, empty: Path) -> None:
        """Start for the first time, on a copy of an empty data folder or of the saved one."""
        self._server, self._kept = server, empty
        if self.saved is not None:
            self._kept = await server.unpack(self.saved, "template")
        await self._anew(server)

    async def template(self) -> None:
        """See ``Service.template``: the server stops, its data are copied, and it starts again."""
        server = self._running
        await server.pause()
        await server.run("/bin/rm", "-rf", "template")
        self._kept = await server.copy(server.folder / "data", "template")
        await self._go(server)

    async def reset(self) -> None:
        """See ``Service.reset``: the server starts again on a copy of its template."""
        server = self._running
        await server.pause()
        await self._anew(server)

    async def _anew(self, server: Server) -> None:
        await server.run("/bin/rm", "-rf", "data")
        await server.copy(self._kept, "data")
        await self._go(server)
