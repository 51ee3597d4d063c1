"""Times as the vendor writes and reads them."""

import re
from datetime import UTC, datetime

DAY_MS = 86_400_000
_DIGITS = re.compile(r"-?\d{1,15}")


def iso(ms: int) -> str:
    """Epoch milliseconds as ``2026-01-02T03:04:05.678Z``."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def day(ms: int) -> str:
    """Epoch milliseconds as ``2026-01-02``."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d")


def moment(text: str) -> int | None:
    """Epoch milliseconds of digits, a date or an ISO 8601 time; ``None`` when it is none of them."""
    text = text.strip()
    if _DIGITS.fullmatch(text):
        return int(text)
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    return round(parsed.timestamp() * 1000)
