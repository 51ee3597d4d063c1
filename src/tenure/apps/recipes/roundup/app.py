"""Roundup: how its data get there, and how it is asked."""

import base64
import json
from collections.abc import Mapping

import httpx

from tenure.apps import RunningApp
from tenure.schema.errors import Fault
from tenure.schema.evidence import Response
from tenure.schema.operate import Account

from .data import tracker

REST = "/tracker/rest/data"


async def seed(app: RunningApp, seed: int) -> None:
    """Load the tracker through Roundup's own interface for programs."""
    account = app.account
    command = ["python", "/opt/recipe/load.py", account.username, account.password]
    await app.run(command, input=json.dumps(tracker(seed)))


async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
    """Headers of HTTP's own sign-in."""
    word = base64.b64encode(f"{account.username}:{account.password}".encode()).decode()
    headers = {"Authorization": f"Basic {word}", "X-Requested-With": "rest", "Accept": "application/json"}
    async with app.client(headers) as client:
        answer = await client.get(f"{REST}/bug?@page_size=1")
    if answer.status_code != 200:
        raise Fault(f"{account.username} is not let in: status {answer.status_code}")
    return headers


async def page(app: RunningApp, client: httpx.AsyncClient, path: str) -> Response:
    """A path below ``/tracker/rest/data``; Roundup gives all items where no page size is asked for."""
    answer = await client.get(path)
    return Response(status=answer.status_code, body=answer.json())
