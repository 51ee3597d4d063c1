"""The story of the renewal: what was offered, what was agreed, who left, and who must say yes first.

Every letter that decides something is written here; ``README.md`` says which check meets which trap.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from .letters import post

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company
    from tenure.catalog.worlds.company.people import Person


@dataclass(frozen=True)
class Figures:
    """The numbers of a renewal, all different from each other.

    Attributes:
        list_price: One seat for a year.
        old_seats: Seats of the running term.
        old_amount: What the running term cost a year: what the CRM still says.
        quoted: The first quote, at list price for ``first_seats``.
        revised: The second quote, ten per cent off for ``seats``.
        seats: Seats agreed.
        discount: Per cent off list that was agreed.
        amount: Agreed for the first twelve months, without tax.
        total: Agreed for the whole term.
        gross: ``amount`` with tax.
        limit: Per cent that a rep may give alone.
        old_limit: What the limit was before.
        months: Length of the agreed term.
        starts: First day of the new term.
    """

    list_price: int
    old_seats: int
    old_amount: int
    first_seats: int
    quoted: int
    revised: int
    seats: int
    discount: int
    amount: int
    total: int
    gross: float
    limit: int
    old_limit: int
    months: int
    starts: date


def figures(company: "Company") -> Figures:
    """Draw a renewal's numbers; drawn again until no two amounts are alike."""
    rng, price = company.rng, company.list_price
    first = company.clock.today.replace(day=1)
    starts = (
        _month_after(_month_after(first))
        if company.clock.today.day < 20
        else _month_after(_month_after(_month_after(first)))
    )
    while True:
        seats = rng.randrange(16, 46) * 5
        old_seats, first_seats = seats + rng.randrange(2, 8) * 5, seats + rng.randrange(1, 6) * 5
        limit = rng.choice((10, 12, 15))
        discount, months = limit + rng.randrange(3, 8), rng.choice((24, 36))
        amount = seats * price * (100 - discount) // 100
        found = Figures(
            list_price=price,
            old_seats=old_seats,
            old_amount=old_seats * (price - 20),
            first_seats=first_seats,
            quoted=first_seats * price,
            revised=seats * price * 94 // 100,
            seats=seats,
            discount=discount,
            amount=amount,
            total=amount * months // 12,
            gross=round(amount * (100 + company.office.rate) / 100, 2),
            limit=limit,
            old_limit=25,
            months=months,
            starts=starts,
        )
        amounts = (found.old_amount, found.quoted, found.revised, found.amount, found.total, found.gross)
        if len(set(amounts)) == len(amounts):
            return found


