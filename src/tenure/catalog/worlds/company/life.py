"""The life of the company: the dealings, chatter and noise around whatever a story tells."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from tenure.twins.hubspot.records import Deal

from .clock import DAY, HOUR
from .names import CITIES
from .people import Client, Colleague, Customer, Person
from .phrases import MODULES

if TYPE_CHECKING:
    from .company import Company

Turn = tuple[Person, Person, tuple[str, ...]]
_SALES_STAGES = (
    *("appointmentscheduled", "qualifiedtobuy", "presentationscheduled", "decisionmakerboughtin"),
    *("contractsent", "closedwon", "closedwon", "closedlost"),
)
_RENEWAL_STAGES = ("upcoming", "upcoming", "talks", "sent", "renewed", "renewed", "lost")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "September", "October", "November")
_SENDERS = ("Planners' Post", "Opsweekly", "The Shift Letter", "Depot Digest", "Summit Desk", "Fieldnotes")
_SERVICES = ("Expenses", "Travel desk", "Door system", "Payroll", "Learning hub")


def slots(company: "Company", customer: Customer | None = None) -> dict[str, str]:
    """Values for a letter's slots: a place, a day, a month, a colleague, an amount."""
    rng = company.rng
    some = {
        "place": rng.choice(CITIES),
        "day": rng.choice(_DAYS),
        "month": rng.choice(_MONTHS),
        "colleague": rng.choice(company.team).first,
        "amount": f"{rng.randrange(40, 900) * 50:,}",
    }
    if customer is not None:
        some["customer"] = customer.name
    return some


def converse(
    company: "Company",
    subject: str,
    turns: Sequence[Turn],
    at: int,
    *,
    customer: Customer | None = None,
    cc: Sequence[Person] = (),
    short: bool = False,
) -> None:
    """Let a conversation run its turns; it stops where answers have not come yet."""
    thread, some = company.mail.thread(subject), slots(company, customer)
    moment: int | None = at
    for sender, to, keys in turns:
        if moment is None:
            return
        text = company.voice.letter(sender, to, keys, some, short=short)
        last = thread.letters[-1] if thread.letters else None
        if last is not None and company.rng.random() < 0.2:
            quoted = "\n".join(f"> {line}" for line in last.text.splitlines()[:6])
            when = company.clock.local(last.at)
            text += f"\n\nOn {when:%a, %d %b %Y at %H:%M} {last.sender.name} wrote:\n{quoted}"
        files = _export(company) if "support" in keys and company.rng.random() < 0.25 else None
        thread.write(sender, [to], moment, text, cc=cc, files=files)
        moment = company.clock.reply(moment)


def _export(company: "Company") -> dict[str, str]:
    """A file that a customer sends along with a question."""
    rng, module = company.rng, company.rng.choice(MODULES)
    rows = [f"{n};{rng.choice(CITIES)};{rng.randrange(1, 400)};{rng.choice(_DAYS)}" for n in range(1, 9)]
    return {f"{module}-export.csv": "\n".join(["row;site;count;day", *rows]) + "\n"}


def dealings(company: "Company", customer: Customer) -> None:
    """A customer's mail with the team. One that a story took has none about money."""
    rng, rep, success = company.rng, customer.rep, customer.success
    support = company.one("support")
    mine = rep is company.persona
    for _ in range(rng.randrange(5, 10) if mine else rng.randrange(1, 5)):
        module, at = rng.choice(MODULES), company.clock.ago(rng.uniform(1, 330))
        client = rng.choice(customer.around(at)).person
        kinds = (
            ["meet", "support", "news", "price", "invoice"] if customer.buying else ["intro", "price", "meet"]
        )
        if customer.taken:
            kinds = ["meet", "support", "news"] if customer.buying else ["intro", "meet"]
        kind = rng.choice(kinds)
        cc: list[Person] = []
        if kind == "support":
            helper = rng.choice((support, success))
            cc = [rep] if mine and helper is not rep else []
            turns: list[Turn] = [
                (client, helper, ("support",)),
                (helper, client, ("support_ask",)),
                (client, helper, ("support_more",)),
                (helper, client, ("support_done",)),
                (client, helper, ("thanks",)),
            ]
            turns = turns[: rng.choice((2, 4, 5))]
        elif kind == "invoice":
            finance = company.one("finance")
            cc = [rep]
            turns = [
                (client, finance, ("invoice",)),
                (finance, client, ("invoice_done",)),
                (client, finance, ("thanks",)),
            ]
        elif kind == "price":
            turns = [
                (client, rep, ("price_ask",)),
                (rep, client, ("price_give",)),
                (client, rep, ("price_back",)),
                (rep, client, ("price_close",)),
            ]
            turns = turns[: rng.choice((2, 3, 4, 4))]
        else:
            turns = [
                (client, rep, (kind,)),
                (rep, client, (f"{kind}_yes" if kind == "meet" else f"{kind}_back",)),
            ]
            if rng.random() < 0.5:
                turns.append((client, rep, ("thanks",)))
            if kind == "meet" and rng.random() < 0.4:
                turns[0] = (rep, client, ("meet",))
                turns[1] = (client, rep, ("meet_yes",))
                turns[2:] = []
        converse(company, subject_of(company, kind, module, customer), turns, at, customer=customer, cc=cc)
    if mine and not customer.taken and rng.random() < 0.5:
        away(company, rng.choice(customer.people), rep)


