"""A browser for one grade: the users' sessions in one machine, the grader's scripts in another.

The browser's machine reaches the product and nothing else. The scripts' machine reaches the browser and
nothing else: no product, no database, no file of either. Where the product and its database would be, it
finds a tripwire. Everything that a grade is derived from is observed from outside of both.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from tenure.grading.grow.browser.scripts import BROWSER, Scripts
from tenure.grading.grow.browser.session import REST, Browser
from tenure.grading.grow.browser.watch import HEIGHT, WIDTH, Watch
from tenure.grading.grow.events import Actor, Queried, Requested
from tenure.schema.errors import BadInput, Fault
from tenure.schema.grow import Plan
from tenure.workspace import Limits, MachineSpec, open_machine
from tenure.workspace.browsing import PROGRAM, with_browser
from tenure.workspace.browsing import missing as lacking
from tenure.workspace.devtools import DevTools, Refused, open_devtools
from tenure.workspace.machine import Handler
from tenure.workspace.relay import Dial, leading_to
from tenure.world.browser import FLAGS

DATABASE = 5432
_LIMITS = Limits(memory=3 << 30, disk=1 << 30, processes=768)
"""What each of the two machines may use."""
_NEEDS = "grading grown products needs"


def missing() -> str:
    """Why no browser can be opened here, and what to do; empty when one can."""
    return f"{_NEEDS} {why}" if (why := lacking()) else ""


@asynccontextmanager
async def open_browser(
    plan: Plan,
    dial: Dial,
    *,
    port: int,
    kind: str | None = None,
    assets: Mapping[str, bytes] | None = None,
) -> AsyncIterator[Browser]:
    """Open a browser for a grade, with a session for each user; nothing of it outlives the block.

    Args:
        plan: What will be walked.
        dial: Connects to the product.
        port: Where the product answers: ``http://127.0.0.1:<port>``, as in its own machine.
        kind: The machines' kind; it must isolate.
        assets: The plan's files, which scripts find by name.

    Raises:
        BadInput: There is no isolated machine, or no browser, to be had here.
        Fault: Something does not start.
    """
    if lacks := missing():
        raise BadInput(lacks)
    async with AsyncExitStack() as stack:
        browsing = with_browser(MachineSpec(limits=_LIMITS))
        scripting = MachineSpec(packages=("playwright",), environment={"TZ": "UTC"}, limits=_LIMITS)
        shows = await stack.enter_async_context(open_machine(kind, browsing))
        acts = await stack.enter_async_context(open_machine(kind, scripting))
        if "process" in (shows.kind, acts.kind):
            raise BadInput(f"{_NEEDS} machines that isolate; choose bubblewrap")
        watch = Watch()
        await shows.offer(port, leading_to(dial))
        await acts.offer(BROWSER, leading_to(lambda: shows.connect(BROWSER)))
        await acts.offer(port, _tripwire(watch, f"http://127.0.0.1:{port}"))
        if port != DATABASE:
            await acts.offer(DATABASE, _database(watch))
        for machine in (shows, acts):
            for name, content in (assets or {}).items():
                await machine.write(name, content)
        running = asyncio.create_task(shows.run(_command()))
        stack.push_async_callback(_ended, running)
        tools = await stack.enter_async_context(open_devtools(shows, BROWSER, watch.on_event))
        stack.push_async_callback(_ending, tools)
        users = {(await tools.send("Target.createBrowserContext"))["browserContextId"]: u for u in plan.users}
        await watch.follow(tools, users)
        contexts = {user: context for context, user in users.items()}
        scripts = Scripts(acts, watch, contexts)
        stack.push_async_callback(scripts.close)
        await asyncio.gather(scripts.open(), *(watch.open(context) for context in users))
        browser = Browser(shows, tools, watch, scripts, plan.users)
        browser.version = (await tools.send("Browser.getVersion"))["product"]
        yield browser


def _command() -> list[str]:
    return [
        PROGRAM,
        *FLAGS,
        f"--remote-debugging-port={BROWSER}",
        "--user-data-dir=/tmp/browser",
        f"--window-size={WIDTH},{HEIGHT}",
        "--lang=en-US",
        "--force-prefers-reduced-motion",
    ]


async def _ending(tools: DevTools) -> None:
    with suppress(Refused, Fault):
        await tools.send("Browser.close")


async def _ended(running: "asyncio.Task[Any]") -> None:
    await asyncio.wait([running], timeout=REST)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def _tripwire(watch: Watch, address: str) -> Handler:
    """What stands where a script would look for the product: it notes the request and refuses it."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path = "CONNECT", "/"
        with suppress(TimeoutError, EOFError, ValueError, asyncio.LimitOverrunError):
            async with asyncio.timeout(REST):
                line = (await reader.readuntil(b"\r\n")).decode("latin-1")
            method, path, _ = line.split(" ", 2)
        watch.log(Requested, by=Actor.GRADER, method=method[:20], url=address + path[:2_000])
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()

    return handle


def _database(watch: Watch) -> Handler:
    """Likewise for the product's database."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        watch.log(Queried, by=Actor.GRADER, statement="a connection to the database")

    return handle
