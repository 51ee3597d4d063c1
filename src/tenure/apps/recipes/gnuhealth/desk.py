"""What the front desk has before it: a week in which a doctor is away, and who did not come the week before.

It stands beside the visits that are drawn at random, and changes none of them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

_WIM, _ELKE, _YASMIN, _WANDA, _COSMO, _JAAP, _BEATE = range(7)
_IRMA, _MAGNUS = 119, 105
"""Two patients who each have a namesake."""


class _Visit(NamedTuple):
    """An appointment: in November unless the day is of the week before.

    Attributes:
        day: Day of the month.
        time: Start.
        who: Place of the professional.
        patient: Place of the patient; negative for a namesake, from the end.
        visit: New or follow-up.
        urgency: Normal or urgent.
        type: How the two meet.
        note: What was written down.
        state: What has become of it.
    """

    day: int
    time: str
    who: int
    patient: int
    visit: str = "followup"
    urgency: str = "a"
    type: str = "outpatient"
    note: str = ""
    state: str = "confirmed"


_VISITS = (
    # Those who did not come, or did not want to, in the last week of October.
    _Visit(28, "10:30", _BEATE, _MAGNUS, state="no_show"),
    _Visit(29, "14:00", _COSMO, 0, state="no_show"),
    _Visit(30, "09:00", _YASMIN, 127, state="user_cancelled"),
    # The doctor who is away from Monday to Wednesday, and then is back.
    _Visit(9, "09:00", _ELKE, 35),
    _Visit(9, "10:30", _ELKE, _IRMA, note="Kidneys before the visit."),
    _Visit(9, "14:00", _ELKE, 94, "new", "b"),
    _Visit(10, "09:00", _ELKE, 65, type="homecare"),
    _Visit(10, "13:30", _ELKE, 45, "new"),
    _Visit(10, "15:00", _ELKE, 172, type="telemedicine", note="Liver before the visit."),
    _Visit(11, "08:30", _ELKE, 123, "new"),
    _Visit(11, "10:00", _ELKE, 40, state="user_cancelled"),
    _Visit(11, "15:30", _ELKE, 164, urgency="b", note="Urine before the visit."),
    _Visit(12, "09:30", _ELKE, 140, "new", note="Blood count before the visit."),
    _Visit(12, "13:30", _ELKE, 9),
    _Visit(13, "11:00", _ELKE, 25),
    # Those who stand in or are on call, and the one whose name is so like hers.
    _Visit(9, "10:30", _WIM, 63, "new"),
    _Visit(9, "11:00", _WIM, 80),
    _Visit(11, "10:00", _WIM, 53),
    _Visit(12, "09:00", _WIM, 23, "new"),
    _Visit(9, "14:00", _YASMIN, 62),
    _Visit(9, "15:00", _YASMIN, -2),
    _Visit(10, "11:00", _YASMIN, 49),
    _Visit(10, "11:30", _YASMIN, 51, state="user_cancelled"),
    _Visit(10, "13:00", _YASMIN, 50, "new"),
    _Visit(9, "10:00", _JAAP, 126),
    _Visit(11, "14:00", _JAAP, 98, "new", note="Kidneys before the visit."),
    _Visit(10, "14:00", _WANDA, 85),
    _Visit(11, "15:30", _WANDA, 86),
    _Visit(9, "09:30", _COSMO, 34, "new"),
    _Visit(11, "13:00", _COSMO, 11),
    _Visit(11, "09:30", _BEATE, 16),
    _Visit(12, "15:30", _BEATE, 87, "new"),
)


def namesakes(patients: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two more patients, who have the names of others and nothing else of theirs."""
    return [
        {
            **patients[of],
            "born": born,
            "gender": "f" if patients[of]["gender"] == "m" else "m",
            "street": street,
            "town": "Orrby",
            "email": f"{patients[of]['last']}.{patients[of]['first']}@post.example".lower(),
            "mobile": mobile,
        }
        for of, born, street, mobile in (
            (_IRMA, "1967-10-12", "Fish Hill 12", "+31 6 5550 4417"),
            (_MAGNUS, "1951-02-23", "Mill Lane 90", "+31 6 5550 0928"),
        )
    ]


def visits(patients: int, taken: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The desk's appointments; where one of the others is already, there is none.

    Args:
        patients: How many there are, the two namesakes included.
        taken: The others.
    """
    full = {(one["professional"], one["at"]) for one in taken}
    found = [
        {
            "patient": one.patient % patients,
            "professional": one.who,
            "at": f"2026-{10 if one.day > 25 else 11}-{one.day:02} {one.time}:00",
            "state": one.state,
            "urgency": one.urgency,
            "visit": one.visit,
            "type": one.type,
            "note": one.note or None,
        }
        for one in _VISITS
    ]
    return [one for one in found if (one["professional"], one["at"]) not in full]
