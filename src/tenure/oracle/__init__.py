"""The oracle: hands, named steps, the direct driver, mutants and vandals."""

from tenure.oracle.direct import Done, perform
from tenure.oracle.hands import Action, Changes, Hands, Notes, ScriptError
from tenure.oracle.mutants import Mutant, Vandal, load_mutants

__all__ = [
    "Action",
    "Changes",
    "Done",
    "Hands",
    "Mutant",
    "Notes",
    "ScriptError",
    "Vandal",
    "load_mutants",
    "perform",
]
