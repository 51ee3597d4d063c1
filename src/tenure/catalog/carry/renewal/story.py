"""The story of the renewal: what was offered, what was agreed, who left, and who must say yes first.

The letters are in ``letters.toml``; ``README.md`` says which check meets which trap.
"""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.twins.hubspot.records import CrmObject

from .figures import Figures, figures

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company
    from tenure.catalog.worlds.company.people import Customer, Person


def plant(company: "Company") -> None:
    """Plant the story in a company and set its facts."""
    numbers = figures(company)
    since = company.clock.ago(company.rng.uniform(500, 1_000))
    customer = company.enter(buying=True, rep=company.persona, parts=("use", "sign", "buy"), since=since)
    customer.taken = True
    leaver, _, mute = customer.people
    leaver.quiet_after = mute.quiet_after = company.clock.ago(110)
    successor = company.outsider(customer.domain, leaver.person.title, customer.name)
    facts = _values(company, numbers, customer, successor)
    facts |= _records(company, numbers, customer)
    facts["look_alikes"] = [
        company.ref(one)
        for one in (
            *_duplicate(company, customer),
            *_namesake_company(company, numbers, customer),
            _namesake(company, successor),
        )
    ]
    company.facts |= facts | _letters(company, numbers, customer, successor)


def _values(
    company: "Company", numbers: Figures, customer: "Customer", successor: "Person"
) -> dict[str, Any]:
    leaver, signer, mute = customer.people
    vp = company.one("vp")
    return {
        "customer": customer.name,
        "success_first": customer.success.first,
        "success_role": customer.success.title,
        "amount": numbers.amount,
        "seats": numbers.seats,
        "term_months": numbers.months,
        "term_start": numbers.starts.isoformat(),
        "discount": numbers.discount,
        "tax": company.office.tax,
        "stage": company.stage("talks"),
        "successor_email": successor.email,
        "successor_first": successor.first,
        "successor_last": successor.last,
        "signer_email": signer.person.email,
        "mute_email": mute.person.email,
        "vp_owner": vp.owner,
        "vp_record": f"hubspot.owner/{vp.owner}",
        "company": company.ref(customer.record),
        "leaver": company.ref(leaver.record),
        "signer": company.ref(signer.record),
        "mute": company.ref(mute.record),
    }


def _records(company: "Company", numbers: Figures, customer: "Customer") -> dict[str, str]:
    """The customer's deals, last year's figures still in the open one, and what was noted."""
    crm, clock, me = company.crm, company.clock, company.persona
    leaver, _, mute = customer.people
    year, opened = numbers.starts.year, clock.ago(96)
    crm.renewal(
        year - 1,
        customer.record,
        [leaver.record],
        clock.ago(430),
        me,
        stage="renewed",
        close=numbers.starts - timedelta(days=366),
        amount=numbers.old_amount,
        seats=numbers.old_seats,
    )
    deal = crm.renewal(
        year,
        customer.record,
        [],
        opened,
        me,
        stage="talks",
        close=clock.workday(9),
        amount=numbers.old_amount,
        seats=numbers.old_seats,
    )
    leaver_on_deal = crm.link(deal, leaver.record)
    crm.deal(
        f"{customer.name} – reporting",
        customer.record,
        [mute.record],
        clock.ago(140),
        me,
        amount=company.rng.randrange(20, 90) * 50,
        stage="qualifiedtobuy",
        close=clock.workday(60),
    )
    crm.note(
        f"Renewal set up with last year's figures ({numbers.old_seats} seats, 12 months). "
        "To be brought up to date once there is an agreement.",
        [deal],
        opened,
        me,
    )
    crm.note(
        "Asked by mail not to be contacted any more. Stays in the CRM, but gets no mail and "
        "has no part in open business.",
        [mute.record],
        clock.ago(45),
        customer.success,
    )
    crm.product(
        f"{company.product} seat",
        numbers.list_price,
        f"One seat for one year, list price, without {company.office.tax}.",
        clock.ago(320),
    )
    return {"deal": company.ref(deal), "leaver_on_deal": company.ref(leaver_on_deal)}


