"""Who there is: colleagues with accounts, customers with their people."""

from dataclasses import dataclass, field

from tenure.twins.hubspot.records import Company, Contact, Deal


@dataclass(frozen=True)
class Person:
    """Anyone who writes or receives mail."""

    first: str
    last: str
    email: str
    title: str = ""
    phone: str = ""
    employer: str = ""

    @property
    def name(self) -> str:
        """First and last name, or the only one."""
        return f"{self.first} {self.last}".strip()

    @property
    def header(self) -> str:
        """As in a From header."""
        return f"{self.name} <{self.email}>"

    @property
    def signature(self) -> str:
        """The lines below a letter."""
        lines = [self.name, ", ".join(part for part in (self.title, self.employer) if part), self.phone]
        return "\n".join(line for line in lines if line)


@dataclass(frozen=True)
class Colleague(Person):
    """Someone on the seller's side: a mailbox, and an owner in the CRM."""

    account: str = ""
    """Account id."""
    owner: str = ""
    """HubSpot owner id."""
    role: str = ""
    """``ae``, ``vp``, ``ops``, ``success``, ``finance``, ``support``, ``marketing``, ``legal``, ``ceo``."""


@dataclass
class Client:
    """Someone on a customer's side, as a person and as a contact in the CRM."""

    person: Person
    part: str
    """``use`` | ``buy`` | ``sign`` | ``build``: what they are to us."""
    record: Contact
    quiet_after: int | None = None
    """A story has them silent from then on, epoch milliseconds."""


@dataclass
class Customer:
    """A company that buys, or might."""

    name: str
    stem: str
    domain: str
    industry: str
    city: str
    buying: bool
    """A customer rather than a prospect."""
    rep: Colleague
    success: Colleague
    since: int
    """When the company was entered, epoch milliseconds."""
    record: Company
    people: list[Client] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)
    taken: bool = False
    """A story tells this one's business; the generator adds no dealings about money."""

    def around(self, at: int) -> list[Client]:
        """Its people who still have dealings with us at a time, epoch milliseconds."""
        return [one for one in self.people if one.quiet_after is None or at < one.quiet_after]
