"""The functions that the engine computes as Sheets does; the dialect adds its own and renames others.

A function of the engine that Sheets lacks is not listed: it answers ``#NAME?``, as there.
"""

from importlib.resources import files

ENGINE = frozenset(files("tenure.twins.sheets").joinpath("functions.txt").read_text().split())
