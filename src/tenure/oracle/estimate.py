"""What an attempt may take, from what the oracle's own work takes."""

from pathlib import Path
from typing import NamedTuple

from tenure.oracle.direct import load_solve, perform
from tenure.schema.folder import TaskFolder
from tenure.twins import load
from tenure.world.place import Place

CHARS_PER_TOKEN = 4
DETOURS = 2
"""A model takes about this many turns for each of the oracle's: it does not know the way."""
WORDS_PER_TURN = 150
"""Tokens that a model writes in a turn, about."""


class Estimate(NamedTuple):
    """One attempt's size, to the nearest order of magnitude.

    Attributes:
        turns: Model turns.
        input_tokens: Read over all turns: each turn reads what came before it.
        output_tokens: Written.
        tool_tokens: What the tools' declarations take in every turn.
        tools: MCP tools offered.
    """

    turns: int
    input_tokens: int
    output_tokens: int
    tool_tokens: int
    tools: int


def estimate(folder: TaskFolder, base: Path) -> Estimate:
    """Estimate one attempt.

    Args:
        folder: The task.
        base: A base of its world.
    """
    twins = load(folder.task.twins)
    done = perform(folder, base, load_solve(folder), twins)
    sizes = [size // CHARS_PER_TOKEN + WORDS_PER_TURN for size in done.response_chars]
    done.close()
    turns = DETOURS * len(sizes) + 1
    place = Place(folder, base, twins)
    tools, context = len(place.door.tools), place.door.declared_chars() // CHARS_PER_TOKEN
    place.close()
    growth = sum(sizes) / max(1, len(sizes))
    read = round(sum(context + growth * turn for turn in range(turns)))
    return Estimate(turns, read, turns * WORDS_PER_TURN, context, tools)
