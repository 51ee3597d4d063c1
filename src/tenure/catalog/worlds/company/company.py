"""The company as a story's author sees it: pick a customer, write mail, add records, set facts."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.schema import BadInput
from tenure.twins.google.tokens import google_tokens
from tenure.twins.hubspot.records import Association, CrmObject, Owner, hubspot_token
from tenure.world import Account
from tenure.world.ids import hex_id

from .clock import DAY, Clock, long_date, start_of
from .crm import RENEWAL_STAGES, Crm, ref
from .letters import post
from .mail import Mailroom
from .names import CITIES, OFFICES, PRODUCT_HEAD, PRODUCT_TAIL, TITLES, Namer, Office, slug
from .people import Client, Colleague, Customer, Person
from .phrases import Voice

if TYPE_CHECKING:
    from tenure.world import BaseBuilder

_ROLES = (
    ("ae", "Account Executive"),
    ("vp", "VP Sales"),
    ("success", "Customer Success Manager"),
    ("ops", "Sales Operations Manager"),
    ("finance", "Finance Manager"),
    ("ae", "Account Executive"),
    ("ae", "Account Executive"),
    ("ae", "Senior Account Executive"),
    ("success", "Customer Success Manager"),
    ("support", "Support Engineer"),
    ("marketing", "Marketing Manager"),
    ("legal", "Legal Counsel"),
    ("ceo", "Managing Director"),
)


def office_of(seed: int) -> Office:
    """Where the persona of a seed's world works."""
    return random.Random(f"company/office/{seed}").choice(OFFICES)


def start(seed: int) -> int:
    """World time at the start: a weekday morning in the persona's zone, epoch milliseconds."""
    return start_of(random.Random(f"company/start/{seed}"), office_of(seed).zone)


