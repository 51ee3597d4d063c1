"""Makes an empty library in the folder that is given: the app uses such tables and does not make them."""

import sqlite3
import sys
from pathlib import Path

_TABLES = """
CREATE TABLE library_id (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL);
CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL COLLATE NOCASE,
  sort TEXT COLLATE NOCASE, timestamp TIMESTAMP, pubdate TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0,
  author_sort TEXT COLLATE NOCASE, path TEXT NOT NULL DEFAULT '', uuid TEXT, has_cover BOOL DEFAULT 0,
  last_modified TIMESTAMP);
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  sort TEXT COLLATE NOCASE, link TEXT NOT NULL DEFAULT '');
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  sort TEXT COLLATE NOCASE);
CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER UNIQUE);
CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  sort TEXT COLLATE NOCASE);
CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NOT NULL UNIQUE,
  text TEXT NOT NULL COLLATE NOCASE);
CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, type TEXT NOT NULL COLLATE NOCASE,
  val TEXT NOT NULL COLLATE NOCASE, UNIQUE (book, type));
CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, format TEXT NOT NULL COLLATE NOCASE,
  uncompressed_size INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (book, format));
CREATE TABLE custom_columns (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL, datatype TEXT NOT NULL, mark_for_delete BOOL NOT NULL DEFAULT 0,
  editable BOOL NOT NULL DEFAULT 1, display TEXT NOT NULL DEFAULT '{}',
  is_multiple BOOL NOT NULL DEFAULT 0, normalized BOOL NOT NULL);
CREATE TABLE metadata_dirtied (id INTEGER PRIMARY KEY, book INTEGER NOT NULL UNIQUE);
INSERT INTO library_id VALUES (1, '5f0c6c4e-8a52-4d0e-9a52-1d2f3a4b5c6d');
"""
_LINKS = {
    "authors": "author",
    "tags": "tag",
    "series": "series",
    "ratings": "rating",
    "languages": "lang_code",
    "publishers": "publisher",
}

folder = Path(sys.argv[1])
folder.mkdir(parents=True)
with sqlite3.connect(folder / "metadata.db") as database:
    database.executescript(_TABLES)
    for table, column in _LINKS.items():
        database.execute(
            f"CREATE TABLE books_{table}_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, "
            f"{column} INTEGER NOT NULL, UNIQUE (book, {column}))"
        )
