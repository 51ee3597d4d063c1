"""The dinner's table with books, worked out of what the two apps' generators make."""

import pytest

from tenure.schema.folder import CATALOG, load_module

from .held import Held, Work, checks, evidence, failed, guards, handbook, place, reading_room, the

TASK = "dinner-table"
dinner = load_module(CATALOG / "operate" / TASK / "checks.py")
LENT, REPAIRS = "Lent to the clinic", "Repairs"


def _held() -> Held:
    return {**reading_room(), "pages": handbook()}


def _work(held: Held) -> None:
    fitting = dinner._fitting(evidence(held), "Ropewalk Press", dinner.PUBLISHER)
    number = {row["name"]: row["id"] for row in held["shelves"] if row["keeper"] == "ines.brandt"}
    back = [row["book_id"] for row in held["shelves"] if row["name"] == LENT]
    held["shelves"] = [row for row in held["shelves"] if row["name"] != LENT]
    held["shelves"] += [place(number[LENT], LENT, None)]
    held["shelves"] += [place(number[REPAIRS], REPAIRS, book) for book in back]
    held["shelves"] += [place(99, dinner.SHELF, book["id"]) for book in fitting]
    for title, volume in dinner.YEARBOOKS.items():
        told = {"series": dinner.SERIES, "series_index": volume, "publisher": dinner.PUBLISHER}
        the(held["books"], title=title).update(told, about="<p>Written anew.</p>")
    lines = "\n".join(f"- {book['title']}, {book['authors']}" for book in fitting)
    page = {"id": 999, "path": "events/book-table", "title": "Book table", "deleted": False}
    held["pages"].append({**page, "content": lines})
    the(held["pages"], path="events")["content"] += f"\n{dinner.LINK}"
    the(held["pages"], path="events/volunteers")["content"] += f"\n\n{dinner.LINE}"


def _edits(title: str, **values: object) -> Work:
    return lambda held: the(held["books"], title=title).update(values)


def _shelf(name: str, **values: object) -> Work:
    def change(held: Held) -> None:
        for row in held["shelves"]:
            if row["name"] == name:
                row.update(values)

    return change


def _adds_a_shelf(held: Held) -> None:
    held["shelves"].append(place(100, "Dinner music", None))


def _puts_a_book_elsewhere(held: Held) -> None:
    held["shelves"].append(place(3, "Works library", 1))


def _renames_a_page(held: Held) -> None:
    the(held["pages"], path="events/volunteers")["title"] = "Helpers"


@pytest.mark.anyio
async def test_the_whole_work_passes_and_none_passes_guards_alone() -> None:
    assert await failed(TASK, _held(), _work) == set()
    assert await failed(TASK, _held()) == checks(TASK) - guards(TASK)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("wrong", "fails"),
    [
        (_edits("Harbourline Yearbook 2020", tags="Cookery"), "other-books"),
        (_edits("Harbourline Yearbook 2020", authors="Nobody"), "other-books"),
        (_edits("Harbourline Yearbook 2020", identifiers=None), "other-books"),
        (_shelf(REPAIRS, is_public=0), "other-shelves"),
        (_shelf(LENT, keeper="selim.bassett"), "other-shelves"),
        (_adds_a_shelf, "other-shelves"),
        (_puts_a_book_elsewhere, "other-shelves"),
        (_renames_a_page, "other-pages"),
    ],
)
async def test_what_is_done_too_much_is_noticed(wrong: Work, fails: str) -> None:
    assert await failed(TASK, _held(), _work, wrong) == {fails}
