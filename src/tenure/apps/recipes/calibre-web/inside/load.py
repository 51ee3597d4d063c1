"""Loads what standard input says (JSON of ``data.py``) into the library and the readers' file."""

import io
import json
import sqlite3
import struct
import sys
import uuid
import zipfile
import zlib
from pathlib import Path

from werkzeug.security import generate_password_hash

LIBRARY = Path("/app/library")
_SPACE = uuid.UUID("5f0c6c4e-8a52-4d0e-9a52-1d2f3a4b5c6d")
_MOMENT = "{} 09:00:00+00:00"
_CONTAINER = (
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{id}</dc:identifier>
<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>{language}</dc:language></metadata>
<manifest><item id="text" href="text.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="text"/></spine></package>"""
_TEXT = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head>
<body><h1>{title}</h1><p>{about}</p></body></html>"""


def epub(book: dict) -> bytes:
    """A small book that readers can open."""
    made = io.BytesIO()
    values = {**book, "author": book["authors"][0], "id": f"book-{book['id']}"}
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in (
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", _CONTAINER),
            ("book.opf", _PACKAGE.format(**values)),
            ("text.xhtml", _TEXT.format(**values)),
        ):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    return made.getvalue()


def cover(colours: list) -> bytes:
    """A picture of four bands, in PNG (which browsers also know under a JPEG's name)."""
    wide, high = 60, 90
    ends = (14, 20, 70, 90)
    bands = [bytes(colours[next(n for n, end in enumerate(ends) if y < end)]) for y in range(high)]
    pixels = b"".join(b"\0" + band * wide for band in bands)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def link(library: sqlite3.Connection, book: int, table: str, column: str, named: str, values: dict) -> None:
    """Tie a book to a row of another table, which is made where it is not there."""
    key = values[named]
    found = library.execute(f"SELECT id FROM {table} WHERE {named} = ?", (key,)).fetchone()
    if found is None:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        made = library.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
        found = (made.lastrowid,)
    library.execute(f"INSERT INTO books_{table}_link (book, {column}) VALUES (?, ?)", (book, found[0]))


def shelve(library: sqlite3.Connection, book: dict) -> None:
    """One book: its row, what it is tied to, its file and its cover."""
    number, title = book["id"], book["title"]
    sorted_names = [", ".join(reversed(name.rsplit(" ", 1))) for name in book["authors"]]
    folder = Path(book["authors"][0]) / f"{title} ({number})"
    name = f"{title} - {book['authors'][0]}"
    (LIBRARY / folder).mkdir(parents=True)
    content = epub(book)
    (LIBRARY / folder / f"{name}.epub").write_bytes(content)
    (LIBRARY / folder / "cover.jpg").write_bytes(cover(book["colours"]))
    library.execute(
        "INSERT INTO books (id, title, sort, timestamp, pubdate, series_index, author_sort, path, uuid, "
        "has_cover, last_modified) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
        (
            *(number, title, book["sort"], _MOMENT.format(book["added"]), _MOMENT.format(book["published"])),
            *(book["volume"], " & ".join(sorted_names), str(folder), str(uuid.uuid5(_SPACE, str(number)))),
            _MOMENT.format(book["added"]),
        ),
    )
    for author, sort in zip(book["authors"], sorted_names, strict=True):
        link(library, number, "authors", "author", "name", {"name": author, "sort": sort})
    for tag in book["tags"]:
        link(library, number, "tags", "tag", "name", {"name": tag})
    if book["series"]:
        link(library, number, "series", "series", "name", {"name": book["series"], "sort": book["series"]})
    if book["rating"]:
        link(library, number, "ratings", "rating", "rating", {"rating": book["rating"]})
    link(library, number, "languages", "lang_code", "lang_code", {"lang_code": book["language"]})
    press = book["publisher"]
    link(library, number, "publishers", "publisher", "name", {"name": press, "sort": press})
    library.execute("INSERT INTO comments (book, text) VALUES (?, ?)", (number, f"<p>{book['about']}</p>"))
    isbn = (number, "isbn", book["isbn"])
    library.execute("INSERT INTO identifiers (book, type, val) VALUES (?, ?, ?)", isbn)
    held = (number, "EPUB", len(content), name)
    library.execute("INSERT INTO data (book, format, uncompressed_size, name) VALUES (?, ?, ?, ?)", held)


def admit(desk: sqlite3.Connection, reader: dict) -> None:
    """One reader with shelves and what was read."""
    desk.execute(
        "INSERT INTO user (name, email, role, password, kindle_mail, locale, sidebar_view, default_language, "
        "denied_tags, allowed_tags, denied_column_value, allowed_column_value, view_settings, "
        "kobo_only_shelves_sync) VALUES (?, ?, ?, ?, '', 'en', ?, 'all', '', '', '', '', '{}', 0)",
        (
            *(reader["username"], reader["email"], reader["role"]),
            *(generate_password_hash(reader["password"], "pbkdf2:sha256:1000"), reader["sidebar"]),
        ),
    )
    (number,) = desk.execute("SELECT id FROM user WHERE name = ?", (reader["username"],)).fetchone()
    for shelf in reader["shelves"]:
        moment = f"{shelf['made']} 10:00:00.000000"
        made = desk.execute(
            "INSERT INTO shelf (uuid, name, is_public, user_id, kobo_sync, created, last_modified) "
            "VALUES (?, ?, ?, ?, 0, ?, ?)",
            (
                *(
                    str(uuid.uuid5(_SPACE, f"{number} {shelf['name']}")),
                    shelf["name"],
                    shelf["public"],
                    number,
                ),
                *(moment, moment),
            ),
        )
        for order, book in enumerate(shelf["books"], 1):
            names = 'book_id, "order", shelf, date_added'
            row = (book, order, made.lastrowid, moment)
            desk.execute(f"INSERT INTO book_shelf_link ({names}) VALUES (?, ?, ?, ?)", row)
    for book, day in reader["read"]:
        desk.execute(
            "INSERT INTO book_read_link (book_id, user_id, read_status, last_modified, "
            "times_started_reading) VALUES (?, ?, 1, ?, 1)",
            (book, number, f"{day} 20:00:00.000000"),
        )
        desk.execute("INSERT INTO downloads (book_id, user_id) VALUES (?, ?)", (book, number))


told = json.load(sys.stdin)
with sqlite3.connect(LIBRARY / "metadata.db") as database:
    for each in told["books"]:
        shelve(database, each)
with sqlite3.connect("/app/app.db") as database:
    for each in told["readers"]:
        admit(database, each)
