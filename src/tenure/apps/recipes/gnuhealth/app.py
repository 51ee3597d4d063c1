"""Hooks of GNU Health, which is made of Tryton."""

import json
from collections.abc import Mapping

from tenure.apps.running import RunningApp
from tenure.apps.tryton import page, session
from tenure.schema.operate import Account

from .data import clinic

__all__ = ["page", "seed", "sign_in"]


async def seed(app: RunningApp, seed: int) -> None:
    """Load the clinic's records."""
    told = json.dumps(clinic(seed, app.account.username))
    await app.run(["python", "-W", "ignore", "/opt/recipe/load.py", app.account.password], input=told)


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session of Tryton's own protocol."""
    return await session(app, account, "clinic")