def subject_of(company: "Company", kind: str, module: str, customer: Customer) -> str:
    """A subject for a kind of conversation."""
    choices = {
        "meet": (
            f"Catching up on {module}",
            f"{customer.stem}: a date for our review",
            f"Time for {module}?",
        ),
        "support": (
            f"Problem with {module}",
            f"{module.capitalize()} since the update",
            "Something odd in the reports",
        ),
        "news": (f"News from {customer.stem}", f"{module.capitalize()} at {customer.stem}", "Good news"),
        "price": (
            f"Offer for {module}",
            f"{customer.stem}: prices for next year",
            "More seats?",
            "Budget question",
        ),
        "invoice": ("Question about an invoice", f"Invoice for {customer.stem}", "Order number missing"),
        "intro": (f"{company.product} for {customer.name}", f"Question about {module}", "First contact"),
    }
    return company.rng.choice(choices[kind])


def away(company: "Company", client: Client, rep: Colleague) -> None:
    """Someone's automatic reply to a letter of ours."""
    at = company.clock.ago(company.rng.uniform(3, 200))
    some = slots(company)
    thread = company.mail.thread(f"A quick question on {company.rng.choice(MODULES)}")
    text = company.voice.letter(rep, client.person, ["meet"], some)
    thread.write(rep, [client.person], at, text)
    thread.write(
        client.person,
        [rep],
        at + company.rng.randrange(5, 40) * 1000,
        company.voice.say("away", **some),
        subject=f"Automatic reply: {thread.subject}",
        extra=["CATEGORY_UPDATES"],
        headers=[("Auto-Submitted", "auto-replied")],
    )


def history(company: "Company", customer: Customer) -> None:
    """A customer's traces in the CRM: deals of its own, notes, tasks, calls, tickets."""
    rng, crm, clock, rep = company.rng, company.crm, company.clock, customer.rep
    if not customer.taken:
        for _ in range(rng.choice((1, 1, 2, 3))):
            customer.deals.append(some_deal(company, customer))
    where = [customer.record, *(customer.deals[:1])]

    def phrase(key: str, client: Client) -> str:
        return company.voice.say(key, contact=client.person.name, **slots(company, customer))

    for _ in range(rng.randrange(1, 4)):
        at = clock.ago(rng.uniform(2, 300))
        client = rng.choice(customer.around(at))
        crm.note(phrase("note", client), [rng.choice(where), client.record], at, rep)
    for _ in range(rng.randrange(0, 3)):
        at = clock.ago(rng.uniform(2, 120))
        due = at + rng.randrange(2, 20) * DAY
        done = due < company.now and rng.random() < 0.8
        title = phrase("task", rng.choice(customer.around(at)))
        kind = rng.choice(("TODO", "CALL", "EMAIL"))
        crm.task(title, [rng.choice(where)], at, rep, due, done=done, kind=kind)
    if rng.random() < 0.5:
        at = clock.ago(rng.uniform(5, 200))
        client = rng.choice(customer.around(at))
        on = [customer.record, client.record]
        crm.call(f"Call with {customer.stem}", phrase("call", client), on, at, rep)
    if rng.random() < 0.35:
        at = clock.ago(rng.uniform(5, 250))
        text = phrase("call", rng.choice(customer.around(at)))
        crm.meeting(f"Review {customer.stem}", text, [customer.record], at, rep)
    if customer.buying and rng.random() < 0.7:
        stage, at = rng.choice(("1", "2", "3", "4", "4", "4")), clock.ago(rng.uniform(1, 200))
        client = rng.choice(customer.around(at))
        subject = f"{rng.choice(MODULES).capitalize()}: {customer.stem}"
        on = [customer.record, client.record]
        crm.ticket(subject, phrase("support", client), on, at, company.one("support"), stage=stage)


def some_deal(company: "Company", customer: Customer) -> Deal:
    """One deal of a customer: a renewal, or a sale."""
    rng, clock, crm = company.rng, company.clock, company.crm
    people = rng.sample(customer.people, k=min(len(customer.people), rng.choice((1, 1, 2))))
    contacts = [client.record for client in people]
    seats = rng.randrange(4, 60) * 5
    amount = seats * company.list_price * rng.choice((85, 90, 95, 100, 100)) // 100
    renews = customer.buying and rng.random() < 0.6
    stage = rng.choice(_RENEWAL_STAGES if renews else _SALES_STAGES)
    days, age = rng.randrange(5, 300), rng.uniform(10, 120)
    if stage in {"renewed", "lost", "closedwon", "closedlost"}:
        close, at = clock.workday(-days), clock.ago(days + age)
    else:
        close, at = clock.workday(days), clock.ago(age)
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


