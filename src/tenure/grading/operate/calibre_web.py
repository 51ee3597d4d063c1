"""What checks over the reading room (Calibre-Web) ask: its books' records and its shelves, as rows."""

from collections.abc import Mapping

from tenure.schema.evidence import Evidence, Probe, SqlProbe

BOOKS = """
SELECT b.id, b.title, b.author_sort, substr(b.pubdate, 1, 10) AS published, s.name AS series,
  b.series_index, p.name AS publisher, r.rating, c.text AS about,
  (SELECT group_concat(lang_code, ', ') FROM (SELECT l.lang_code FROM languages l
    JOIN books_languages_link k ON k.lang_code = l.id WHERE k.book = b.id ORDER BY l.lang_code)) AS language,
  (SELECT group_concat(type || ':' || val, ', ') FROM (SELECT i.type, i.val FROM identifiers i
    WHERE i.book = b.id ORDER BY i.type)) AS identifiers,
  (SELECT group_concat(name, ', ') FROM (SELECT t.name FROM tags t JOIN books_tags_link k ON k.tag = t.id
    WHERE k.book = b.id ORDER BY t.name)) AS tags,
  (SELECT group_concat(name, ', ') FROM (SELECT a.name FROM authors a JOIN books_authors_link k
    ON k.author = a.id WHERE k.book = b.id ORDER BY k.id)) AS authors
FROM books b
LEFT JOIN books_series_link sl ON sl.book = b.id LEFT JOIN series s ON s.id = sl.series
LEFT JOIN books_publishers_link pl ON pl.book = b.id LEFT JOIN publishers p ON p.id = pl.publisher
LEFT JOIN books_ratings_link rl ON rl.book = b.id LEFT JOIN ratings r ON r.id = rl.rating
LEFT JOIN comments c ON c.book = b.id
ORDER BY b.id
"""
SHELVES = """
SELECT s.id || ' / ' || coalesce(k.book_id, '-') AS place, s.id, s.name, s.is_public,
  u.name AS keeper, k.book_id
FROM shelf s JOIN user u ON u.id = s.user_id LEFT JOIN book_shelf_link k ON k.shelf = s.id
ORDER BY s.id, k.book_id
"""
PROBES: Mapping[str, Probe] = {
    "books": SqlProbe(app="calibre-web", query=BOOKS),
    "shelves": SqlProbe(app="calibre-web", query=SHELVES),
}
"""Books with all that is told of them, and places on shelves; an empty shelf is a row without a book."""


def on_shelf(evidence: Evidence, name: str) -> list[int]:
    """The books on the shelves of a name.

    Args:
        evidence: Answers to ``PROBES``.
        name: The shelf's.
    """
    return [row["book_id"] for row in evidence.rows("shelves") if row["name"] == name and row["book_id"]]
