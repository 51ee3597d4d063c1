"""Hooks of the handbook."""

import json
import re
from collections.abc import Mapping

from tenure.apps.running import RunningApp
from tenure.schema.errors import Fault
from tenure.schema.operate import Account

from .data import handbook

_LOGIN = "/_accounts/login/"


async def seed(app: RunningApp, seed: int) -> None:
    """Load the pages and who wrote them."""
    told = json.dumps(handbook(seed, app.account.username))
    passwords = (app.account.password, app.recipe.accounts.admin.password)
    await app.run(["python", "/opt/recipe/load.py", *passwords], input=told)


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session's cookies."""
    async with app.client() as client:
        form = await client.get(_LOGIN)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form.text)
        values = {"username": account.username, "password": account.password}
        answer = await client.post(_LOGIN, data={**values, "csrfmiddlewaretoken": token[1] if token else ""})
        if answer.status_code != 302:
            raise Fault(f"{app.name} does not let {account.username} in")
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
