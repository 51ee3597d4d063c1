"""What is to become of the week, by the handbook's rules and what the records held before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tenure.schema.evidence import Evidence

Row = Mapping[str, Any]
AWAY, BACK = "Elke Holt", "2026-11-12"
DAYS = ("2026-11-09", "2026-11-10", "2026-11-11")
STAND_INS = dict(zip(DAYS, ("Wim Lindgren", "Yasmin Quist", "Wim Lindgren"), strict=True))
ON_CALL = dict(zip(DAYS, ("Jaap Holt", AWAY, "Wanda Ibsen"), strict=True))
MISSED = ("2026-10-26", "2026-10-30")
TESTS = {
    "Blood count": "COMPLETE BLOOD COUNT",
    "Kidneys": "RENAL FUNCTION TEST",
    "Liver": "LIVER FUNCTION TEST",
    "Stool": "STOOL EXAMINATION",
    "Urine": "URINE ANALYSIS",
}
_HALF, _LUNCH, _LAST = timedelta(minutes=30), ("12:00", "12:30"), "16:30"


@dataclass(frozen=True)
class Move:
    """An appointment that is moved.

    Attributes:
        row: As it was.
        kind: By which rule: ``on call``, ``stand-in`` or ``waiting``.
        doctor: Who sees the patient then.
        at: When, to the minute.
        squeezed: Whether its own time was taken.
    """

    row: Row
    kind: str
    doctor: str
    at: str
    squeezed: bool = False

    @property
    def was(self) -> str:
        """The line that says where it was."""
        return f"Was: {AWAY}, {told(self.row['at'])}"

    @property
    def line(self) -> str:
        """The line of the week's page."""
        return f"- {told(self.at)}: {self.row['patient']}, {self.doctor}"

    @property
    def test(self) -> str:
        """The test that is wanted before the visit; empty without one."""
        return next((test for word, test in TESTS.items() if word in (self.row["note"] or "")), "")

    @property
    def tested(self) -> str:
        """When the test is drawn: at eight on the last working day before."""
        day = datetime.fromisoformat(self.at) - timedelta(days=1)
        while day.weekday() > 4:
            day -= timedelta(days=1)
        return f"{day:%Y-%m-%d} 08:00"


def told(at: str) -> str:
    """A moment as the handbook writes it: ``3 March 09:30``."""
    moment = datetime.fromisoformat(at)
    return f"{moment.day} {moment:%B %H:%M}"


def minute(at: str | None) -> str:
    """A moment to the minute."""
    return (at or "")[:16]


def concerned(before: Evidence) -> list[Row]:
    """The doctor's confirmed appointments of the days on which she is away."""
    return [
        row
        for row in before.rows("appointments")
        if row["doctor"] == AWAY and row["state"] == "confirmed" and (row["at"] or "")[:10] in DAYS
    ]


def cancelled(before: Evidence) -> list[Row]:
    """Those that are cancelled."""
    return [row for row in concerned(before) if row["type"] == "homecare"]


def moves(before: Evidence) -> list[Move]:
    """Those that are moved, by their new time."""
    taken = {
        (row["doctor"], minute(row["at"]))
        for row in before.rows("appointments")
        if row["state"] == "confirmed"
    }
    return sorted(_moves(before, taken), key=lambda move: move.at)


def _moves(before: Evidence, taken: set[tuple[str, str]]) -> Iterator[Move]:
    for row in concerned(before):
        day, at = row["at"][:10], minute(row["at"])
        if row["type"] in ("telemedicine", "homecare"):
            continue
        if row["urgency"] == "b":
            yield Move(row, "on call", ON_CALL[day], at)
            continue
        waits = row["visit"] == "new"
        doctor, wanted = (AWAY, f"{BACK} {at[11:]}") if waits else (STAND_INS[day], at)
        found = _free(doctor, wanted, taken)
        taken.add((doctor, found))
        yield Move(row, "waiting" if waits else "stand-in", doctor, found, found != wanted)


def _free(doctor: str, at: str, taken: set[tuple[str, str]]) -> str:
    """The first free half hour of the day from a time on."""
    moment = datetime.fromisoformat(at)
    while (doctor, f"{moment:%Y-%m-%d %H:%M}") in taken or f"{moment:%H:%M}" in _LUNCH:
        moment += _HALF
        if f"{moment:%H:%M}" > _LAST:
            raise ValueError(f"{doctor} has no free half hour after {at}")
    return f"{moment:%Y-%m-%d %H:%M}"


def again(before: Evidence) -> list[Row]:
    """The missed appointments whose patients get another one."""
    rows = before.rows("appointments")
    missed = [
        row for row in rows if row["state"] == "no_show" and MISSED[0] <= (row["at"] or "")[:10] <= MISSED[1]
    ]
    return [
        row
        for row in missed
        if not any(
            one["puid"] == row["puid"] and one["state"] == "confirmed" and one["at"][:10] > row["at"][:10]
            for one in rows
        )
    ]


def later(at: str) -> str:
    """The same time 14 days later."""
    return f"{datetime.fromisoformat(at) + timedelta(days=14):%Y-%m-%d %H:%M}"
