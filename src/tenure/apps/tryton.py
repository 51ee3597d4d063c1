"""Tryton's own protocol, which several apps are made of: signing in, and reading records in pages."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tenure.apps.running import RunningApp
from tenure.schema.errors import Fault
from tenure.schema.evidence import Response
from tenure.schema.operate import Account

PAGE = 500
"""Records that are asked for at once."""


async def session(app: RunningApp, account: Account, database: str) -> Mapping[str, str]:
    """Headers of a session.

    Args:
        app: The app.
        account: Who signs in.
        database: The database's name.

    Raises:
        Fault: The account is not let in.
    """
    async with app.client() as client:
        found = await _call(
            client, database, "common.db.login", account.username, {"password": account.password}
        )
    if not found:
        raise Fault(f"{app.name} does not let {account.username} in")
    token = b64encode(f"{account.username}:{found[0]}:{found[1]}".encode()).decode()
    return {"Authorization": f"Session {token}"}


async def page(app: RunningApp, client: httpx.AsyncClient, path: str) -> Response:
    """All records of a model, by number.

    Args:
        app: The app.
        client: Signed in.
        path: As ``/<database>/<model>?fields=name,code&domain=[["active", "=", true]]``.

    Raises:
        Fault: The app refuses.
    """
    url = urlsplit(path)
    _, database, model = url.path.split("/")
    asked = {name: values[0] for name, values in parse_qs(url.query).items()}
    fields, domain = asked["fields"].split(","), json.loads(asked.get("domain", "[]"))
    records: list[Any] = []
    while True:
        words: tuple[Any, ...] = (domain, len(records), PAGE, [["id", "ASC"]], fields, {})
        found = await _call(client, database, f"model.{model}.search_read", *words)
        records += found
        if len(found) < PAGE:
            return Response(status=200, body=records)


async def _call(client: httpx.AsyncClient, database: str, method: str, *words: Any) -> Any:
    said = {"id": 0, "method": method, "params": list(words)}
    answer = await client.post(f"/{database}/rpc/", json=said)
    if answer.status_code in (404, 405):  # Before 8.0.
        answer = await client.post(f"/{database}/", json=said)
    if answer.status_code != 200:
        raise Fault(f"{method}: status {answer.status_code}")
    held = answer.json()
    if held.get("error"):
        raise Fault(f"{method}: {held['error'][0]}")
    return held["result"]
