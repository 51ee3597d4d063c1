import sqlite3

from tenure.grading.operate.calibre_web import BOOKS

TABLES = """
CREATE TABLE books (id, title, author_sort, pubdate, series_index);
CREATE TABLE identifiers (book, type, val);
CREATE TABLE comments (book, text);
CREATE TABLE languages (id, lang_code);
CREATE TABLE books_languages_link (book, lang_code);
INSERT INTO books VALUES (1, 'Tides', 'Lowe, Alma', '1999-09-06 09:00:00', 1.0),
  (2, 'Cranes', 'Pike, Viktor', '2001-01-02 09:00:00', 1.0), (3, 'Signals', '', '', 1.0);
INSERT INTO languages VALUES (1, 'nld'), (2, 'eng');
INSERT INTO books_languages_link VALUES (1, 1), (1, 2), (2, 2);
"""
NAMED = {
    "series": "series",
    "publishers": "publisher",
    "ratings": "rating",
    "tags": "tag",
    "authors": "author",
}


def test_a_book_is_one_row_however_many_languages_it_has():
    with sqlite3.connect(":memory:") as database:
        database.executescript(TABLES)
        for table, column in NAMED.items():
            held = "rating" if table == "ratings" else "name"
            database.execute(f"CREATE TABLE {table} (id, {held})")
            database.execute(f"CREATE TABLE books_{table}_link (id, book, {column})")
        database.row_factory = sqlite3.Row
        rows = {row["id"]: row["language"] for row in database.execute(BOOKS)}
    assert rows == {1: "eng, nld", 2: "eng", 3: None}
