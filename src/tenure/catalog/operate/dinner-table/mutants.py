"""Wrong ways through the task, and the checks that must notice them."""

from tenure.oracle import Mutant, Vandal, setting
from tenure.oracle.operate import OperateHands, button, calibre_web, css, wiki

MUTANTS = [
    Mutant(
        "a shelf for the wrong person, books with one left out, yearbooks one too late",
        ("shelf", "first-press", "second-press", "nothing-else", "volumes", "list"),
        after={
            "enter the handbook": setting(owner=lambda notes: "Selim Bassett"),
            "enter the reading room": setting(
                books=lambda notes: [book for book in notes.books if book != "Samphire at Home"],
                first=lambda notes: 2018,
            ),
        },
    ),
    Mutant(
        "the clinic's books to another shelf, another series and press, another address, plain lines",
        ("series", "publisher", "to-repair", "page", "linked", "volunteers"),
        after={
            "enter the reading room": setting(
                series=lambda notes: "Yearbooks",
                publisher=lambda notes: "Ropewalk Press",
                bring=lambda notes: "New arrivals",
                slug=lambda notes: "books",
                link=lambda notes: "- [Book table](books/)",
                line=lambda notes: "Book table: two volunteers from 17:30 to 23:00.",
            )
        },
    ),
    Mutant("leaves the clinic's shelf as it is", ("returned",), skip="take off"),
    Mutant(
        "keeps the shelf private",
        ("shelf",),
        after={"enter the handbook": setting(public=lambda notes: False)},
    ),
    Mutant(
        "one book that does not fit",
        ("nothing-else", "list"),
        after={"enter the reading room": setting(books=lambda notes: [*notes.books, "Plain Pies"])},
    ),
]


async def _spoils(hands: OperateHands) -> None:
    await hands.open(calibre_web.ADDRESS)
    await calibre_web.edit(hands, "Harbourline Yearbook 2020")
    await hands.fill(css("#tags"), "Local history, Cookery")
    await calibre_web.leave(hands)
    await calibre_web.create_shelf(hands, "Dinner music", public=False)
    await hands.open(f"{wiki.ADDRESS}/events/refunds/_edit/")
    await hands.fill(css("#id_content"), "There are none.")
    await hands.click(button("Save changes"))
    await hands.wait(css("#id_content"), gone=True)


VANDALS = [
    Vandal(
        "puts a yearbook into another category, makes another shelf, changes another page",
        ("other-books", "other-shelves", "other-pages"),
        _spoils,
    )
]
