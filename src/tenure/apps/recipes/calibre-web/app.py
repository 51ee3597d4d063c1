"""Hooks of Calibre-Web."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.apps.running import RunningApp
from tenure.schema.modules import load_module
from tenure.schema.operate import Account


async def seed(app: RunningApp, seed: int) -> None:
    """Load the library and its readers."""
    told = load_module(Path(__file__).with_name("data.py")).library(seed, app.account)
    await app.run(["python", "/opt/recipe/load.py"], input=json.dumps(told))


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A session's cookie."""
    async with app.client() as client:
        form = await client.get("/login")
        token = re.search(r'name="csrf_token" value="([^"]+)"', form.text)
        values = {"username": account.username, "password": account.password, "submit": ""}
        await client.post("/login", data={**values, "csrf_token": token[1] if token else ""})
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
