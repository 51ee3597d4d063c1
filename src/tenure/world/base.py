"""Writing a base: the seeded world before an attempt."""

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

import apsw
import orjson

from tenure.world.layout import FORMAT, TABLES, content_hash, counted, entries
from tenure.world.record import Record


class BaseBuilder:
    """Collects records and writes them as one read-only file.

    Use as a context manager; the file appears under its final name only when all of it is written,
    so a killed build leaves nothing that could be mistaken for a base.
    """

    def __init__(self, path: Path, *, now: int, seed: int) -> None:
        """Start a base.

        Args:
            path: Where the finished file goes.
            now: World time at the start of an attempt, epoch milliseconds.
            seed: The number that varies the world; ids derive from it.
        """
        self.path, self.now, self.seed = path, now, seed
        self.facts: dict[str, Any] = {}
        """What the story's author knows: read by checks, never by an agent."""
        self._part = path.with_suffix(f".{os.getpid()}.part")
        self._part.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = apsw.Connection(str(self._part))
        self._db.execute("pragma synchronous=off; pragma journal_mode=off")
        self._db.execute(TABLES)
        self._db.execute("begin")
        self._counts: Counter[tuple[str, str, str | int | float]] = Counter()
        self._sequences: Counter[str] = Counter()
        self._docs = 0

    def __enter__(self) -> "BaseBuilder":
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._db.close()
            self._part.unlink(missing_ok=True)

    def next(self, name: str) -> int:
        """The next number (from 1) of a named sequence; the attempt continues it."""
        self._sequences[name] += 1
        return self._sequences[name]

    def add(self, record: Record) -> None:
        """Add a record; an id that the kind has already is an error.

        Raises:
            ValueError: The id is taken.
        """
        kind = record.kind
        try:
            self._db.execute(
                "insert into records values(?,?,?)",
                (kind, record.id, record.model_dump_json(warnings="error").encode()),
            )
        except apsw.ConstraintError as error:
            raise ValueError(f"{kind} {record.id} is in the base already") from error
        keep = counted(type(record))
        self._counts[kind, "", ""] += 1
        rows = entries(record)
        self._db.executemany(
            "insert or ignore into idx values(?,?,?,?,?)", ((kind, *r, record.id) for r in rows)
        )
        for name, value, _ in rows:
            if name in keep:
                self._counts[kind, name, value] += 1
        if text := record.text():
            self._docs += 1
            self._db.execute("insert into docs values(?,?,?)", (self._docs, kind, record.id))
            self._db.execute("insert into fts(rowid, text) values(?,?)", (self._docs, text))

    def blob(self, data: bytes) -> str:
        """Store bytes; returns their SHA-256 as hex, the name records keep."""
        name = hashlib.sha256(data).hexdigest()
        self._db.execute("insert or ignore into blobs values(?,?)", (name, data))
        return name

    def _finish(self) -> None:
        self._db.executemany("insert into counts values(?,?,?,?)", ((*k, n) for k, n in self._counts.items()))
        meta: dict[str, Any] = {"format": FORMAT, "now": self.now, "seed": self.seed}
        meta |= {f"sequence:{name}": n for name, n in self._sequences.items()}
        meta["facts"] = orjson.dumps(self.facts, option=orjson.OPT_SORT_KEYS).decode()
        self._db.executemany("insert into meta values(?,?)", meta.items())
        self._db.execute("insert into meta values('hash',?)", (content_hash(self._db),))
        self._db.execute("commit")
        # No analyze: every query names its index, and each world would keep the statistics in memory.
        self._db.execute("insert into fts(fts) values('optimize'); vacuum")
        self._db.close()
        self._part.replace(self.path)
