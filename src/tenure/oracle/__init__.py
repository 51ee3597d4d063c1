"""The oracle: hands, named steps, the direct driver, mutants and vandals."""

from tenure.oracle.direct import Done, idle, load_solve, perform
from tenure.oracle.hands import Action, Changes, Hands, Notes, Performance, ScriptError, Solve
from tenure.oracle.mutants import Mutant, Vandal, load_mutants

__all__ = [
    "Action",
    "Changes",
    "Done",
    "Hands",
    "Mutant",
    "Notes",
    "Performance",
    "ScriptError",
    "Solve",
    "Vandal",
    "idle",
    "load_mutants",
    "load_solve",
    "perform",
]
