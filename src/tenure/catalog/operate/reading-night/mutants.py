"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.operate import OperateHands, button, calibre_web, css

from .oracle import LIST_A, LIST_B, TOUR

_ROOM = ("shelf", "list-b", "nothing-else", "editions", "press", "reverted", "withdrawn")
_OFFICE = (
    *("seats", "places", "question", "door", "freed", "refunded"),
    *("invited", "companion", "terms"),
)
_OLD_ISBN = {"Bell Street": "9786993384754"}


MUTANTS = [
    Mutant(
        "the reading room alone: as printed, as many titles as if all tickets were paid, nothing taken away",
        (*_ROOM, *_OFFICE),
        after={
            "read": setting(
                public=lambda notes: False,
                isbn=lambda notes: notes.isbn | _OLD_ISBN,
                press=lambda notes: "Ropewalk Press",
                category=lambda notes: "out of print",
                withdrawn_from=lambda notes: "",
            ),
            "count": setting(shown=lambda notes: [*LIST_A, *list(LIST_B)[:3]]),
        },
        skip=("seats", "places", "question", "door", "free tickets", "vouchers"),
    ),
    Mutant(
        "the box office alone: the book at its full price, the typed chairs, a namesake, money left to do",
        ("list-a", *_ROOM, *_OFFICE),
        after={
            "read": setting(
                prices=lambda notes: notes.prices | {"Seat with book": notes.prices["Reading seat"] + 18},
                chairs=lambda notes: 40,
                question=lambda notes: "Name for dedication",
                at_door=lambda notes: tuple(notes.prices),
                price=lambda notes: "1.00",
                refund=lambda notes: "created",
                seats=lambda notes: 1,
                until=lambda notes: "2027-12-18",
                guests=lambda notes: [
                    *("Alma Stroud", "Hilde Bekkering", "Henk Shore", "Yorick Overton"),
                    *("Gwen Lindgren", "Beate Holt", notes.editor),
                ],
            ),
        },
        skip=("make the shelf", "show", "withdraw"),
    ),
]


async def _goes_on(hands: OperateHands) -> None:
    """Free the ticket of an author who is not on show, take a title over from another press, lend it out."""
    await hands.open(f"{TOUR}/orders/APTW7/change")
    await hands.fill(css("input[name$='-price']").inside(css(".panel", having="Yasmin Raven")), "0.00")
    await hands.click(button("Perform changes"))
    await hands.wait(button("Initiate a refund"))
    await hands.open(calibre_web.ADDRESS)
    await calibre_web.edit(hands, "Where the Bell Was")
    await hands.fill(css("#publisher"), "Great Ness Editions")
    await calibre_web.leave(hands)
    await calibre_web.shelve(hands, "Lent to the clinic")


VANDALS = [
    Vandal(
        "frees a ticket too many, and takes a title over that its press only lends",
        ("other-books", "other-shelves", "box-office"),
        _goes_on,
    )
]
