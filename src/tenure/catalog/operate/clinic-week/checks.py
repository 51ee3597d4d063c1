"""What the clinic's records and the handbook must hold at the end."""

from collections.abc import Sequence
from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers
from tenure.grading.operate import wiki as handbook
from tenure.grading.operate.state import one_row, same_rows
from tenure.schema.evidence import Evidence, SqlProbe

from .facts import Move, Row, again, cancelled, later, minute, moves

APPOINTMENTS = """
SELECT a.id, a.appointment_date AS at, a.state, a.visit_type AS visit, a.urgency, a.appointment_type AS type,
  a.comments AS note, a.speciality, p.ref AS puid, p.name || ' ' || p.lastname AS patient,
  d.name || ' ' || d.lastname AS doctor
FROM gnuhealth_appointment a
LEFT JOIN gnuhealth_patient t ON t.id = a.patient LEFT JOIN party_party p ON p.id = t.party
LEFT JOIN gnuhealth_healthprofessional h ON h.id = a.healthprof LEFT JOIN party_party d ON d.id = h.party
ORDER BY a.id"""
REQUESTS = """
SELECT r.id, r.date AS at, r.state, r.urgent, y.name AS test, p.ref AS puid,
  d.name || ' ' || d.lastname AS doctor
FROM gnuhealth_patient_lab_test r
LEFT JOIN gnuhealth_lab_test_type y ON y.id = r.test_type
LEFT JOIN gnuhealth_patient t ON t.id = r.patient_id LEFT JOIN party_party p ON p.id = t.party
LEFT JOIN gnuhealth_healthprofessional h ON h.id = r.doctor_id LEFT JOIN party_party d ON d.id = h.party
ORDER BY r.id"""
PATIENTS = """
SELECT t.id, p.ref AS puid, p.name || ' ' || p.lastname AS patient, p.dob AS born, p.gender, t.crit_allergic,
  t.critical_info, t.blood_type, t.rh, t.general_info, t.primary_care_doctor, t.active,
  (SELECT group_concat(c.value, ' ') FROM (SELECT value FROM party_contact_mechanism
    WHERE party = p.id ORDER BY id) c) AS contact,
  (SELECT count(*) FROM gnuhealth_patient_disease k WHERE k.patient = t.id) AS conditions
FROM gnuhealth_patient t JOIN party_party p ON p.id = t.party ORDER BY t.id"""
TOLD_BY, BORN, ALLERGY = "Irma Lamb", "2003-03-12", "Allergy: penicillin (told by the patient)"
PAGE, HEADING, NOTHING = "clinic/week-46", "## Moved appointments", "Nothing yet."
checks = Answers(
    {
        "appointments": SqlProbe(app="gnuhealth", query=APPOINTMENTS),
        "requests": SqlProbe(app="gnuhealth", query=REQUESTS),
        "patients": SqlProbe(app="gnuhealth", query=PATIENTS),
        **handbook.PROBES,
    }
)


def _new(before: Evidence, after: Evidence, probe: str) -> list[Row]:
    known = {row["id"] for row in before.rows(probe)}
    return [row for row in after.rows(probe) if row["id"] not in known]


def _lines(text: str | None) -> list[str]:
    return [" ".join(line.split()) for line in (text or "").splitlines() if line.strip()]


def _all(seen: Sequence[tuple[str, Saw]]) -> Saw:
    """Several that must all be so, and are not none."""
    wrong = [f"{name}: {saw.text}" for name, saw in seen if not saw.ok]
    return Saw(bool(seen) and not wrong, "; ".join(wrong) or f"all {len(seen)}")


def _moved(before: Evidence, after: Evidence, meant: Sequence[Move]) -> Saw:
    """Whether appointments are still confirmed, with whom and when they should be."""
    now = [{**row, "at": minute(row["at"])} for row in after.rows("appointments")]
    return _all(
        [
            (
                move.row["patient"],
                one_row(
                    now, {"id": move.row["id"]}, {"doctor": move.doctor, "at": move.at, "state": "confirmed"}
                ),
            )
            for move in meant
        ]
    )


def _of(before: Evidence, kind: str) -> list[Move]:
    return [move for move in moves(before) if move.kind == kind]


@checks("stand-in")
def stand_in(before: Evidence, after: Evidence) -> Saw:
    meant = [move for move in _of(before, "stand-in") if not move.squeezed and "-09 " in move.at]
    return _moved(before, after, meant)


@checks("next-free")
def next_free(before: Evidence, after: Evidence) -> Saw:
    return _moved(before, after, [move for move in _of(before, "stand-in") if move.squeezed])


@checks("tuesday")
def tuesday(before: Evidence, after: Evidence) -> Saw:
    return _moved(before, after, [move for move in _of(before, "stand-in") if "-10 " in move.at])


@checks("on-call")
def on_call(before: Evidence, after: Evidence) -> Saw:
    return _moved(before, after, _of(before, "on call"))


@checks("waiting")
def waiting(before: Evidence, after: Evidence) -> Saw:
    return _moved(before, after, [move for move in _of(before, "waiting") if not move.squeezed])


@checks("waiting-next")
def waiting_next(before: Evidence, after: Evidence) -> Saw:
    return _moved(before, after, [move for move in _of(before, "waiting") if move.squeezed])


@checks("cancelled")
def home_visits(before: Evidence, after: Evidence) -> Saw:
    rows = after.rows("appointments")
    return _all(
        [
            (row["patient"], one_row(rows, {"id": row["id"]}, {**row, "state": "center_cancelled"}))
            for row in cancelled(before)
        ]
    )


