"""Doing things side by side, and to their end: nobody is left at work when the others have gone on."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

import anyio

Made = TypeVar("Made")


async def together(doings: Iterable[Coroutine[Any, Any, object]]) -> None:
    """Do things side by side. The first that fails stops the others; it returns when all have ended.

    Raises:
        BaseException: What the first that failed raised.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for doing in doings:
                group.create_task(doing)
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def to_the_end(doing: Coroutine[Any, Any, Made]) -> Made:
    """Do something that must not stop half-way: whoever is stopped meanwhile waits for its end."""
    working = asyncio.ensure_future(doing)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        with anyio.CancelScope(shield=True):
            await asyncio.wait([working])
        raise


async def each_to_the_end(doings: Iterable[Coroutine[Any, Any, object]]) -> None:
    """Do things side by side, each to its end whatever the others do and whoever is stopped.

    Raises:
        BaseException: What the first of them that failed raised.
    """

    async def all_of_them() -> list[object]:
        return await asyncio.gather(*doings, return_exceptions=True)

    for one in await to_the_end(all_of_them()):
        if isinstance(one, BaseException):
            raise one
