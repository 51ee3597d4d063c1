"""What a check declares, apart from the function that answers it."""

from enum import StrEnum

from pydantic import Field

from tenure.schema.shape import Shape


class Source(StrEnum):
    """Where the value that a check expects can be found by an agent."""

    INSTRUCTION = "instruction"
    RECORD = "record"
    DERIVED = "derived"


class Expect(Shape):
    """One value that a check demands, and where an agent can learn it."""

    fact: str
    """Key in the world's facts."""
    source: Source
    records: tuple[str, ...] = ()
    """Facts that hold the ``kind/id`` of the records that state (or together imply) the value."""


class CheckSpec(Shape):
    """The declaration of one check: a sentence that is true when the check passes."""

    id: str
    says: str
    required: bool = True
    weight: float = Field(default=1.0, gt=0)
    guard: bool = False
    """A guard holds on the untouched world; it is always required."""
    judged: bool = False
    """A judged check is answered by a judge and is never required."""
    expects: tuple[Expect, ...] = ()


class Footprint(Shape):
    """The records that a task may change (protocols, Carry 7).

    Attributes:
        create: Kinds in which new records are allowed.
        change: ``kind`` → allowed ids (fact keys written ``$fact`` or ``*``) for existing records.
        delete: The same for records that may be gone at the end.
    """

    create: tuple[str, ...] = ()
    change: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    delete: dict[str, tuple[str, ...]] = Field(default_factory=dict)
