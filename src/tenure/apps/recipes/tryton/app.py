"""Tryton: how its books get there, and how it is asked."""

import json
from collections.abc import Mapping

from tenure.apps import RunningApp
from tenure.apps.tryton import page, session
from tenure.schema.operate import Account

from .data import books

__all__ = ["page", "seed", "sign_in"]


async def seed(app: RunningApp, seed: int) -> None:
    """Load the books through Tryton's own client library."""
    account = app.account
    command = ["python", "-W", "ignore", "/opt/recipe/load.py", account.username, account.password]
    await app.run(command, input=json.dumps(books(seed)), timeout=1800)


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session of Tryton's own protocol."""
    return await session(app, account, "harbourline")