def office(company: "Company") -> None:
    """Talk among colleagues, newsletters, automatic notices."""
    rng, team, persona, clock = company.rng, company.team, company.persona, company.clock
    reading = company.mail.label(persona, "To read")
    for _ in range(150):
        sender = rng.choice(team)
        others = [one for one in team if one is not sender]
        to = persona if sender is not persona and rng.random() < 0.5 else rng.choice(others)
        cc = [one for one in rng.sample(others, k=rng.choice((0, 0, 1, 3, 5))) if one is not to]
        at = clock.ago(rng.uniform(0.2, 330))
        if rng.random() < 0.4:
            customer = rng.choice([one for one in company.customers if not one.taken])
            turns: list[Turn] = [(sender, to, ("deal_chat",)), (to, sender, ("deal_chat_back",))]
            converse(company, customer.name, turns, at, customer=customer, short=True)
            continue
        turns = [(sender, to, ("chat",))]
        turns += [(rng.choice([to, *cc]), sender, ("chat_back",)) for _ in range(rng.choice((0, 1, 1, 2)))]
        subject = rng.choice(
            ("Quick question", "FYI", "This week", "Before I forget", "For the team", "Heads up")
        )
        converse(company, f"{subject}: {rng.choice(MODULES)}", turns, at, cc=cc, short=True)
    for _ in range(170):
        name = rng.choice(_SENDERS)
        paper = Person(name, "", f"news@{''.join(c for c in name.lower() if c.isalpha())}.example")
        some, at = slots(company), clock.ago(rng.uniform(0.5, 330))
        subject = company.voice.say("news_subject", **some)
        body = [company.voice.say("news_text", **slots(company)) for _ in range(3)]
        text = "\n\n".join(
            [
                *dict.fromkeys(body),
                f"You receive this because you signed up with {name}. Unsubscribe at any time.",
            ]
        )
        html = "".join(f"<p>{line}</p>" for line in text.split("\n\n"))
        reader = persona if rng.random() < 0.7 else rng.choice(team)
        labels = {reader.account: ["SPAM"]} if rng.random() < 0.1 else None
        extra = ["CATEGORY_PROMOTIONS", *([reading] if reader is persona and rng.random() < 0.3 else ())]
        company.mail.thread(subject).write(paper, [reader], at, text, html=html, labels=labels, extra=extra)
    for _ in range(150):
        service = rng.choice(_SERVICES)
        robot = Person(service, "", f"no-reply@{service.lower().replace(' ', '-')}.{company.domain}")
        at, number = clock.ago(rng.uniform(0.2, 330)), rng.randrange(10_000, 99_999)
        due = clock.local(at).date() + timedelta(days=rng.randrange(2, 15))
        subject, text = rng.choice(
            (
                (
                    f"[{service}] Request {number} was approved",
                    f"Request {number} was approved. Nothing to do for you.",
                ),
                (
                    f"[{service}] Please confirm {number}",
                    f"Item {number} waits for you until {due:%d %b %Y}.",
                ),
                (
                    f"[{service}] Weekly summary",
                    f"Last week: {number % 40} items opened, {number % 37} closed.",
                ),
                (
                    f"[{service}] Planned maintenance",
                    f"The service is not available on {due:%d %b %Y} from 22:00 to 23:00.",
                ),
            )
        )
        reader = persona if rng.random() < 0.6 else rng.choice(team)
        company.mail.thread(subject).write(robot, [reader], at, text, extra=["CATEGORY_UPDATES"])


def contradictions(company: "Company") -> None:
    """What real records have: entries made twice, names misspelt, people without a company."""
    rng, crm, clock = company.rng, company.crm, company.clock
    free = [one for one in company.customers if not one.taken]
    for customer in rng.sample(free, k=min(8, len(free))):
        name = customer.name.replace("ll", "l", 1) if "ll" in customer.name else customer.name[:-1]
        copy = crm.company(
            name, clock.ago(rng.uniform(10, 200)), rng.choice(company.reps), city=customer.city
        )
        twice = rng.choice(customer.people).person
        other = Person(
            twice.first, twice.last[:-1], f"{twice.first[0].lower()}{twice.email}", twice.title, "", name
        )
        crm.contact(other, copy, clock.ago(rng.uniform(10, 200)), rng.choice(company.reps))
    for _ in range(60):
        first, last = company.names.person()
        host = f"{company.names.stem().lower()}.example"
        person = Person(first, last, f"{first[0].lower()}.{last.lower()}@{host}", "", company.phone())
        made = crm.contact(
            person, None, clock.ago(rng.uniform(5, 330)), rng.choice(company.reps), lifecyclestage="lead"
        )
        if rng.random() < 0.3:
            crm.note(
                "Business card from the fair, to be sorted.",
                [made],
                made.created_at + HOUR,
                rng.choice(company.reps),
            )
