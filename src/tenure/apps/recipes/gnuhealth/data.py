"""The quay clinic: 7 professionals, 182 patients, and eighteen months of visits, prescriptions and tests."""

import random
from datetime import datetime, time, timedelta
from typing import Any

from tenure.apps.data.company import COMPANY, DOMAIN, TODAY, Person, public, staff

from .desk import namesakes, visits

_PROFESSIONS = (
    "Family and community medicine",
    "Family and community medicine",
    "Internal medicine",
    "Pediatrics",
    "Occupational medicine",
    "Dermatology",
    "Nursing",
)
_CONDITIONS = (
    ("E11", "Type 2 diabetes mellitus"),
    ("E78", "Hyperlipidaemia"),
    ("F51", "Insomnia"),
    ("G43", "Migraine"),
    ("H10", "Conjunctivitis"),
    ("H91", "Hearing loss"),
    ("I10", "Essential hypertension"),
    ("J06", "Acute upper respiratory infection"),
    ("J30", "Allergic rhinitis"),
    ("J45", "Asthma"),
    ("K21", "Gastro-oesophageal reflux"),
    ("L20", "Atopic dermatitis"),
    ("L50", "Urticaria"),
    ("M54", "Low back pain"),
    ("M75", "Shoulder lesion"),
    ("N39", "Urinary tract infection"),
    ("S61", "Open wound of wrist and hand"),
    ("T78", "Food allergy"),
)
_MEDICINES = (
    ("Amoxicillin", "Capsule", 500, "mg", "Antibacterial", "8.40"),
    ("Metformin", "Capsule", 850, "mg", "Antidiabetic", "6.10"),
    ("Lisinopril", "Capsule", 10, "mg", "Antihypertensive", "4.75"),
    ("Atorvastatin", "Capsule", 20, "mg", "Lipid lowering", "7.20"),
    ("Omeprazole", "Capsule", 20, "mg", "Acid suppressant", "5.35"),
    ("Cetirizine", "Capsule", 10, "mg", "Antihistamine", "3.90"),
    ("Ibuprofen", "Capsule", 400, "mg", "Anti-inflammatory", "3.20"),
    ("Paracetamol", "Capsule", 500, "mg", "Analgesic", "2.60"),
    ("Salbutamol", "Aerosol metered-dose", 100, "ug", "Bronchodilator", "9.80"),
    ("Sumatriptan", "Capsule", 50, "mg", "Antimigraine", "11.50"),
    ("Nitrofurantoin", "Capsule", 100, "mg", "Antibacterial", "10.20"),
    ("Melatonin", "Capsule", 2, "mg", "Hypnotic", "12.40"),
)
_VACCINES = (("Influenza vaccine", "14.00"), ("Tetanus vaccine", "18.50"), ("Hepatitis B vaccine", "27.00"))
_SERVICES = (
    ("Consultation", "45.00"),
    ("Follow-up visit", "30.00"),
    ("Fitness-for-work examination", "85.00"),
    ("Wound dressing", "22.50"),
    ("Hearing test", "38.00"),
    ("Blood sample", "12.00"),
)
_COMPLAINTS = (
    "Cough for {n} days",
    "Pain in the lower back for {n} weeks",
    "Rash on both forearms",
    "Headache, worse in the morning",
    "Cut from a packing knife",
    "Wants a check-up before the season",
    "Ringing in the left ear for {n} weeks",
    "Tired, sleeps badly",
    "Heartburn after meals",
)
_PLANS = (
    "Rest, fluids, back in {n} days if no better.",
    "Blood pressure to be taken weekly for {n} weeks.",
    "No lifting above 10 kg for {n} days.",
    "Dressing to be changed every {n} days.",
    "Treatment continued; see again in {n} weeks.",
)


def clinic(seed: int, agent: str) -> dict[str, Any]:
    """All that ``inside/load.py`` loads; what refers to another record gives its place in the other list.

    Args:
        seed: What it is made from.
        agent: Name of the user who keeps the desk.
    """
    draw = random.Random(f"gnuhealth {seed}")
    outside = public(seed)
    professionals = [
        {**_named(draw, one), "specialty": field, "licence": f"QC-{number + 31:04}"}
        for number, (one, field) in enumerate(zip(outside[200:], _PROFESSIONS, strict=False))
    ]
    patients = [_patient(draw, person) for person in (*(one.person for one in staff(seed)), *outside[:150])]
    appointments = _appointments(draw, len(patients), len(professionals))
    everybody = [*patients, *namesakes(patients)]
    seen = [one for one in appointments if one["state"] == "done"]
    return {
        "company": {"name": f"{COMPANY} Quay Clinic", "code": "HQC", "currency": "EUR"},
        "agent": {"username": agent, "first": "Ines", "last": "Brandt", "born": "1988-05-14", "gender": "f"},
        "professionals": professionals,
        "patients": everybody,
        "conditions": [{"code": code, "name": name} for code, name in _CONDITIONS],
        "medicines": [dict(zip(_MEDICINE, one, strict=True)) for one in _MEDICINES],
        "vaccines": [{"name": name, "price": price} for name, price in _VACCINES],
        "services": [{"name": name, "price": price} for name, price in _SERVICES],
        "appointments": [*appointments, *visits(len(everybody), appointments)],
        "evaluations": [_evaluation(draw, one) for one in seen],
        "histories": [_history(draw, patient) for patient in range(len(patients)) if draw.random() < 0.6],
        "prescriptions": [_prescription(draw, one) for one in seen if draw.random() < 0.5],
        "tests": [_test(draw, one) for one in seen if draw.random() < 0.3],
        "vaccinations": [
            _vaccination(draw, patient, len(professionals))
            for patient in range(len(patients))
            if draw.random() < 0.5
        ],
        "orders": [_order(draw, one) for one in seen[-90:]],
    }


