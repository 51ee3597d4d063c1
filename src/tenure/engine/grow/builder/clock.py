"""A stage's time, which stands still while the network is down (protocols, Grow 2)."""

from time import monotonic
from types import TracebackType
from typing import Self

import anyio


class Clock:
    """Cancels the block of code that it is entered for when the stage's time is over."""

    def __init__(self, seconds: float) -> None:
        """Give a stage its time.

        Args:
            seconds: How long it may last, what was lost left out.
        """
        self._seconds, self._lost, self._begun = seconds, 0.0, 0.0
        self._scope = anyio.CancelScope()

    def __enter__(self) -> Self:
        """The time begins."""
        self._begun = monotonic()
        self._scope.deadline = anyio.current_time() + self._seconds
        self._scope.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """The time ends, or is over."""
        self.spent = monotonic() - self._begun - self._lost
        return bool(self._scope.__exit__(kind, error, trace))

    def lose(self, seconds: float) -> None:
        """Seconds that do not count."""
        self._lost += seconds
        self._scope.deadline += seconds

    @property
    def over(self) -> bool:
        """Whether the time ended the block."""
        return self._scope.cancelled_caught