def _duplicate(company: "Company", customer: "Customer") -> list[CrmObject]:
    """The same company once more, misspelt, with its contact once more."""
    rep, at = company.rng.choice(company.reps[1:]), company.clock.ago(63)
    stem, leaver = customer.stem, customer.people[0].person
    misspelt = stem[:-2] if stem[-1] == stem[-2] else stem[:-1]
    copy = company.crm.company(
        customer.name.replace(stem, misspelt, 1),
        at,
        rep,
        domain=customer.domain,
        city=customer.city,
        lifecyclestage="lead",
    )
    address = f"{leaver.last.lower()}@{customer.domain}"
    twice = company.person(leaver.first, leaver.last, address, customer.name)
    return [copy, company.crm.contact(twice, copy, at, rep, lifecyclestage="lead")]


def _namesake_company(company: "Company", numbers: Figures, customer: "Customer") -> list[CrmObject]:
    """Another customer with nearly the same name, and its own renewal with a colleague."""
    crm, clock, rep = company.crm, company.clock, company.rng.choice(company.reps[1:])
    trade = "Group" if customer.name.endswith("Holdings") else "Holdings"
    name, domain = f"{customer.stem} {trade}", f"{customer.stem.lower()}-{trade.lower()}.example"
    record = crm.company(
        name,
        clock.ago(500),
        rep,
        domain=domain,
        lifecyclestage="customer",
        customer_number=f"C-{company.rng.randrange(10_000, 99_999)}",
    )
    contact = crm.contact(company.outsider(domain, "Planner", name), record, clock.ago(300), rep)
    deal = crm.renewal(
        numbers.starts.year,
        record,
        [contact],
        clock.ago(70),
        rep,
        stage="talks",
        close=clock.workday(40),
        amount=numbers.old_amount + 1_500,
        seats=numbers.old_seats + 5,
    )
    asked = crm.task(
        f"Discount approval: {name}",
        [deal],
        clock.ago(6),
        company.one("vp"),
        clock.on(clock.workday(20), 12),
        text=f"{numbers.limit + 1}% off list, two years.",
    )
    return [record, contact, deal, asked]


def _namesake(company: "Company", successor: "Person") -> CrmObject:
    """Somebody with the successor's name at a prospect."""
    where = company.rng.choice([one for one in company.customers if not one.taken and not one.buying])
    address = f"{successor.first[0].lower()}{successor.last.lower()}@{where.domain}"
    person = company.person(successor.first, successor.last, address, where.name)
    return company.crm.contact(person, where.record, company.clock.ago(150), where.rep)


def _letters(
    company: "Company", numbers: Figures, customer: "Customer", successor: "Person"
) -> dict[str, str]:
    leaver, signer, mute = (client.person for client in customer.people)
    vp, ops = company.one("vp"), company.one("ops")
    cast: dict[str, list[Person]] = {
        "me": [company.persona],
        "vp": [vp],
        "ops": [ops],
        "team": list(company.team),
        "sales": [one for one in company.team if one.role in {"ae", "success"}],
        "leaver": [leaver],
        "signer": [signer],
        "mute": [mute],
        "clerk": [company.outsider(customer.domain, "Accounts Payable", customer.name)],
    }
    slots = {
        "vp_first": vp.first,
        "ops_first": ops.first,
        "leaver_first": leaver.first,
        "leaver_name": leaver.name,
        "signer_first": signer.first,
        "stem": customer.stem,
        "customer": customer.name,
        "product": company.product,
        "tax": company.office.tax,
        "limit": str(numbers.limit),
        "old_limit": str(numbers.old_limit),
        "list_price": company.money(numbers.list_price),
        "first_seats": str(numbers.first_seats),
        "quoted": company.money(numbers.quoted),
        "revised": company.money(numbers.revised),
        "seats": str(numbers.seats),
        "term_months": str(numbers.months),
        "per_seat": company.money(numbers.amount / numbers.seats),
        "amount": company.money(numbers.amount),
        "gross": company.money(numbers.gross),
        "starts": company.date_text(numbers.starts),
        "start_month": f"{numbers.starts:%B}",
        "left_day": company.date_text(company.clock.workday(-12)),
        "successor_name": successor.name,
        "successor_title": successor.title,
        "successor_email": successor.email,
        "successor_phone": successor.phone,
    }
    return company.post(Path(__file__).with_name("letters.toml"), cast, slots)
