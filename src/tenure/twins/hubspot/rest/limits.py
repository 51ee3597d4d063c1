"""Rate limits: the vendor's headers, and its refusal when an account's limit is set and reached."""

from collections import deque
from typing import Any
from weakref import WeakKeyDictionary

from tenure.twins.hubspot.service import types
from tenure.world import Call, World

DAILY = 650_000
"""Calls a day, as the headers say; never counted."""
INTERVAL_MS = 10_000
BURST = 190
"""Calls in an interval, as the headers say when the account sets no limit."""

_calls: WeakKeyDictionary[World, deque[int]] = WeakKeyDictionary()
"""World times of each world's calls within the interval; only kept where a limit is set."""


def refusal(call: Call) -> dict[str, Any] | None:
    """Count a call; the body of the refusal when it is one too many. Searches have no such limit."""
    limit = types.portal(call.act).calls_per_interval
    if not limit or call.path.endswith("/search"):
        return None
    times = _calls.setdefault(call.act.world, deque())
    while times and times[0] <= call.act.now - INTERVAL_MS:
        times.popleft()
    if len(times) >= limit:
        return {
            "status": "error",
            "message": "You have reached your ten_secondly_rolling limit.",
            "errorType": "RATE_LIMIT",
            "policyName": "TEN_SECONDLY_ROLLING",
        }
    times.append(call.act.now)
    return None


def headers(call: Call) -> dict[str, str]:
    """The vendor's limit headers; searches carry none."""
    if call.path.endswith("/search"):
        return {}
    limit = types.portal(call.act).calls_per_interval
    left = limit - len(_calls.get(call.act.world, ())) if limit else BURST - 1
    numbers = {
        "Daily": DAILY,
        "Daily-Remaining": DAILY - 1,
        "Interval-Milliseconds": INTERVAL_MS,
        "Max": limit or BURST,
        "Remaining": left,
    }
    return {f"X-HubSpot-RateLimit-{name}": str(n) for name, n in numbers.items()}
