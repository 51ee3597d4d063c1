"""Talk: the mail that goes on around whatever a story tells."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from .clock import DAY
from .names import CITIES
from .people import Client, Colleague, Customer, Person
from .phrases import MODULES

if TYPE_CHECKING:
    from .company import Company

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_SENDERS = ("Planners' Post", "Opsweekly", "The Shift Letter", "Depot Digest", "Summit Desk", "Fieldnotes")
_SERVICES = ("Expenses", "Travel desk", "Door system", "Payroll", "Learning hub")


class Turn(NamedTuple):
    """One letter of a conversation."""

    sender: Person
    to: Person
    key: str
    """What is said: a key of the phrase bank."""


class Course(NamedTuple):
    """How conversations of one kind go.

    Attributes:
        keys: What is said, the customer and the team in turn.
        ends: After how many letters it may end.
        subjects: Subjects, with slots.
        ours: Whether the team begins.
    """

    keys: tuple[str, ...]
    ends: tuple[int, ...]
    subjects: tuple[str, ...]
    ours: bool = False


_COURSES = {
    "meet": Course(
        ("meet", "meet_yes", "agreed"),
        (2, 2, 3),
        ("Catching up on {module}", "{stem}: a date for our review", "Time for {module}?", "Our next call"),
    ),
    "invite": Course(
        ("meet", "meet_yes"),
        (1, 2, 2),
        ("{stem}: our regular call", "Review in {month}", "A date for {module}"),
        ours=True,
    ),
    "support": Course(
        ("support", "support_ask", "support_more", "support_done", "thanks"),
        (2, 4, 5, 5),
        ("Problem with {module}", "{Module} since the update", "Something odd in the reports", "Help needed"),
    ),
    "news": Course(
        ("news", "news_back", "agreed"),
        (2, 2, 3),
        ("News from {stem}", "{Module} at {stem}", "Good news", "{place} is on its way"),
    ),
    "price": Course(
        ("price_ask", "price_give", "price_back", "price_again", "price_back", "price_close"),
        (2, 3, 4, 4, 6),
        ("Offer for {module}", "{stem}: prices for next year", "More seats?", "Budget question"),
    ),
    "invoice": Course(
        ("invoice", "invoice_done", "agreed"),
        (2, 2, 3),
        ("Question about an invoice", "Invoice for {stem}", "Order number missing", "Invoice {number}"),
    ),
    "intro": Course(
        ("intro", "intro_back", "agreed"),
        (2, 3),
        ("{product} for {customer}", "Question about {module}", "First contact", "{Module} at {stem}"),
    ),
}


def slots(company: "Company", at: int, customer: Customer | None = None) -> dict[str, str]:
    """Values for the slots of letters written around a time; one conversation keeps to them."""
    rng, today = company.rng, company.clock.local(at).date()
    seats, module = rng.randrange(3, 80) * 5, rng.choice(MODULES)
    price = seats * company.list_price // 100
    some = {
        "place": rng.choice(CITIES),
        "day": rng.choice(_DAYS),
        "month": f"{today + timedelta(days=rng.randrange(31, 120)):%B}",
        "this": f"{today:%B}",
        "past": f"{today - timedelta(days=rng.randrange(31, 90)):%B}",
        "colleague": rng.choice(company.team).first,
        "module": module,
        "Module": module.capitalize(),
        "n": str(seats),
        "number": str(rng.randrange(10_000, 99_999)),
        "hour": str(rng.randrange(9, 17)),
        "amount": f"{price * rng.randrange(92, 101):,}",
        "less": f"{price * rng.randrange(82, 91):,}",
        "product": company.product,
        "currency": company.office.currency,
        "tax": company.office.tax,
    }
    if customer is not None:
        some |= {"customer": customer.name, "stem": customer.stem}
    return some


def converse(
    company: "Company",
    subject: str,
    turns: Sequence[Turn],
    at: int,
    some: dict[str, str],
    *,
    cc: Sequence[Person] = (),
    short: bool = False,
) -> None:
    """Let a conversation run its turns; it stops where answers have not come yet."""
    thread = company.mail.thread(subject.format_map(some))
    moment: int | None = at
    for sender, to, key in turns:
        if moment is None:
            return
        text = company.voice.letter(sender, to, key, some, answer=bool(thread.letters), short=short)
        if thread.letters and company.rng.random() < 0.2:
            last = thread.letters[-1]
            quoted = "\n".join(f"> {line}" for line in last.text.splitlines()[:6])
            when = company.clock.local(last.at)
            text += f"\n\nOn {when:%a, %d %b %Y at %H:%M} {last.sender.name} wrote:\n{quoted}"
        files = _export(company, some) if key == "support" and company.rng.random() < 0.25 else None
        thread.write(sender, [to], moment, text, cc=cc, files=files)
        moment = company.clock.reply(moment)


def _export(company: "Company", some: dict[str, str]) -> dict[str, str]:
    """A file that a customer sends along with a question."""
    rng = company.rng
    rows = [f"{n};{rng.choice(CITIES)};{rng.randrange(1, 400)};{rng.choice(_DAYS)}" for n in range(1, 9)]
    return {f"{some['module']}-export.csv": "\n".join(["row;site;count;day", *rows]) + "\n"}


def dealings(company: "Company", customer: Customer) -> None:
    """A customer's mail with the team. One that a story took has none about money."""
    rng, rep = company.rng, customer.rep
    mine = rep is company.persona
    kinds = ["meet", "invite", "support", "news"] if customer.buying else ["intro", "meet", "invite"]
    if not customer.taken:
        kinds += ["price", "price", "invoice"] if customer.buying else ["price", "price"]
    for _ in range(rng.randrange(6, 12) if mine else rng.randrange(1, 5)):
        kind, at = rng.choice(kinds), company.moment(customer, 330)
        client = rng.choice(customer.around(at)).person
        us: Colleague = rep
        if kind == "support":
            us = rng.choice((company.one("support"), customer.success))
        elif kind == "invoice":
            us = company.one("finance")
        course = _COURSES[kind]
        first, second = (us, client) if course.ours else (client, us)
        keys = course.keys[: rng.choice(course.ends)]
        turns = [
            Turn(second, first, key) if n % 2 else Turn(first, second, key) for n, key in enumerate(keys)
        ]
        cc = [rep] if us is not rep and (mine or rng.random() < 0.3) else []
        some = slots(company, at, customer)
        converse(company, rng.choice(course.subjects), turns, at, some, cc=cc)
    if mine and not customer.taken and rng.random() < 0.5:
        away(company, rng.choice(customer.people), rep, company.moment(customer, 200))


