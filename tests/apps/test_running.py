"""An app runs from its snapshot, goes back to it, and never meets another one of its kind."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from support.machines import isolated
from tenure.apps import Apps, RunningApp, find_recipe, install, open_apps
from tenure.schema import BadInput, Fault

pytestmark = [pytest.mark.anyio, isolated]
ITEMS = "SELECT name, amount FROM item ORDER BY id"


async def add(app: RunningApp, name: str) -> None:
    async with app.client() as client:
        (await client.post("/items", json={"name": name, "amount": 1})).raise_for_status()


async def names(app: RunningApp) -> list[str]:
    return [row["name"] for row in await app.rows(ITEMS)]


SEEDED = ["nails", "planks", "rope", "tar", "sailcloth"]


async def test_it_is_reached_at_a_port_of_the_host_and_told_its_own_address(tally: Apps) -> None:
    app = tally["tally"]
    async with app.client() as client:
        told = (await client.get("/health")).json()
    assert told["host"] == "tally.localhost"
    assert told["greeting"] == "at http://tally.localhost"
    assert (told["address"], told["cost"]) == ("http://tally.localhost", "$5")
    assert app.account.username == "ada"


async def test_two_side_by_side_never_touch_each_other(tally: Apps) -> None:
    async with open_apps(["tally"]) as others:
        one, other = tally["tally"], others["tally"]
        assert one.port != other.port
        await asyncio.gather(add(one, "mine"), add(other, "yours"))
        assert await names(one) == [*SEEDED, "mine"]
        assert await names(other) == [*SEEDED, "yours"]
        await other.restore()
        assert await names(one) == [*SEEDED, "mine"]
    assert await names(tally["tally"]) == [*SEEDED, "mine"]


async def test_a_restored_app_is_at_the_same_port_and_remembers_nothing(tally: Apps) -> None:
    app = tally["tally"]
    before = await app.rows(ITEMS)
    await add(app, "late")
    async with app.client() as client:
        await client.post("/notes", json={"name": "late.txt", "text": "x"})
        await client.post(
            "/mail", json={"from": "a@b.example", "to": "c@d.example", "subject": "", "text": ""}
        )
    assert len(app.messages) == 1
    port = app.port
    await tally.restore()
    assert await app.rows(ITEMS) == before
    assert app.port == port
    assert app.messages == []
    assert (await app.run(["ls", "notes"])).split() == ["first.txt"]


async def test_seeds_differ_and_are_kept_apart() -> None:
    async with open_apps(["tally"], seed=11) as one, open_apps(["tally"], seed=23) as other:
        assert await names(one["tally"]) == await names(other["tally"]) == SEEDED
        assert await one["tally"].rows(ITEMS) != await other["tally"].rows(ITEMS)
        assert one.provenance["tally"]["snapshot"] != other.provenance["tally"]["snapshot"]


async def test_what_is_seeded_is_said_once() -> None:
    said: list[str] = []
    for _ in range(2):
        async with open_apps(["tally"], seed=47, say=said.append):
            pass
    assert said == ["tally: filling it with data of seed 47 (once)"]


async def test_it_reaches_nothing_but_its_own_loopback(tally: Apps) -> None:
    app = tally["tally"]
    links = await app.run(["python3", "-c", "import socket; print([n for _, n in socket.if_nameindex()])"])
    assert links.strip() == "['lo']"
    with pytest.raises(Fault):
        await app.run(["python3", "-c", "import socket; socket.create_connection(('1.1.1.1', 80), 2)"])


async def test_a_changed_snapshot_is_refused_and_so_is_a_wrong_state(cache: Path) -> None:
    ready = await install(find_recipe("tally"), seed=99)
    listed = ready.snapshot.folder / "manifest"
    text = listed.read_text()
    listed.write_text(text.replace(text[:8], "00000000"))
    with pytest.raises(Fault, match="its snapshot was changed"):
        await install(find_recipe("tally"), seed=99)
    app = ready.running()
    try:
        with pytest.raises(Fault, match="its state is not what its snapshot's hash says"):
            await app.open()
    finally:
        await app.close()
    listed.write_text(text)
    await install(find_recipe("tally"), seed=99)


async def test_it_stands_for_a_container_of_a_released_verifier(tally: Apps) -> None:
    app = tally.released()["tally"]
    assert app.database is None and app.dial is not None
    done = await app.container.run(["cat", "/app/notes/first.txt"], env={}, input=b"", timeout=20)
    assert done.stdout == b"first for root\n"
    (await app.dial())[1].close()


async def test_nothing_listens_when_it_is_closed() -> None:
    async with open_apps(["tally"]) as apps:
        url = apps["tally"].url
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")


async def test_an_app_that_ends_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(tmp_path, monkeypatch, start='["sh", "-c", "echo no such harbour >&2; exit 3"]')
    with pytest.raises(Fault, match="broken: ended while it was starting: no such harbour"):
        async with open_apps(["broken"]):
            pass


async def test_an_app_that_does_not_answer_is_waited_for_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(tmp_path, monkeypatch, start='["sleep", "60"]', more="wait = 0.4")
    with pytest.raises(Fault, match=r"broken: not healthy after 0\.4 s: / is not answered"):
        async with open_apps(["broken"]):
            pass


async def test_an_app_that_answers_wrongly_is_not_healthy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(
        tmp_path,
        monkeypatch,
        start='["python3", "-m", "http.server", "8080"]',
        more='wait = 2\nhealth = "/no"',
    )
    with pytest.raises(Fault, match="not healthy after 2 s: /no answers 404"):
        async with open_apps(["broken"]):
            pass


async def test_nothing_of_an_app_that_could_not_be_filled_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    broken(
        tmp_path,
        monkeypatch,
        start='["sleep", "60"]',
        before='[["sh", "-c", "echo too shallow >&2; exit 4"]]',
    )
    with pytest.raises(Fault, match=r"broken: sh -c .* failed with 4: too shallow"):
        async with open_apps(["broken"]):
            pass
    assert not [path for path in cache.glob("broken*") if path.suffix != ".lock"]


async def test_a_placeholder_that_is_unknown_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(tmp_path, monkeypatch, start='["echo", "${adress}"]')
    with pytest.raises(BadInput, match=r"broken/recipe.toml: \$\{adress\} is unknown; known: address"):
        async with open_apps(["broken"]):
            pass


def broken(
    folder: Path, patch: pytest.MonkeyPatch, *, start: str, more: str = "", before: str = "[]"
) -> None:
    """A recipe called ``broken``."""
    (folder / "broken").mkdir()
    account = 'username = "a"\npassword = "b"'
    (folder / "broken/recipe.toml").write_text(
        f"title = 'Broken'\nsays = 'x'\ndomains = ['media']\nlicence = 'MIT'\n"
        f"[run]\nport = 8080\nstart = {start}\n{more}\n[seed]\nbefore = {before}\n"
        f"[accounts.agent]\n{account}\n[accounts.admin]\n{account}\n"
    )
    patch.setenv("TENURE_APPS", str(folder))


async def test_what_decides_an_app_is_in_its_provenance(tally: Apps) -> None:
    told = tally.provenance["tally"]
    assert set(told) == {"recipe", "snapshot", "seed"}
    assert told["seed"] == "0"
    assert len(told["snapshot"]) == len(told["recipe"]) == 64
    json.dumps(tally.provenance)
