"""Copies the library's and the readers' tables into one file, so that one query may use both."""

import sqlite3
from pathlib import Path

_SOURCES = ("/app/library/metadata.db", "/app/app.db")
_ROWS = Path("/tmp/rows.db")

_ROWS.unlink(missing_ok=True)
with sqlite3.connect(_ROWS) as rows:
    for source in _SOURCES:
        rows.execute("ATTACH ? AS source", (source,))
        named = "SELECT name FROM source.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (name,) in rows.execute(named).fetchall():
            rows.execute(f'CREATE TABLE "{name}" AS SELECT * FROM source."{name}"')
        rows.commit()
        rows.execute("DETACH source")
