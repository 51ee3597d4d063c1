"""Kinds of records: what a twin declares about the documents that it keeps."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import BaseModel, ConfigDict

Key = str | int | float | bool | None
"""What an index may file and order by."""


class Index(NamedTuple):
    """One way to find records of a kind without reading them all.

    Entries are ordered by ``sort`` within equal ``value``, then by id, so that one index serves
    both "all records with this value" and "newest first".

    Attributes:
        name: Unique within the kind.
        values: Record → the values it is filed under; several for a multi-valued index, none to
            leave the record out.
        sort: Record → the order within one value; ``None`` sorts as 0.
        counted: Keep a counter per value, so that a count reads no entries.
    """

    name: str
    values: Callable[[Any], Iterable[Key]]
    sort: Callable[[Any], Key] = lambda record: 0
    counted: bool = False


def everything(record: Any) -> tuple[str]:
    """The value of an index that only orders: one shared value."""
    return ("",)


class Record(BaseModel):
    """A JSON document with an id. Subclasses are the kinds.

    A kind declares itself as a class: ``class Message(Record, kind="gmail.message", indexes=(…))``.

    Attributes:
        kind: ``twin.noun``; the name under which the store, the journal and checks know it.
        indexes: See ``Index``.
        incidental: ``True`` when the whole kind never earns credit and never breaks a footprint;
            else the names of such fields (dotted for a key of a mapping field).
    """

    model_config = ConfigDict(extra="forbid")

    kind: ClassVar[str] = ""
    indexes: ClassVar[tuple[Index, ...]] = ()
    incidental: ClassVar[bool | frozenset[str]] = frozenset()

    id: str

    def __init_subclass__(
        cls,
        kind: str = "",
        indexes: tuple[Index, ...] = (),
        incidental: bool | frozenset[str] = frozenset(),
        **rest: Any,
    ) -> None:
        super().__init_subclass__(**rest)
        if kind:
            cls.kind, cls.indexes, cls.incidental = kind, indexes, incidental

    def text(self) -> str:
        """The searchable text; empty keeps the record out of the text index."""
        return ""

    def copy_deep(self) -> Self:
        """An independent copy, for callers that keep the record as it was."""
        return self.model_copy(deep=True)


class Account(Record, kind="world.account", indexes=(Index("email", lambda r: (r.email.lower(),)),)):
    """A person or service that can act in the world."""

    email: str
    name: str = ""
    zone: str = "UTC"
    details: dict[str, Any] = {}
    """What single twins need to know, by twin (``{"hubspot": {"owner": "123"}}``)."""


class Token(Record, kind="world.token", indexes=(Index("account", lambda r: (r.account,)),), incidental=True):
    """A credential. ``id`` is the secret itself; audiences keep it to one vendor."""

    account: str
    audience: str
    """``google`` or the twin's name: the vendor that honours it."""
    use: str = "access"
    """``access`` | ``refresh`` | ``client`` (id:secret of an OAuth client)."""
    scopes: list[str] = []
    expires: float | None = None
    """Real time (epoch seconds): credentials do not follow the world's clock."""


class Due(Record, kind="world.due", indexes=(Index("at", everything, lambda r: r.at),), incidental=True):
    """Something that will happen: a delivery, an automatic reply, a settlement."""

    at: int
    """World time, epoch milliseconds."""
    event: str
    """``twin.name`` of the handler."""
    payload: dict[str, Any] = {}
    cause: int | None = None


WORLD_KINDS: tuple[type[Record], ...] = (Account, Token, Due)
