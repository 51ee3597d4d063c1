"""An act: one actor doing something in one transaction, through one door, at one world time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tenure.schema import Via
from tenure.world import ids
from tenure.world.journal import Stamp
from tenure.world.record import Account, Due, Key, Record, Token
from tenure.world.store import Page, Place

if TYPE_CHECKING:
    from tenure.world.world import World

R = TypeVar("R", bound=Record)


class Act:
    """The only way to read and write a world.

    Services take an act as their first argument. Writes are stamped with its actor, door and
    cause; records that a response shows are noted for the connection log with ``show``.
    """

    def __init__(self, world: "World", via: Via, actor: str = "", cause: int | None = None) -> None:
        """Start an act; ``World.act`` opens the transaction around it."""
        self.world, self.via, self.actor, self.cause = world, via, actor, cause
        self.now = world.now
        """World time, epoch milliseconds; the same for the whole act."""
        self.shown: dict[tuple[str, str], None] = {}
        self.written = 0
        self.tool = ""

    # -- who -------------------------------------------------------------------------------

    def sign_in(self, token: str, audience: str, use: str = "access") -> Token | None:
        """Take on the account of a token; ``None`` when the token opens nothing here."""
        found = self.world.store.get(Token, token)
        if found is None or found.audience != audience or found.use != use:
            return None
        if found.expires is not None and found.expires < self.world.real_time():
            return None
        self.actor = found.account
        return found

    def account(self, id: str | None = None) -> Account:
        """An account by id; the actor's own by default."""
        found = self.world.store.get(Account, id or self.actor)
        if found is None:
            raise LookupError(f"no account {id or self.actor!r} in this world")
        return found

    def account_by_email(self, email: str) -> Account | None:
        """The account with an address, ignoring case."""
        return next(iter(self.world.store.all(Account, "email", email.lower())), None)

    def consequence(self, cause: int | None, actor: str = "") -> "Act":
        """An act of the world that follows from a change of this one, in the same transaction."""
        act = Act(self.world, Via.WORLD, actor, cause)
        act.now = self.now
        return act

    # -- reading ---------------------------------------------------------------------------

    def get(self, kind: type[R], id: str) -> R | None:
        """A record by id, or ``None``."""
        return self.world.store.get(kind, id)

    def page(
        self,
        kind: type[R],
        index: str,
        value: Key = "",
        *,
        limit: int = -1,
        after: Place | None = None,
        descending: bool = False,
        low: Key = None,
        high: Key = None,
    ) -> Page:
        """See ``Store.page``."""
        return self.world.store.page(
            kind, index, value, limit=limit, after=after, descending=descending, low=low, high=high
        )

    def all(self, kind: type[R], index: str, value: Key = "", *, descending: bool = False) -> list[R]:
        """See ``Store.all``."""
        return self.world.store.all(kind, index, value, descending=descending)

    def ids(self, kind: type[Record], index: str, value: Key = "", *, descending: bool = False) -> list[str]:
        """See ``Store.ids``."""
        return self.world.store.ids(kind, index, value, descending=descending)

    def count(self, kind: type[Record], index: str = "", value: Key = "") -> int:
        """See ``Store.count``."""
        return self.world.store.count(kind, index, value)

    def matching(self, kind: type[Record], phrases: list[str]) -> set[str]:
        """See ``Store.matching``."""
        return self.world.store.matching(kind, phrases)

    def blob(self, name: str) -> bytes:
        """See ``Store.blob``."""
        return self.world.store.blob(name)

    def show(self, record: Record) -> None:
        """Note that the response returns this record's content (not merely its id)."""
        self.shown[record.kind, record.id] = None

    # -- writing ---------------------------------------------------------------------------

    def _stamp(self) -> Stamp:
        return Stamp(self.now, self.actor, self.via, self.cause)

    def put(self, record: Record) -> int | None:
        """Write a record; returns the change's number, ``None`` when nothing changed."""
        seq = self.world.store.put(record, self._stamp())
        self.written += seq is not None
        if isinstance(record, Due):
            self.world.expect(record.at)
        return seq

    def delete(self, record: Record) -> int | None:
        """Delete a record; returns the change's number."""
        seq = self.world.store.delete(type(record), record.id, self._stamp())
        self.written += seq is not None
        return seq

    def put_blob(self, data: bytes) -> str:
        """See ``Store.put_blob``."""
        return self.world.store.put_blob(data)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """An inner transaction: an exception undoes only what happened inside it."""
        written, shown = self.written, dict(self.shown)
        try:
            with self.world.store.transaction():
                yield
        except BaseException:
            self.written, self.shown = written, shown
            raise

    def next(self, name: str) -> int:
        """The next number (from 1) of a named sequence of this world."""
        key = f"sequence:{name}"
        n = int(self.world.store.meta(key) or 0) + 1
        self.world.store.set_meta(key, n)
        return n

    def hex_id(self, kind: str, digits: int = 16) -> str:
        """A fresh hex id of the kind."""
        return ids.hex_id(self.world.seed, kind, self.next(kind), digits)

    def decimal_id(self, kind: str, digits: int = 11) -> str:
        """A fresh decimal id of the kind."""
        return ids.decimal_id(self.world.seed, kind, self.next(kind), digits)

    def later(self, delay_ms: int, event: str, payload: dict[str, Any], cause: int | None = None) -> None:
        """Let an event fall due after some world time."""
        n = self.next("world.due")
        self.put(Due(id=f"{n:012d}", at=self.now + delay_ms, event=event, payload=payload, cause=cause))
