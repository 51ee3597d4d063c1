"""The copy-on-write store: a read-only base shared by all attempts plus a delta in memory.

Reads look in the delta first; ordered reads merge both branches by index; counts are base ± delta.
A delta row without data marks a deleted record. See ``journal`` for what is kept of each change.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import apsw

from tenure.schema import BadInput, JournalEntry
from tenure.world.filing import recount, refile, retext
from tenure.world.journal import NO_FIELDS, Journal, Stamp, changed_fields, entry_of
from tenure.world.layout import (
    FORMAT,
    counted,
    empty_delta,
    entries,
    fts_query,
    index_names,
    key_of,
)
from tenure.world.record import Key, Record

R = TypeVar("R", bound=Record)
Place = tuple[str | int | float, str]
"""A position in an ordered read: (sort, id)."""

_GET = (
    "select data, 1 from main.records where kind=?1 and id=?2 union all "
    "select data, 0 from base.records where kind=?1 and id=?2 "
    "and not exists(select 1 from main.records where kind=?1 and id=?2)"
)
_GET_BASE = "select data from base.records where kind=? and id=?"
_BLOB = "select data from main.blobs where hash=:hash union all select data from base.blobs where hash=:hash"
_MATCHING = (
    "select d.id from main.fts f join main.docs d on d.doc=f.rowid where f.fts match :q and d.kind=:kind "
    "union all "
    "select d.id from base.fts f join base.docs d on d.doc=f.rowid where f.fts match :q and d.kind=:kind "
    "and not exists(select 1 from main.docs m where m.kind=d.kind and m.id=d.id)"
)

_INSIDE = nullcontext()
"""Where a change needs no transaction of its own: nothing in it can fail but the whole world."""


class Page(NamedTuple):
    """Part of an ordered read.

    Attributes:
        records: In order.
        after: Where the next page starts, or ``None`` when this was the last.
    """

    records: list[Any]
    after: Place | None


@cache
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
        self._depth = 0
        self._last: tuple[str, str, bytes | None, bool] | None = None
        """What ``_read`` found last: most records are read just before they are written."""
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        self._db = apsw.Connection(":memory:", flags=flags)
        self._db.deserialize("main", empty_delta())
        try:
            start = self._attach()
        except apsw.Error as error:
            raise BadInput(f"{base} is not a world base ({error}); build it again") from error
        if start.get("format") != FORMAT:
            raise BadInput(
                f"{base} has format {start.get('format')}, this version reads {FORMAT}; build it again"
            )
        self.seed: int = start["seed"]
        self.start: int = start["now"]

    def _attach(self) -> dict[str, Any]:
        run = partial(self._db.execute, can_cache=False)
        run("attach ? as base", (f"{self.base.absolute().as_uri()}?mode=ro&immutable=1",))
        # The base is read through one mapping that all worlds share; a page cache would copy it into each.
        run("pragma base.cache_size=2; pragma shrink_memory")
        start: Any = run("select key, value from base.meta where key in ('format', 'seed', 'now')").fetchall()
        run("pragma base.mmap_size=68719476736")
        return dict(start)

    def close(self) -> None:
        """Drop the delta."""
        self._db.close()
        self.journal.close()

    def _one(self, sql: str, bindings: Any) -> Any:
        row = self._db.execute(sql, bindings).fetchone()
        return None if row is None else row[0]

    # -- reading -----------------------------------------------------------------------------

    def _read(self, kind: str, id: str) -> tuple[bytes | None, bool]:
        """A record's JSON, and whether the delta decides it."""
        if self._last is None or self._last[:2] != (kind, id):
            row: Any = self._db.execute(_GET, (kind, id)).fetchone() or (None, 0)
            self._last = (kind, id, row[0], bool(row[1]))
        return self._last[2:]

    def raw(self, kind: str, id: str) -> bytes | None:
        """A record's JSON as stored, or ``None``."""
        return self._read(kind, id)[0]

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
        rows = self._rows("i.sort, i.id, r.data", kind, index, value, limit, after, descending, low, high)
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
        rows = self._rows("i.sort, i.id", kind, index, value, -1, None, descending, low, high)
        return [row[1] for row in rows]

    def places(self, kind: type[Record], index: str, value: Key = "") -> list[Place]:
        """The (sort, id) of every record filed under ``value``, without reading the records."""
        rows = self._rows("i.sort, i.id", kind, index, value, -1, None, False, None, None)
        return [(row[0], row[1]) for row in rows]

    def _rows(
        self,
        what: str,
        kind: type[Record],
        index: str,
        value: Key,
        limit: int,
        after: Place | None,
        descending: bool,
        low: Key,
        high: Key,
    ) -> list[Any]:
        if index not in index_names(kind):
            raise ValueError(f"{kind.kind} has no index {index!r}")
        sql = _ordered(what, descending, low is not None, high is not None, after is not None)
        bindings = {
            "kind": kind.kind,
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
        if index and index not in counted(kind):
            raise ValueError(f"{kind.kind} keeps no count of {index!r}; declare the index counted")
        sql = (
            "select coalesce((select n from base.counts where kind=:k and name=:n and value=:v),0)"
            " + coalesce((select n from main.counts where kind=:k and name=:n and value=:v),0)"
        )
        return int(self._one(sql, {"k": kind.kind, "n": index, "v": key_of(value)}))

    def matching(self, kind: type[Record], phrases: list[str]) -> set[str]:
        """Ids of the records whose text holds every phrase (words in order, case and accents folded).

        Phrases are plain text: nothing in them is an operator. No phrase, or one without a letter or
        digit, matches nothing.
        """
        if not phrases:
            return set()
        bindings = {"q": fts_query(phrases), "kind": kind.kind}
        return {row[0] for row in self._db.execute(_MATCHING, bindings)}

    def blob(self, name: str) -> bytes:
        """Stored bytes by hash.

        Raises:
            KeyError: No such blob.
        """
        data: bytes | None = self._one(_BLOB, {"hash": name})
        if data is None:
            raise KeyError(name)
        return data

    def meta(self, key: str) -> Any:
        """A setting of the world (clock, sequences, facts), or ``None``."""
        found = self._one("select value from main.meta where key=?", (key,))
        return found if found is not None else self._one("select value from base.meta where key=?", (key,))

    # -- writing -----------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, nestable; the outermost appends to the journal as it commits."""
        name = f"t{self._depth}"
        mark = self.journal.mark()
        self._db.execute(f"savepoint {name}")
        self._depth += 1
        try:
            yield
            if self._depth == 1:
                self.journal.commit()
            self._db.execute(f"release {name}")
        except BaseException:
            self._last = None
            self._db.execute(f"rollback to {name}; release {name}")
            self.journal.back_to(mark)
            raise
        finally:
            self._depth -= 1

    def put(self, record: Record, stamp: Stamp) -> int | None:
        """Write a record; returns the change's sequence number, or ``None`` when nothing changed.

        Raises:
            ValueError: A field holds what its type does not allow, or the world lacks the kind.
        """
        if record.kind not in self.kinds:
            raise ValueError(f"no twin of this world declares the kind {record.kind!r}")
        return self._change(
            type(record), record.id, record, record.model_dump_json(warnings="error").encode(), stamp
        )

    def delete(self, kind: type[Record], id: str, stamp: Stamp) -> int | None:
        """Delete a record; returns the change's sequence number, or ``None`` when there was none."""
        return self._change(kind, id, None, None, stamp)

    def _change(
        self, kind: type[Record], id: str, record: Record | None, data: bytes | None, stamp: Stamp
    ) -> int | None:
        name = kind.kind
        before, in_delta = self._read(name, id)
        self._last = None
        if before == data or (fields := changed_fields(before, data)) == NO_FIELDS:
            return None
        old_record = None if before is None else kind.model_validate_json(before)
        old = set() if old_record is None else entries(old_record)
        new = set() if record is None else entries(record)
        old_text = "" if old_record is None else old_record.text()
        new_text = "" if record is None else record.text()
        with self.transaction() if not self._depth else _INSIDE:
            if data is None and self.raw_start(name, id) is None:
                self._db.execute("delete from main.records where kind=? and id=?", (name, id))
            else:
                self._db.execute("insert or replace into main.records values(?,?,?)", (name, id, data))
            refile(self._db, name, id, old if in_delta else set(), new)
            recount(self._db, kind, old, new, (before is None) - (data is None))
            if new_text != old_text:
                retext(self._db, name, id, old_text, new_text)
            self._db.execute(
                "insert into main.changes(at,actor,via,cause,kind,id,fields) values(?,?,?,?,?,?,?)",
                (stamp.at, stamp.actor, stamp.via, stamp.cause, name, id, fields),
            )
            seq = self._db.last_insert_rowid()
            self.journal.change(seq, stamp, name, id, fields, data)
        return seq

    def put_blob(self, data: bytes) -> str:
        """Store bytes; returns their SHA-256 as hex."""
        name = hashlib.sha256(data).hexdigest()
        if self._one(_BLOB, {"hash": name}) is None:
            with self.transaction():
                self._db.execute("insert into main.blobs values(?,?)", (name, data))
                self.journal.blob(name, data)
        return name

    def set_meta(self, key: str, value: str | int) -> None:
        """Set a setting of the world."""
        self.journal.meta(key, value)
        if not self._depth:
            self.journal.commit()
        self._db.execute("insert or replace into main.meta values(?,?)", (key, value))

    # -- what changed ------------------------------------------------------------------------

    @property
    def last_change(self) -> int:
        """The number of the newest change; 0 before any."""
        return int(self._one("select coalesce(max(seq), 0) from main.changes", ()))

    def changed(self) -> list[tuple[str, str, bytes | None, bytes | None]]:
        """(kind, id, JSON in the base, JSON now) of every record that is not as in the base, sorted."""
        sql = (
            "select d.kind, d.id, b.data, d.data from main.records d "
            "left join base.records b on b.kind=d.kind and b.id=d.id "
            "where d.data is not b.data order by d.kind, d.id"
        )
        rows: Any = self._db.execute(sql).fetchall()
        return list(rows)

    def changes(self) -> list[JournalEntry]:
        """The journal, oldest first."""
        sql = "select seq,at,actor,via,cause,kind,id,fields from main.changes order by seq"
        return [entry_of(self.kinds, *row) for row in self._db.execute(sql)]

    def save_delta(self) -> bytes:
        """The delta as the bytes of one SQLite file."""
        return self._db.serialize("main")

    def load_delta(self, image: bytes) -> None:
        """Replace the delta with a saved one."""
        self._last = None
        self._db.deserialize("main", image)