_MEDICINE = ("name", "form", "strength", "unit", "action", "price")


def _named(draw: random.Random, person: Person) -> dict[str, Any]:
    gender = draw.choice("mf")
    return {"first": person.first, "last": person.last, "born": str(person.born), "gender": gender}


def _patient(draw: random.Random, person: Person) -> dict[str, Any]:
    return {
        **_named(draw, person),
        "street": person.street,
        "town": person.town,
        "email": person.email(DOMAIN if draw.random() < 0.2 else "post.example"),
        "mobile": f"+31 6 5550 {draw.randrange(10000):04}",
        "marital": draw.choice(("s", "m", "m", "c", "d", "w")),
        "blood": draw.choice(("O", "O", "A", "A", "B", "AB")),
        "rh": draw.choice("+++-"),
        "doctor": draw.randrange(3),
    }


def _appointments(draw: random.Random, patients: int, professionals: int) -> list[dict[str, Any]]:
    """Visits on the half hour, nobody in two places at once: past ones, and three weeks ahead."""
    found: list[dict[str, Any]] = []
    taken: set[tuple[int, datetime]] = set()
    while len(found) < 420:
        day = TODAY + timedelta(draw.randrange(-540, 22))
        at = datetime.combine(day, time(draw.randrange(8, 17), draw.choice((0, 30))))
        professional = draw.randrange(professionals)
        if day.weekday() > 4 or (professional, at) in taken:
            continue
        taken.add((professional, at))
        past = draw.choice(("done",) * 16 + ("no_show", "user_cancelled", "center_cancelled", "no_show"))
        found.append(
            {
                "patient": draw.randrange(patients),
                "professional": professional,
                "at": f"{at:%Y-%m-%d %H:%M:%S}",
                "end": f"{at + timedelta(minutes=30):%Y-%m-%d %H:%M:%S}",
                "state": past if day < TODAY else "confirmed",
                "urgency": draw.choice("aaaaab"),
                "visit": draw.choice(("new", "followup", "followup")),
            }
        )
    return sorted(found, key=lambda one: (one["at"], one["professional"]))


def _evaluation(draw: random.Random, visit: dict[str, Any]) -> dict[str, Any]:
    return {
        "patient": visit["patient"],
        "professional": visit["professional"],
        "at": visit["at"],
        "end": visit["end"],
        "visit": visit["visit"],
        "complaint": draw.choice(_COMPLAINTS).format(n=draw.randrange(2, 9)),
        "condition": draw.randrange(len(_CONDITIONS)),
        "systolic": draw.randrange(105, 165),
        "diastolic": draw.randrange(62, 98),
        "bpm": draw.randrange(55, 98),
        "temperature": draw.randrange(360, 387) / 10,
        "weight": draw.randrange(480, 1120) / 10,
        "height": float(draw.randrange(152, 197)),
        "plan": draw.choice(_PLANS).format(n=draw.randrange(2, 8)),
    }


def _history(draw: random.Random, patient: int) -> dict[str, Any]:
    return {
        "patient": patient,
        "condition": draw.randrange(len(_CONDITIONS)),
        "since": str(TODAY - timedelta(draw.randrange(60, 4000))),
        "severity": draw.choice(("1_mi", "1_mi", "2_mo", "3_sv")),
        "status": draw.choice("accch"),
        "professional": draw.randrange(len(_PROFESSIONS)),
    }


def _prescription(draw: random.Random, visit: dict[str, Any]) -> dict[str, Any]:
    lines = [
        {
            "medicine": medicine,
            "dose": float(_MEDICINES[medicine][2]),
            "times": draw.randrange(1, 4),
            "days": draw.choice((5, 7, 10, 30)),
            "quantity": draw.choice((10, 20, 30, 60)),
        }
        for medicine in draw.sample(range(len(_MEDICINES)), draw.choice((1, 1, 2, 3)))
    ]
    return {**_who(visit), "at": visit["end"], "lines": lines}


def _test(draw: random.Random, visit: dict[str, Any]) -> dict[str, Any]:
    kind = draw.choice(
        (
            "COMPLETE BLOOD COUNT",
            "LIVER FUNCTION TEST",
            "RENAL FUNCTION TEST",
            "URINE ANALYSIS",
            "HAEMATOLOGY",
        )
    )
    return {**_who(visit), "at": visit["end"], "kind": kind, "urgent": draw.random() < 0.15}


def _vaccination(draw: random.Random, patient: int, professionals: int) -> dict[str, Any]:
    day = TODAY - timedelta(draw.randrange(20, 700))
    return {
        "patient": patient,
        "professional": draw.randrange(professionals),
        "vaccine": draw.randrange(len(_VACCINES)),
        "at": f"{day} 11:00:00",
        "dose": draw.choice((1, 1, 2)),
    }


def _order(draw: random.Random, visit: dict[str, Any]) -> dict[str, Any]:
    lines = draw.sample(range(len(_SERVICES)), draw.choice((1, 1, 2)))
    return {"patient": visit["patient"], "day": visit["at"][:10], "services": lines}


def _who(visit: dict[str, Any]) -> dict[str, Any]:
    return {"patient": visit["patient"], "professional": visit["professional"]}
