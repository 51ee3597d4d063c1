"""Hooks of the cash book."""

from random import Random

from tenure.apps import RunningApp
from tenure.schema import Fault

SHOPS = ("Corner Stationers", "Harbour Bakery", "Quay Taxi", "Lantern Café", "Print & Post", "Green Grocer")


async def seed(app: RunningApp, seed: int) -> None:
    """Book forty entries: two of them twice and one in the wrong category, by mistake."""
    random = Random(seed)
    account = app.account
    async with app.client() as client:
        signed = await client.post("/login", data={"user": account.username, "password": account.password})
        headers = {"Cookie": signed.headers["set-cookie"].partition(";")[0]}
        for n in range(38):
            entry = {
                "day": f"2026-{1 + n // 10:02}-{1 + n % 28:02}",
                "shop": SHOPS[n % len(SHOPS)],
                "category": "Office" if n == 8 else ("Office", "Food", "Travel")[n % 3],
                "amount": f"{random.randint(150, 9900) / 100:.2f}",
            }
            for _ in range(2 if n in (4, 21) else 1):
                answer = await client.post("/entries", data=entry, headers=headers)
                if answer.headers.get("location") != "/entries":
                    raise Fault(f"an entry is not booked: {answer.status_code}")
