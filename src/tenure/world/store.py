"""The copy-on-write store: a read-only base shared by all attempts plus a delta in memory.

Reads look in the delta first; ordered reads merge both branches by index; counts are base ± delta.
A delta row without data marks a deleted record. See ``journal`` for what is kept of each change.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import apsw

from tenure.schema import BadInput, JournalEntry
from tenure.world.journal import Journal, Stamp, changed_fields, entry_of
from tenure.world.layout import FORMAT, JOURNAL, TABLES, counted, entries, fts_kind, fts_query, key_of
from tenure.world.record import Key, Record

R = TypeVar("R", bound=Record)
Place = tuple[str | int | float, str]
"""A position in an ordered read: (sort, id)."""

_GET_DELTA = "select data from main.records where kind=? and id=?"
_GET_BASE = "select data from base.records where kind=? and id=?"


class Page(NamedTuple):
    """Part of an ordered read.

    Attributes:
        records: In order.
        after: Where the next page starts, or ``None`` when this was the last.
    """

    records: list[Any]
    after: Place | None


@lru_cache(maxsize=256)
def _ordered(what: str, descending: bool, low: bool, high: bool, after: bool) -> str:
    way, beyond = ("desc", "<") if descending else ("asc", ">")
    bounds = (
        (" and i.sort >= :low" if low else "")
        + (" and i.sort <= :high" if high else "")
        + (f" and (i.sort, i.id) {beyond} (:sort, :id)" if after else "")
    )
    branch = (
        "select {what} from {schema}.idx i {join}where i.kind=:kind and i.name=:name and i.value=:value"
        + bounds
    )
    join = "join {schema}.records r on r.kind=i.kind and r.id=i.id " if "r.data" in what else ""
    delta = branch.format(what=what, schema="main", join=join.format(schema="main"))
    base = branch.format(what=what, schema="base", join=join.format(schema="base"))
    hidden = " and not exists(select 1 from main.records d where d.kind=i.kind and d.id=i.id)"
    return f"{delta} union all {base}{hidden} order by 1 {way}, 2 {way} limit :limit"


class Store:
    """One world's records.

    Not thread-safe: a world lives on one event loop.
    """

    def __init__(self, base: Path, kinds: Iterable[type[Record]], journal: Journal | None = None) -> None:
        """Open a base under a fresh, empty delta.

        Args:
            base: A file that ``BaseBuilder`` wrote.
            kinds: Every kind that may occur.
            journal: Where changes are appended as they happen; ``None`` keeps them in memory only.

        Raises:
            BadInput: The file is not a base of this format.
        """
        self.base = base
        self.kinds: Mapping[str, type[Record]] = {kind.kind: kind for kind in kinds}
        self.journal = journal or Journal(None)
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        self._db = apsw.Connection(":memory:", flags=flags)
        self._db.execute("pragma page_size=1024; begin;" + TABLES + JOURNAL + "commit")
        try:
            self._db.execute("attach ? as base", (f"file:{base}?mode=ro&immutable=1",))
            self._db.execute("pragma base.cache_size=-64; pragma base.mmap_size=1073741824")
            found = self._one("select value from base.meta where key='format'", ())
        except apsw.Error as error:
            raise BadInput(f"{base} is not a world base ({error}); build it again") from error
        if found != FORMAT:
            raise BadInput(f"{base} has format {found}, this version reads {FORMAT}; build it again")
        self._depth = 0

    def close(self) -> None:
        """Drop the delta."""
        self._db.close()
        self.journal.close()

    def _one(self, sql: str, bindings: Any) -> Any:
        row = self._db.execute(sql, bindings).fetchone()
        return None if row is None else row[0]

    # -- reading -----------------------------------------------------------------------------

    def raw(self, kind: str, id: str) -> bytes | None:
        """A record's JSON as stored, or ``None``."""
        row = self._db.execute(_GET_DELTA, (kind, id)).fetchone()
        if row is None:
            row = self._db.execute(_GET_BASE, (kind, id)).fetchone()
        return None if row is None else row[0]

    def raw_start(self, kind: str, id: str) -> bytes | None:
        """The record's JSON in the base, or ``None``."""
        data: bytes | None = self._one(_GET_BASE, (kind, id))
        return data

    def get(self, kind: type[R], id: str) -> R | None:
        """A record by id, or ``None``."""
        data = self.raw(kind.kind, id)
        return None if data is None else kind.model_validate_json(data)

    def page(
        self,
        kind: type[R],
        index: str,
        value: Key = "",
        *,
        limit: int = -1,
        after: Place | None = None,
        descending: bool = False,
        low: Key = None,
        high: Key = None,
    ) -> Page:
        """Records filed under ``value``, ordered by the index's sort, then id.

        Args:
            kind: The kind.
            index: One of its indexes.
            value: The filed value; ``""`` for an index made with ``everything``.
            limit: At most so many; negative for all.
            after: Start strictly beyond this place.
            descending: Largest sort first.
            low: Least sort, inclusive.
            high: Greatest sort, inclusive.
        """
        rows = self._rows(
            "i.sort, i.id, r.data", kind.kind, index, value, limit, after, descending, low, high
        )
        more = limit >= 0 and len(rows) > limit
        rows = rows[:limit] if more else rows
        return Page(
            [kind.model_validate_json(data) for _, _, data in rows],
            (rows[-1][0], rows[-1][1]) if more and rows else None,
        )

    def all(self, kind: type[R], index: str, value: Key = "", *, descending: bool = False) -> list[R]:
        """Every record filed under ``value``, in order."""
        return self.page(kind, index, value, descending=descending).records

    def every(self, kind: type[R]) -> list[R]:
        """Every record of a kind, by id; reads them all (for grading, not for serving)."""
        sql = (
            "select id, data from main.records where kind=:kind and data is not null union all "
            "select id, data from base.records b where kind=:kind and not exists"
            "(select 1 from main.records d where d.kind=b.kind and d.id=b.id) order by 1"
        )
        return [kind.model_validate_json(data) for _, data in self._db.execute(sql, {"kind": kind.kind})]

    def ids(
        self,
        kind: type[Record],
        index: str,
        value: Key = "",
        *,
        descending: bool = False,
        low: Key = None,
        high: Key = None,
    ) -> list[str]:
        """The ids that ``page`` would return, without reading the records."""
        rows = self._rows("i.sort, i.id", kind.kind, index, value, -1, None, descending, low, high)
        return [row[1] for row in rows]

    def _rows(
        self,
        what: str,
        kind: str,
        index: str,
        value: Key,
        limit: int,
        after: Place | None,
        descending: bool,
        low: Key,
        high: Key,
    ) -> list[Any]:
        sql = _ordered(what, descending, low is not None, high is not None, after is not None)
        bindings = {
            "kind": kind,
            "name": index,
            "value": key_of(value),
            "limit": limit + 1 if limit >= 0 else -1,
        }
        if low is not None:
            bindings["low"] = key_of(low)
        if high is not None:
            bindings["high"] = key_of(high)
        if after is not None:
            bindings["sort"], bindings["id"] = after
        return self._db.execute(sql, bindings).fetchall()

    def count(self, kind: type[Record], index: str = "", value: Key = "") -> int:
        """How many records a kind has, or how many are filed under a value of a counted index."""
        sql = (
            "select coalesce((select n from base.counts where kind=:k and name=:n and value=:v),0)"
            " + coalesce((select n from main.counts where kind=:k and name=:n and value=:v),0)"
        )
        return int(self._one(sql, {"k": kind.kind, "n": index, "v": key_of(value)}))

    def matching(self, kind: type[Record], phrases: list[str]) -> set[str]:
        """Ids of the records whose text holds every phrase (words in order, case and accents folded)."""
        sql = (
            "select d.id from main.fts f join main.docs d on d.doc=f.rowid where main.fts match :q union all "
            "select d.id from base.fts f join base.docs d on d.doc=f.rowid where base.fts match :q "
            "and not exists(select 1 from main.records r where r.kind=d.kind and r.id=d.id)"
        )
        sql = sql.replace("main.fts match", "f.fts match").replace("base.fts match", "f.fts match")
        return {row[0] for row in self._db.execute(sql, {"q": fts_query(kind.kind, phrases)})}

    def blob(self, name: str) -> bytes:
        """Stored bytes by hash.

        Raises:
            KeyError: No such blob.
        """
        for schema in ("main", "base"):
            data: bytes | None = self._one(f"select data from {schema}.blobs where hash=?", (name,))
            if data is not None:
                return data
        raise KeyError(name)

    def meta(self, key: str) -> Any:
        """A setting of the world (clock, sequences, facts), or ``None``."""
        found = self._one("select value from main.meta where key=?", (key,))
        return found if found is not None else self._one("select value from base.meta where key=?", (key,))

    # -- writing -----------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, nestable; the outermost commit appends to the journal."""
        name = f"t{self._depth}"
        mark = self.journal.mark()
        self._db.execute(f"savepoint {name}")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._db.execute(f"rollback to {name}; release {name}")
            self.journal.back_to(mark)
            raise
        else:
            self._db.execute(f"release {name}")
        finally:
            self._depth -= 1
        if not self._depth:
            self.journal.commit()

    def put(self, record: Record, stamp: Stamp) -> int | None:
        """Write a record; returns the change's sequence number, or ``None`` when nothing changed."""
        kind = record.kind
        data = record.model_dump_json().encode()
        before = self.raw(kind, record.id)
        if before == data:
            return None
        with self.transaction():
            self._db.execute("insert or replace into main.records values(?,?,?)", (kind, record.id, data))
            self._reindex(type(record), record.id, before, record)
            return self._note(kind, record.id, before, data, stamp)

    def delete(self, kind: type[Record], id: str, stamp: Stamp) -> int | None:
        """Delete a record; returns the change's sequence number, or ``None`` when there was none."""
        before = self.raw(kind.kind, id)
        if before is None:
            return None
        with self.transaction():
            if self.raw_start(kind.kind, id) is None:
                self._db.execute("delete from main.records where kind=? and id=?", (kind.kind, id))
            else:
                self._db.execute("insert or replace into main.records values(?,?,null)", (kind.kind, id))
            self._reindex(kind, id, before, None)
            return self._note(kind.kind, id, before, None, stamp)

    def put_blob(self, data: bytes) -> str:
        """Store bytes; returns their SHA-256 as hex."""
        name = hashlib.sha256(data).hexdigest()
        if not self._one("select 1 from base.blobs where hash=?", (name,)):
            with self.transaction():
                self._db.execute("insert or ignore into main.blobs values(?,?)", (name, data))
                self.journal.blob(name, data)
        return name

    def set_meta(self, key: str, value: str | int) -> None:
        """Set a setting of the world."""
        with self.transaction():
            self._db.execute("insert or replace into main.meta values(?,?)", (key, value))
            self.journal.meta(key, value)

    def _note(self, kind: str, id: str, before: bytes | None, after: bytes | None, stamp: Stamp) -> int:
        fields = changed_fields(before, after)
        self._db.execute(
            "insert into main.changes(at,actor,via,cause,kind,id,fields) values(?,?,?,?,?,?,?)",
            (stamp.at, stamp.actor, stamp.via, stamp.cause, kind, id, fields),
        )
        seq = self._db.last_insert_rowid()
        self.journal.change(seq, stamp, kind, id, fields, after)
        return seq

    def _reindex(self, kind: type[Record], id: str, before: bytes | None, record: Record | None) -> None:
        old_record = None if before is None else kind.model_validate_json(before)
        old = set() if old_record is None else set(entries(old_record))
        new = set() if record is None else set(entries(record))
        name = kind.kind
        fresh = before is None or not self._in_delta_index(name, id, old)
        for entry in old - new if not fresh else ():
            self._db.execute(
                "delete from main.idx where kind=? and name=? and value=? and sort=? and id=?",
                (name, *entry, id),
            )
        for entry in new if fresh else new - old:
            self._db.execute("insert or ignore into main.idx values(?,?,?,?,?)", (name, *entry, id))
        self._recount(name, counted(kind), old, new, (record is not None) - (old_record is not None))
        old_text = "" if old_record is None else old_record.text()
        new_text = "" if record is None else record.text()
        doc = self._one("select doc from main.docs where kind=? and id=?", (name, id))
        if doc is not None and new_text != old_text:
            self._db.execute("delete from main.fts where rowid=?", (doc,))
            self._db.execute("delete from main.docs where doc=?", (doc,))
            doc = None
        if doc is None and new_text:
            self._db.execute("insert into main.docs(kind,id) values(?,?)", (name, id))
            row = self._db.last_insert_rowid()
            self._db.execute(
                "insert into main.fts(rowid,kind,text) values(?,?,?)", (row, fts_kind(name), new_text)
            )

    def _in_delta_index(self, kind: str, id: str, old: set[Any]) -> bool:
        entry = next(iter(old), None)
        if entry is None:
            return True
        sql = "select 1 from main.idx where kind=? and name=? and value=? and sort=? and id=?"
        return self._one(sql, (kind, *entry, id)) is not None

    def _recount(self, kind: str, keep: frozenset[str], old: set[Any], new: set[Any], total: int) -> None:
        moves: dict[tuple[str, str | int | float], int] = {("", ""): total} if total else {}
        for entries_, step in ((old, -1), (new, 1)):
            for name, value, _ in entries_:
                if name in keep:
                    moves[name, value] = moves.get((name, value), 0) + step
        sql = "insert into main.counts values(?,?,?,?) on conflict do update set n = n + excluded.n"
        for (name, value), step in moves.items():
            if step:
                self._db.execute(sql, (kind, name, value, step))

    # -- what changed ------------------------------------------------------------------------

    def changed_ids(self) -> list[tuple[str, str]]:
        """(kind, id) of every record in the delta: what a difference has to look at."""
        return list(self._db.execute("select kind, id from main.records order by kind, id")) + [
            row
            for row in self._db.execute("select distinct kind, id from main.changes order by kind, id")
            if self.raw_start(*row) is None and self.raw(*row) is None
        ]

    def changes(self) -> list[JournalEntry]:
        """The journal, oldest first."""
        sql = "select seq,at,actor,via,cause,kind,id,fields from main.changes order by seq"
        return [entry_of(self.kinds, *row) for row in self._db.execute(sql)]

    def save_delta(self, path: Path) -> None:
        """Write the delta as one SQLite file."""
        path.unlink(missing_ok=True)
        self._db.execute("vacuum main into ?", (str(path),))

    def load_delta(self, path: Path) -> None:
        """Replace the delta with a saved one."""
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        saved = apsw.Connection(f"file:{path}?mode=ro&immutable=1", flags=flags)
        with self._db.backup("main", saved, "main") as copy:
            copy.step()
        saved.close()
