"""Running a grader's scripts: a program in a machine without a network, which drives the browser alone.

The program may hang, end or lie: it is ended and started anew when it does not answer, and what it says
of itself is shown to the grader and decides nothing.
"""

import asyncio
import json
from importlib.resources import files
from typing import Any, NamedTuple

from tenure.grading.grow.browser.watch import Watch
from tenure.schema.errors import Fault
from tenure.schema.text import readable
from tenure.workspace import Machine

PROGRAM = "/app/.grader.py"
HARNESS, BROWSER = 19321, 19222
"""Ports inside: where the program finds the harness, and the browser."""
STARTS = 30.0
_GRACE = 3.0
"""Seconds in which a script that is to end has ended."""
_LARGEST = 8 << 20
_SOURCE = files("tenure.grading.grow.browser").joinpath("worker.py")


class Reply(NamedTuple):
    """What came of a script.

    Attributes:
        printed: What it printed.
        error: What went wrong, if something did.
        used: Users whose pages it asked for.
    """

    printed: str
    error: str
    used: tuple[str, ...] = ()


class Scripts:
    """The program, while it runs and when it has to be started anew."""

    def __init__(self, machine: Machine, watch: Watch, users: dict[str, str]) -> None:
        """Run scripts in a machine whose port ``BROWSER`` leads to the browser.

        Args:
            machine: Theirs alone.
            watch: Follows the browser.
            users: User → browser context.
        """
        self._machine, self._watch, self._users = machine, watch, users
        self._running: asyncio.Task[Any] | None = None
        self._arrived: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] | None = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Put the program in place and start it.

        Raises:
            Fault: It does not start.
        """
        await self._machine.write(PROGRAM, _SOURCE.read_bytes())
        await self._machine.offer(HARNESS, self._serve)
        await self._start()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Only the first to come after a start is the program; a script may knock, too.
        if self._arrived is None or self._arrived.done():
            return
        self._arrived.set_result((reader, writer))
        await writer.wait_closed()

    async def _start(self) -> None:
        self._arrived = asyncio.get_running_loop().create_future()
        command = ["python3", PROGRAM, str(HARNESS), str(BROWSER)]
        self._running = asyncio.create_task(self._machine.run(command))
        try:
            async with asyncio.timeout(STARTS):
                await asyncio.wait([self._running, self._arrived], return_when=asyncio.FIRST_COMPLETED)
                if not self._arrived.done():
                    raise EOFError(self._running.result().stderr.decode("utf-8", "replace").strip()[-300:])
                self._reader, self._writer = self._arrived.result()
                await self._hear()
        except (TimeoutError, EOFError, ValueError, OSError) as error:
            raise Fault(f"the grader's scripts cannot run: {error or type(error).__name__}") from error

    async def run(self, script: str, user: str, seconds: float) -> Reply:
        """Run one script to its end.

        Args:
            script: Its source.
            user: Whose page it has without asking for one.
            seconds: When it is ended.

        Raises:
            Fault: The program cannot be started anew.
        """
        given = {"script": script, "user": user, "seconds": seconds, "users": self._users}
        try:
            async with asyncio.timeout(seconds + _GRACE):
                await self._say({**given, "mark": self._watch.mark})
                while True:
                    told = await self._hear()
                    if "open" not in told:
                        return Reply(
                            readable(str(told["printed"])),
                            readable(str(told["error"])),
                            tuple(one for one in self._users if one in told["used"]),
                        )
                    if (whose := str(told["open"])) in self._users:
                        await self._watch.open(self._users[whose])
        except TimeoutError:
            why = f"the script took more than {seconds:g} seconds and was ended"
        except (EOFError, OSError, ValueError, KeyError, TypeError):
            why = "the script ended the program that it ran in"
        await self._end()
        await self._start()
        return Reply("", f"{why}; its variables are gone, the pages are as they were", tuple(self._users))

    async def _say(self, message: dict[str, Any]) -> None:
        assert self._writer is not None
        data = json.dumps(message).encode()
        self._writer.write(len(data).to_bytes(4) + data)
        await self._writer.drain()

    async def _hear(self) -> dict[str, Any]:
        assert self._reader is not None
        length = int.from_bytes(await self._reader.readexactly(4))
        if length > _LARGEST:
            raise ValueError("an answer of the program's is too long")
        told = json.loads(await self._reader.readexactly(length))
        if not isinstance(told, dict):
            raise ValueError("an answer of the program's is none")
        return told

    async def _end(self, grace: float = 0.0) -> None:
        if self._writer is not None:
            self._writer.close()
        if self._running is not None:
            await asyncio.wait([self._running], timeout=grace)
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def close(self) -> None:
        """End the program."""
        # It ends by itself: what is killed keeps its machine open for as long as the host's first
        # process takes to notice.
        await self._end(_GRACE)
