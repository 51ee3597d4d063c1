"""Trying again what the network broke, and nothing else (protocols, Build 1)."""

import re
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

import anyio

RETRIES = 5
SHORTEST, LONGEST = 10.0, 60.0
"""Seconds before the first retry, doubled for each further one, and the most."""
_STATUSES = frozenset([429, 502, 503, 504, 529])
_FAULTS = re.compile(
    r"overloaded|rate.?limit|too many requests|bad gateway|gateway time-?out|service unavailable"
    r"|connection (was )?(reset|aborted|closed|error)|server disconnected|\b(429|529)\b",
    re.IGNORECASE,
)
Answer = TypeVar("Answer")


def is_network_fault(error: BaseException) -> bool:
    """Whether the way to the model failed, and not the request: 429, 529, a gateway, a connection."""
    seen: BaseException | None = error
    while seen is not None:
        status = getattr(seen, "status_code", None) or getattr(seen, "code", None)
        if isinstance(status, int) and status >= 400:
            return status in _STATUSES
        if isinstance(seen, ConnectionError) or _FAULTS.search(f"{type(seen).__name__}: {seen}"):
            return True
        seen = seen.__cause__
    return False


async def patiently(
    ask: Callable[[], Awaitable[Answer]],
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    lost: Callable[[float], None] = lambda seconds: None,
) -> Answer:
    """Ask, and up to five times again after a network fault.

    Args:
        ask: One request.
        sleep: Waits.
        lost: Told the seconds that a fault takes, the wait that is to come included.

    Raises:
        Exception: What ``ask`` raised, when it is no network fault or was the last of the tries.
    """
    for n in range(RETRIES):
        begun = monotonic()
        try:
            return await ask()
        except Exception as error:
            if not is_network_fault(error):
                raise
        wait = min(SHORTEST * 2**n, LONGEST)
        lost(monotonic() - begun + wait)
        await sleep(wait)
    return await ask()
