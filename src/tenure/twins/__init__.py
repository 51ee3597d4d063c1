"""Twins: sandboxed copies of products, one folder each, all alike.

``load(names)`` gives the twins that a task names; importing this module imports none of them.
"""

from collections.abc import Iterable
from importlib import import_module

from tenure.schema import BadInput
from tenure.world import Twin

NAMES = ("gmail", "hubspot", "sheets")
"""Every twin that ships, in the order of reports."""


def load(names: Iterable[str]) -> list[Twin]:
    """The named twins.

    Raises:
        BadInput: A name is not a twin's.
    """
    found = []
    for name in names:
        if name not in NAMES:
            raise BadInput(f"there is no twin {name!r}; twins: {', '.join(NAMES)}")
        found.append(import_module(f"tenure.twins.{name}").TWIN)
    return found
