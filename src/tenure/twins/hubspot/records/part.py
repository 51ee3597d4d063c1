"""What every record module needs."""

from pydantic import BaseModel, ConfigDict

TIMES = frozenset({"created_at", "updated_at", "archived_at"})
"""Fields that follow from when something was done, never from what."""


class Part(BaseModel):
    """A part of a record: closed, like the record itself."""

    model_config = ConfigDict(extra="forbid")
