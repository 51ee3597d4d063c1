"""What the reading room and the handbook must hold at the end."""

from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers, calibre_web, wiki
from tenure.grading.operate.calibre_web import on_shelf
from tenure.grading.operate.state import one_row, row_count, same_rows
from tenure.schema.evidence import Evidence

SHELF = "Dinner table (Yorick Crane)"
YEARBOOKS = {f"Harbourline Yearbook {year}": year - 2018 for year in range(2019, 2025)}
SERIES, PUBLISHER = "Harbourline Yearbooks", "Harbourline Papers"
LINK = "- [Book table](book-table/)"
LINE = "Book table: two volunteers from 17:30 to 22:00."
checks = Answers({**calibre_web.PROBES, **wiki.PROBES})


def _fitting(before: Evidence, *publishers: str) -> list[dict[str, Any]]:
    """The books for the table, by title."""
    found = [
        row
        for row in before.rows("books")
        if "Cookery" in (tags := row["tags"].split(", "))
        and "out of print" not in tags
        and row["publisher"] in publishers
        and row["language"] == "eng"
        and (row["rating"] or 0) >= 8
    ]
    return sorted(found, key=lambda row: row["title"])


def _all_there(wanted: list[int], there: list[int]) -> Saw:
    missing = [book for book in wanted if there.count(book) != 1]
    return Saw(
        bool(wanted) and not missing, f"{len(wanted) - len(missing)} of {len(wanted)}; not there: {missing}"
    )


@checks("shelf")
def shelf(before: Evidence, after: Evidence) -> Saw:
    found = {row["id"]: row for row in after.rows("shelves") if row["name"] == SHELF}
    return one_row(list(found.values()), {"name": SHELF}, {"is_public": 1, "keeper": "ines.brandt"})


@checks("first-press")
def first_press(before: Evidence, after: Evidence) -> Saw:
    return _all_there([row["id"] for row in _fitting(before, "Ropewalk Press")], on_shelf(after, SHELF))


@checks("second-press")
def second_press(before: Evidence, after: Evidence) -> Saw:
    return _all_there([row["id"] for row in _fitting(before, PUBLISHER)], on_shelf(after, SHELF))


@checks("nothing-else")
def nothing_else(before: Evidence, after: Evidence) -> Saw:
    there = on_shelf(after, SHELF)
    strangers = set(there) - {row["id"] for row in _fitting(before, "Ropewalk Press", PUBLISHER)}
    return Saw(bool(there) and not strangers, f"{len(there)} books, {sorted(strangers)} do not fit")


def _yearbooks(evidence: Evidence, column: str) -> dict[str, Any]:
    return {row["title"]: row[column] for row in evidence.rows("books") if row["title"] in YEARBOOKS}


@checks("series")
def series(before: Evidence, after: Evidence) -> Saw:
    found = _yearbooks(after, "series")
    named = [row["title"] for row in after.rows("books") if row["series"] == SERIES]
    return Saw(sorted(named) == sorted(YEARBOOKS), f"in the series: {named}; yearbooks: {found}")


@checks("volumes")
def volumes(before: Evidence, after: Evidence) -> Saw:
    inside = {row["title"] for row in after.rows("books") if row["series"] == SERIES}
    found = {title: float(n) for title, n in _yearbooks(after, "series_index").items() if title in inside}
    return Saw(found == YEARBOOKS, str(found))


@checks("publisher")
def publisher(before: Evidence, after: Evidence) -> Saw:
    found = _yearbooks(after, "publisher")
    return Saw(len(found) == len(YEARBOOKS) and set(found.values()) == {PUBLISHER}, str(found))


@checks("returned")
def returned(before: Evidence, after: Evidence) -> Saw:
    return row_count(after.rows("shelves"), {"name": "Lent to the clinic", "book_id": None}, 1)


@checks("to-repair")
def to_repair(before: Evidence, after: Evidence) -> Saw:
    wanted = sorted([*on_shelf(before, "Repairs"), *on_shelf(before, "Lent to the clinic")])
    there = sorted(on_shelf(after, "Repairs"))
    return Saw(there == wanted, f"{there}, expected {wanted}")


@checks("page")
def page(before: Evidence, after: Evidence) -> Saw:
    expects = {"title": "Book table", "deleted": False}
    return one_row(after.rows("pages"), {"path": "events/book-table"}, expects)


@checks("list")
def listed(before: Evidence, after: Evidence) -> Saw:
    books = _fitting(before, "Ropewalk Press", PUBLISHER)
    wanted = [f"- {row['title']}, {row['authors']}" for row in books]
    lines = wiki.lines(after, "events/book-table")
    return Saw(lines == wanted, "; ".join(lines))


@checks("linked")
def linked(before: Evidence, after: Evidence) -> Saw:
    text = wiki.text(after, "events")
    return Saw(text == f"{wiki.text(before, 'events')}\n{LINK}", text[-200:])


@checks("volunteers")
def volunteers(before: Evidence, after: Evidence) -> Saw:
    text = wiki.text(after, "events/volunteers")
    return Saw(text == f"{wiki.text(before, 'events/volunteers')}\n\n{LINE}", text[-200:])


@checks("other-books")
def other_books(before: Evidence, after: Evidence) -> Saw:
    meant = [row["id"] for row in before.rows("books") if row["title"] in YEARBOOKS]
    was, now = (
        [{**row, **(dict.fromkeys(_EDITED, "") if row["id"] in meant else {})} for row in one.rows("books")]
        for one in (before, after)
    )
    return same_rows(was, now, key="id")


_EDITED = ("series", "series_index", "publisher", "about")
"""What differs of the yearbooks; an editor writes the text about a book anew."""


@checks("other-shelves")
def other_shelves(before: Evidence, after: Evidence) -> Saw:
    moved = {row["id"] for row in before.rows("shelves") if row["name"] in ("Lent to the clinic", "Repairs")}

    def held(evidence: Evidence) -> list[dict[str, Any]]:
        """Places on shelves; the two that books are moved between count without their books."""
        rows = [row for row in evidence.rows("shelves") if row["name"] != SHELF]
        bare = [{**row, "place": row["id"], "book_id": None} if row["id"] in moved else row for row in rows]
        return list({(row["place"], row["id"]): row for row in bare}.values())

    return same_rows(held(before), held(after), key="place")


@checks("other-pages")
def other_pages(before: Evidence, after: Evidence) -> Saw:
    written = ("events", "events/volunteers")
    return wiki.untouched(before, after, written=written, new=["events/book-table"])
