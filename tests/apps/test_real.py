"""The real apps: installed from their registries, filled, signed in to, asked and restored."""

from collections.abc import Mapping

import pytest

from support.machines import isolated
from tenure.apps import Apps, RunningApp, find_recipe, install, open_apps
from tenure.apps.doctor import examine
from tenure.schema.evidence import HttpProbe, Probe, SqlProbe

pytestmark = [pytest.mark.anyio, isolated]
COUNTS: Mapping[str, Mapping[str, tuple[str, int]]] = {
    "roundup": {
        "bugs": ("SELECT count(*) AS n FROM _bug", 130),
        "tasks": ("SELECT count(*) AS n FROM _task", 36),
        "people": ("SELECT count(*) AS n FROM _user", 33),
        "open before it was reported": (
            "SELECT count(*) AS n FROM bug__journal j JOIN _bug b ON b.id = j.nodeid"
            " WHERE j.date < b._creation",
            0,
        ),
        "after the day": ("SELECT count(*) AS n FROM _bug WHERE _activity > '20261103'", 0),
    },
    "tryton": {
        "sales": ("SELECT count(*) AS n FROM sale_sale", 34),
        "purchases": ("SELECT count(*) AS n FROM purchase_purchase", 22),
        "products": ("SELECT count(*) AS n FROM product_product", 26),
        "after the day": ("SELECT count(*) AS n FROM account_invoice WHERE invoice_date > '2026-11-02'", 0),
    },
    "actual": {
        "accounts": ("SELECT count(*) AS n FROM accounts WHERE tombstone = 0", 4),
        "card": (
            "SELECT count(*) AS n FROM accounts WHERE (SELECT sum(amount) FROM transactions t WHERE t.acct ="
            " accounts.id AND t.tombstone = 0) < 0",
            0,
        ),
        "without a category": (
            "SELECT count(*) AS n FROM transactions WHERE category IS NULL AND transferred_id IS NULL"
            " AND tombstone = 0 AND isParent = 0",
            6,
        ),
        "after the day": ("SELECT count(*) AS n FROM transactions WHERE date > 20261102", 0),
    },
}


@pytest.mark.parametrize(
    "name", ["roundup", *(pytest.param(name, marks=pytest.mark.full) for name in COUNTS if name != "roundup")]
)
async def test_it_is_well_and_holds_what_it_should(name: str) -> None:
    installed = await install(find_recipe(name))
    found = [one async for one in examine(installed)]
    assert all(one.well for one in found) and len(found) == 5, found
    async with open_apps([name]) as apps:
        probes: dict[str, Probe] = {
            what: SqlProbe(app=name, query=query) for what, (query, _) in COUNTS[name].items()
        }
        evidence = await apps.collect(probes)
        got = {what: evidence.rows(what)[0]["n"] for what in probes}
        assert got == {what: count for what, (_, count) in COUNTS[name].items()}
        await own(name, apps)


async def own(name: str, apps: Apps) -> None:
    """What an app of this name answers by its own interface."""
    paths = {
        "roundup": "/tracker/rest/data/bug?@fields=title,status",
        "tryton": '/harbourline/sale.sale?fields=number,state&domain=[["state", "!=", "draft"]]',
    }
    if name in paths:
        probe = HttpProbe(app=name, path=paths[name])
        body = (await apps.collect({"it": probe})).response("it").body
        records = body["data"]["collection"] if name == "roundup" else body
        assert len(records) == {"roundup": 130, "tryton": 32}[name]


@pytest.mark.full
async def test_two_of_a_real_app_side_by_side_never_touch() -> None:
    change = ["roundup-admin", "-i", "/app/tracker", "set", "bug1", "title=changed"]
    titles = SqlProbe(app="roundup", query="SELECT _title AS title FROM _bug WHERE id = 1")

    async def title(apps: Apps) -> str:
        return str((await apps.collect({"it": titles})).rows("it")[0]["title"])

    async with open_apps(["roundup"]) as one, open_apps(["roundup"]) as other:
        before = await title(other)
        app = one["roundup"]
        assert isinstance(app, RunningApp)
        await app.run(change)
        assert (await title(one), await title(other)) == ("changed", before)
        await one.restore()
        assert await title(one) == await title(other) == before
