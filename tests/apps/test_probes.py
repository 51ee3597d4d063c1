"""What running apps are asked, and that an answer is whole or an error."""

from collections.abc import AsyncIterator

import httpx
import pytest

from support.machines import isolated
from tenure.apps import Apps, open_apps
from tenure.apps.probes import every_page
from tenure.schema import Fault
from tenure.schema.evidence import FilesProbe, Got, HttpProbe, MailProbe, SqlProbe, Unanswered

pytestmark = [pytest.mark.anyio, isolated]
ADD = {"name": "chain", "amount": 2.5}
NOTE = {"name": "log.txt", "text": "fog at six"}
MAIL = {"from": "Ada <ada@example.com>", "to": "bo@example.com", "subject": "Größe", "text": "12 × 3"}


@pytest.fixture(scope="module")
async def worked(anyio_backend: str) -> AsyncIterator[Apps]:
    """An app in which something was done."""
    async with open_apps(["tally"]) as apps:
        async with apps["tally"].client() as client:
            for path, body in (("/items", ADD), ("/notes", NOTE), ("/mail", MAIL)):
                (await client.post(path, json=body)).raise_for_status()
        yield apps


async def ask(apps: Apps, probe: SqlProbe | HttpProbe | FilesProbe | MailProbe) -> Got:
    return (await apps.collect({"it": probe})).got["it"]


async def test_rows_are_those_of_the_database_as_it_stands(worked: Apps) -> None:
    got = await ask(worked, SqlProbe(app="tally", query="SELECT name, amount FROM item WHERE id > 5"))
    assert got.rows == ({"name": "chain", "amount": 2.5},)


@pytest.mark.parametrize("query", ["DELETE FROM item", "SELECT * FROM nothing", "DROP TABLE item"])
async def test_a_query_that_is_no_read_is_an_error_and_changes_nothing(worked: Apps, query: str) -> None:
    evidence = await worked.collect({"it": SqlProbe(app="tally", query=query)})
    with pytest.raises(Unanswered, match="it: "):
        evidence.rows("it")
    assert len(await worked["tally"].rows("SELECT * FROM item")) == 6


async def test_rows_are_never_cut_off(worked: Apps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenure.apps.running.ROWS", 5)
    assert "more than 5 rows" in (await ask(worked, SqlProbe(app="tally", query="SELECT * FROM item"))).error


@pytest.mark.parametrize("path", ["/items", "/linked"])
async def test_an_answer_has_all_pages(worked: Apps, path: str) -> None:
    got = await ask(worked, HttpProbe(app="tally", path=path))
    assert got.response is not None and got.response.status == 200
    body = got.response.body
    rows = body["results"] if path == "/items" else body
    assert [name for name, _ in rows] == ["nails", "planks", "rope", "tar", "sailcloth", "chain"]


async def test_endless_pages_are_an_error() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"next": str(request.url), "results": [1]})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://it") as client:
        with pytest.raises(Fault, match="more than 1000 pages"):
            await every_page(client, "/items")


async def test_files_are_found_by_pattern_with_what_they_say(worked: Apps) -> None:
    got = await ask(worked, FilesProbe(app="tally", pattern="notes/*.txt"))
    assert got.files is not None
    assert [(file.path, file.text) for file in got.files] == [
        ("notes/first.txt", "first for root\n"),
        ("notes/log.txt", "fog at six"),
    ]
    database = await ask(worked, FilesProbe(app="tally", pattern="**/*.db"))
    assert database.files is not None
    assert [(file.path, file.text) for file in database.files] == [("tally.db", None)]
    assert (await ask(worked, FilesProbe(app="tally", pattern="*.txt"))).files == ()


async def test_mail_is_caught_with_blind_copies_and_names_of_what_is_attached(worked: Apps) -> None:
    got = await ask(worked, MailProbe(app="tally"))
    assert got.messages is not None
    (message,) = got.messages
    assert (message.sender, message.to, message.cc) == (
        "ada@example.com",
        ("bo@example.com",),
        ("cy@example.com",),
    )
    assert message.bcc == ("blind@example.com",)
    assert (message.subject, message.text.strip(), message.attachments) == ("Größe", "12 × 3", ("bill.pdf",))
    for mailbox, count in (("BO@example.com", 1), ("blind@example.com", 1), ("dee@example.com", 0)):
        some = await ask(worked, MailProbe(app="tally", mailbox=mailbox))
        assert some.messages is not None and len(some.messages) == count


async def test_an_app_that_is_not_there_is_an_error_and_stops_nobody(worked: Apps) -> None:
    evidence = await worked.collect(
        {
            "gone": SqlProbe(app="ledger", query="SELECT 1"),
            "it": SqlProbe(app="tally", query="SELECT 1 AS one"),
        }
    )
    assert evidence.rows("it") == ({"one": 1},)
    with pytest.raises(Unanswered, match="gone: ledger is not open"):
        evidence.rows("gone")


async def test_a_dead_app_gives_an_error_and_no_answer() -> None:
    async with open_apps(["tally"]) as apps:
        await apps["tally"].stop()
        assert (await ask(apps, HttpProbe(app="tally", path="/items"))).error
        await apps["tally"].close()
        assert "not open" in (await ask(apps, FilesProbe(app="tally", pattern="*"))).error
