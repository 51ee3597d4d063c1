"""Loads what standard input says (JSON of ``data.py``) through the app's own models."""

import json
import sqlite3
import sys
from datetime import date, datetime
from decimal import Decimal

from proteus import config

told = json.load(sys.stdin)
entry = config.set_trytond("clinic", user="admin", config_file="/tmp/load.conf")
context: dict = {}


def make(model: str, rows: list) -> list:
    """Records of a model, one by one: of several parties at once the app makes each several times."""
    return [entry.get_proxy(model).create([row], context=context)[0] for row in rows]


def find(model: str, *domain: tuple) -> list:
    """Numbers of the records that a domain matches."""
    return entry.get_proxy(model).search(list(domain), 0, None, None, context=context)


def change(model: str, numbers: list, values: dict) -> None:
    """Write the same values into records."""
    entry.get_proxy(model).write(numbers, values, context=context)


def at(text: str) -> datetime:
    """A moment."""
    return datetime.fromisoformat(text)


def day(text: str) -> date:
    """A day."""
    return date.fromisoformat(text)


def person(one: dict, ref: str, **values: object) -> dict:
    """A party that is a person; the app would give one that has no identities random ones."""
    known = {"ref": ref, "code": ref, "fed_country": "XXX", "federation_account": f"XXX{ref}"}
    names = {"name": one["first"], "lastname": one["last"], "is_person": True}
    return {**names, **known, "dob": day(one["born"]), "gender": one["gender"], **values}


def products(rows: list, kind: str, **flags: bool) -> list:
    """A product for each row that has a name and a price; gives the products' numbers."""
    (unit,) = find("product.uom", ("symbol", "=", "u"))
    made = make(
        "product.template",
        [
            {
                "name": row["name"],
                "type": kind,
                "default_uom": unit,
                "list_price": Decimal(row["price"]),
                "products": [("create", [flags])],
            }
            for row in rows
        ],
    )
    return [find("product.product", ("template", "=", template))[0] for template in made]


# The company, and the clinic that it is.
head = told["company"]
(currency,) = find("currency.currency", ("code", "=", head["currency"])) or make(
    "currency.currency", [{"name": "Euro", "code": "EUR", "symbol": "€", "digits": 2}]
)
(party,) = make(
    "party.party", [{"name": head["name"], "code": head["code"], "ref": head["code"], "is_institution": True}]
)
(company,) = make("company.company", [{"party": party, "currency": currency}])
(admin,) = find("res.user", ("login", "=", "admin"))
change("res.user", [admin], {"companies": [("add", [company])], "company": company})
context = {"company": company, "companies": [company]}
(clinic,) = make(
    "gnuhealth.institution",
    [{"party": party, "code": head["code"], "institution_type": "clinic", "public_level": "private"}],
)

# Who works there; the desk's own user counts as one of them, so that it may write records.
agent = told["agent"]
groups = [
    find("res.group", ("name", "=", f"Health {name}"))[0]
    for name in (
        "Administration",
        "Front Desk",
        "Doctor",
        "Nurse",
        "Back Office",
        "Lab",
        "Services Administration",
    )
]
(user,) = make(
    "res.user",
    [
        {
            "name": f"{agent['first']} {agent['last']}",
            "login": agent["username"],
            "password": sys.argv[1],
            "groups": [("add", groups)],
            "companies": [("add", [company])],
            "company": company,
        }
    ],
)
parties = make(
    "party.party",
    [person(one, one["licence"], is_healthprof=True) for one in told["professionals"]]
    + [person(agent, "QC-0001", is_healthprof=True, internal_user=user)],
)
professionals = make(
    "gnuhealth.healthprofessional", [{"party": one, "institution": clinic} for one in parties]
)
for one, number in zip(told["professionals"], professionals, strict=False):
    fields = find("gnuhealth.specialty", ("name", "ilike", one["specialty"])) or make(
        "gnuhealth.specialty", [{"name": one["specialty"], "code": one["specialty"].upper()[:10]}]
    )
    make("gnuhealth.hp_specialty", [{"healthprof": number, "specialty": fields[0]}])

# What it knows of, gives and does.
conditions = make("gnuhealth.pathology", told["conditions"])
medicines = []
for one, product in zip(
    told["medicines"], products(told["medicines"], "goods", is_medicament=True), strict=True
):
    (form,) = find("gnuhealth.drug.form", ("name", "=", one["form"]))
    (unit,) = find("gnuhealth.dose.unit", ("name", "=", one["unit"]))
    values = {"product": product, "form": form, "unit": unit, "strength": float(one["strength"])}
    medicines += make(
        "gnuhealth.medicament",
        [{**values, "active_component": one["name"], "therapeutic_action": one["action"]}],
    )
