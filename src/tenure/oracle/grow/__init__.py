"""The oracle of a grow product: its reference stage by stage, seeds, walks, planted bugs, direct hands."""

from tenure.oracle.grow.bugs import PlantedBug, bug, load_bugs
from tenure.oracle.grow.reference import overlay, packed, reference_at
from tenure.oracle.grow.seeds import seeding_of
from tenure.oracle.grow.walk import Act, Hands, Verb, Walk
from tenure.oracle.grow.walks import Walking, load_walks, walked

__all__ = [
    "Act",
    "Hands",
    "PlantedBug",
    "Verb",
    "Walk",
    "Walking",
    "bug",
    "load_bugs",
    "load_walks",
    "overlay",
    "packed",
    "reference_at",
    "seeding_of",
    "walked",
]
