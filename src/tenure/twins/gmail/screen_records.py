"""What only the product's screen can start: snoozed threads, sends that wait, forwarding."""

from tenure.world import Index, Record


class Snoozed(
    Record,
    kind="gmail.snoozed",
    indexes=(Index("mailbox", lambda s: (s.account,), lambda s: s.until),),
):
    """A thread that left the inbox for a while. Its id is ``account/thread``."""

    account: str
    thread: str
    until: int
    """World time, epoch milliseconds."""


class Scheduled(
    Record,
    kind="gmail.scheduled",
    indexes=(Index("mailbox", lambda s: (s.account,), lambda s: s.at),),
):
    """A draft that is sent at a time. Its id is the draft's."""

    account: str
    at: int
    """World time, epoch milliseconds."""


class Forwarding(
    Record,
    kind="gmail.forwarding",
    indexes=(Index("mailbox", lambda f: (f.account,), lambda f: f.address),),
):
    """An address that a mailbox may forward to, once its owner has agreed. Its id is ``account/address``."""

    account: str
    address: str
    code: str
    """What the confirmation letter says."""
    accepted: bool = False


class AutoForward(Record, kind="gmail.autoforward"):
    """That a mailbox forwards all its mail. Its id is the account's."""

    enabled: bool = False
    address: str = ""
    disposition: str = "leaveInInbox"
    """What happens to the mailbox's own copy: also ``archive``, ``trash``, ``markRead``."""


SCREEN_KINDS: tuple[type[Record], ...] = (Snoozed, Scheduled, Forwarding, AutoForward)
