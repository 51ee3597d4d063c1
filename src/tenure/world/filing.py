"""Keeping a delta's index table, counters and text index in step with its records."""

import apsw

from tenure.world.layout import Entry, counted
from tenure.world.record import Record


def refile(db: apsw.Connection, kind: str, id: str, old: set[Entry], new: set[Entry]) -> None:
    """Replace a record's index entries in the delta.

    Args:
        db: The world's connection.
        kind: The record's kind.
        id: Its id.
        old: The entries that the delta has; none while the record is the base's.
        new: The entries that it shall have.
    """
    if gone := old - new:
        sql = "delete from main.idx where kind=? and name=? and value=? and sort=? and id=?"
        db.executemany(sql, [(kind, *entry, id) for entry in gone])
    if come := new - old:
        sql = "insert into main.idx values(?,?,?,?,?)"
        db.executemany(sql, [(kind, *entry, id) for entry in come])


def recount(db: apsw.Connection, kind: type[Record], old: set[Entry], new: set[Entry], total: int) -> None:
    """Move a kind's counters, which hold the difference from the base's.

    Args:
        db: The world's connection.
        kind: The record's kind.
        old: The entries before the change, wherever they are kept.
        new: The entries after it.
        total: What the change adds to the number of records: -1, 0 or 1.
    """
    keep = counted(kind)
    moves: dict[tuple[str, str | int | float], int] = {("", ""): total}
    for step, filed in ((-1, old), (1, new)):
        for name, value, _ in filed:
            if name in keep:
                moves[name, value] = moves.get((name, value), 0) + step
    rows = [(kind.kind, name, value, step) for (name, value), step in moves.items() if step]
    if rows:
        sql = "insert into main.counts values(?,?,?,?) on conflict do update set n = n + excluded.n"
        db.executemany(sql, rows)


def retext(db: apsw.Connection, kind: str, id: str, old: str, new: str) -> None:
    """Replace a record's text; a row in the delta's ``docs`` says that the base's text no longer counts."""
    doc = db.execute("select doc from main.docs where kind=? and id=?", (kind, id)).get
    if doc is None:
        db.execute("insert into main.docs(kind,id) values(?,?)", (kind, id))
        doc = db.last_insert_rowid()
    elif old:
        db.execute("delete from main.fts where rowid=?", (doc,))
    if new:
        db.execute("insert into main.fts(rowid,text) values(?,?)", (doc, new))
