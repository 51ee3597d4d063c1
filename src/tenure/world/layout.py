"""The tables of a base and of a delta, in one place, and how a value becomes a key."""

import hashlib
from functools import cache

import apsw

from tenure.world.record import Key, Record

FORMAT = 2
"""Rises when a stored base or end state can no longer be read."""

TABLES = """
create table records(kind text, id text, data blob, unique(kind, id));
create table idx(kind text, name text, value, sort, id text,
  primary key(kind, name, value, sort, id)) without rowid;
create table counts(kind text, name text, value, n integer not null,
  primary key(kind, name, value)) without rowid;
create table docs(doc integer primary key, kind text, id text, unique(kind, id));
create virtual table fts using fts5(text, content='', contentless_delete=1,
  tokenize="unicode61 remove_diacritics 2");
create table blobs(hash text primary key, data blob) without rowid;
create table meta(key text primary key, value) without rowid;
"""
JOURNAL = """
create table changes(seq integer primary key, at integer, actor text, via text, cause integer,
  kind text, id text, fields text);
"""

_LARGEST = 2**63 - 1
Entry = tuple[str, str | int | float, str | int | float]


def key_of(value: Key) -> str | int | float:
    """A value as SQLite orders it: absent as the empty string, booleans as 0 and 1.

    Raises:
        ValueError: A number that SQLite cannot hold.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not -_LARGEST <= value <= _LARGEST:
        raise ValueError(f"{value} cannot be filed in an index")
    return int(value) if isinstance(value, bool) else value


def entries(record: Record) -> set[Entry]:
    """The index entries (name, value, sort) of a record."""
    found = set()
    for name, values, order, _ in record.indexes:
        sort = key_of(order(record))
        found.update([(name, key_of(value), sort) for value in values(record)])
    return found


@cache
def index_names(kind: type[Record]) -> frozenset[str]:
    """The names of a kind's indexes."""
    return frozenset(index.name for index in kind.indexes)


@cache
def counted(kind: type[Record]) -> frozenset[str]:
    """The names of a kind's counted indexes."""
    return frozenset(index.name for index in kind.indexes if index.counted)


@cache
def empty_delta() -> bytes:
    """The image of a delta in which nothing has changed: loading it is quicker than making tables."""
    db = apsw.Connection(":memory:")
    db.execute(f"pragma page_size=1024; begin; {TABLES} {JOURNAL} commit")
    return db.serialize("main")


def fts_query(phrases: list[str]) -> str:
    """A text-index query: texts that hold every phrase, word order kept."""
    # SQLite reads a query only up to its first NUL.
    return " AND ".join('"' + phrase.replace('"', '""').replace("\0", " ") + '"' for phrase in phrases)


def content_hash(connection: apsw.Connection) -> str:
    """SHA-256 over the sorted rows that make a base what it is; file layout does not matter."""
    digest = hashlib.sha256()
    for query in (
        "select 'record', kind, id, data from records order by kind, id",
        "select 'blob', hash from blobs order by hash",
        "select 'meta', key, value from meta where key != 'hash' order by key",
    ):
        for row in connection.execute(query):
            for cell in row:
                raw = cell if isinstance(cell, bytes) else str(cell).encode()
                digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
