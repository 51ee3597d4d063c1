"""The story of the forecast: a pipeline in two currencies, a sheet that is a month old, and its rules.

The deals are in ``figures.py``, the letters in ``letters.toml``; ``README.md`` says which check meets
which trap.
"""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.twins.hubspot.records import Deal as CrmDeal

from . import books
from .figures import BEST, COMMIT, PLOT, Deal, Figures, figures

if TYPE_CHECKING:
    from tenure.catalog.worlds.company.company import Company
    from tenure.catalog.worlds.company.people import Colleague, Customer, Person

PIPELINE = "90441207"
STAGES = {
    "qualified": ("171300451", "Qualified", "0.1"),
    "demo": ("171300452", "Demo held", "0.3"),
    "proposal": ("171300453", "Proposal sent", "0.5"),
    "verbal": ("171300454", "Verbal yes", "0.8"),
    "contract": ("171300455", "Contract out", "0.9"),
    "signed": ("171300456", "Signed", "1.0"),
    "lost": ("171300457", "Lost", "0.0"),
}
"""Name → (stage id, label, probability)."""
_LABELS = {name: label for name, (_, label, _) in STAGES.items()}


def plant(company: "Company") -> None:
    """Plant the story in a company and set its facts."""
    f = figures(company)
    since = company.clock.ago(420)
    company.crm.pipeline(PIPELINE, f.region, STAGES, since)
    company.crm.property(
        "deals", "last_contact", "date", "Last contact", "When we last spoke with the customer", since
    )
    customers = _customers(company)
    records = {deal.line.key: _enter(company, deal, customers[deal.line.customer]) for deal in f.deals}
    facts: dict[str, Any] = {**_notes(company, customers, records), **_people(company, f)}
    facts |= _deals(f, customers, records) | _books(company, f, records)
    company.facts |= facts | _letters(company, f, customers, facts)


def _customers(company: "Company") -> dict[str, "Customer"]:
    """Whom the deals are with; some are the persona's own."""
    found = {}
    for key in dict.fromkeys(line.customer for line in PLOT):
        rep = company.persona if key in {"c", "n"} else company.rng.choice(company.reps[1:])
        since = company.clock.ago(company.rng.uniform(170, 330))
        found[key] = company.enter(buying=False, rep=rep, parts=("use", "buy"), since=since)
        found[key].taken = True
    return found


def _enter(company: "Company", deal: Deal, customer: "Customer") -> CrmDeal:
    """Enter a deal in the CRM; doubles by a colleague, and one of them under another name."""
    name = f"{customer.name} – {company.product}"
    if deal.line.key == "again":
        name = f"{customer.stem} – {company.product} roll-out"
    elif deal.line.key == "second":
        name += ", second site"
    return company.crm.deal(
        name,
        customer.record,
        [client.record for client in customer.people[:1]],
        company.clock.ago(deal.line.entered),
        _other_rep(company, customer) if deal.line.left == "twice" else customer.rep,
        amount=deal.amount,
        stage=STAGES[deal.line.stage][0],
        close=deal.close,
        pipeline=PIPELINE,
        currency=deal.currency,
        last_contact=deal.contact.isoformat(),
    )


def _other_rep(company: "Company", customer: "Customer") -> "Colleague":
    return next(rep for rep in company.reps[1:] if rep is not customer.rep)


def _notes(
    company: "Company", customers: dict[str, "Customer"], records: dict[str, CrmDeal]
) -> dict[str, str]:
    """What says that one deal is a double, and another none."""
    twice, more = customers["l"], customers["a"]
    double = company.crm.note(
        f"Entered from the partner portal. It is the order that {twice.rep.name} has in HubSpot already, "
        "only with what the partner typed in.",
        [records["again"]],
        company.clock.ago(21),
        _other_rep(company, twice),
    )
    company.crm.note(
        "Their second site. Comes on top of the first order, with a contract of its own.",
        [records["second"]],
        company.clock.ago(12),
        more.rep,
    )
    return {"double_note": f"{double.kind}/{double.id}"}


def _people(company: "Company", f: Figures) -> dict[str, Any]:
    vp, ops, finance = (company.one(role) for role in ("vp", "ops", "finance"))
    return {
        "vp_first": vp.first,
        "vp_role": vp.title,
        "ops_first": ops.first,
        "finance_email": finance.email,
        "region": f.region,
        "quarter": f.quarters[0],
        "home": f.home,
        "rate": f.rates[0],
    }


