"""The gateway: routing, the log, atomic exchanges and the ASGI side."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from tenure.schema import Connection, Via
from tenure.world import Call, Gateway, Reply, Surface, World
from tenure.world.gateway import MAX_BODY
from tenure.world.world import TICK_MS
from world import sample
from world.sample import HOST, NOW, Memo


@pytest.fixture
def gateway(base: Path, tmp_path: Path):
    world = World(base, [sample.TWIN])
    gateway = Gateway(world, tmp_path / "gateway.jsonl")
    yield gateway
    gateway.close()
    world.close()


def assert_untouched(gateway: Gateway) -> None:
    store = gateway.world.store
    assert store.every(Memo) == list(sample.START) and store.changes() == []


def test_an_exchange_is_a_tick_a_transaction_and_a_line(gateway: Gateway, tmp_path: Path) -> None:
    reply = gateway.answer("PATCH", f"{HOST.upper()}:443", "/m1", "a=1", {}, b'{"title":"new"}')
    assert reply.status == 200 and gateway.world.now == NOW + TICK_MS
    (line,) = gateway.log
    assert (line.n, line.at, line.host, line.path) == (1, NOW + TICK_MS, HOST, "/m1?a=1")
    assert (line.records, line.changed, line.via, line.fault) == ((("sample.memo", "m1"),), 1, Via.REST, "")
    (change,) = gateway.world.store.changes()
    assert change.at == NOW + TICK_MS and change.fields == {"title": ("red green blue", "new")}
    on_disk = (tmp_path / "gateway.jsonl").read_text().splitlines()
    assert [Connection.model_validate_json(text) for text in on_disk] == gateway.log


def test_a_handler_that_raises_is_undone_and_logged_and_its_tick_stays(gateway: Gateway) -> None:
    reply = gateway.answer("POST", HOST, "/boom")
    assert reply.status == 500 and "on purpose" not in json.dumps(reply.body)
    assert_untouched(gateway)
    (line,) = gateway.log
    assert "RuntimeError: on purpose" in line.fault and line.changed == 0 and line.records == ()
    assert gateway.world.now == NOW + TICK_MS


def test_a_refusal_is_undone_and_is_no_fault(gateway: Gateway) -> None:
    assert gateway.answer("POST", HOST, "/refuse").status == 409
    assert_untouched(gateway)
    (line,) = gateway.log
    assert (line.status, line.changed, line.fault) == (409, 0, "")


def test_a_due_event_that_fails_is_a_logged_fault(gateway: Gateway) -> None:
    with gateway.world.act(Via.REST) as act:
        act.later(1, "sample.break", {})
    assert gateway.answer("GET", HOST, "/m1").status == 500
    (line,) = gateway.log
    assert "the event failed" in line.fault
    assert gateway.world.store.get(Memo, "half done") is None


@pytest.mark.parametrize("host", ["elsewhere.example.com", "", f"evil.{HOST}", f"{HOST}.evil.com"])
def test_other_hosts_are_refused_and_logged(gateway: Gateway, host: str) -> None:
    reply = gateway.answer("GET", host, "/m1")
    assert reply.status == 421 and HOST in reply.body["error"]
    assert gateway.world.now == NOW
    assert [(line.host, line.status, line.records) for line in gateway.log] == [(host, 421, ())]


def test_the_longest_prefix_answers_and_only_whole_segments_match(base: Path) -> None:
    class Split(sample.Sample):
        surfaces = (
            Surface("two.example.com", lambda call: Reply(200, "v1"), "/v1"),
            Surface("two.example.com", lambda call: Reply(200, "v1 deep"), "/v1/deep/"),
            Surface(HOST, sample.TWIN.surfaces[0].handle),
        )

    gateway = Gateway(World(base, [Split()]))
    paths = ("/v1", "/v1/x", "/v1/deep", "/v1/deep/x", "/v1/deeper", "/v10", "/")
    answers = [gateway.answer("GET", "two.example.com", path) for path in paths]
    assert [reply.body for reply in answers[:5]] == ["v1", "v1", "v1 deep", "v1 deep", "v1"]
    assert [reply.status for reply in answers[5:]] == [404, 404]
    assert gateway.hosts == (HOST, "two.example.com")


def test_twins_may_name_the_same_surface(base: Path) -> None:
    class Other(sample.Sample):
        name = "other"
        kinds = ()
        events = {}

    gateway = Gateway(World(base, [sample.TWIN, Other()]))
    assert gateway.hosts == (HOST,)
    assert gateway.answer("GET", HOST, "/m1").status == 200


def ask(gateway: Gateway, method: str, url: str, **more) -> httpx.Response:
    """One request through the ASGI application."""

    async def exchange() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway)) as client:
            return await client.request(method, url, **more)

    return asyncio.run(exchange())


def test_asgi_passes_the_path_as_it_was_sent(gateway: Gateway) -> None:
    response = ask(gateway, "GET", f"https://{HOST}/m%31?x=%2F", headers={"X-Case": "Kept"})
    assert (response.status_code, response.headers["content-type"]) == (
        200,
        "application/json; charset=UTF-8",
    )
    assert gateway.log[0].path == "/m%31?x=%2F"
    assert response.json()["id"] == "m1"


def test_headers_and_bodies_arrive_whole(gateway: Gateway) -> None:
    response = ask(gateway, "POST", f"https://{HOST}/whoami?q=1", content="é" * 10, headers={"X-A": "b"})
    assert response.json()["body"] == "é" * 10
    assert response.json()["query"] == "q=1" and response.json()["headers"]["x-a"] == "b"


def test_head_sends_the_length_and_no_body(gateway: Gateway) -> None:
    response = ask(gateway, "HEAD", f"https://{HOST}/m1")
    assert int(response.headers["content-length"]) > 10 and response.content == b""


def test_a_body_that_is_too_large_is_refused(gateway: Gateway) -> None:
    response = ask(gateway, "POST", f"https://{HOST}/m1", content=b"x" * (MAX_BODY + 1))
    assert response.status_code == 413
    assert_untouched(gateway)


def test_the_host_header_does_not_decide_the_world(gateway: Gateway, base: Path) -> None:
    other = Gateway(World(base, [sample.TWIN]))
    ask(gateway, "PATCH", f"https://{HOST}/m1", json={"title": "mine"})
    response = ask(other, "GET", "https://x.example.com/m1", headers={"Host": HOST})
    assert response.json()["title"] == "red green blue"


def test_a_reply_that_cannot_be_encoded_undoes_its_transaction(base: Path) -> None:
    def handle(call: Call) -> Reply:
        call.act.put(Memo(id="half done"))
        return Reply(200, {"value": object()})

    class Broken(sample.Sample):
        surfaces = (Surface(HOST, handle),)

    gateway = Gateway(World(base, [Broken()]))
    assert gateway.answer("GET", HOST, "/").status == 500
    assert gateway.world.store.get(Memo, "half done") is None
    assert "TypeError" in gateway.log[0].fault
