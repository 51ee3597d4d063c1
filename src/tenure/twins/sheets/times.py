"""Dates and times as numbers: days since 30 December 1899, in the spreadsheet's zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - a serial has no zone
DAY_SECONDS = 86_400


def serial_of(day: date) -> int:
    """The serial of a day; 1 January 2026 is 46023."""
    return (day - _EPOCH.date()).days


def moment(serial: float) -> datetime:
    """The (zoneless) moment of a serial, to the second."""
    return _EPOCH + timedelta(seconds=round(serial * DAY_SECONDS))


def zone(name: str) -> ZoneInfo:
    """A time zone; unknown names mean UTC."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("Etc/UTC")


def now_serial(now_ms: int, zone_name: str) -> float:
    """World time as a serial in a zone.

    Args:
        now_ms: Epoch milliseconds.
        zone_name: IANA name.
    """
    local = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone(zone(zone_name)).replace(tzinfo=None)
    return (local - _EPOCH).total_seconds() / DAY_SECONDS
