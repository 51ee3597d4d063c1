"""What every running app has, whatever it runs in: an address, a port of the host, and an answer."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping

import httpx

from tenure.apps.containers import ReleasedApp
from tenure.schema.errors import Fault
from tenure.schema.operate import Account
from tenure.workspace.relay import Servers, Streams, leading_to, loopback_listener

OK = (200, 301, 302, 303, 401, 403)
"""Statuses that show that an app is there."""
_GLANCE = 0.02
"""Seconds between two looks whether an app is ready."""


def address_of(name: str) -> str:
    """Where every browser finds an app in a run; no slash at the end."""
    return f"http://{name}.localhost"


class Reached(ABC):
    """A running app, seen from outside.

    Attributes:
        name: The app's.
        address: Where browsers find it; no slash at the end.
        port: The host's loopback port that leads to it, the same after each restore.
        account: The one that agents get.
    """

    def __init__(self, name: str, account: Account, *, address: str = "", port: int = 0) -> None:
        """Take a port of the host; nothing runs yet.

        Args:
            name: The app's.
            account: The one that agents get.
            address: Where browsers find it; the one of all runs by default.
            port: A loopback port of the host; a free one by default.
        """
        self.name = name
        self.account = account
        self.address = address or address_of(name)
        self._listener = loopback_listener(port)
        self.port: int = self._listener.getsockname()[1]
        self._servers = Servers()
        self._listening = False

    @property
    def url(self) -> str:
        """Where the host finds it; no slash at the end. Its own name goes into the Host header."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> str:
        """Its name in browsers, as the Host header says it."""
        return self.address.partition("://")[2]

    @abstractmethod
    async def dial(self) -> Streams:
        """Connect to it.

        Raises:
            OSError: It does not listen.
            Fault: What it runs in is gone.
        """

    @abstractmethod
    async def up(self) -> None:
        """Open it in its first state, and return once it is healthy.

        Raises:
            BadInput: This host cannot have it.
            Fault: It does not come up.
        """

    @abstractmethod
    async def restore(self) -> None:
        """Go back to the first state, and return once it is healthy.

        Raises:
            Fault: It does not come up again.
        """

    @abstractmethod
    async def close(self) -> None:
        """End everything and remove it. May be called again."""

    @abstractmethod
    def released(self) -> ReleasedApp:
        """The app as a released verifier reaches it."""

    async def status(self, path: str, seconds: float = 30) -> int:
        """The status that a path answers with; 0 where nothing does in time."""
        try:
            async with asyncio.timeout(seconds):
                reader, writer = await self.dial()
                try:
                    head = f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n"
                    writer.write(head.encode())
                    return int((await reader.readline()).split()[1])
                finally:
                    writer.close()
        except (OSError, Fault, TimeoutError, IndexError, ValueError):
            return 0

    def client(self, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """A client of its HTTP interface, by its own name.

        Args:
            headers: Of every request, beyond Host.
        """
        return httpx.AsyncClient(
            base_url=self.url, headers={"Host": self.host, **(headers or {})}, timeout=60, trust_env=False
        )

    async def _healthy(self, path: str, ok: Collection[int], seconds: float) -> None:
        """Wait until a path answers as it should.

        Raises:
            Fault: It does not in time, or ``_still`` says that it never will.
        """
        status = 0
        try:
            async with asyncio.timeout(seconds):
                watch = asyncio.get_running_loop().time()
                while (status := await self.status(path, seconds)) not in ok:
                    if asyncio.get_running_loop().time() - watch > 1:
                        await self._still()
                        watch = asyncio.get_running_loop().time()
                    await asyncio.sleep(_GLANCE)
        except TimeoutError:
            said = f"answers {status}" if status else "is not answered"
            last = await self._last()
            raise Fault(f"{self.name}: not healthy after {seconds:g} s: {path} {said}{last}") from None

    @abstractmethod
    async def _still(self) -> None:
        """Raise a fault if the app has ended."""

    @abstractmethod
    async def _last(self) -> str:
        """The last line of its log, after a colon; empty without one."""

    async def _listen(self) -> None:
        if not self._listening:
            await self._servers.serve(self._listener, leading_to(self._reach))
            self._listening = True

    async def _unlisten(self) -> None:
        await self._servers.close()
        self._listener.close()

    async def _reach(self) -> Streams:
        try:
            return await self.dial()
        except Fault as error:
            raise ConnectionRefusedError(str(error)) from error
