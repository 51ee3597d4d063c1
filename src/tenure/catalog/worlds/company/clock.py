"""World time as a company keeps it: weekdays and office hours of one zone."""

import random
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_SPAN = (date(2026, 2, 16), 280)
"""First possible day of a world, and how many days it may be later."""


def start_of(rng: random.Random, zone: str) -> int:
    """A weekday morning within the span, epoch milliseconds."""
    day = _SPAN[0] + timedelta(days=rng.randrange(_SPAN[1]))
    while day.weekday() > 3:
        day += timedelta(days=1)
    local = datetime.combine(day, time(8 + rng.randrange(2), rng.randrange(40, 60)), ZoneInfo(zone))
    return int(local.timestamp() * 1000)


def iso(at: int) -> str:
    """A time as HubSpot writes it: ``2026-01-02T03:04:05Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def midnight(day: date) -> str:
    """A day as HubSpot keeps it in a time field: midnight UTC."""
    return f"{day.isoformat()}T00:00:00Z"


def long_date(day: date) -> str:
    """``1 September 2026``."""
    return f"{day.day} {day:%B} {day.year}"


class Clock:
    """Moments before the start of an attempt, at hours when people work."""

    def __init__(self, rng: random.Random, zone: str, now: int) -> None:
        """Keep time for one zone; ``now`` is the start, epoch milliseconds."""
        self._rng, self.zone, self.now = rng, ZoneInfo(zone), now

    @property
    def today(self) -> date:
        """The start's date in the zone."""
        return self.local(self.now).date()

    def local(self, at: int) -> datetime:
        """A time in the zone."""
        return datetime.fromtimestamp(at / 1000, self.zone)

    def on(self, day: date, hour: int, minute: int = 0) -> int:
        """A time of a day in the zone, epoch milliseconds."""
        return int(datetime.combine(day, time(hour, minute), self.zone).timestamp() * 1000)

    def ago(self, days: float) -> int:
        """Some working moment so many days back; never later than an hour before the start."""
        at = self.local(int(self.now - days * DAY))
        moment = self.on(at.date(), self._rng.randrange(8, 18), self._rng.randrange(60))
        return self.working(min(moment + self._rng.randrange(60) * 1000, self.now - HOUR))

    def working(self, at: int) -> int:
        """The same moment, or the Friday before when it falls on a weekend."""
        return at - max(0, self.local(at).weekday() - 4) * DAY

    def reply(self, at: int, *, slow: float = 1.0) -> int | None:
        """When an answer to something of that moment comes; ``None`` when it has not come yet."""
        wait = self._rng.choice((0.4, 0.8, 1.5, 3, 5, 18, 22, 26, 44, 70)) * slow
        later = self.local(at + int(wait * HOUR) + self._rng.randrange(50) * MINUTE)
        if later.hour >= 18:
            later = later.replace(hour=8, minute=self._rng.randrange(60)) + timedelta(days=1)
        elif later.hour < 8:
            later = later.replace(hour=8, minute=self._rng.randrange(60))
        while later.weekday() > 4:
            later += timedelta(days=1)
        moment = int(later.timestamp() * 1000)
        return moment if moment < self.now - 10 * MINUTE else None

    def workday(self, days: int) -> date:
        """The date so many days from today (back when negative), moved to a weekday away from today."""
        day = self.today + timedelta(days=days)
        while day.weekday() > 4:
            day += timedelta(days=1 if days >= 0 else -1)
        return day
