"""Hooks of the tests' own app."""

from collections.abc import Mapping
from random import Random

from tenure.apps import RunningApp
from tenure.schema import Fault
from tenure.schema.operate import Account


async def seed(app: RunningApp, seed: int) -> None:
    random = Random(seed)
    async with app.client() as client:
        for name in ("nails", "planks", "rope", "tar", "sailcloth"):
            item = {"name": name, "amount": random.randint(1, 500)}
            (await client.post("/items", json=item)).raise_for_status()
        letter = {"from": "a@example.com", "to": "b@example.com", "subject": "Seeding", "text": "x"}
        (await client.post("/mail", json=letter)).raise_for_status()


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    async with app.client() as client:
        answer = await client.post("/login", json=account.model_dump())
    if answer.status_code != 200:
        raise Fault(f"{account.username} is not let in")
    return {"Authorization": f"Bearer {answer.json()['token']}"}
