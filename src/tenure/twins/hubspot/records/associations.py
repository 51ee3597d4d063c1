"""Associations: one record per pair of objects, both directions in it."""

from collections.abc import Iterable

from tenure.twins.hubspot.associationtypes import RULED, default_types, primary_type
from tenure.twins.hubspot.records.objects import CrmObject
from tenure.world import Index, Record

End = tuple[str, str]
"""(type key, id) of an associated object."""


def pair_id(a: End, b: End) -> str:
    """The id of the one record for two associated objects, whichever is named first."""
    (x, y) = sorted((a, b))
    return f"{x[0]}/{x[1]}:{y[0]}/{y[1]}"


FIRST_LABEL = 2_000
"""The account's own labels have type ids above this, beyond the vendor's and below ``RULED``."""


class Association(
    Record,
    kind="hubspot.association",
    indexes=(
        Index(
            "between",
            lambda r: (f"{r.a_type}/{r.a_id}>{r.b_type}", f"{r.b_type}/{r.b_id}>{r.a_type}"),
        ),
        Index("object", lambda r: (f"{r.a_type}/{r.a_id}", f"{r.b_type}/{r.b_id}")),
        Index("label", lambda r: (n for n in {*r.a_to_b, *r.b_to_a} if FIRST_LABEL < n < RULED)),
    ),
):
    """Two associated objects; ``a`` is the lesser of the two (type key, id) pairs.

    Both directions live in this one record: the vendor always keeps both, under different type ids.
    """

    a_type: str
    a_id: str
    b_type: str
    b_id: str
    a_to_b: list[int]
    """Association type ids seen from ``a``, sorted."""
    b_to_a: list[int]
    """The same associations seen from ``b``, sorted."""

    def types_from(self, end: End) -> list[int]:
        """The type ids seen from one end."""
        return self.a_to_b if end == (self.a_type, self.a_id) else self.b_to_a

    def other(self, end: End) -> End:
        """The end that is not this one."""
        a, b = (self.a_type, self.a_id), (self.b_type, self.b_id)
        return b if end == a else a


def pair(a: End, b: End, forward: Iterable[int], backward: Iterable[int]) -> Association:
    """The record for two ends with the type ids from ``a`` to ``b`` and back."""
    forward, backward = sorted(set(forward)), sorted(set(backward))
    if b < a:
        a, b, forward, backward = b, a, backward, forward
    return Association(
        id=pair_id(a, b), a_type=a[0], a_id=a[1], b_type=b[0], b_id=b[1], a_to_b=forward, b_to_a=backward
    )


def associate(
    a: CrmObject, b: CrmObject, *, primary: bool = False, label: "AssociationLabel | None" = None
) -> Association:
    """An association for a base.

    Args:
        a: One object.
        b: The other.
        primary: Make the company the other's primary one (contacts, deals, tickets with companies).
        label: A label of the account that applies as well; ``a`` is of its ``from_type``.

    Raises:
        ValueError: The vendor does not associate these types, or knows no primary one for them.
    """
    types = [default_types(a.type_key, b.type_key)]
    if primary:
        types.append(primary_type(a.type_key, b.type_key))
    if label is not None:
        types.append((label.type_id, label.inverse_id))
    forward, backward = zip(*types, strict=True)
    return pair((a.type_key, a.id), (b.type_key, b.id), forward, backward)


class AssociationLabel(
    Record,
    kind="hubspot.association_label",
    indexes=(
        Index("between", lambda r: (f"{r.from_type}>{r.to_type}", f"{r.to_type}>{r.from_type}")),
        Index("type_id", lambda r: (r.type_id, r.inverse_id)),
    ),
):
    """A label that the account defined for associations between two types. ``id`` is its type id."""

    from_type: str
    to_type: str
    name: str
    label: str
    type_id: int
    """Above ``FIRST_LABEL``."""
    inverse_id: int
    """The type id in the other direction; equal to ``type_id`` for one label in both directions."""
    inverse_label: str = ""
    """Empty: the same label both ways."""
