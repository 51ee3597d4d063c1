"""Following a run as it goes."""

from typing import Protocol

from tenure.engine.plan import Planned
from tenure.schema import AttemptRecord


class Observer(Protocol):
    """Follows a run; all methods are called on the run's event loop."""

    def began(self, planned: Planned) -> None:
        """An attempt began."""

    def stepped(self, planned: Planned, steps: int) -> None:
        """The model took another turn."""

    def reached(self, planned: Planned, where: str) -> None:
        """An attempt of several parts came to another one, such as ``stage 4 of 12``."""

    def ended(self, planned: Planned, record: AttemptRecord) -> None:
        """An attempt is graded and its record written."""


class Silent:
    """An observer that says nothing."""

    def began(self, planned: Planned) -> None:
        """Nothing."""

    def stepped(self, planned: Planned, steps: int) -> None:
        """Nothing."""

    def reached(self, planned: Planned, where: str) -> None:
        """Nothing."""

    def ended(self, planned: Planned, record: AttemptRecord) -> None:
        """Nothing."""


class Told:
    """What an attempt tells the observer of its run about itself."""

    def __init__(self, observer: Observer, planned: Planned) -> None:
        """Speak for one attempt."""
        self._observer, self._planned = observer, planned

    def __call__(self, steps: int) -> None:
        """The model has taken so many turns."""
        self._observer.stepped(self._planned, steps)

    def reached(self, where: str) -> None:
        """The attempt came to another part."""
        self._observer.reached(self._planned, where)
