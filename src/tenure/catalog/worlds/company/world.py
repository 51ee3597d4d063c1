"""A company in motion: a seller of business software on a working day.

``start`` gives the world's time, ``build`` founds the company, a task's story is planted in it, and
``finish`` lets the rest of life go on around the story.
"""

from typing import TYPE_CHECKING

from . import talk, traces
from .clock import long_date
from .company import Company, start

if TYPE_CHECKING:
    from tenure.world import BaseBuilder

__all__ = ["Company", "build", "finish", "start"]
_CUSTOMERS, _PROSPECTS = 75, 65


def build(base: "BaseBuilder", seed: int) -> Company:
    """Found the company and enter its customers and prospects; nothing has happened with them yet."""
    company = Company(base, seed)
    office, persona = company.office, company.persona
    since = company.clock.ago(1200)
    company.crm.setup(office.currency, office.zone, since)
    for n in range(_CUSTOMERS + _PROSPECTS):
        company.enter(buying=n < _CUSTOMERS)
    company.facts |= {
        "seller": company.name,
        "product": company.product,
        "currency": office.currency,
        "city": office.city,
        "today": long_date(company.clock.today),
        "persona_email": persona.email,
        "persona_name": persona.name,
        "persona_first": persona.first,
        "persona_role": persona.title,
        "persona_zone": office.zone,
        "persona_account": persona.account,
        "now": company.now,
    }
    return company


def finish(company: Company) -> None:
    """Write everything that no story tells."""
    for customer in company.customers:
        traces.history(company, customer)
        talk.dealings(company, customer)
    talk.chatter(company)
    talk.newsletters(company)
    talk.notices(company)
    traces.contradictions(company)
