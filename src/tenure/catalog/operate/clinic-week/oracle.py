"""The reference agent."""

from typing import NamedTuple

from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, css, sao, wiki

RECORDS = "http://gnuhealth.localhost"
HANDBOOK_TAB, RECORDS_TAB = "0001", "0002"
ACCOUNT = ("ines.brandt", "harbour-light-7")
APPOINTMENTS, PATIENTS = "Health / Appointments", "Health / Patients"
INFORMATION = css("textarea[name=comments]").inside(sao.PANE)
SOURCE = css("input[name=patient_id]").inside(sao.PANE)
CRITICAL = css("textarea[name=critical_info]").inside(sao.PANE)


class Move(NamedTuple):
    """An appointment that is moved, as the client shows it.

    Attributes:
        patient: Whose it is.
        day: Where it was.
        time: Where it was.
        doctor: Who sees the patient then.
        to: Day and time, where they are others.
        note: What its Information says already.
    """

    patient: str
    day: str
    time: str
    doctor: str
    to: str = ""
    note: str = ""


MOVES = {
    "Thijs Lamb": Move("Lamb, Thijs", "11/09/2026", "09:00:00", "Lindgren, Wim"),
    "Irma Lamb": Move(
        "Lamb, Irma",
        "11/09/2026",
        "10:30:00",
        "Lindgren, Wim",
        "11/09/2026 11:30:00",
        "Kidneys before the visit.",
    ),
    "Faye Shore": Move("Shore, Faye", "11/09/2026", "14:00:00", "Holt, Jaap"),
    "Vera Sandberg": Move("Sandberg, Vera", "11/10/2026", "11:30:00", "Quist, Yasmin"),
    "Henk Lamb": Move("Lamb, Henk", "11/11/2026", "15:30:00", "Ibsen, Wanda", note="Urine before the visit."),
    "Hilde Sandberg": Move("Sandberg, Hilde", "11/11/2026", "08:30:00", "Holt, Elke", "11/12/2026 08:30:00"),
    "Selim Sandberg": Move("Sandberg, Selim", "11/10/2026", "13:30:00", "Holt, Elke", "11/12/2026 14:00:00"),
}
"""In the order of their new times."""
LINES = (
    "- 9 November 09:00: Thijs Lamb, Wim Lindgren",
    "- 9 November 11:30: Irma Lamb, Wim Lindgren",
    "- 9 November 14:00: Faye Shore, Jaap Holt",
    "- 10 November 11:30: Vera Sandberg, Yasmin Quist",
    "- 11 November 15:30: Henk Lamb, Wanda Ibsen",
    "- 12 November 08:30: Hilde Sandberg, Elke Holt",
    "- 12 November 14:00: Selim Sandberg, Elke Holt",
)


class Request(NamedTuple):
    """A lab test request."""

    patient: str
    shown: str
    test: str
    doctor: str
    at: str
    urgent: bool


class Visit(NamedTuple):
    """A new appointment."""

    patient: str
    shown: str
    doctor: str
    at: str
    visit: str


async def solve(hands: OperateHands) -> None:
    notes = Notes(
        away="Elke Holt",
        moves=dict(MOVES),
        state="Cancelled by Health Center",
        requests=[
            Request(
                "P00120", "Lamb, Irma", "RENAL FUNCTION TEST", "Lindgren, Wim", "11/06/2026 08:00:00", False
            ),
            Request("P00165", "Lamb, Henk", "URINE ANALYSIS", "Ibsen, Wanda", "11/10/2026 08:00:00", True),
        ],
        visits=[
            Visit("P00006", "Keller, Henk", "Lindgren, Wim", "11/10/2026 08:00:00", "New health condition"),
            Visit("P00106", "Shore, Magnus", "Stroud, Beate", "11/11/2026 10:30:00", "Followup"),
        ],
        allergic="P00120",
        allergy="Allergy: penicillin (told by the patient)",
        lines=list(LINES),
    )
    await hands.step("read", _read, notes)
    await hands.step("enter", _enter, notes)
    await hands.step("move", _move, notes)
    await hands.step("cancel", _cancel, notes)
    await hands.step("book", _book, notes)
    await hands.step("request", _request, notes)
    await hands.step("allergy", _allergy, notes)
    await hands.step("write", _write, notes)


