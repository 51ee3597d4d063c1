"""The handbook's pages of the quay clinic: how the front desk does its work, and who is there when."""

import random
from collections.abc import Mapping
from typing import Any

from tenure.apps.data.company import public

CLINIC = "Clinic"
_CLINICIANS = slice(200, 207)
"""Whom the clinic's own records have as its professionals, of all who are not staff."""

_TEAM = """\
The quay clinic, on the ground floor of the old customs house. The front desk is open from 07:45 to 17:00.

## Who works here

| Name | Profession |
| --- | --- |
| {wim} | Family and community medicine |
| {elke} | Family and community medicine |
| {yasmin} | Internal medicine |
| {wanda} | Pediatrics |
| {cosmo} | Occupational medicine |
| {jaap} | Dermatology |
| {beate} | Nursing |

## Pages

{pages}"""
_AWAY = """\
What the front desk does with the appointments of a doctor who is away.

## Rules

1. Only appointments with the state Confirmed are touched.
2. Telemedicine stays with the doctor, as it is.
3. Home care is cancelled by us: its state becomes Cancelled by Health Center, and nothing else of it changes.
4. An urgent appointment goes to whoever is [on call](/clinic/on-call/) on that day, at the same time, \
even if that makes two at once.
5. A follow-up that is not urgent goes to the [stand-in](/clinic/stand-ins/), on the same day at the same \
time.
6. A new health condition that is not urgent waits for the doctor: it moves to the first day on which the \
doctor is back, at the same time.
7. If, after rule 5 or 6, whoever sees the patient already has a confirmed appointment at that time, it \
moves to the next of that person's half hours on that day which is free. Half hours begin from 08:00 to \
16:30; at 12:00 and 12:30 there is lunch and nothing is put there.
8. An appointment is moved by changing its own record, never by making another one. Its Information gets \
one more line at the end, which says where it was: `Was: {jaap}, 3 March 09:30`. What was there stays. \
Nothing else of it changes by hand.

## Owner

{beate}"""
_STAND_INS = """\
Who sees the follow-ups of whom.

| Away | Stand-in |
| --- | --- |
| {wim} | {elke} |
| {elke} | {wim} |
| {yasmin} | {wim} |
| {wanda} | {elke} |
| {cosmo} | {jaap} |
| {jaap} | {yasmin} |

Since 21 September 2026: {wim} stands in for nobody on Tuesdays; on Tuesdays {yasmin} does it.

Since 5 October 2026: {yasmin} stands in for {jaap} on Mondays only; on other days {wanda} does it.

## Owner

{yasmin}"""
_ON_CALL = """\
Who sees what is urgent.

| Day | On call |
| --- | --- |
| Monday | {jaap} |
| Tuesday | {elke} |
| Wednesday | {cosmo} |
| Thursday | {wim} |
| Friday | {yasmin} |

## Exchanged

- 4 November 2026: {yasmin} for {cosmo}
- 11 November 2026: {wanda} for {cosmo}
- 16 November 2026: {wim} for {jaap}

## Owner

{wanda}"""
_LABORATORY = """\
Doctors write into an appointment's Information what they want to know before the visit.

| The note says | Test type |
| --- | --- |
| Blood count | COMPLETE BLOOD COUNT |
| Kidneys | RENAL FUNCTION TEST |
| Liver | LIVER FUNCTION TEST |
| Stool | STOOL EXAMINATION |
| Urine | URINE ANALYSIS |

## Rules

1. The date of the request is the last working day before the visit (Monday to Friday), at 08:00.
2. The request is in the name of whoever sees the patient then (Health Prof).
3. It is urgent if the appointment is urgent, and not otherwise.
4. It stays a draft; the laboratory does the rest.

## Owner

{cosmo}"""
_NO_SHOWS = """\
What happens with patients who did not come.

## Rules

1. Only the state No show counts. Who has cancelled calls again when it suits.
2. The patient gets one new appointment: the same professional and the same time, 14 days after the one \
that was missed. Visit, urgency and type are those of the missed one.
3. Nobody gets one who already has a confirmed appointment, with whomever, on a later day than the missed one.
4. The missed appointment stays as it is.

## Owner

{beate}"""
_ALLERGIES = """\
How an allergy of which a patient tells the front desk gets into the patient's record.

1. Allergic is ticked under Focus on.
2. Into the right-hand box of Critical Information goes the line `Allergy: SUBSTANCE (told by the \
patient)`, with the substance in small letters.
3. A condition is entered by doctors alone.

## Owner

{jaap}"""
_WEEK = """\
## Away

{away}

## Moved appointments

{moved}

## Notes

- Flu vaccines are kept in the left refrigerator."""
_LINES = """\
How a line under "Moved appointments" of a week's page is written: the new day and time, the patient, and \
whoever sees the patient now. Lines are in the order of the new day and time. What is cancelled has none.

    - 3 March 09:30: Otto Gale, {jaap}

## Owner

{beate}"""
_PAGES = (
    ("away", "When a doctor is away", _AWAY),
    ("stand-ins", "Stand-ins", _STAND_INS),
    ("on-call", "On call", _ON_CALL),
    ("laboratory", "Laboratory", _LABORATORY),
    ("no-shows", "No-shows", _NO_SHOWS),
    ("allergies", "Allergies", _ALLERGIES),
    ("week-pages", "Week pages", _LINES),
)


def clinic(seed: int, author: str) -> list[dict[str, Any]]:
    """The clinic's pages, in the form of the others; each has been written at once.

    Args:
        seed: What the names are made from.
        author: Username of who wrote them.
    """
    draw = random.Random(f"wiki clinic {seed}")
    names = _names(seed)
    weeks = (
        ("week-45", "Week 45 (2 to 6 November 2026)", "- Nobody", "Nothing yet."),
        (
            "week-46",
            "Week 46 (9 to 13 November 2026)",
            f"- {names['elke']}, 9 to 11 November",
            "Nothing yet.",
        ),
        ("week-47", "Week 47 (16 to 20 November 2026)", f"- {names['cosmo']}, 20 November", "Nothing yet."),
    )
    pages = [(slug, title, text.format(**names)) for slug, title, text in _PAGES]
    pages += [(slug, title, _WEEK.format(away=away, moved=moved)) for slug, title, away, moved in weeks]
    listed = "\n".join(f"- [{title}]({slug}/)" for slug, title, _ in pages)
    team = ("", CLINIC, _TEAM.format(**names, pages=listed))
    return [_page(draw, *one, author) for one in (team, *pages)]


def _names(seed: int) -> Mapping[str, str]:
    """What the texts call a professional, after the first seed's names → who it is."""
    called = ("wim", "elke", "yasmin", "wanda", "cosmo", "jaap", "beate")
    return {one: person.name for one, person in zip(called, public(seed)[_CLINICIANS], strict=True)}


def _page(draw: random.Random, slug: str, title: str, text: str, author: str) -> dict[str, Any]:
    return {
        "path": f"clinic/{slug}".rstrip("/"),
        "title": title,
        "text": text,
        "why": "First written",
        "author": author,
        "at": f"2026-10-{draw.randrange(12, 30)} {draw.randrange(8, 17):02}:00:00",
        "changes": [],
    }