class Company:
    """A seller of business software with its team, customers, CRM and mail.

    Attributes:
        rng: The one source of chance.
        name: The seller's name.
        domain: Its mail domain.
        product: What it sells.
        list_price: Price of one seat for a year, in the office's currency, a multiple of 20.
        office: Place, zone, currency and tax.
        team: Colleagues with a mailbox and an owner in the CRM; the persona first.
        persona: The account executive for whom an agent acts.
        customers: Customers and prospects.
        crm: Writes HubSpot records.
        mail: Writes letters.
        voice: Says things from the phrase bank.
        facts: What checks may read.
    """

    def __init__(self, base: "BaseBuilder", seed: int) -> None:
        """Found the company: its name, its team and its accounts."""
        self.rng = random.Random(f"company/{seed}")
        self.base, self.now, self.office = base, base.now, office_of(seed)
        self.names = Namer(self.rng)
        stem = self.names.stem()
        self.name, self.domain = f"{stem} Software", f"{slug(stem)}-software.example"
        self.product = self.rng.choice(PRODUCT_HEAD) + self.rng.choice(PRODUCT_TAIL)
        self.list_price = self.rng.randrange(19, 40) * 20
        self.clock = Clock(self.rng, self.office.zone, self.now)
        self.crm = Crm(base, self.rng)
        self.mail = Mailroom(base, self.rng, self.now)
        self.voice = Voice(self.rng)
        self.facts: dict[str, Any] = base.facts
        self.team = [self._hire(n, role, title) for n, (role, title) in enumerate(_ROLES)]
        self.persona = self.team[0]
        self.reps = [one for one in self.team if one.role == "ae"]
        self.customers: list[Customer] = []

    def _hire(self, n: int, role: str, title: str) -> Colleague:
        first, last = self.names.person()
        seed, since = self.base.seed, self.now - self.rng.randrange(400, 1500) * DAY
        account = f"acct_{hex_id(seed, 'world.account', n, 10)}"
        owner, user = str(51_204_117 + 6_131 * n + seed % 4_000), 7_340_221 + 517 * n
        person = Colleague(
            first,
            last,
            f"{slug(first)}.{slug(last)}@{self.domain}",
            title,
            self.phone(),
            self.name,
            account=account,
            owner=owner,
            role=role,
        )
        self.base.add(self.account(person))
        self.base.add(
            Owner(
                id=owner,
                email=person.email,
                first_name=first,
                last_name=last,
                user_id=user,
                created_at=since,
                updated_at=since,
            )
        )
        for token in google_tokens(seed, account):
            self.base.add(token)
        self.base.add(hubspot_token(seed, account))
        self.mail.boxes[person.email] = person
        return person

    def account(self, person: Colleague) -> Account:
        """A colleague's account."""
        return Account(
            id=person.account,
            email=person.email,
            name=person.name,
            zone=self.office.zone,
            details={"hubspot": {"owner": person.owner}},
        )

    def phone(self) -> str:
        """A fictional telephone number."""
        return f"{self.office.phone} {self.rng.randrange(1000, 9999)}"

    def one(self, role: str) -> Colleague:
        """The first colleague with a role.

        Raises:
            BadInput: Nobody has it.
        """
        found = next((one for one in self.team if one.role == role), None)
        if found is None:
            raise BadInput(f"nobody in this company has the role {role!r}")
        return found

    def moment(self, customer: Customer, days: float) -> int:
        """Some working moment within so many days, and since the customer was entered."""
        known = (self.now - customer.since) / DAY - 8
        return self.clock.ago(self.rng.uniform(0.5, max(1.0, min(days, known))))

    def outsider(self, domain: str, title: str = "", employer: str = "") -> Person:
        """A new person with an address at a domain."""
        first, last = self.names.person(avoid={one.first for one in self.team})
        return Person(first, last, f"{slug(first)}.{slug(last)}@{domain}", title, self.phone(), employer)

    def person(self, first: str, last: str, email: str, employer: str = "") -> Person:
        """Somebody whose name and address a story decides."""
        return Person(first, last, email, employer=employer)

    def post(
        self, plan: Path, cast: Mapping[str, Sequence[Person]], slots: Mapping[str, str]
    ) -> dict[str, str]:
        """Write a story's letters (see ``letters.post``); fact → ``kind/id`` of the persona's copy."""
        return post(self, plan, cast, slots, self.persona)

    def money(self, amount: float) -> str:
        """An amount with the office's currency, cents only where there are any: ``EUR 48,500``."""
        cents = round(amount * 100)
        return f"{self.office.currency} {cents / 100:,.{2 if cents % 100 else 0}f}"

    @staticmethod
    def ref(record: CrmObject | Association) -> str:
        """``kind/id`` of a CRM record, as facts name records."""
        return ref(record)

    @staticmethod
    def date_text(day: date) -> str:
        """``1 September 2026``."""
        return long_date(day)

    @staticmethod
    def stage(name: str) -> str:
        """Id of a stage of the renewals pipeline: upcoming, talks, sent, renewed, lost."""
        return RENEWAL_STAGES[name][0]

    def enter(
        self,
        *,
        buying: bool,
        rep: Colleague | None = None,
        parts: tuple[str, ...] = (),
        since: int | None = None,
    ) -> Customer:
        """A new company with its people in the CRM; it also joins ``customers``.

        Args:
            buying: A customer rather than a prospect.
            rep: Who looks after it; anyone by default.
            parts: What its people are to us (see ``Client``); chance decides by default.
            since: When it was entered, epoch milliseconds; chance decides by default.
        """
        rng = self.rng
        stem, trade, industry = self.names.business()
        name, domain, city = f"{stem} {trade}", f"{slug(stem)}{slug(trade)}.example", rng.choice(CITIES)
        rep = rep or (self.persona if rng.random() < 0.34 else rng.choice(self.reps))
        success = rng.choice([one for one in self.team if one.role == "success"])
        since = since or self.clock.ago(rng.uniform(340, 900) if buying else rng.uniform(20, 320))
        record = self.crm.company(
            name,
            since,
            rep,
            domain=domain,
            industry=industry,
            city=city,
            phone=self.phone(),
            numberofemployees=rng.randrange(20, 2400),
            lifecyclestage="customer" if buying else "opportunity",
            customer_number=f"C-{rng.randrange(10_000, 99_999)}" if buying else None,
        )
        made = Customer(name, stem, domain, industry, city, buying, rep, success, since, record)
        wanted = parts or tuple(
            rng.sample(["use", "use", "buy", "sign", "build"], k=rng.choice((2, 2, 3, 4)))
        )
        for part in wanted:
            person = self.outsider(domain, rng.choice(TITLES[part]), name)
            self.join(made, person, part, since + rng.randrange(1, 60) * DAY // 10)
        self.customers.append(made)
        return made

    def join(self, customer: Customer, person: Person, part: str, at: int, **properties: str) -> Client:
        """Enter a person of a customer in the CRM."""
        stage = "customer" if customer.buying else "opportunity"
        record = self.crm.contact(
            person, customer.record, min(at, self.now - DAY), customer.rep, lifecyclestage=stage, **properties
        )
        client = Client(person, part, record)
        customer.people.append(client)
        return client

    def take(self, wanted: Callable[[Customer], bool]) -> Customer:
        """Pick a customer for a story: it gets no dealings about money but the story's own.

        Raises:
            BadInput: No free customer is as wanted.
        """
        found = [one for one in self.customers if not one.taken and wanted(one)]
        if not found:
            raise BadInput("no free customer of this company is as the story wants it")
        customer = self.rng.choice(found)
        customer.taken = True
        return customer
