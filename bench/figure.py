"""One measured figure, and how two ways of doing the same are timed fairly."""

import gc
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figure:
    """What Tenure needs for something, beside the floor.

    Attributes:
        name: What was measured.
        value: Tenure's figure, in ``unit``.
        unit: ``ms``, ``us`` or ``KiB``.
        floor: The raw parts' figure, in the same unit.
        goal_ratio: Greatest accepted ratio of the two.
    """

    name: str
    value: float
    unit: str
    floor: float
    goal_ratio: float

    @property
    def ratio(self) -> float:
        """How many times the floor."""
        return self.value / self.floor

    @property
    def ok(self) -> bool:
        """Whether the goal is met."""
        return self.ratio <= self.goal_ratio

    def record(self) -> dict[str, Any]:
        """The figure as ``results.json`` holds it."""
        fields = asdict(self) | {"ratio": self.ratio, "ok": self.ok}
        order = ("name", "value", "unit", "floor", "ratio", "goal_ratio", "ok")
        rounded = {key: float(f"{x:.4g}") if isinstance(x, float) else x for key, x in fields.items()}
        return {key: rounded[key] for key in order}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python's garbage collector out of the samples, as ``timeit`` does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(
    name: str,
    ours: Callable[[int], Any],
    floor: Callable[[int], Any],
    *,
    goal: float,
    times: int,
    unit: str = "us",
    clock: Callable[[], float] = time.perf_counter,
) -> Figure:
    """Medians over alternating calls, so that a busy moment of the machine meets both alike.

    Args:
        name: What is measured.
        ours: Tenure's way; gets the number of the repetition.
        floor: The raw way.
        goal: Greatest accepted ratio.
        times: Repetitions, after a tenth as many to warm up.
        unit: ``us`` or ``ms``.
        clock: ``time.process_time`` for work that outlasts a turn on a shared processor.
    """
    samples: tuple[list[float], list[float]] = ([], [])
    with _no_collection():
        for n in range(times // 10 + times):
            for way, kept in zip((ours, floor), samples, strict=True):
                start = clock()
                way(n)
                kept.append(clock() - start)
    return _figure(name, samples, goal, times, unit)


async def timed_async(
    name: str,
    ours: Callable[[int], Awaitable[Any]],
    floor: Callable[[int], Awaitable[Any]],
    *,
    goal: float,
    times: int,
) -> Figure:
    """``timed`` for coroutines, in milliseconds."""
    samples: tuple[list[float], list[float]] = ([], [])
    with _no_collection():
        for n in range(times // 10 + times):
            for way, kept in zip((ours, floor), samples, strict=True):
                start = time.perf_counter()
                await way(n)
                kept.append(time.perf_counter() - start)
    return _figure(name, samples, goal, times, "ms")


def _figure(
    name: str, samples: tuple[list[float], list[float]], goal: float, times: int, unit: str
) -> Figure:
    scale = {"us": 1e6, "ms": 1e3}[unit]
    value, floor = (median(kept[-times:]) * scale for kept in samples)
    return Figure(name, value, unit, floor, goal)