def _month_after(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


def plant(company: "Company") -> None:
    """Plant the story in a company and set its facts."""
    rng, crm, clock, persona = company.rng, company.crm, company.clock, company.persona
    numbers = figures(company)
    customer = company.enter(buying=True, rep=persona, parts=("use", "sign", "buy"))
    customer.taken = True
    before = clock.ago(110)
    leaver, signer, mute = customer.people
    leaver.quiet_after = mute.quiet_after = before
    employer = customer.name
    successor = company.outsider(customer.domain, leaver.person.title, employer)

    opened, ends = clock.ago(96), numbers.starts - timedelta(days=1)
    last = crm.deal(
        f"{employer} – renewal {numbers.starts.year - 1}",
        customer.record,
        [leaver.record],
        clock.ago(430),
        persona,
        amount=numbers.old_amount,
        stage=company.stage("renewed"),
        pipeline=company.renewals,
        close=ends.replace(year=ends.year - 1, day=min(ends.day, 28)),
        dealtype="existingbusiness",
        seats=numbers.old_seats,
        term_months=12,
        deal_currency_code=company.office.currency,
    )
    deal = crm.deal(
        f"{employer} – renewal {numbers.starts.year}",
        customer.record,
        [],
        opened,
        persona,
        amount=numbers.old_amount,
        stage=company.stage("talks"),
        pipeline=company.renewals,
        close=clock.workday(9),
        dealtype="existingbusiness",
        seats=numbers.old_seats,
        term_months=12,
        deal_currency_code=company.office.currency,
    )
    leaver_on_deal = crm.link(deal, leaver.record)
    extra = crm.deal(
        f"{employer} – reporting",
        customer.record,
        [mute.record],
        clock.ago(40),
        persona,
        amount=rng.randrange(20, 90) * 50,
        stage="qualifiedtobuy",
        close=clock.workday(60),
        dealtype="existingbusiness",
        deal_currency_code=company.office.currency,
    )
    crm.note(
        f"Renewal set up with last year's figures ({numbers.old_seats} seats, 12 months). To be brought up to "
        "date once we have an agreement.",
        [deal],
        opened,
        persona,
    )
    crm.note(
        f"Asked by mail not to be contacted any more. Keep in the CRM, but no mail and no role on {customer.stem}'s "
        "open business.",
        [mute.record],
        clock.ago(45),
        customer.success,
    )

    # Records that look like the right ones.
    misspelt = customer.stem[:-1] if customer.stem[-1] != customer.stem[-2] else customer.stem[:-2]
    other_rep = next(one for one in company.reps if one is not persona)
    duplicate = crm.company(
        f"{misspelt} {employer.removeprefix(customer.stem).strip()}",
        clock.ago(63),
        other_rep,
        domain=customer.domain,
        city=customer.city,
        lifecyclestage="lead",
    )
    double = company.person(
        leaver.person.first, leaver.person.last, f"{leaver.person.last.lower()}@{customer.domain}", employer
    )
    double_record = crm.contact(double, duplicate, clock.ago(63), other_rep, lifecyclestage="lead")
    trade = "Holdings" if not employer.endswith("Holdings") else "Group"
    namesake_name = f"{customer.stem} {trade}"
    namesake = crm.company(
        namesake_name,
        clock.ago(500),
        other_rep,
        domain=f"{customer.stem.lower()}-{trade.lower()}.example",
        city=rng.choice(("Perth", "Graz", "Porto")),
        lifecyclestage="customer",
        customer_number=f"C-{rng.randrange(10_000, 99_999)}",
    )
    namesake_person = company.outsider(
        f"{customer.stem.lower()}-{trade.lower()}.example", "Planner", namesake_name
    )
    namesake_contact = crm.contact(namesake_person, namesake, clock.ago(300), other_rep)
    namesake_deal = crm.deal(
        f"{namesake_name} – renewal {numbers.starts.year}",
        namesake,
        [namesake_contact],
        clock.ago(70),
        other_rep,
        amount=numbers.old_amount + 1_500,
        stage=company.stage("talks"),
        pipeline=company.renewals,
        close=clock.workday(40),
        dealtype="existingbusiness",
        seats=numbers.old_seats + 5,
        term_months=12,
        deal_currency_code=company.office.currency,
    )
    elsewhere = rng.choice([one for one in company.customers if not one.taken and not one.buying])
    same_name = company.person(
        successor.first,
        successor.last,
        f"{successor.first[0].lower()}{successor.last.lower()}@{elsewhere.domain}",
        elsewhere.name,
    )
    same_name_record = crm.contact(same_name, elsewhere.record, clock.ago(150), other_rep)
    crm.product(
        f"{company.product} seat",
        numbers.list_price,
        "One seat for one year, list price, without tax.",
        clock.ago(320),
    )

    vp, ops = company.one("vp"), company.one("ops")
    cast: dict[str, list[Person]] = {
        "me": [persona],
        "vp": [vp],
        "ops": [ops],
        "team": list(company.team),
        "sales": [one for one in company.team if one.role in {"ae", "success"}],
        "leaver": [leaver.person],
        "signer": [signer.person],
        "mute": [mute.person],
        "clerk": [company.outsider(customer.domain, "Accounts Payable", employer)],
    }
    slots = {
        "vp_first": vp.first,
        "ops_first": ops.first,
        "leaver_first": leaver.person.first,
        "leaver_name": leaver.person.name,
        "signer_first": signer.person.first,
        "stem": customer.stem,
        "customer": employer,
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
        "left_day": company.date_text(clock.workday(-12)),
        "successor_name": successor.name,
        "successor_title": successor.title,
        "successor_email": successor.email,
        "successor_phone": successor.phone,
    }
    sent = post(company, cast, slots, persona)
    facts: dict[str, Any] = {
        "customer": employer,
        "success_first": customer.success.first,
        "success_role": customer.success.title,
        "amount": numbers.amount,
        "seats": numbers.seats,
        "term_months": numbers.months,
        "term_start": numbers.starts.isoformat(),
        "discount": numbers.discount,
        "other_amounts": [numbers.old_amount, numbers.quoted, numbers.revised, numbers.total, numbers.gross],
        "successor_email": successor.email,
        "successor_first": successor.first,
        "successor_last": successor.last,
        "signer_email": signer.person.email,
        "leaver_email": leaver.person.email,
        "mute_email": mute.person.email,
        "stage": company.stage("talks"),
        "tax": company.office.tax,
        "vp_owner": vp.owner,
        "vp_record": f"hubspot.owner/{vp.owner}",
        "deal": _ref(deal),
        "last_deal": _ref(last),
        "extra_deal": _ref(extra),
        "company": _ref(customer.record),
        "leaver": _ref(leaver.record),
        "signer": _ref(signer.record),
        "mute": _ref(mute.record),
        "leaver_on_deal": _ref(leaver_on_deal),
        "look_alikes": [
            _ref(one)
            for one in (duplicate, double_record, namesake, namesake_contact, namesake_deal, same_name_record)
        ],
        "duplicate": _ref(duplicate),
        "double": _ref(double_record),
        "namesake_deal": _ref(namesake_deal),
        "same_name": _ref(same_name_record),
    }
    company.facts |= facts | sent


def _ref(record: Any) -> str:
    return f"{record.kind}/{record.id}"