def away(company: "Company", client: Client, rep: Colleague, at: int) -> None:
    """Someone's automatic reply to a letter of ours."""
    some = slots(company, at)
    thread = company.mail.thread(f"A quick question on {some['module']}")
    thread.write(rep, [client.person], at, company.voice.letter(rep, client.person, "meet", some))
    thread.write(
        client.person,
        [rep],
        at + company.rng.randrange(5, 40) * 1000,
        company.voice.say("away", some),
        subject=f"Automatic reply: {thread.subject}",
        extra=["CATEGORY_UPDATES"],
        headers=[("Auto-Submitted", "auto-replied")],
    )


def chatter(company: "Company") -> None:
    """Talk among colleagues."""
    rng, team, persona = company.rng, company.team, company.persona
    for _ in range(160):
        at = company.clock.ago(rng.uniform(0.2, 330))
        sender = rng.choice(team)
        others = [one for one in team if one is not sender]
        to = persona if sender is not persona and rng.random() < 0.5 else rng.choice(others)
        if rng.random() < 0.4:
            customer = rng.choice([one for one in company.customers if not one.taken])
            turns = [Turn(sender, to, "deal_chat"), Turn(to, sender, "deal_chat_back")]
            converse(company, "{customer}", turns, at, slots(company, at, customer), short=True)
            continue
        cc = [one for one in rng.sample(others, k=rng.choice((0, 0, 1, 3, 5))) if one is not to]
        back = [Turn(rng.choice([to, *cc]), sender, "chat_back") for _ in range(rng.choice((0, 1, 1, 2)))]
        subject = rng.choice(
            ("Quick question", "FYI", "This week", "Before I forget", "For the team", "Heads up")
        )
        turns = [Turn(sender, to, "chat"), *back]
        converse(company, subject + ": {module}", turns, at, slots(company, at), cc=cc, short=True)


def newsletters(company: "Company") -> None:
    """What people once signed up for, some of it spam."""
    rng, team, persona = company.rng, company.team, company.persona
    reading = company.mail.label(persona, "To read")
    for _ in range(170):
        name = rng.choice(_SENDERS)
        paper = Person(name, "", f"news@{''.join(c for c in name.lower() if c.isalpha())}.example")
        at = company.clock.ago(rng.uniform(0.5, 330))
        subject = company.voice.say("news_subject", slots(company, at))
        body = dict.fromkeys(company.voice.say("news_text", slots(company, at)) for _ in range(3))
        last = f"You receive this because you signed up with {name}. Unsubscribe at any time."
        text = "\n\n".join([*body, last])
        page = "".join(f"<p>{line}</p>" for line in text.split("\n\n"))
        reader = persona if rng.random() < 0.7 else rng.choice(team)
        labels = {reader.account: ["SPAM"]} if rng.random() < 0.1 else None
        extra = ["CATEGORY_PROMOTIONS", *([reading] if reader is persona and rng.random() < 0.3 else ())]
        company.mail.thread(subject).write(paper, [reader], at, text, html=page, labels=labels, extra=extra)


def notices(company: "Company") -> None:
    """Automatic notices of the company's own services."""
    rng = company.rng
    for _ in range(150):
        service = rng.choice(_SERVICES)
        robot = Person(service, "", f"no-reply@{service.lower().replace(' ', '-')}.{company.domain}")
        at, number = company.clock.ago(rng.uniform(0.2, 330)), rng.randrange(10_000, 99_999)
        due = f"{company.clock.local(at + rng.randrange(2, 15) * DAY):%d %b %Y}"
        subject, text = rng.choice(
            (
                (f"Request {number} was approved", f"Request {number} was approved. Nothing to do for you."),
                (f"Please confirm {number}", f"Item {number} waits for you until {due}."),
                ("Weekly summary", f"Last week: {number % 40} items opened, {number % 37} closed."),
                ("Planned maintenance", f"The service is not available on {due} from 22:00 to 23:00."),
            )
        )
        reader = company.persona if rng.random() < 0.6 else rng.choice(company.team)
        thread = company.mail.thread(f"[{service}] {subject}")
        thread.write(robot, [reader], at, text, extra=["CATEGORY_UPDATES"])
