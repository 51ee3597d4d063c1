"""The database, a connection per statement."""

import asyncio
import os

import asyncpg


class Refused(Exception):
    """What somebody wants cannot be; the text says why."""


def rows(sql, *values):
    """A statement's rows."""

    async def ask():
        connection = await asyncpg.connect(os.environ["POSTGRES_DATABASE_URL"])
        try:
            return await connection.fetch(sql, *values)
        finally:
            await connection.close()

    return asyncio.run(ask())
