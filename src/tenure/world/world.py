"""A world: the shared state of its twins, one clock, one set of accounts."""

import math
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
        self.seed = self.store.seed
        self.real_time = real_time
        self._now = self.store.start
        self._quiet_until: float = self._now
        """Nothing falls due before this time."""
        self._events = {name: run for twin in twins for name, run in twin.events.items()}

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
            yield Act(self, via, actor)

    def expect(self, at: int) -> None:
        """Take note that something may fall due at a time."""
        self._quiet_until = min(self._quiet_until, at)

    def tick(self) -> None:
        """Let one exchange's time pass."""
        self._advance(self._now + TICK_MS)

    def settle(self, horizon_ms: int) -> None:
        """Let a horizon pass, with everything that falls due in it."""
        self._advance(self._now + horizon_ms)
        with self.store.transaction():
            self.store.set_meta("now", self._now)

    def _advance(self, until: int) -> None:
        while self._quiet_until <= until:
            pending = self.store.page(Due, "at", limit=1).records
            if not pending or pending[0].at > until:
                self._quiet_until = pending[0].at if pending else math.inf
                break
            self._happen(pending[0])
        self._now = until

    def _happen(self, due: Due) -> None:
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
