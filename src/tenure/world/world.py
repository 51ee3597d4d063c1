"""A world: the shared state of its twins, one clock, one set of accounts."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from tenure.schema import Fault, Via
from tenure.world.act import Act
from tenure.world.journal import Journal
from tenure.world.record import WORLD_KINDS, Due, Record
from tenure.world.store import Store
from tenure.world.twin import Twin

TICK_MS = 2_000
"""World time that one exchange takes."""


class World:
    """One attempt's world over a shared base.

    Time moves only here: every exchange is one tick, due events run in their order at their own
    time, and ``settle`` lets the rest of a horizon pass.
    """

    def __init__(
        self,
        base: Path,
        twins: Sequence[Twin],
        *,
        journal: Path | None = None,
        real_time: Callable[[], float] = time.time,
    ) -> None:
        """Reset a world to its base.

        Args:
            base: The seeded base.
            twins: The products in it.
            journal: File that changes are appended to.
            real_time: Real epoch seconds; credentials expire by it.
        """
        self.twins = {twin.name: twin for twin in twins}
        kinds: dict[str, type[Record]] = {kind.kind: kind for kind in WORLD_KINDS}
        for twin in twins:
            kinds |= {kind.kind: kind for kind in twin.kinds}
        self.store = Store(base, kinds.values(), Journal(journal))
        self.seed = int(self.store.meta("seed"))
        self.real_time = real_time
        self._now = int(self.store.meta("now"))
        self._next_due: int | None = None
        self._events = {name: run for twin in twins for name, run in twin.events.items()}
        self._look_for_due()

    @property
    def now(self) -> int:
        """World time, epoch milliseconds."""
        return self._now

    @property
    def facts(self) -> dict[str, Any]:
        """What the story's author knows. Graders read it; no interface serves it."""
        facts: dict[str, Any] = orjson.loads(self.store.meta("facts"))
        return facts

    def close(self) -> None:
        """Drop the delta."""
        self.store.close()

    @contextmanager
    def act(self, via: Via, actor: str = "") -> Iterator[Act]:
        """One actor's transaction; an exception undoes it."""
        with self.store.transaction():
            act = Act(self, via, actor)
            yield act
            if act.written:
                self.store.set_meta("now", self._now)
        if act.written:
            self._look_for_due()

    def tick(self) -> None:
        """Let one exchange's time pass."""
        self._advance(self._now + TICK_MS)

    def settle(self, horizon_ms: int) -> None:
        """Let a horizon pass, with everything that falls due in it."""
        self._advance(self._now + horizon_ms)
        with self.store.transaction():
            self.store.set_meta("now", self._now)

    def _look_for_due(self) -> None:
        page = self.store.page(Due, "at", limit=1)
        self._next_due = page.records[0].at if page.records else None

    def _advance(self, until: int) -> None:
        while self._next_due is not None and self._next_due <= until:
            due: Due = self.store.page(Due, "at", limit=1).records[0]
            self._now = max(self._now, due.at)
            run = self._events.get(due.event)
            if run is None:
                raise Fault(
                    f"nothing handles the due event {due.event!r}; the world's base names a twin it lacks"
                )
            with self.act(Via.WORLD) as act:
                act.cause = due.cause
                act.delete(due)
                run(act, due.payload)
        self._now = until
