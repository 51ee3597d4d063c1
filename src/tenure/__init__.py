"""Tenure: can this agent hold the job?

``tenure.attempt`` is the Python door; everything else is reached through its room
(``tenure.world``, ``tenure.grading``, …). Nothing heavy is imported here.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["__version__", "attempt"]
__version__ = "0.1.0"

if TYPE_CHECKING:
    from tenure.cli.door import attempt


def __getattr__(name: str) -> Any:
    if name == "attempt":
        from tenure.cli.door import attempt

        return attempt
    raise AttributeError(f"module 'tenure' has no attribute {name!r}")
