"""Several apps at once: one that fails stops the others, and nothing of any is left."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from tenure.apps import Apps, find_recipe, open_apps, opened, snapshot
from tenure.apps.doctor import examine
from tenure.apps.program import Program
from tenure.schema import BadInput, Fault
from tenure.workspace import choose
from tenure.workspace.bubblewrap import Bubblewrap
from tenure.workspace.machine import MachineSpec
from tenure.workspace.services.redis import Redis
from tenure.workspace.together import each_to_the_end, to_the_end, together

pytestmark = pytest.mark.anyio


class Slow:
    """An app that takes a machine a while after it was told to come up, and gives it back when it is closed.

    Attributes:
        machines: How many it holds.
    """

    def __init__(self, seconds: float, fails: Exception | None = None) -> None:
        self.seconds, self.fails, self.machines = seconds, fails, 0

    async def up(self) -> None:
        await asyncio.sleep(self.seconds)
        if self.fails is not None:
            raise self.fails
        self.machines += 1

    restore = up

    async def close(self) -> None:
        await asyncio.sleep(0)
        self.machines = 0


def put(monkeypatch: pytest.MonkeyPatch, apps: Sequence[Slow]) -> list[str]:
    names = [str(n) for n in range(len(apps))]

    async def install(name: str, say: object, *, seed: int) -> SimpleNamespace:
        app = apps[int(name)]
        return SimpleNamespace(recipe=SimpleNamespace(name=name), running=lambda: app, provenance={})

    monkeypatch.setattr(opened, "install", install)
    monkeypatch.setattr(opened, "find_recipe", lambda name: name)
    return names


@pytest.mark.parametrize("failure", [Fault("it does not come up"), BadInput("it cannot be had here")])
async def test_an_app_that_fails_leaves_no_machine_of_another_that_was_coming_up(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    apps = [Slow(0, failure), Slow(0.05)]
    with pytest.raises(type(failure), match=str(failure)):
        async with open_apps(put(monkeypatch, apps)):
            pass
    await asyncio.sleep(0.1)
    assert [app.machines for app in apps] == [0, 0]


async def test_a_restore_that_fails_stops_the_others_before_it_says_so() -> None:
    other = Slow(0.05)
    apps = Apps({"one": Slow(0, Fault("gone")), "other": other}, {})  # type: ignore[dict-item]
    with pytest.raises(Fault, match="gone"):
        await apps.restore()
    await asyncio.sleep(0.1)
    assert other.machines == 0


async def test_apps_of_a_run_that_is_stopped_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    apps = [Slow(0), Slow(0)]
    with anyio.move_on_after(0.05):
        async with open_apps(put(monkeypatch, apps)):
            assert [app.machines for app in apps] == [1, 1]
            await anyio.sleep_forever()
    assert [app.machines for app in apps] == [0, 0]


async def test_the_first_error_is_the_one_that_is_told() -> None:
    async def later() -> None:
        try:
            await asyncio.sleep(1)
        finally:
            raise OSError("because it was stopped")

    async def soon() -> None:
        await asyncio.sleep(0)
        raise Fault("the cause")

    with pytest.raises(Fault, match="the cause"):
        await together([later(), soon()])


async def test_what_must_not_stop_half_way_ends_before_whoever_was_stopped_goes_on() -> None:
    ended = []

    async def work() -> None:
        await asyncio.sleep(0.05)
        ended.append("work")

    with anyio.move_on_after(0.01):
        await to_the_end(work())
    assert ended == ["work"]
    waiting = asyncio.create_task(to_the_end(work()))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended == ["work", "work"]


async def test_endings_do_not_wait_for_each_others_success() -> None:
    apps = [Slow(0), Slow(0)]
    for app in apps:
        await app.up()

    async def fails() -> None:
        raise Fault("it does not end")

    with pytest.raises(Fault, match="it does not end"):
        await each_to_the_end([fails(), *(app.close() for app in apps)])
    assert [app.machines for app in apps] == [0, 0]


class Lasting:
    """A machine or an app whose end takes a while.

    Attributes:
        ended: Whether it came to it.
    """

    ended = False

    def __init__(self, *_: object, **__: object) -> None:
        Lasting.ended = False

    async def open(self) -> None:
        await asyncio.sleep(60)

    up = start = open

    async def close(self) -> None:
        await asyncio.sleep(0.02)
        Lasting.ended = True

    stop = close


async def filling(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(snapshot, "RunningApp", Lasting)
    await snapshot._make(
        folder / "it", folder / "it.json", find_recipe("tally"), Program(None, None, {}, ()), 0, print
    )


async def examining(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    installed = SimpleNamespace(running=Lasting, snapshot=SimpleNamespace(folder=folder))
    async for _ in examine(installed):  # type: ignore[arg-type]
        pass


async def working(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    async def started(*_: object, **__: object) -> Lasting:
        return Lasting()

    monkeypatch.setattr(choose, "start_machine", started)
    async with choose.open_machine():
        await asyncio.sleep(60)


async def starting(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(Bubblewrap, "missing", lambda: "")
    monkeypatch.setattr(Bubblewrap, "__init__", Lasting.__init__)
    monkeypatch.setattr(Bubblewrap, "_start", Lasting.open)
    monkeypatch.setattr(Bubblewrap, "close", Lasting.close)
    await Bubblewrap.open(MachineSpec())


async def serving(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(Redis, "start", Lasting.open)
    monkeypatch.setattr(Redis, "stop", Lasting.close)
    async with Redis():
        pass


@pytest.mark.parametrize("doing", [filling, examining, working, starting, serving])
async def test_whatever_is_stopped_ends_what_it_opened(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    doing: Callable[[pytest.MonkeyPatch, Path], Awaitable[None]],
) -> None:
    Lasting.ended = False
    with anyio.move_on_after(0.05) as scope:
        await doing(monkeypatch, tmp_path)
    assert scope.cancelled_caught and Lasting.ended
