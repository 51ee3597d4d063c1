"""The company's CRM: HubSpot records with their associations."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from tenure.twins.hubspot.records import (
    Association,
    CallLog,
    Company,
    Contact,
    CrmObject,
    Deal,
    Meeting,
    Note,
    Pipeline,
    Portal,
    Product,
    Property,
    Stage,
    Task,
    Ticket,
    associate,
)

from .clock import DAY, iso, midnight
from .people import Colleague, Person

if TYPE_CHECKING:
    from tenure.world import BaseBuilder

Value = str | int | float | bool | None
RENEWALS = "74120318"
"""Id of the renewals pipeline."""
RENEWAL_STAGES = {
    "upcoming": ("141870211", "Upcoming", "0.6"),
    "talks": ("141870212", "In talks", "0.7"),
    "sent": ("141870213", "Contract sent", "0.9"),
    "renewed": ("141870214", "Renewed", "1.0"),
    "lost": ("141870215", "Not renewed", "0.0"),
}
"""Name → (stage id, label, probability) of the renewals pipeline."""
_FIRST_ID = {
    "companies": 9_104_220_115,
    "contacts": 18_351,
    "deals": 11_870_334_020,
    "tickets": 1_720_448_310,
    "notes": 15_204_118_730,
    "tasks": 14_933_027_610,
    "calls": 13_480_551_902,
    "meetings": 12_077_640_281,
    "products": 1_204_551_080,
}


def ref(record: CrmObject | Association) -> str:
    """``kind/id``, as facts name records."""
    return f"{record.kind}/{record.id}"


class Crm:
    """Writes HubSpot records into a base."""

    def __init__(self, base: "BaseBuilder", rng: random.Random) -> None:
        """Start an empty CRM."""
        self._base, self._rng = base, rng
        self._ids: Counter[str] = Counter(_FIRST_ID)
        self._pipelines = 0
        self.currency = ""

    def _id(self, type_key: str) -> int:
        self._ids[type_key] += self._rng.randint(3, 61)
        return self._ids[type_key]

    def _keep(self, record: CrmObject, on: Iterable[CrmObject] = ()) -> None:
        self._base.add(record)
        for other in on:
            self.link(record, other)

    def link(self, a: CrmObject, b: CrmObject, *, primary: bool = False) -> Association:
        """Associate two records."""
        made = associate(a, b, primary=primary)
        self._base.add(made)
        return made

    def setup(self, currency: str, zone: str, at: int) -> None:
        """The account itself: currency, the renewals pipeline, the properties that the company added."""
        self.currency = currency
        self._base.add(Portal(id="portal", time_zone=zone, currency=currency))
        self.pipeline(RENEWALS, "Renewals", RENEWAL_STAGES, at)
        self.property("deals", "seats", "number", "Seats", "Licensed seats in the coming term", at)
        self.property(
            "deals", "term_months", "number", "Term (months)", "Length of the coming term in months", at
        )
        self.property(
            "companies", "customer_number", "string", "Customer number", "Number in the billing system", at
        )

    def pipeline(self, id: str, label: str, stages: Mapping[str, tuple[str, str, str]], at: int) -> Pipeline:
        """A further pipeline of deals.

        Args:
            id: Its id, decimal.
            label: Its name.
            stages: Name → (stage id, label, probability), in order; a probability of 0.0 or 1.0 closes.
            at: When it was made, epoch milliseconds.
        """
        self._pipelines += 1
        made = Pipeline(
            id=f"deals/{id}",
            object_type="deals",
            pipeline_id=id,
            label=label,
            display_order=self._pipelines,
            stages=[
                Stage(
                    id=stage,
                    label=name,
                    display_order=n,
                    metadata={"probability": chance, "isClosed": str(chance in {"0.0", "1.0"}).lower()},
                    created_at=at,
                    updated_at=at,
                )
                for n, (stage, name, chance) in enumerate(stages.values())
            ],
            created_at=at,
            updated_at=at,
        )
        self._base.add(made)
        return made

    def property(self, object_type: str, name: str, type: str, label: str, text: str, at: int) -> Property:
        """A property that the company added.

        Args:
            object_type: ``deals`` or ``companies``.
            name: Its internal name.
            type: ``number``, ``string`` or ``date``.
            label: What people see.
            text: Its description.
            at: When it was added, epoch milliseconds.
        """
        made = Property(
            id=f"{object_type}/{name}",
            object_type=object_type,
            name=name,
            label=label,
            description=text,
            type=type,
            field_type="text" if type == "string" else type,
            group_name={"deals": "dealinformation", "companies": "companyinformation"}[object_type],
            created_at=at,
            updated_at=at,
        )
        self._base.add(made)
        return made

    def company(self, name: str, at: int, owner: Colleague | None = None, **properties: Value) -> Company:
        """A company."""
        made = Company.of(
            self._id("companies"),
            at=at,
            updated=None,
            name=name,
            hubspot_owner_id=owner.owner if owner else None,
            **properties,
        )
        self._keep(made)
        return made

    def contact(
        self, person: Person, company: Company | None, at: int, owner: Colleague, **properties: Value
    ) -> Contact:
        """A contact, associated with its company as the primary one."""
        given: dict[str, Value] = {
            "email": person.email,
            "firstname": person.first,
            "lastname": person.last,
            "jobtitle": person.title,
            "phone": person.phone,
            "company": person.employer,
            "hubspot_owner_id": owner.owner,
        }
        made = Contact.of(self._id("contacts"), at=at, updated=None, **(given | properties))
        self._keep(made)
        if company is not None:
            self.link(made, company, primary=True)
        return made

    def deal(
        self,
        name: str,
        company: Company,
        contacts: Iterable[Contact],
        at: int,
        owner: Colleague,
        *,
        amount: Value,
        stage: str,
        close: date,
        pipeline: str = "default",
        dealtype: str = "newbusiness",
        currency: str = "",
        **properties: Value,
    ) -> Deal:
        """A deal with its company and people.

        ``stage`` is the stage's id; ``currency`` is the company's own when it is not given.
        """
        made = Deal.of(
            self._id("deals"),
            at=at,
            updated=at + self._rng.randrange(2, 9) * DAY // 3,
            dealname=name,
            amount=amount,
            dealstage=stage,
            pipeline=pipeline,
            closedate=midnight(close),
            dealtype=dealtype,
            deal_currency_code=currency or self.currency,
            hubspot_owner_id=owner.owner,
            **properties,
        )
        self._keep(made, contacts)
        self.link(made, company, primary=True)
        return made

    def renewal(
        self,
        year: int,
        company: Company,
        contacts: Iterable[Contact],
        at: int,
        owner: Colleague,
        *,
        stage: str,
        close: date,
        amount: int,
        seats: int,
        months: int = 12,
    ) -> Deal:
        """A deal in the renewals pipeline. ``stage`` is a key of ``RENEWAL_STAGES``."""
        return self.deal(
            f"{company.properties['name']} – renewal {year}",
            company,
            contacts,
            at,
            owner,
            amount=amount,
            stage=RENEWAL_STAGES[stage][0],
            close=close,
            pipeline=RENEWALS,
            dealtype="existingbusiness",
            seats=seats,
            term_months=months,
        )

    def note(self, text: str, on: Iterable[CrmObject], at: int, author: Colleague) -> Note:
        """A note on some records."""
        made = Note.of(
            self._id("notes"), at=at, hs_note_body=text, hs_timestamp=iso(at), hubspot_owner_id=author.owner
        )
        self._keep(made, on)
        return made

    def task(
        self,
        title: str,
        on: Iterable[CrmObject],
        at: int,
        owner: Colleague,
        due: int,
        *,
        text: str = "",
        done: bool = False,
        kind: str = "TODO",
    ) -> Task:
        """A task for someone."""
        made = Task.of(
            self._id("tasks"),
            at=at,
            hs_task_subject=title,
            hs_task_body=text,
            hs_task_status="COMPLETED" if done else "NOT_STARTED",
            hs_task_type=kind,
            hs_task_priority=self._rng.choice(("NONE", "NONE", "LOW", "MEDIUM", "HIGH")),
            hs_timestamp=iso(due),
            hubspot_owner_id=owner.owner,
        )
        self._keep(made, on)
        return made

    def ticket(
        self, subject: str, text: str, on: Iterable[CrmObject], at: int, owner: Colleague, *, stage: str
    ) -> Ticket:
        """A support ticket. ``stage`` is 1 (new) to 4 (closed)."""
        made = Ticket.of(
            self._id("tickets"),
            at=at,
            subject=subject,
            content=text,
            hs_pipeline="0",
            hs_pipeline_stage=stage,
            hs_ticket_priority=self._rng.choice(("LOW", "MEDIUM", "MEDIUM", "HIGH")),
            source_type="EMAIL",
            hubspot_owner_id=owner.owner,
        )
        self._keep(made, on)
        return made

    def call(self, title: str, text: str, on: Iterable[CrmObject], at: int, owner: Colleague) -> CallLog:
        """A logged call."""
        made = CallLog.of(
            self._id("calls"),
            at=at,
            hs_call_title=title,
            hs_call_body=text,
            hs_call_status="COMPLETED",
            hs_call_direction="OUTBOUND",
            hs_call_duration=self._rng.randrange(90, 2400) * 1000,
            hs_timestamp=iso(at),
            hubspot_owner_id=owner.owner,
        )
        self._keep(made, on)
        return made

    def meeting(self, title: str, text: str, on: Iterable[CrmObject], at: int, owner: Colleague) -> Meeting:
        """A meeting that took place."""
        made = Meeting.of(
            self._id("meetings"),
            at=at,
            hs_meeting_title=title,
            hs_meeting_body=text,
            hs_meeting_start_time=iso(at),
            hs_meeting_end_time=iso(at + DAY // 48),
            hs_meeting_outcome="COMPLETED",
            hs_timestamp=iso(at),
            hubspot_owner_id=owner.owner,
        )
        self._keep(made, on)
        return made

    def product(self, name: str, price: int, text: str, at: int) -> Product:
        """An entry of the price list."""
        made = Product.of(self._id("products"), at=at, name=name, price=price, description=text)
        self._keep(made)
        return made
