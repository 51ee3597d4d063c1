"""Times as the vendor writes and reads them."""

import re
from datetime import UTC, datetime

DAY_MS = 86_400_000
_DIGITS = re.compile(r"-?[0-9]{1,15}")
_FIRST, _LAST = -62_135_596_800_000, 253_402_300_799_999
# The years 1 to 9999, which is what ISO 8601 writes in four digits.


def iso(ms: int) -> str:
    """Epoch milliseconds as ``2026-01-02T03:04:05.678Z``."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def day(ms: int) -> str:
    """Epoch milliseconds as ``2026-01-02``."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d")


def moment(text: str) -> int | None:
    """Epoch milliseconds of digits, a date or an ISO 8601 time; ``None`` when it is none of them."""
    text = text.strip()
    try:
        at = int(text) if _DIGITS.fullmatch(text) else _parsed(text)
    except (ValueError, OverflowError):
        return None
    return at if _FIRST <= at <= _LAST else None


def _parsed(text: str) -> int:
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    return round(parsed.timestamp() * 1000)
