"""The smallest world: one account."""

from types import SimpleNamespace
from typing import Any

from tenure.twins.google.tokens import google_tokens
from tenure.world import Account

MONDAY = 1_772_438_400_000  # 2 March 2026, 08:00 UTC


def start(seed: int) -> int:
    """World time at the start, epoch milliseconds."""
    return MONDAY


def build(base: Any, seed: int) -> SimpleNamespace:
    """Everything that is there whatever the story."""
    base.add(Account(id="ana", email="ana@harbor.example", name="Ana Novak", zone="Europe/Prague"))
    for token in google_tokens(seed, "ana"):
        base.add(token)
    base.facts["persona_email"] = "ana@harbor.example"
    return SimpleNamespace(base=base, seed=seed)


def finish(company: SimpleNamespace) -> None:
    """Nothing is left to do."""
