"""The oracle: hands, named steps, the direct driver, mutants and vandals."""

from tenure.oracle.acts import Action, ScriptError
from tenure.oracle.direct import Done, idle, load_solve, perform
from tenure.oracle.eyes import Eyes, Look, Sight
from tenure.oracle.hands import Changes, Hands, Notes, Performance, Solve
from tenure.oracle.mutants import Mutant, Vandal, load_mutants, setting

__all__ = [
    "Action",
    "Changes",
    "Done",
    "Eyes",
    "Hands",
    "Look",
    "Mutant",
    "Notes",
    "Performance",
    "ScriptError",
    "Sight",
    "Solve",
    "Vandal",
    "idle",
    "load_mutants",
    "load_solve",
    "perform",
    "setting",
]
