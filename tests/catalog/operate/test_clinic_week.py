"""The week by the handbook's rules, worked out of what the clinic's generator makes."""

from typing import Any

import pytest

from tenure.schema.evidence import Evidence, Got
from tenure.schema.folder import CATALOG, load_module

from .held import data, fails, handbook, the

TASK = CATALOG / "operate" / "clinic-week"
facts = load_module(TASK / "facts.py")


def _rows() -> list[dict[str, Any]]:
    """Rows of appointments as the task's probe gives them."""
    made = data("gnuhealth").clinic(0, "ines.brandt")

    def name(one: dict[str, Any]) -> str:
        return f"{one['first']} {one['last']}"

    return [
        {
            "id": number,
            "at": one["at"],
            "state": one["state"],
            "visit": one["visit"],
            "urgency": one["urgency"],
            "type": one.get("type", "outpatient"),
            "note": one.get("note"),
            "puid": f"P{one['patient'] + 1:05}",
            "patient": name(made["patients"][one["patient"]]),
            "doctor": name(made["professionals"][one["professional"]]),
        }
        for number, one in enumerate(made["appointments"], 1)
    ]


def _evidence(rows: list[dict[str, Any]]) -> Evidence:
    return Evidence(got={"appointments": Got(rows=tuple(rows))})


def test_moves_follow_the_rules_and_their_exceptions():
    moves = facts.moves(_evidence(_rows()))
    assert [(move.kind, move.line) for move in moves] == [
        ("stand-in", "- 9 November 09:00: Thijs Lamb, Wim Lindgren"),
        ("stand-in", "- 9 November 11:30: Irma Lamb, Wim Lindgren"),
        ("on call", "- 9 November 14:00: Faye Shore, Jaap Holt"),
        ("stand-in", "- 10 November 11:30: Vera Sandberg, Yasmin Quist"),
        ("on call", "- 11 November 15:30: Henk Lamb, Wanda Ibsen"),
        ("waiting", "- 12 November 08:30: Hilde Sandberg, Elke Holt"),
        ("waiting", "- 12 November 14:00: Selim Sandberg, Elke Holt"),
    ]
    assert [row["patient"] for row in facts.cancelled(_evidence(_rows()))] == ["Henk Shore"]


def test_nothing_is_put_into_lunch_or_beside_another():
    rows = _rows()
    stand_in = next(row for row in rows if row["doctor"] == "Wim Lindgren" and row["state"] == "confirmed")
    full = [
        {**stand_in, "id": 9000 + n, "at": f"2026-11-09 {time}:00"}
        for n, time in enumerate(("11:30", "13:00"))
    ]
    (irma,) = [move for move in facts.moves(_evidence([*rows, *full])) if move.row["patient"] == "Irma Lamb"]
    assert (irma.at, irma.squeezed) == ("2026-11-09 13:30", True)


def test_tests_are_drawn_on_the_last_working_day_before():
    wanted = [
        (move.row["patient"], move.test, move.tested) for move in facts.moves(_evidence(_rows())) if move.test
    ]
    assert wanted == [
        ("Irma Lamb", "RENAL FUNCTION TEST", "2026-11-06 08:00"),
        ("Henk Lamb", "URINE ANALYSIS", "2026-11-10 08:00"),
    ]


def test_who_has_an_appointment_already_gets_no_other():
    found = [(row["puid"], row["patient"], facts.later(row["at"])) for row in facts.again(_evidence(_rows()))]
    assert found == [
        ("P00006", "Henk Keller", "2026-11-10 08:00"),
        ("P00106", "Magnus Shore", "2026-11-11 10:30"),
    ]


@pytest.mark.anyio
async def test_the_page_that_is_written_on_keeps_its_title():
    before, after = {"pages": handbook()}, {"pages": handbook()}
    the(after["pages"], path="clinic/week-46")["content"] = "Something else."
    assert not await fails("clinic-week", "other-pages", before, after)
    the(after["pages"], path="clinic/week-46")["title"] = "Week 47"
    assert await fails("clinic-week", "other-pages", before, after)
