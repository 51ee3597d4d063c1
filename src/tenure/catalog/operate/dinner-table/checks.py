"""What the reading room and the handbook must hold at the end."""

from typing import Any

from tenure.grading.check import Saw
from tenure.grading.operate import Answers
from tenure.grading.operate.state import one_row, row_count, same_rows
from tenure.schema.evidence import Evidence, SqlProbe

BOOKS = """
SELECT b.id, b.title, b.author_sort, b.pubdate, s.name AS series, b.series_index, p.name AS publisher,
  r.rating, l.lang_code AS language, c.text AS about,
  (SELECT group_concat(name, ', ') FROM (SELECT t.name FROM tags t JOIN books_tags_link k ON k.tag = t.id
    WHERE k.book = b.id ORDER BY t.name)) AS tags,
  (SELECT group_concat(name, ', ') FROM (SELECT a.name FROM authors a JOIN books_authors_link k
    ON k.author = a.id WHERE k.book = b.id ORDER BY k.id)) AS authors
FROM books b
LEFT JOIN books_series_link sl ON sl.book = b.id LEFT JOIN series s ON s.id = sl.series
LEFT JOIN books_publishers_link pl ON pl.book = b.id LEFT JOIN publishers p ON p.id = pl.publisher
LEFT JOIN books_ratings_link rl ON rl.book = b.id LEFT JOIN ratings r ON r.id = rl.rating
LEFT JOIN books_languages_link ll ON ll.book = b.id LEFT JOIN languages l ON l.id = ll.lang_code
LEFT JOIN comments c ON c.book = b.id
ORDER BY b.id
"""
SHELVES = """
SELECT s.name || ' / ' || coalesce(k.book_id, '-') AS place, s.id, s.name, s.is_public,
  u.name AS keeper, k.book_id
FROM shelf s JOIN user u ON u.id = s.user_id LEFT JOIN book_shelf_link k ON k.shelf = s.id
ORDER BY s.id, k.book_id
"""
PAGES = """
SELECT u.id, u.slug, p.slug AS parent, r.title, r.content, r.deleted
FROM wiki_urlpath u JOIN wiki_article a ON a.id = u.article_id
JOIN wiki_articlerevision r ON r.id = a.current_revision_id
LEFT JOIN wiki_urlpath p ON p.id = u.parent_id
ORDER BY u.id
"""
SHELF = "Dinner table (Yorick Crane)"
YEARBOOKS = {f"Harbourline Yearbook {year}": year - 2018 for year in range(2019, 2025)}
SERIES, PUBLISHER = "Harbourline Yearbooks", "Harbourline Papers"
LINK = "- [Book table](book-table/)"
LINE = "Book table: two volunteers from 17:30 to 22:00."
checks = Answers(
    {
        "books": SqlProbe(app="calibre-web", query=BOOKS),
        "shelves": SqlProbe(app="calibre-web", query=SHELVES),
        "pages": SqlProbe(app="wiki", query=PAGES),
    }
)


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


def _on(evidence: Evidence, shelf: str) -> list[int]:
    return [row["book_id"] for row in evidence.rows("shelves") if row["name"] == shelf and row["book_id"]]


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
    return _all_there([row["id"] for row in _fitting(before, "Ropewalk Press")], _on(after, SHELF))


@checks("second-press")
def second_press(before: Evidence, after: Evidence) -> Saw:
    return _all_there([row["id"] for row in _fitting(before, PUBLISHER)], _on(after, SHELF))


@checks("nothing-else")
def nothing_else(before: Evidence, after: Evidence) -> Saw:
    there = _on(after, SHELF)
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
    wanted = sorted([*_on(before, "Repairs"), *_on(before, "Lent to the clinic")])
    there = sorted(_on(after, "Repairs"))
    return Saw(there == wanted, f"{there}, expected {wanted}")


def _page(evidence: Evidence, slug: str, parent: str | None) -> str:
    """What a page says; nothing where it is not there. The first page of all has no name."""
    rows = [row for row in evidence.rows("pages") if (row["slug"], row["parent"]) == (slug, parent)]
    return rows[0]["content"].replace("\r\n", "\n").strip() if len(rows) == 1 else ""


@checks("page")
def page(before: Evidence, after: Evidence) -> Saw:
    meant = {"slug": "book-table", "parent": "events"}
    return one_row(after.rows("pages"), meant, {"title": "Book table", "deleted": False})


@checks("list")
def listed(before: Evidence, after: Evidence) -> Saw:
    books = _fitting(before, "Ropewalk Press", PUBLISHER)
    wanted = [f"- {row['title']}, {row['authors']}" for row in books]
    lines = [
        " ".join(line.split()) for line in _page(after, "book-table", "events").splitlines() if line.strip()
    ]
    return Saw(lines == wanted, "; ".join(lines))


@checks("linked")
def linked(before: Evidence, after: Evidence) -> Saw:
    text = _page(after, "events", None)
    return Saw(text == f"{_page(before, 'events', None)}\n{LINK}", text[-200:])


@checks("volunteers")
def volunteers(before: Evidence, after: Evidence) -> Saw:
    text = _page(after, "volunteers", "events")
    return Saw(text == f"{_page(before, 'volunteers', 'events')}\n\n{LINE}", text[-200:])


@checks("other-books")
def other_books(before: Evidence, after: Evidence) -> Saw:
    meant = [row["id"] for row in before.rows("books") if row["title"] in YEARBOOKS]
    return same_rows(before.rows("books"), after.rows("books"), key="id", but=meant)


@checks("other-shelves")
def other_shelves(before: Evidence, after: Evidence) -> Saw:
    meant = {"Lent to the clinic", "Repairs"}
    return same_rows(
        [row for row in before.rows("shelves") if row["name"] not in meant],
        [
            row
            for row in after.rows("shelves")
            if row["name"] not in meant and not row["name"].startswith("Dinner")
        ],
        key="place",
    )


@checks("other-pages")
def other_pages(before: Evidence, after: Evidence) -> Saw:
    meant = [row["id"] for row in before.rows("pages") if row["slug"] in ("events", "volunteers")]
    return same_rows(
        before.rows("pages"),
        [row for row in after.rows("pages") if row["slug"] != "book-table"],
        key="id",
        but=meant,
    )
