"""Actual: how its ledger gets there, and how it is asked."""

import json
from collections.abc import Mapping

from tenure.apps import RunningApp
from tenure.schema.errors import Fault
from tenure.schema.operate import Account

from .data import ledger


async def seed(app: RunningApp, seed: int) -> None:
    """Give the server its password, then load the ledger through Actual's own library."""
    password = app.account.password
    async with app.client() as client:
        (await client.post("/account/bootstrap", json={"password": password})).raise_for_status()
    command = ["node", "/opt/recipe/load.mjs", str(app.recipe.run.port), password]
    await app.run(command, input=json.dumps(ledger(seed)), timeout=900)


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """A token of the server."""
    async with app.client() as client:
        answer = await client.post(
            "/account/login", json={"loginMethod": "password", "password": account.password}
        )
    if answer.status_code != 200:
        raise Fault(f"the password is refused: status {answer.status_code}")
    return {"X-ACTUAL-TOKEN": answer.json()["data"]["token"]}