async def _read(hands: OperateHands, notes: Notes) -> None:
    await wiki.sign_in(hands, *ACCOUNT)
    for path in ("away", "stand-ins", "on-call"):
        await wiki.open_page(hands, f"clinic/{path}")
    await hands.tick("Read the handbook's pages under Clinic")


async def _enter(hands: OperateHands, notes: Notes) -> None:
    await sao.sign_in(hands, RECORDS, *ACCOUNT, new_tab=True)
    await sao.open_menu(hands, APPOINTMENTS)
    await sao.search(hands, "Health Prof: Elke", "Lamb, Thijs")


def _family(name: str) -> str:
    return name.partition(",")[0]


async def _choose(hands: OperateHands, label: str, name: str) -> None:
    await sao.complete(hands, sao.labelled(label), _family(name), name)


async def _move(hands: OperateHands, notes: Notes) -> None:
    for move in notes.moves.values():
        await sao.open_line(hands, move.patient, "Holt, Elke", move.day, move.time)
        if move.doctor != "Holt, Elke":
            await _choose(hands, "Health Prof", move.doctor)
        if move.to:
            await sao.fill(hands, sao.labelled("Start"), move.to)
        day, hour = int(move.day[3:5]), move.time[:5]
        was = f"Was: {notes.away}, {day} November {hour}"
        await sao.fill(hands, INFORMATION, "\n".join([move.note, was] if move.note else [was]))
        await sao.save(hands)
        await sao.switch(hands)


async def _cancel(hands: OperateHands, notes: Notes) -> None:
    await sao.open_line(hands, "Shore, Henk", "Holt, Elke")
    await hands.choose(sao.labelled("State"), notes.state)
    await sao.save(hands)
    await hands.tick("Move or cancel Elke Holt's appointments")


async def _book(hands: OperateHands, notes: Notes) -> None:
    for visit in notes.visits:
        await sao.new(hands)
        await sao.complete(hands, sao.labelled("Patient"), visit.patient, visit.shown)
        await _choose(hands, "Health Prof", visit.doctor)
        await sao.fill(hands, sao.labelled("Start"), visit.at)
        await hands.choose(sao.labelled("Visit"), visit.visit)
        await sao.save(hands)
    await hands.tick("Book those who did not show up again")


async def _request(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, "Health / Laboratory / Lab Test Requests")
    for request in notes.requests:
        await sao.new(hands)
        await sao.complete(hands, SOURCE, request.patient, request.shown)
        await sao.complete(hands, sao.labelled("Test Type"), request.test)
        await _choose(hands, "Health Prof", request.doctor)
        await sao.fill(hands, sao.labelled("Date"), request.at)
        if request.urgent:
            await hands.click(sao.labelled("Urgent"))
        await sao.save(hands)
    await hands.tick("Request the tests before the visits")


async def _allergy(hands: OperateHands, notes: Notes) -> None:
    await sao.open_menu(hands, PATIENTS)
    await sao.search(hands, notes.allergic, notes.allergic)
    await sao.open_line(hands, notes.allergic)
    await hands.click(sao.labelled("Allergic"))
    await hands.fill(CRITICAL, notes.allergy)
    await sao.save(hands)
    await hands.tick("Enter the allergy")


async def _write(hands: OperateHands, notes: Notes) -> None:
    await hands.switch(HANDBOOK_TAB)
    await wiki.replace(hands, "clinic/week-46", "Nothing yet.", "\n".join(notes.lines), "Elke Holt is away")
    await hands.tick("Bring the week's page up to date")
