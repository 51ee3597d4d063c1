"""What the carrier keeps."""

from tenure.world import Index, Record


class Parcel(
    Record,
    kind="parcels.parcel",
    indexes=(Index("account", lambda p: (p.account,), lambda p: p.sent),),
    incidental=frozenset({"looked_at"}),
):
    """One parcel on its way.

    Index ``account``: by account id, oldest first.
    """

    account: str
    """Account id of the customer who sent it."""
    address: str
    status: str = "on the way"
    """``on the way``, ``diverted``, ``arrived``."""
    sent: int
    """World time, epoch milliseconds."""
    looked_at: int | None = None
    """World time of the last look: nobody's work, so it is incidental."""


KINDS = (Parcel,)
