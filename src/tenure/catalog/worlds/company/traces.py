"""Traces in the CRM: a customer's deals, notes, tasks, calls and tickets, and where records contradict."""

from typing import TYPE_CHECKING

from tenure.twins.hubspot.records import Deal

from .clock import DAY, HOUR
from .people import Client, Customer, Person
from .phrases import MODULES
from .talk import slots

if TYPE_CHECKING:
    from .company import Company

_SALES_STAGES = (
    *("appointmentscheduled", "qualifiedtobuy", "presentationscheduled", "decisionmakerboughtin"),
    *("contractsent", "closedwon", "closedwon", "closedlost"),
)
_FIRST_STAGES = (*_SALES_STAGES[:5], "closedlost")
"""Stages of a sale to somebody who has bought nothing yet."""
_RENEWAL_STAGES = ("upcoming", "upcoming", "talks", "sent", "renewed", "renewed", "lost")


def history(company: "Company", customer: Customer) -> None:
    """A customer's traces in the CRM: deals of its own, notes, tasks, calls, tickets."""
    rng, crm, rep = company.rng, company.crm, customer.rep
    if not customer.taken:
        for _ in range(rng.choice((1, 1, 2, 3))):
            customer.deals.append(some_deal(company, customer))
    where = [customer.record, *(customer.deals[:1])]

    def phrase(key: str, client: Client, at: int) -> str:
        return company.voice.say(key, slots(company, at, customer) | {"contact": client.person.name})

    for _ in range(rng.randrange(1, 4)):
        at = company.moment(customer, 300)
        client = rng.choice(customer.around(at))
        crm.note(phrase("note", client, at), [rng.choice(where), client.record], at, rep)
    for _ in range(rng.randrange(0, 3)):
        at = company.moment(customer, 120)
        due = at + rng.randrange(2, 20) * DAY
        done = due < company.now and rng.random() < 0.8
        title = phrase("task", rng.choice(customer.around(at)), at)
        kind = rng.choice(("TODO", "CALL", "EMAIL"))
        crm.task(title, [rng.choice(where)], at, rep, due, done=done, kind=kind)
    if rng.random() < 0.5:
        at = company.moment(customer, 200)
        client = rng.choice(customer.around(at))
        on = [customer.record, client.record]
        crm.call(f"Call with {customer.stem}", phrase("call", client, at), on, at, rep)
    if rng.random() < 0.35:
        at = company.moment(customer, 250)
        text = phrase("call", rng.choice(customer.around(at)), at)
        crm.meeting(f"Review {customer.stem}", text, [customer.record], at, rep)
    if customer.buying and rng.random() < 0.7:
        stage, at = rng.choice(("1", "2", "3", "4", "4", "4")), company.moment(customer, 200)
        client = rng.choice(customer.around(at))
        subject = f"{rng.choice(MODULES).capitalize()}: {customer.stem}"
        on = [customer.record, client.record]
        crm.ticket(subject, phrase("support", client, at), on, at, company.one("support"), stage=stage)


def some_deal(company: "Company", customer: Customer) -> Deal:
    """One deal of a customer: a renewal, or a sale."""
    rng, clock, crm = company.rng, company.clock, company.crm
    people = rng.sample(customer.people, k=min(len(customer.people), rng.choice((1, 1, 2))))
    contacts = [client.record for client in people]
    seats = rng.randrange(4, 60) * 5
    amount = seats * company.list_price * rng.choice((85, 90, 95, 100, 100)) // 100
    renews = customer.buying and rng.random() < 0.6
    stage = rng.choice(_RENEWAL_STAGES if renews else _SALES_STAGES if customer.buying else _FIRST_STAGES)
    at = company.moment(customer, 420)
    age = (company.now - at) // DAY
    closed = stage in {"renewed", "lost", "closedwon", "closedlost"}
    close = clock.workday(-rng.randrange(age + 1) if closed else rng.randrange(5, 300))
    if renews:
        months = rng.choice((12, 12, 24, 36))
        return crm.renewal(
            close.year,
            customer.record,
            contacts,
            at,
            customer.rep,
            stage=stage,
            close=close,
            amount=amount,
            seats=seats,
            months=months,
        )
    name = f"{customer.name} – {rng.choice(MODULES)}"
    return crm.deal(
        name, customer.record, contacts, at, customer.rep, amount=amount, stage=stage, close=close
    )


def contradictions(company: "Company") -> None:
    """What real records have: entries made twice, names misspelt, people without a company."""
    rng, crm, clock = company.rng, company.crm, company.clock
    free = [one for one in company.customers if not one.taken]
    for customer in rng.sample(free, k=min(8, len(free))):
        name = customer.name.replace("ll", "l", 1) if "ll" in customer.name else customer.name[:-1]
        rep, at = rng.choice(company.reps), company.moment(customer, 200)
        copy = crm.company(name, at, rep, city=customer.city)
        twice = rng.choice(customer.people).person
        address = f"{twice.first[0].lower()}{twice.email}"
        crm.contact(Person(twice.first, twice.last[:-1], address, twice.title, "", name), copy, at, rep)
    for _ in range(60):
        first, last = company.names.person()
        host = f"{company.names.stem().lower()}.example"
        person = Person(first, last, f"{first[0].lower()}.{last.lower()}@{host}", "", company.phone())
        rep, at = rng.choice(company.reps), clock.ago(rng.uniform(5, 330))
        made = crm.contact(person, None, at, rep, lifecyclestage="lead")
        if rng.random() < 0.3:
            crm.note("Business card from the fair, to be sorted.", [made], at + HOUR, rep)
