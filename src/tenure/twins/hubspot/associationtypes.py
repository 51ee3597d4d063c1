"""The vendor's own association types: directional ids between pairs of object types.

Source: the association types that the vendor's Apache-2.0 SDK lists, and general knowledge for the
pairs that it leaves out. A pair that nobody lists still associates: its ids are made by rule, in a
range that the vendor does not use.
"""

from typing import NamedTuple

from tenure.twins.hubspot.objecttypes import OBJECT_TYPES


class AssociationType(NamedTuple):
    """One association type in one direction.

    Attributes:
        type_id: Its id.
        inverse_id: The id of the same association in the other direction.
        label: What the vendor calls it; ``None`` for the plain one.
    """

    type_id: int
    inverse_id: int
    label: str | None = None


CHILD_COMPANY, PARENT_COMPANY = 13, 14
"""From a parent to its child company, and from a child to its parent."""
_PLAIN: dict[tuple[str, str], tuple[int, int]] = {
    ("contacts", "companies"): (279, 280),
    ("contacts", "contacts"): (449, 449),
    ("companies", "companies"): (450, 450),
    ("deals", "deals"): (451, 451),
    ("tickets", "tickets"): (452, 452),
    ("deals", "contacts"): (3, 4),
    ("deals", "companies"): (341, 342),
    ("tickets", "contacts"): (16, 15),
    ("tickets", "companies"): (339, 340),
    ("tickets", "deals"): (28, 27),
    ("line_items", "deals"): (20, 19),
    ("quotes", "deals"): (64, 63),
    ("quotes", "line_items"): (67, 68),
    ("quotes", "contacts"): (69, 70),
    ("quotes", "companies"): (71, 72),
    ("calls", "companies"): (182, 181),
    ("calls", "contacts"): (194, 193),
    ("calls", "deals"): (206, 205),
    ("calls", "tickets"): (220, 219),
    ("calls", "meetings"): (399, 400),
    ("emails", "companies"): (186, 185),
    ("emails", "contacts"): (198, 197),
    ("emails", "deals"): (210, 209),
    ("emails", "tickets"): (224, 223),
    ("meetings", "companies"): (188, 187),
    ("meetings", "contacts"): (200, 199),
    ("meetings", "deals"): (212, 211),
    ("meetings", "tickets"): (226, 225),
    ("notes", "companies"): (190, 189),
    ("notes", "contacts"): (202, 201),
    ("notes", "deals"): (214, 213),
    ("notes", "tickets"): (228, 227),
    ("tasks", "companies"): (192, 191),
    ("tasks", "contacts"): (204, 203),
    ("tasks", "deals"): (216, 215),
    ("tasks", "tickets"): (230, 229),
    ("tasks", "quotes"): (218, 217),
    ("postal_mail", "companies"): (459, 460),
    ("postal_mail", "contacts"): (453, 454),
    ("postal_mail", "deals"): (457, 458),
    ("postal_mail", "tickets"): (455, 456),
    ("communications", "companies"): (87, 88),
    ("communications", "contacts"): (81, 82),
    ("communications", "deals"): (85, 86),
    ("communications", "tickets"): (83, 84),
    ("leads", "contacts"): (608, 609),
    ("leads", "companies"): (610, 611),
}
_LABELLED: dict[tuple[str, str], tuple[AssociationType, ...]] = {
    ("contacts", "companies"): (AssociationType(1, 2, "Primary"),),
    ("deals", "companies"): (AssociationType(5, 6, "Primary"),),
    ("tickets", "companies"): (AssociationType(26, 25, "Primary"),),
    ("leads", "contacts"): (AssociationType(578, 579, "Primary"),),
    ("companies", "companies"): (
        AssociationType(CHILD_COMPANY, PARENT_COMPANY, "Child Company"),
        AssociationType(PARENT_COMPANY, CHILD_COMPANY, "Parent Company"),
    ),
}
RULED = 10_000
"""Made-up ids of pairs in no list begin here."""
_ORDER = {name: n for n, name in enumerate(OBJECT_TYPES, 1)}

PRIMARY = "Primary"


def _turned(types: tuple[AssociationType, ...]) -> tuple[AssociationType, ...]:
    return tuple(AssociationType(t.inverse_id, t.type_id, t.label) for t in types)


def default_types(a: str, b: str) -> tuple[int, int]:
    """The plain type's ids from ``a`` to ``b`` and back, for two type keys."""
    if found := _PLAIN.get((a, b)):
        return found
    if found := _PLAIN.get((b, a)):
        return found[1], found[0]
    x, y = _number(a), _number(b)
    return RULED + x * 1_000 + y, RULED + y * 1_000 + x


def _number(key: str) -> int:
    """A small number for a type key: custom types by their own number."""
    return _ORDER[key] if key in _ORDER else 100 + int(key.rpartition("-")[2]) % 900


def hubspot_types(a: str, b: str) -> tuple[AssociationType, ...]:
    """Every vendor-defined type from ``a`` to ``b``, the labelled ones first."""
    plain = AssociationType(*default_types(a, b))
    if a == b:
        return (*_LABELLED.get((a, b), ()), plain)
    return (*_LABELLED.get((a, b), ()), *_turned(_LABELLED.get((b, a), ())), plain)


def primary_type(a: str, b: str) -> tuple[int, int]:
    """The primary type's ids from ``a`` to ``b`` and back.

    Raises:
        ValueError: The vendor has no primary one for these types.
    """
    for found in hubspot_types(a, b):
        if found.label == PRIMARY:
            return found.type_id, found.inverse_id
    raise ValueError(f"associations between {a} and {b} have no primary one")
