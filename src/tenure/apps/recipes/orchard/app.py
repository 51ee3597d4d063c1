"""Hooks of the press house, which is Tryton."""

import json
from collections.abc import Mapping

from tenure.apps.running import RunningApp
from tenure.apps.tryton import page, session
from tenure.schema.operate import Account

from .data import press_house

__all__ = ["page", "seed", "sign_in"]


async def seed(app: RunningApp, seed: int) -> None:
    """Load the works' two seasons through Tryton's own client library."""
    account = app.account
    command = ["python", "-W", "ignore", "/opt/recipe/load.py", account.username, account.password]
    await app.run(command, input=json.dumps(press_house(seed)), timeout=1800)


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session of Tryton's own protocol."""
    return await session(app, account, "orchard")
