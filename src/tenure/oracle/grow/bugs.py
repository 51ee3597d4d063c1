"""Planted bugs: patches of a finished reference, in the six kinds of the paper's Table 4 (seed 001)."""

from dataclasses import dataclass

from tenure.oracle.build import Edit
from tenure.oracle.grow.reference import reference_at
from tenure.schema import BadInput
from tenure.schema.folder import GrowFolder
from tenure.scoring.grow.audit import BugKind


@dataclass(frozen=True)
class PlantedBug:
    """The finished reference made wrong in one way.

    Attributes:
        name: What is wrong, in words.
        kind: Which of the six.
        plan: The plan that is aimed at it: it must fail, and no other plan that shares its features may.
        edits: The patch, by paths below ``/app``.
    """

    name: str
    kind: BugKind
    plan: str
    edits: tuple[Edit, ...]


def bug(name: str, kind: BugKind, plan: str, *edits: tuple[str, str, str]) -> PlantedBug:
    """A bug of edits: path, old text, new text."""
    return PlantedBug(name, kind, plan, tuple(Edit(*edit) for edit in edits))


def load_bugs(folder: GrowFolder) -> tuple[PlantedBug, ...]:
    """A product's planted bugs.

    Raises:
        BadInput: ``bugs.py`` has none, two of one name, one aimed at no plan, or a patch does not fit.
    """
    bugs: tuple[PlantedBug, ...] = tuple(getattr(folder.module("bugs"), "BUGS", ()))
    names, plans = [bug.name for bug in bugs], {plan.id for plan in folder.plans}
    if not bugs or len(names) != len(set(names)):
        raise BadInput(f"{folder.path}/bugs.py must have BUGS, each with a name of its own")
    for each in bugs:
        if each.plan not in plans:
            raise BadInput(f"{folder.path}/bugs.py: {each.name!r} is aimed at {each.plan}, which is no plan")
        reference_at(folder, len(folder.stages), each.edits)
    return bugs
