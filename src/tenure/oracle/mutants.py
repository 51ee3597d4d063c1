"""Mutants (an oracle made wrong in one way) and vandals (an agent that breaks one guard)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tenure.oracle.hands import Changes, Notes, Solve, Step, Steps
from tenure.schema import BadInput
from tenure.schema.folder import OperateFolder, TaskFolder


@dataclass(frozen=True)
class Mutant:
    """One wrong way through a task, and the checks that must notice it.

    Attributes:
        name: What went wrong, in words.
        kills: Ids of checks that must fail.
        skip: A step, or steps, left out.
        repeat: A step done twice.
        after: Step → function that spoils the notes.
        instead: Step → what is done in its place.
    """

    name: str
    kills: tuple[str, ...]
    skip: str | tuple[str, ...] = ()
    repeat: str = ""
    after: Mapping[str, Callable[[Notes], None]] = field(default_factory=dict)
    instead: Mapping[str, Step] = field(default_factory=dict)

    @property
    def changes(self) -> Changes:
        """The changes to the oracle's script."""
        return Changes(
            skip=frozenset([self.skip] if isinstance(self.skip, str) else self.skip),
            repeat=frozenset([self.repeat] if self.repeat else []),
            after=self.after,
            instead=self.instead,
        )


@dataclass(frozen=True)
class Vandal:
    """An agent that does the whole job and breaks something on the way.

    Attributes:
        name: What it breaks, in words.
        kills: Ids of guards that must fail.
        do: The harm, done after the oracle's work.
    """

    name: str
    kills: tuple[str, ...]
    do: Callable[[Any], Awaitable[None]]

    def after(self, solve: Solve) -> Solve:
        """The whole script: the job, then the harm."""

        async def both(hands: Steps) -> None:
            await solve(hands)
            await self.do(hands)

        return both


def setting(**values: Callable[[Notes], Any]) -> Callable[[Notes], None]:
    """A function that spoils notes (for ``after``): name → what it becomes, each seen from before."""

    def spoil(notes: Notes) -> None:
        for name, value in {name: make(notes) for name, make in values.items()}.items():
            setattr(notes, name, value)

    return spoil


def load_mutants(folder: TaskFolder | OperateFolder) -> tuple[list[Mutant], list[Vandal]]:
    """A task's mutants and vandals; a task of operate without guards needs no vandals.

    Raises:
        BadInput: ``mutants.py`` has none, or two of one name.
    """
    module = folder.module("mutants")
    mutants, vandals = list(getattr(module, "MUTANTS", ())), list(getattr(module, "VANDALS", ()))
    guarded = isinstance(folder, TaskFolder) or any(check.guard for check in folder.task.checks)
    if not mutants or (guarded and not vandals):
        raise BadInput(f"{folder.path}/mutants.py must have MUTANTS and VANDALS")
    names = [one.name for one in (*mutants, *vandals)]
    if len(names) != len(set(names)):
        raise BadInput(f"{folder.path}/mutants.py uses a name twice")
    return mutants, vandals