@checks("was")
def was(before: Evidence, after: Evidence) -> Saw:
    now = {row["id"]: _lines(row["note"]) for row in after.rows("appointments")}
    wrong = {
        move.row["patient"]: now.get(move.row["id"])
        for move in moves(before)
        if now.get(move.row["id"]) != [*_lines(move.row["note"]), move.was]
    }
    return Saw(not wrong, str(wrong or "as it should be in all"))


def _wanted(before: Evidence) -> list[Move]:
    return [move for move in moves(before) if move.test]


def _requested(before: Evidence, after: Evidence, move: Move) -> list[dict[str, Any]]:
    """The new requests of a move's patient and test."""
    meant = (move.row["puid"], move.test)
    return [
        {**row, "at": minute(row["at"])}
        for row in _new(before, after, "requests")
        if (row["puid"], row["test"]) == meant
    ]


@checks("tests")
def tests(before: Evidence, after: Evidence) -> Saw:
    wanted = sorted((move.row["puid"], move.test, "draft") for move in _wanted(before))
    found = sorted((str(r["puid"]), str(r["test"]), str(r["state"])) for r in _new(before, after, "requests"))
    return Saw(found == wanted, f"{found}, expected {wanted}")


@checks("test-days")
def test_days(before: Evidence, after: Evidence) -> Saw:
    return _all(
        [
            (
                move.row["patient"],
                one_row(
                    _requested(before, after, move),
                    {},
                    {"at": move.tested, "urgent": move.row["urgency"] == "b"},
                ),
            )
            for move in _wanted(before)
        ]
    )


@checks("test-names")
def test_names(before: Evidence, after: Evidence) -> Saw:
    return _all(
        [
            (move.row["patient"], one_row(_requested(before, after, move), {}, {"doctor": move.doctor}))
            for move in _wanted(before)
        ]
    )


@checks("again")
def booked_again(before: Evidence, after: Evidence) -> Saw:
    new = [{**row, "at": minute(row["at"])} for row in _new(before, after, "appointments")]
    return _all(
        [
            (
                row["patient"],
                one_row(new, {"puid": row["puid"]}, {"doctor": row["doctor"], "at": later(row["at"])}),
            )
            for row in again(before)
        ]
    )


@checks("again-alike")
def booked_alike(before: Evidence, after: Evidence) -> Saw:
    columns = ("puid", "visit", "urgency", "type")
    wanted = sorted([*(str(row[one]) for one in columns), "confirmed"] for row in again(before))
    found = sorted(
        [*(str(row[one]) for one in columns), str(row["state"])]
        for row in _new(before, after, "appointments")
    )
    return Saw(bool(found) and found == wanted, f"{found}, expected {wanted}")


def _told(before: Evidence) -> Row:
    (row,) = [r for r in before.rows("patients") if (r["patient"], r["born"]) == (TOLD_BY, BORN)]
    return row


@checks("allergy")
def allergy(before: Evidence, after: Evidence) -> Saw:
    row = _told(before)
    now = [{**one, "lines": "\n".join(_lines(one["critical_info"]))} for one in after.rows("patients")]
    expects = {**row, "crit_allergic": True, "lines": "\n".join([*_lines(row["critical_info"]), ALLERGY])}
    del expects["critical_info"]
    return one_row(now, {"id": row["id"]}, expects)


@checks("listed")
def listed(before: Evidence, after: Evidence) -> Saw:
    under = handbook.text(after, PAGE).partition(HEADING)[2].partition("\n## ")[0]
    wanted = sorted(move.line for move in moves(before))
    return Saw(sorted(_lines(under)) == wanted, "; ".join(_lines(under)))


@checks("in-order")
def in_order(before: Evidence, after: Evidence) -> Saw:
    lines = "\n".join(move.line for move in moves(before))
    wanted = _lines(handbook.text(before, PAGE).replace(NOTHING, lines))
    found = handbook.lines(after, PAGE)
    return Saw(found == wanted, "; ".join(found))


@checks("other-appointments")
def other_appointments(before: Evidence, after: Evidence) -> Saw:
    moving = dict.fromkeys((move.row["id"] for move in moves(before)), _MOVING)
    moving |= dict.fromkeys((row["id"] for row in cancelled(before)), ("state",))
    known = {row["id"] for row in before.rows("appointments")}

    def kept(evidence: Evidence) -> list[Row]:
        return [
            {name: value for name, value in row.items() if name not in moving.get(row["id"], ())}
            for row in evidence.rows("appointments")
            if row["id"] in known
        ]

    return same_rows(kept(before), kept(after), key="id")


_MOVING = ("at", "doctor", "state", "note", "speciality")
"""What differs of an appointment that is moved; its specialty the client fills in by itself."""


@checks("other-records")
def other_records(before: Evidence, after: Evidence) -> Saw:
    seen = same_rows(before.rows("patients"), after.rows("patients"), key="id", but=[_told(before)["id"]])
    if not seen.ok:
        return seen
    known = {row["id"] for row in before.rows("requests")}
    left = [row for row in after.rows("requests") if row["id"] in known]
    return same_rows(before.rows("requests"), left, key="id")


@checks("other-pages")
def other_pages(before: Evidence, after: Evidence) -> Saw:
    return handbook.untouched(before, after, written=[PAGE])
