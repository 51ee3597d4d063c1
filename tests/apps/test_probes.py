"""What running apps are asked, and that an answer is whole or an error."""

from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from support.machines import isolated
from tenure.apps import Apps, RunningApp, open_apps, probes
from tenure.apps.probes import every_page
from tenure.apps.running import Hook, hook
from tenure.schema import Fault
from tenure.schema.evidence import FilesProbe, Got, HttpProbe, MailProbe, Response, SqlProbe, Unanswered
from tenure.schema.operate import Account

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


@pytest.mark.parametrize(
    ("statuses", "known", "says"),
    [
        ((200, 502), False, "/items/2 answers 502"),
        ((503,), False, "/items answers 503"),
        ((429,), False, "/items answers 429"),
        ((401,), True, "/items answers 401 to whoever is signed in"),
        ((403,), True, "/items answers 403 to whoever is signed in"),
        ((200, 404), True, "/items/2 answers 404, and the first page 200"),
    ],
)
async def test_a_status_that_is_not_the_apps_state_is_an_error(
    statuses: tuple[int, ...], known: bool, says: str
) -> None:
    with pytest.raises(Fault, match=f"^{says}$"):
        await paged(statuses, known)


@pytest.mark.parametrize(("status", "known"), [(401, False), (403, False), (404, True), (410, True)])
async def test_a_status_that_is_the_apps_state_is_an_answer(status: int, known: bool) -> None:
    assert (await paged((status,), known)).status == status


async def paged(statuses: tuple[int, ...], known: bool) -> Response:
    """An answer of several pages, each with its own status."""
    pages = iter(enumerate(statuses, 1))

    def answer(request: httpx.Request) -> httpx.Response:
        page, status = next(pages)
        further = {"next": f"/items/{page + 1}"} if page < len(statuses) else {}
        return httpx.Response(status, json={"results": [page], **further})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://it") as client:
        return await every_page(client, "/items", known=known)


@pytest.mark.parametrize("status", [500, 403])
async def test_a_page_of_a_recipes_own_is_held_to_the_same(
    monkeypatch: pytest.MonkeyPatch, worked: Apps, status: int
) -> None:
    async def page(app: RunningApp, client: httpx.AsyncClient, path: str) -> Response:
        return Response(status=status, body={})

    hooked(monkeypatch, "page", page)
    got = await ask(worked, HttpProbe(app="tally", path="/items"))
    assert got.response is None and got.error.startswith(f"/items answers {status}")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (KeyError("token"), "KeyError: 'token'"),
        (TypeError("no such list"), "TypeError: no such list"),
        (AttributeError(), "AttributeError"),
        (ExceptionGroup("two", [ValueError("x")]), "ExceptionGroup: two (1 sub-exception)"),
        (Fault("nobody is let in"), "nobody is let in"),
    ],
)
async def test_what_a_hook_raises_is_an_error_and_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, worked: Apps, error: Exception, says: str
) -> None:
    async def sign_in(app: RunningApp, account: Account) -> Mapping[str, str]:
        raise error

    hooked(monkeypatch, "sign_in", sign_in)
    evidence = await worked.collect(
        {"http": HttpProbe(app="tally", path="/items"), "sql": SqlProbe(app="tally", query="SELECT 1 AS one")}
    )
    assert evidence.got["http"].error == says
    assert evidence.rows("sql") == ({"one": 1},)


def hooked(monkeypatch: pytest.MonkeyPatch, name: str, own: Hook) -> None:
    """Give every recipe a hook for the time of a test."""
    monkeypatch.setattr(probes, "hook", lambda recipe, asked: own if asked == name else hook(recipe, asked))


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
