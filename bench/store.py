"""Figures of the store: reset, memory, reads, writes, search and difference."""

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import orjson

from bench.bases import NOW, RECORDS, TWIN, Message, id_of
from bench.figure import Figure, timed
from tenure.schema import Via
from tenure.world import World
from tenure.world.difference import difference
from tenure.world.layout import JOURNAL, TABLES

IDLE = 300
"""Worlds that are open at once when memory is measured."""


def raw_world(base: Path) -> apsw.Connection:
    """A copy-on-write database as one would first write it: an empty schema in memory, the base attached."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    db = apsw.Connection(":memory:", flags=flags)
    db.execute("attach ? as base", (f"{base.as_uri()}?mode=ro&immutable=1",))
    db.execute("pragma base.mmap_size=1073741824").fetchall()
    db.execute("begin;" + TABLES + JOURNAL + "commit")
    db.execute("select value from base.meta where key='format'").fetchone()
    return db


def _private_kib() -> int:
    """Memory that is this process's alone; the mapped base is shared by all worlds."""
    total, shared = Path("/proc/self/statm").read_text().split()[1:3]
    return (int(total) - int(shared)) * 4


def _idle(make: Callable[[], Any]) -> float:
    make()
    gc.collect()
    before = _private_kib()
    kept = [make() for _ in range(IDLE)]
    gc.collect()
    used = (_private_kib() - before) / len(kept)
    for one in kept:
        one.close()
    return used


def opening(base: Path) -> list[Figure]:
    """Reset and idle memory; call first, while the process has no freed memory to hand out again."""
    ours, floor = _idle(lambda: World(base, [TWIN])), _idle(lambda: raw_world(base))
    return [
        Figure("idle memory of a world", ours, "KiB", floor, 1.0),
        timed(
            "reset",
            lambda n: World(base, [TWIN]).close(),
            lambda n: raw_world(base).close(),
            goal=1.5,
            times=200,
            unit="ms",
        ),
    ]


class Floor:
    """The raw application's side of each figure, over its own copy in memory."""

    def __init__(self, database: Path, journal: Path) -> None:
        """Load the database; memory is the fastest that raw SQLite can be."""
        disk = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
        self.db = apsw.Connection(":memory:")
        with self.db.backup("main", disk, "main") as copy:
            copy.step()
        disk.close()
        self.journal = journal.open("ab", buffering=0)

    def get(self, n: int) -> Any:
        """One row by key."""
        return orjson.loads(self._row(id_of(n * 7)))

    def _row(self, id: str) -> bytes:
        row: Any = self.db.execute("select data from message where id=?", (id,)).fetchone()
        data: bytes = row[0]
        return data

    def newest(self, n: int) -> list[Any]:
        """Fifty rows by an index."""
        rows = self.db.execute("select data from message order by date desc limit 50")
        return [orjson.loads(data) for (data,) in rows]

    def labelled(self, n: int) -> list[Any]:
        """Fifty rows of one label by an index."""
        rows = self.db.execute("select data from message where label='SENT' order by date desc limit 50")
        return [orjson.loads(data) for (data,) in rows]

    def count(self, n: int) -> Any:
        """A kept counter."""
        return self.db.execute("select n from counts where label='SENT'").fetchone()

    def search(self, n: int) -> list[Any]:
        """A phrase in the text index."""
        sql = "select d.id from fts f join docs d on d.doc=f.rowid where f.fts match ?"
        return self.db.execute(sql, (f'"subject {n}"',)).fetchall()

    def write(self, n: int) -> None:
        """Read, change one field, and keep the row, its index entries, a counter and a journal line."""
        run = self.db.execute
        run("begin")
        row = orjson.loads(self._row(id_of(n)))
        change = {"labels": [row["labels"], ["TRASH"]]}
        row["labels"] = ["TRASH"]
        data = orjson.dumps(row)
        run("replace into message values(?,?,?,?)", (row["id"], row["date"], "TRASH", data))
        run("insert into counts values('TRASH', 1) on conflict do update set n = n + 1")
        run("update counts set n = n - 1 where label=?", (change["labels"][0][0],))
        run(
            "insert into changes(at, actor, via, kind, id, fields) values(?,?,?,?,?,?)",
            (NOW, "ada", "rest", "message", row["id"], orjson.dumps(change)),
        )
        self.journal.write(orjson.dumps([NOW, "ada", "rest", "message", change, row]) + b"\n")
        run("commit")


def working(base: Path, raw: Path, folder: Path) -> list[Figure]:
    """Reads, writes, counts, search and difference."""
    world, floor = World(base, [TWIN], journal=folder / "journal.jsonl"), Floor(raw, folder / "raw.jsonl")
    store = world.store

    def newest(n: int) -> Any:
        return store.page(Message, "date", limit=50, descending=True)

    def labelled(n: int) -> Any:
        return store.page(Message, "label", "SENT", limit=50, descending=True)

    def write(n: int) -> None:
        with world.act(Via.REST, "ada") as act:
            record = act.get(Message, id_of(n))
            assert record is not None
            record.labels = ["TRASH"]
            act.put(record)

    def search(n: int) -> Any:
        return store.matching(Message, [f"subject {n}"])

    found = [
        timed("get", lambda n: store.get(Message, id_of(n * 7)), floor.get, goal=3, times=5_000),
        timed(f"list the 50 newest of {RECORDS:,}", newest, floor.newest, goal=3, times=500),
        timed("list 50 by label", labelled, floor.labelled, goal=3, times=500),
        timed("write with journal", write, floor.write, goal=3, times=2_000),
        timed("list 50 by label after 2,200 writes", labelled, floor.labelled, goal=3, times=500),
        timed("count", lambda n: store.count(Message, "label", "SENT"), floor.count, goal=3, times=5_000),
        timed("text search", search, floor.search, goal=3, times=1_000),
    ]
    world.close()
    return found


def _changed(base: Path, changes: int) -> tuple[World, apsw.Connection]:
    """The same records changed in a world and in a raw copy-on-write database."""
    world, raw = World(base, [TWIN]), raw_world(base)
    with world.act(Via.REST, "ada") as act:
        for n in range(changes):
            record = act.get(Message, id_of(n * 11))
            assert record is not None
            record.subject = "changed"
            act.put(record)
            data = record.model_dump_json().encode()
            raw.execute("insert into main.records values(?,?,?)", (record.kind, record.id, data))
    return world, raw


def _raw_difference(db: apsw.Connection) -> list[Any]:
    sql = "select b.data, d.data from main.records d left join base.records b using(kind, id) order by 1"
    found = []
    rows: Any = db.execute(sql)
    for before, after in rows:
        old, new = orjson.loads(before), orjson.loads(after)
        found.append((old, new, {name: (old[name], new[name]) for name in new if old[name] != new[name]}))
    return found


def differing(base: Path) -> list[Figure]:
    """The difference, and that a change adds as much to a long one as to a short one."""
    sizes = (10, 100, 1_000)
    made = {changes: _changed(base, changes) for changes in sizes}

    def measured(changes: int) -> Figure:
        world, raw = made[changes]
        return timed(
            f"difference of {changes:,} changes",
            lambda n: difference(world.store),
            lambda n: _raw_difference(raw),
            goal=3,
            times=3_000 // changes + 30,
            clock=time.process_time,
        )

    few, many = made[10][0].store, made[1_000][0].store
    linear = timed(
        "difference of 1,000 changes; floor: 100 of 10",
        lambda n: difference(many),
        lambda n: [difference(few) for _ in range(100)],
        goal=1.5,
        times=50,
        clock=time.process_time,
    )
    return [*map(measured, sizes), linear]
