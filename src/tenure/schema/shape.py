"""The base of every shared shape."""

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A frozen, closed pydantic model: an unknown field is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