vaccines = make(
    "gnuhealth.medicament",
    [
        {"product": product, "active_component": one["name"], "is_vaccine": True}
        for one, product in zip(
            told["vaccines"],
            products(told["vaccines"], "goods", is_medicament=True, is_vaccine=True),
            strict=True,
        )
    ],
)
services = products(told["services"], "service")

# Patients, and what happened with them.
parties = make(
    "party.party",
    [
        person(
            one,
            f"P{number:05}",
            is_patient=True,
            marital_status=one["marital"],
            addresses=[("create", [{"street": one["street"], "city": one["town"]}])],
            contact_mechanisms=[
                (
                    "create",
                    [{"type": "email", "value": one["email"]}, {"type": "mobile", "value": one["mobile"]}],
                )
            ],
        )
        for number, one in enumerate(told["patients"], 1)
    ],
)
patients = make(
    "gnuhealth.patient",
    [
        {
            "party": party,
            "biological_sex": one["gender"],
            "blood_type": one["blood"],
            "rh": one["rh"],
            "primary_care_doctor": professionals[one["doctor"]],
        }
        for party, one in zip(parties, told["patients"], strict=True)
    ],
)


def who(one: dict) -> dict:
    """The two whom a record is about."""
    return {"patient": patients[one["patient"]], "healthprof": professionals[one["professional"]]}


make(
    "gnuhealth.appointment",
    [
        {
            **who(one),
            "institution": clinic,
            "appointment_date": at(one["at"]),
            "appointment_type": one.get("type", "outpatient"),
            "comments": one.get("note"),
            "state": one["state"],
            "urgency": one["urgency"],
            "visit_type": one["visit"],
        }
        for one in told["appointments"]
    ],
)
make(
    "gnuhealth.patient.evaluation",
    [
        {
            **who(one),
            "institution": clinic,
            "evaluation_start": at(one["at"]),
            "evaluation_endtime": at(one["end"]),
            "evaluation_type": "outpatient",
            "visit_type": one["visit"],
            "chief_complaint": one["complaint"],
            "diagnosis": conditions[one["condition"]],
            "directions": one["plan"],
            "discharge_reason": "home",
            "state": "done",
            **{
                name: one[name]
                for name in ("systolic", "diastolic", "bpm", "temperature", "weight", "height")
            },
        }
        for one in told["evaluations"]
    ],
)
make(
    "gnuhealth.patient.disease",
    [
        {
            **who(one),
            "pathology": conditions[one["condition"]],
            "diagnosed_date": day(one["since"]),
            "disease_severity": one["severity"],
            "status": one["status"],
        }
        for one in told["histories"]
    ],
)
orders = make(
    "gnuhealth.prescription.order",
    [
        {
            **who(one),
            "prescription_date": at(one["at"]),
            "prescription_warning_ack": True,
            "prescription_line": [
                (
                    "create",
                    [
                        {
                            "medicament": medicines[line["medicine"]],
                            "dose": line["dose"],
                            "frequency": line["times"],
                            "frequency_unit": "days",
                            "duration": line["days"],
                            "duration_period": "days",
                            "quantity": line["quantity"],
                            "start_treatment": at(one["at"]),
                        }
                        for line in one["lines"]
                    ],
                )
            ],
        }
        for one in told["prescriptions"]
    ],
)
change("gnuhealth.prescription.order", orders, {"state": "done"})
make(
    "gnuhealth.patient.lab.test",
    [
        {
            "patient_id": patients[one["patient"]],
            "doctor_id": professionals[one["professional"]],
            "test_type": find("gnuhealth.lab.test_type", ("name", "=", one["kind"]))[0],
            "date": at(one["at"]),
            "urgent": one["urgent"],
            "state": "draft",
        }
        for one in told["tests"]
    ],
)
make(
    "gnuhealth.vaccination",
    [
        {
            **who(one),
            "vaccine": vaccines[one["vaccine"]],
            "institution": clinic,
            "date": at(one["at"]),
            "dose": one["dose"],
            "state": "done",
        }
        for one in told["vaccinations"]
    ],
)
make(
    "gnuhealth.health_service",
    [
        {
            "patient": patients[one["patient"]],
            "institution": clinic,
            "service_date": day(one["day"]),
            "company": company,
            "service_line": [
                (
                    "create",
                    [
                        {
                            "product": services[line],
                            "desc": told["services"][line]["name"],
                            "qty": 1,
                            "to_invoice": True,
                        }
                        for line in one["services"]
                    ],
                )
            ],
        }
        for one in told["orders"]
    ],
)
# Nobody who signs in is asked to set the app up.
change("ir.module.config_wizard.item", find("ir.module.config_wizard.item"), {"state": "done"})
# All that was done in memory; a plain copy would miss what still stands in the log beside it.
with sqlite3.connect("/dev/shm/clinic.sqlite") as quick, sqlite3.connect("/app/data/clinic.sqlite") as kept:
    quick.backup(kept)
