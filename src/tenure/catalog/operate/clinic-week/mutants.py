"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.hands import Notes
from tenure.oracle.operate import OperateHands, sao, wiki

from .oracle import APPOINTMENTS, CRITICAL, INFORMATION, MOVES, PATIENTS, RECORDS_TAB, Request, Visit

_MOVED = ("stand-in", "next-free", "tuesday", "on-call", "waiting", "waiting-next", "was")


def _skim(notes: Notes) -> None:
    """Miss an exception of nearly every rule."""
    changes = {
        "Thijs Lamb": {"to": "11/09/2026 09:30:00"},
        "Irma Lamb": {"to": ""},
        "Vera Sandberg": {"doctor": "Lindgren, Wim"},
        "Henk Lamb": {"doctor": "Shore, Cosmo"},
        "Hilde Sandberg": {"doctor": "Lindgren, Wim", "to": ""},
        "Selim Sandberg": {"to": "11/12/2026 13:30:00"},
    }
    setting(
        away=lambda notes: "Jaap Holt",
        moves=lambda notes: {name: move._replace(**changes.get(name, {})) for name, move in MOVES.items()},
        state=lambda notes: "Cancelled by patient",
        requests=lambda notes: [
            one._replace(test="COMPLETE BLOOD COUNT") if one.urgent else one for one in notes.requests
        ],
        visits=lambda notes: [
            one._replace(at=one.at.replace("11/11", "11/12"), patient=one.patient.replace("106", "182"))
            for one in notes.visits
        ],
        allergic=lambda notes: "P00181",
        lines=lambda notes: [line.replace("Yasmin Quist", "Wim Lindgren") for line in notes.lines],
    )(notes)


def _hurry(notes: Notes) -> None:
    """Let stand what the records fill in, and write as it comes."""
    setting(
        requests=lambda notes: [
            one._replace(doctor="Holt, Elke", at=f"{day} 08:00:00", urgent=False)
            for one, day in zip(notes.requests, ("11/08/2026", "11/10/2026"), strict=True)
        ],
        visits=lambda notes: [one._replace(visit="Followup") for one in notes.visits],
        lines=lambda notes: [*notes.lines[1:], notes.lines[0]],
    )(notes)


def _overdo(notes: Notes) -> None:
    """Do for others what is meant for a few."""
    liver = Request(
        "P00173", "Lamb, Renate", "LIVER FUNCTION TEST", "Holt, Elke", "11/09/2026 08:00:00", False
    )
    gale = Visit("P00001", "Gale, Otto", "Shore, Cosmo", "11/12/2026 14:00:00", "Followup")
    setting(
        requests=lambda notes: [*notes.requests, liver],
        visits=lambda notes: [*notes.visits, gale],
    )(notes)


MUTANTS = [
    Mutant(
        "misses an exception of nearly every rule",
        (*_MOVED, "cancelled", "tests", "again", "again-alike", "allergy", "listed", "in-order"),
        after={"read": _skim},
    ),
    Mutant(
        "moves nothing, and lets stand what the records fill in",
        (*_MOVED, "test-days", "test-names", "again-alike", "allergy", "in-order"),
        after={"read": _hurry},
        skip=("move", "allergy"),
    ),
    Mutant(
        "requests a test for who stays, and books somebody who has an appointment",
        (*_MOVED, "tests", "again-alike", "listed", "in-order"),
        after={"read": _overdo},
        skip=("move", "allergy", "write"),
    ),
]


async def _elsewhere(hands: OperateHands) -> None:
    await wiki.replace(hands, "clinic/week-45", "Nothing yet.", "Nothing.", "Shorter")
    await hands.switch(RECORDS_TAB)
    # Both tabs are there already, and show forms.
    await sao.open_menu(hands, APPOINTMENTS)
    await sao.switch(hands)
    await sao.open_line(hands, "Lamb, Renate", "15:00:00")
    await sao.fill(hands, INFORMATION, "Nobody.")
    await sao.save(hands)
    await sao.open_menu(hands, PATIENTS)
    await sao.switch(hands)
    await sao.search(hands, "P00181", "P00181")
    await sao.open_line(hands, "P00181")
    await sao.fill(hands, CRITICAL, "None.")
    await sao.save(hands)


VANDALS = [
    Vandal(
        "changes another appointment, another patient and another page",
        ("other-appointments", "other-records", "other-pages"),
        _elsewhere,
    )
]
