"""A database leaves as a file and comes back as it was, into another server of another password."""

import gzip
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tenure.workspace.services.dumping import dump, restore
from tenure.workspace.services.postgres import Postgres

from .conftest import password_of

pytestmark = pytest.mark.anyio
SCHEMA = """
CREATE SCHEMA shop;
CREATE TYPE shop.state AS ENUM ('open', 'shut');
CREATE TABLE shop.orders (id serial PRIMARY KEY, paid numeric(8, 2) CHECK (paid >= 0), state shop.state);
CREATE FUNCTION count_orders() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM shop.orders';
CREATE VIEW dear AS SELECT * FROM shop.orders WHERE paid > 10;
INSERT INTO shop.orders (paid, state) VALUES (3.34, 'open'), (33.33, 'shut');
CREATE TABLE "\\! touch /tmp/never
" (x int);
"""


@pytest.fixture
async def service() -> AsyncIterator[Postgres]:
    async with Postgres() as running:
        yield running


async def told(service: Postgres, sql: str) -> None:
    host = str(service.address.parent)
    connection = await asyncpg.connect(host=host, user="app", database="app", password=password_of(service))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


async def test_what_was_dumped_comes_back(service: Postgres) -> None:
    await told(service, SCHEMA)
    kept = await dump(service)
    async with Postgres() as other:
        await told(other, "CREATE TABLE later (x int); CREATE SCHEMA shop")
        await restore(other, kept)
        rows = await other.rows("SELECT id, paid::text, state::text FROM shop.orders ORDER BY id")
        assert [tuple(row.values()) for row in rows] == [(1, "3.34", "open"), (2, "33.33", "shut")]
        assert await other.rows("SELECT count_orders() AS n") == [{"n": 2}]
        await told(other, "INSERT INTO shop.orders (paid, state) VALUES (1, 'open')")
        assert (await other.rows("SELECT max(id) AS n FROM shop.orders"))[0] == {"n": 3}, "sequences go on"
        assert len(await other.rows("SELECT * FROM dear")) == 1


async def test_a_person_can_read_it(service: Postgres) -> None:
    await told(service, SCHEMA)
    text = gzip.decompress(await dump(service, readable=True)).decode()
    assert "CREATE TABLE shop.orders" in text and "33.33" in text


async def test_what_is_too_large_or_no_dump_is_refused(service: Postgres) -> None:
    await told(service, SCHEMA)
    with pytest.raises(ValueError, match="more than 100 bytes"):
        await dump(service, limit=100)
    with pytest.raises(OSError, match="valid archive"):
        await restore(service, b"SELECT 1; \\! touch /tmp/never")
    with pytest.raises(LookupError, match="only PostgreSQL"):
        await dump(None)
