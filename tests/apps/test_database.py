"""An app with a database server is kept and restored with it."""

import shutil

import pytest

from support.machines import isolated
from tenure.apps import open_apps
from tenure.schema.evidence import SqlProbe

pytestmark = [
    pytest.mark.anyio,
    isolated,
    pytest.mark.skipif(not shutil.which("psql"), reason="needs psql; apt-get install postgresql-client"),
]
COUNT = SqlProbe(
    app="ledger", query="SELECT count(*) AS rows, (SELECT count(*) FROM visit) AS visits FROM entry"
)


async def test_rows_come_back_and_two_side_by_side_have_their_own() -> None:
    async with open_apps(["ledger"]) as apps, open_apps(["ledger"]) as others:
        # One visit of the start before the snapshot, in a table that is not logged, and one of this start.
        assert (await apps.collect({"it": COUNT})).rows("it") == ({"rows": 1000, "visits": 2},)
        app = apps["ledger"]
        await app.run(["psql", app.values()["database_url"], "-c", "DELETE FROM entry WHERE id > 10"])
        assert (await apps.collect({"it": COUNT})).rows("it")[0]["rows"] == 10
        assert (await others.collect({"it": COUNT})).rows("it")[0]["rows"] == 1000
        await apps.restore()
        assert (await apps.collect({"it": COUNT})).rows("it") == ({"rows": 1000, "visits": 2},)


async def test_a_released_verifier_finds_the_database_by_its_own_client() -> None:
    async with open_apps(["ledger"]) as apps:
        app = apps.released()["ledger"]
        assert app.database is not None
        ask = ["psql", "-tAc", "SELECT count(*) FROM entry"]
        done = await app.database.run(ask, env={"PGPASSWORD": "an image's own"}, input=b"", timeout=20)
        assert (done.returncode, done.stdout) == (0, b"1000\n"), done.stderr


async def test_probes_only_read() -> None:
    async with open_apps(["ledger"]) as apps:
        probe = SqlProbe(app="ledger", query="DELETE FROM entry RETURNING id")
        assert (await apps.collect({"it": probe})).got["it"].error
        assert (await apps.collect({"it": COUNT})).rows("it")[0]["rows"] == 1000
