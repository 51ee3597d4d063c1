"""Hooks of pretix."""

import json
import re
from collections.abc import Mapping

from tenure.apps.running import RunningApp
from tenure.schema.errors import Fault
from tenure.schema.operate import Account

from .data import box_office


async def seed(app: RunningApp, seed: int) -> None:
    """Load events and orders."""
    admin = app.recipe.accounts.admin
    told = box_office(seed, app.account.username, admin.username)
    command = ["env", "PRETIX_CONFIG_FILE=/tmp/load.cfg", "python", "/opt/recipe/load.py"]
    await app.run([*command, app.account.password, admin.password], input=json.dumps(told))
    await app.run(["cp", "/dev/shm/data/db.sqlite3", "/app/data/db.sqlite3"])


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session's cookies."""
    async with app.client() as client:
        form = await client.get("/control/login")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form.text)
        values = {"email": account.username, "password": account.password}
        answer = await client.post(
            "/control/login", data={**values, "csrfmiddlewaretoken": token[1] if token else ""}
        )
        if answer.status_code != 302:
            raise Fault(f"{app.name} does not let {account.username} in")
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
