"""What both kinds of system do alike: rows, pages, receivers."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Self

from playwright.async_api import Page

from tenure.grading.dag.pages import Pages
from tenure.grading.dag.patterns import Malformed
from tenure.grading.dag.receiver import Post, Receivers
from tenure.grading.dag.system import ROW_LIMIT, Unmet
from tenure.workspace.services.base import QueryFailed, Rows

_SYNTAX = "42601"
SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv"})
"""Folders that are named but not looked into."""
ENTRIES = 50_000
"""Files and folders that are looked through."""
DEPTH = 32
"""Folders within folders that are looked into."""


class Place:
    """A product with its database, a browser and receivers. Use as an async context manager."""

    def __init__(self, base_url: str, inside_url: str, database: Rows | None) -> None:
        """Nothing is opened yet."""
        self.base_url, self.inside_url, self._database = base_url, inside_url, database
        self._pages = Pages(base_url, inside_url)
        self._receivers = Receivers()

    async def __aenter__(self) -> Self:
        await self._receivers.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._receivers.__aexit__()
        await self._pages.close()

    async def rows(
        self, sql: str, parameters: Sequence[Any] = (), *, timeout: float = 15
    ) -> list[dict[str, Any]]:
        """See ``System.rows``."""
        if self._database is None:
            raise ValueError("the task has no database")
        try:
            found = await self._database.rows(sql, parameters, limit=ROW_LIMIT + 1, timeout=timeout)
        except QueryFailed as error:
            if getattr(error.__cause__, "sqlstate", None) == _SYNTAX:
                raise Malformed(str(error)) from error
            if isinstance(error.__cause__, OSError):
                raise
            raise Unmet(f"the database refuses: {error}") from error
        if len(found) > ROW_LIMIT:
            raise Unmet(f"more than {ROW_LIMIT:,} rows; ask for fewer")
        return found

    def page(self) -> AbstractAsyncContextManager[Page]:
        """See ``System.page``."""
        return self._pages.page()

    @asynccontextmanager
    async def receive(self, name: str, statuses: Sequence[int]) -> AsyncIterator[Post]:
        """See ``System.receive``."""
        async with self._receivers.open(statuses, await self._receiver_port()) as post:
            yield post

    async def _receiver_port(self) -> int:
        """Where the product finds the receivers."""
        return self._receivers.port