def _deals(f: Figures, customers: dict[str, "Customer"], records: dict[str, CrmDeal]) -> dict[str, Any]:
    """What today's deals come to."""
    by_id = {records[deal.line.key].id: deal for deal in f.deals}

    def ids(*, left: str = "", category: str | None = None) -> list[str]:
        return [
            id
            for id, deal in by_id.items()
            if deal.line.left == left and category in {None, deal.line.category}
        ]

    stale = ids(left="stale")
    return {
        "deals": {
            id: {
                "stage": _LABELS[deal.line.stage],
                "amount": deal.amount,
                "currency": deal.currency,
                "category": deal.line.category,
            }
            for id, deal in by_id.items()
        },
        "open_ids": [id for id, deal in by_id.items() if deal.line.stage not in {"signed", "lost"}],
        "counted_ids": ids(category=COMMIT) + ids(category=BEST),
        "stale_ids": stale,
        "twice_ids": ids(left="twice"),
        "first_ids": [records[key].id for key in ("first", "mine")],
        "other_ids": ids(category=""),
        "deal_records": [f"{record.kind}/{record.id}" for record in records.values()],
        "near_deal": f"{CrmDeal.kind}/{records['near'].id}",
        "stale_customers": [customers[by_id[id].line.customer].stem for id in stale],
        "commit": round(f.total(COMMIT), 2),
        "best": round(f.total(BEST), 2),
        "count": len(ids(category=COMMIT) + ids(category=BEST)),
    }


def _books(company: "Company", f: Figures, records: dict[str, CrmDeal]) -> dict[str, Any]:
    """Two spreadsheets, and which of their rows may change."""
    listed = [
        (deal, int(records[deal.line.key].id), records[deal.line.key].properties["dealname"])
        for deal in f.deals
        if deal.line.was
    ]
    shut = f"{f.quarters[2]} closed"
    numbers = {
        name: company.rng.randrange(10**8, 2 * 10**9)
        for name in (books.SUMMARY, books.PIPELINE, books.RATES, shut, books.README)
    }
    last = len(listed) + 1
    pipeline = books.pipeline(f, listed, _LABELS)
    tabs = {
        books.SUMMARY: books.summary(f, f.quarters[1], f.updated, last),
        books.PIPELINE: pipeline,
        books.RATES: books.rates(f, 1),
        shut: books.closed(f, company),
        books.README: books.readme(company, f, f.limit),
    }
    title = f"Forecast {f.region}"
    updated = company.clock.on(f.updated, 16)
    book = books.add(company, title, tabs, numbers, updated)
    earlier = {
        books.SUMMARY: books.summary(f, f.quarters[2], f.updated - timedelta(days=60), 5),
        books.PIPELINE: pipeline[:5],
        books.RATES: books.rates(f, 2),
        books.README: books.readme(company, f, f.old_limit),
    }
    old = books.add(company, f"{title} (old)", earlier, {}, company.clock.ago(80))

    def rows(name: str, first: int, count: int) -> list[str]:
        return [f"{book}/{numbers[name]}/{n}" for n in range(first, first + count)]

    readme = f"{book}/{numbers[books.README]}"
    near = next(n for n, (deal, _, _) in enumerate(listed, 2) if deal.line.key == "near")
    return {
        "book": f"sheets.spreadsheet/{book}",
        "old_book": f"sheets.spreadsheet/{old}",
        "book_gid": numbers[books.SUMMARY],
        "open_rows": rows(books.PIPELINE, 1, last) + rows(books.SUMMARY, 1, 9) + rows(books.RATES, 2, 3),
        "open_tabs": [f"{book}/{numbers[name]}" for name in (books.SUMMARY, books.PIPELINE, books.RATES)],
        "kept_tabs": [f"{book}/{numbers[shut]}", readme],
        "kept_rows": rows(books.RATES, 1, 4),
        "readme": [f"sheets.row/{readme}/{n}" for n in range(1, 9)],
        "stale_rule": f"sheets.row/{readme}/{books.STALE_RULE}",
        "near_row": f"sheets.row/{book}/{numbers[books.PIPELINE]}/{near}",
    }


def _letters(
    company: "Company", f: Figures, customers: dict[str, "Customer"], facts: dict[str, Any]
) -> dict[str, str]:
    slip, kept = customers["n"], customers["a"]
    vp, ops, finance = (company.one(role) for role in ("vp", "ops", "finance"))
    rep, other = _other_rep(company, slip), company.reps[-1]
    cast: dict[str, list[Person]] = {
        "me": [company.persona],
        "vp": [vp],
        "ops": [ops],
        "finance": [finance],
        "sales": [one for one in company.team if one.role == "ae"],
        "rep": [rep],
        "keeper": [kept.rep],
        "other": [other],
    }

    def link(fact: str) -> str:
        return f"https://docs.google.com/spreadsheets/d/{facts[fact].partition('/')[2]}/edit"

    promised = f.deal("kept").amount * 3 // 2
    slots = {
        "region": f.region,
        "quarter": f.quarters[0],
        "last_quarter": f.quarters[1],
        "rate": f"{f.rates[0]:.2f}",
        "last_rate": f"{f.rates[1]:.2f}",
        "bank": f"{f.bank:.2f}",
        "home": f.home,
        "foreign": f.foreign,
        "link": f"{link('book')}#gid={facts['book_gid']}",
        "old_link": link("old_book"),
        "ops_first": ops.first,
        "finance_first": finance.first,
        "slip_stem": slip.stem,
        "slip_customer": slip.name,
        "kept_stem": kept.stem,
        "kept_customer": kept.name,
        "promised": f"{f.foreign} {promised:,}",
    }
    return company.post(Path(__file__).with_name("letters.toml"), cast, slots)
