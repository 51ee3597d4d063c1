"""The declaration of a carry task, as its ``task.toml`` gives it."""

import re

from pydantic import Field, field_validator

from tenure.schema.check import Footprint
from tenure.schema.shape import Shape
from tenure.schema.words import Interface, Suite

VERSION = re.compile(r"^\d+-\d+$")


class Persona(Shape):
    """Who the agent acts for. ``{…}`` in any text is filled from the world's facts."""

    email: str
    name: str
    role: str
    zone: str
    """IANA time zone."""


class Task(Shape):
    """A task folder's declaration.

    The version is ``N-X``: N rises when scores stop being comparable. The canary marks the text
    as benchmark data that must not be trained on.
    """

    suite: Suite
    name: str
    title: str
    version: str
    canary: str = Field(min_length=32)
    twins: tuple[str, ...] = Field(min_length=1)
    interfaces: tuple[Interface, ...] = (Interface.API,)
    world: str
    """Folder name below ``catalog/worlds``; ``./name`` for a folder within the task's own."""
    persona: Persona
    horizon_hours: float = Field(gt=0)
    """World time that is let pass after the agent stops, so that what is due happens."""
    rule_check: str
    """The check whose rule lives in another app than the work."""
    rule_record: str
    """Fact that holds ``kind/id`` of the record that states the rule."""
    hardest_check: str
    """The check on the hardest record."""
    hardest_record: str
    """Fact that holds ``kind/id`` of the record that is hardest to get right."""
    pointing_records: tuple[str, ...]
    """Facts that hold the records that point to the answer of the hardest check."""
    footprint: Footprint

    @field_validator("version")
    @classmethod
    def _version(cls, value: str) -> str:
        if not VERSION.match(value):
            raise ValueError(f"version {value!r} must look like 1-0")
        return value

    @property
    def id(self) -> str:
        """``suite/name``, the name that commands take."""
        return f"{self.suite}/{self.name}"
