"""Declaring checks: small functions over an end state, each one question with its evidence."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tenure.schema import BadInput, CheckSpec, Expect, Source
from tenure.world import EndState


class Saw(NamedTuple):
    """A check's answer.

    Attributes:
        ok: Whether the check's sentence is true.
        text: What was there, in one line: the evidence for a pass and the reason for a fail.
    """

    ok: bool
    text: str


class Question(NamedTuple):
    """What a judged check puts to a judge.

    Attributes:
        criterion: One yes-or-no criterion.
        evidence: The part of the end state that it is about; written by the agent, so untrusted.
    """

    criterion: str
    evidence: str


Answer = Callable[[EndState], Saw]
Ask = Callable[[EndState], Question | Saw]


def instructed(*facts: str) -> tuple[Expect, ...]:
    """The values of these facts stand in the instruction."""
    return tuple(Expect(fact=fact, source=Source.INSTRUCTION) for fact in facts)


def recorded(fact: str, *records: str) -> tuple[Expect, ...]:
    """A fact's value stands in at least one of the records that these facts name."""
    return (Expect(fact=fact, source=Source.RECORD, records=records),)


def derived(fact: str, *records: str) -> tuple[Expect, ...]:
    """A fact's value follows from all of the records that these facts name, together."""
    return (Expect(fact=fact, source=Source.DERIVED, records=records),)


class Checks:
    """A task's checks, in the order of the scorecard.

    Use its methods as decorators::

        checks = Checks()

        @checks.required("amount", "The deal shows the agreed amount", expects=recorded("amount", "mail"))
        def amount(end: EndState) -> Saw: ...
    """

    def __init__(self) -> None:
        """Start an empty list."""
        self.specs: dict[str, CheckSpec] = {}
        self.run: dict[str, Ask] = {}

    def _add(self, spec: CheckSpec) -> Callable[[Ask], Ask]:
        if spec.id in self.specs:
            raise BadInput(f"check {spec.id!r} is declared twice")

        def keep(run: Ask) -> Ask:
            self.specs[spec.id], self.run[spec.id] = spec, run
            return run

        return keep

    def required(
        self, id: str, says: str, *, weight: float = 1.0, expects: Iterable[Expect] = ()
    ) -> Callable[[Ask], Ask]:
        """A check that new work must make true."""
        return self._add(CheckSpec(id=id, says=says, weight=weight, expects=tuple(expects)))

    def weighted(
        self, id: str, says: str, *, weight: float = 1.0, expects: Iterable[Expect] = ()
    ) -> Callable[[Ask], Ask]:
        """A check that counts for the partial score only."""
        return self._add(CheckSpec(id=id, says=says, weight=weight, required=False, expects=tuple(expects)))

    def guard(
        self, id: str, says: str, *, weight: float = 1.0, expects: Iterable[Expect] = ()
    ) -> Callable[[Ask], Ask]:
        """A required check that holds on the untouched world and must go on holding."""
        return self._add(CheckSpec(id=id, says=says, weight=weight, guard=True, expects=tuple(expects)))

    def judged(self, id: str, says: str, *, weight: float = 1.0) -> Callable[[Ask], Ask]:
        """A check that a judge answers; never required."""
        return self._add(CheckSpec(id=id, says=says, weight=weight, required=False, judged=True))
