"""Keys stay out of what a run keeps, even when a provider repeats one in its complaint."""

import os
import re

_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$")
_SHORTEST = 8
"""Shorter values are no secrets, and replacing them would spoil the text."""


def without_keys(text: str) -> str:
    """A text in which the values of the environment's keys are replaced by the variables' names."""
    for name, value in os.environ.items():
        if _SECRET.search(name) and len(value) >= _SHORTEST:
            text = text.replace(value, f"${name}")
    return text
