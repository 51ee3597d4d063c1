"""The door: what an agent with the api interface can and cannot do."""

import json
from pathlib import Path

import pytest

from tenure.world import Door, Gateway, Response, World
from tenure.world.door import MAX_CHARS, METHODS
from world import sample
from world.sample import HOST, Memo

URL = f"https://{HOST}"


@pytest.fixture
def door(base: Path):
    world = World(base, [sample.TWIN])
    yield Door(Gateway(world), "ann")
    world.close()


def sent(response: Response) -> dict[str, str]:
    return response.json()["headers"]


@pytest.mark.parametrize("name", ["Authorization", "authorization", "AUTHORIZATION"])
def test_credentials_are_added_and_cannot_be_replaced(door: Door, name: str) -> None:
    headers = sent(door.http("GET", f"{URL}/whoami", {name: "Bearer other", "X-Mine": "kept"}))
    assert headers == {"authorization": f"Bearer {sample.TOKEN}", "x-mine": "kept"}


@pytest.mark.parametrize(
    "path",
    [
        "/_screen/secret",
        "/_screen",
        "//_screen/secret",
        "/%5Fscreen/secret",
        "/%5f%73creen/secret",
        "/./_screen/secret",
        "/x/../_screen/secret",
        "/x/..%2F_screen/secret",
        "/x%5C_screen/secret",
        "/x\\_screen/secret",
        "/_screen;v=1/secret",
        "/_screen/secret?x=1",
        "/_scr\neen/secret",
    ],
)
def test_the_screens_own_routes_are_closed(door: Door, path: str) -> None:
    response = door.http("GET", URL + path)
    assert (response.status, "screens" in response.text) == (0, True)
    assert door.gateway.log == []


def test_their_name_elsewhere_is_plain_text(door: Door) -> None:
    assert door.http("GET", f"{URL}/whoami?q=_screen").status == 200
    assert door.http("GET", f"{URL}/_screens").status == 404


@pytest.mark.parametrize(
    "url",
    [
        f"http://{HOST}/m1",
        "/m1",
        HOST,
        "",
        "https://",
        "https:///m1",
        "https://[::1/m1",
        "ftp://x/y",
        f"{URL}/\ud800",
        "file:///etc/passwd",
    ],
)
def test_only_full_https_urls_are_sent(door: Door, url: str) -> None:
    response = door.http("GET", url)
    assert response.status == 0 and "URL" in response.text
    assert door.gateway.log == []


def test_other_hosts_are_the_gateways_to_refuse(door: Door) -> None:
    assert door.http("GET", "https://elsewhere.example.com/").status == 421
    assert [line.status for line in door.gateway.log] == [421]


def test_unknown_methods_are_refused(door: Door) -> None:
    assert door.http("CONNECT", f"{URL}/m1").text.endswith(", ".join(METHODS) + ".")
    assert door.http("get", f"{URL}/m1").status == 200


@pytest.mark.parametrize(
    ("body", "text", "kind"),
    [
        (None, "", None),
        ("", "", "text/plain"),
        ("plain", "plain", "text/plain"),
        ('{"a": 1}', '{"a": 1}', "application/json"),
        ({"a": "é"}, '{"a":"é"}', "application/json"),
        ([], "[]", "application/json"),
        (0, "0", "application/json"),
    ],
)
def test_bodies(door: Door, body, text: str, kind: str | None) -> None:
    got = door.http("POST", f"{URL}/whoami", body=body).json()
    assert (got["body"], got["headers"].get("content-type")) == (text, kind)


def test_the_agents_own_content_type_is_kept(door: Door) -> None:
    response = door.http("POST", f"{URL}/whoami", {"Content-Type": "message/rfc822"}, "{}")
    assert sent(response)["content-type"] == "message/rfc822"


@pytest.mark.parametrize("body", ["\ud800", {"a": "\ud800"}, {"a": 2**70}, {"a": object()}])
def test_a_body_that_cannot_be_sent_is_the_agents_mistake(door: Door, body) -> None:
    assert door.http("POST", f"{URL}/whoami", body=body).text.startswith("The body cannot be sent")


@pytest.mark.parametrize("headers", [{"a": 1}, {"a": None}, ["a"], "a: b", {1: "a"}, {"a": "\ud800"}])
def test_headers_that_are_none_are_the_agents_mistake(door: Door, headers) -> None:
    response = door.use("http_request", {"method": "GET", "url": f"{URL}/m1", "headers": headers})
    assert (response.status, response.text) == (0, "Headers are an object of names and text values.")


def test_a_long_response_is_cut_with_a_note(door: Door) -> None:
    text = door.http("GET", f"{URL}/long").text
    assert text.startswith('"xxx') and len(text) < MAX_CHARS + 200
    assert text.endswith("[cut: 100002 characters, 60000 shown; ask for fewer fields or a smaller page]")


def test_a_fault_of_ours_is_told_apart(door: Door) -> None:
    response = door.http("POST", f"{URL}/boom")
    assert response.status == 500 and not response.ok
    assert door.gateway.world.store.get(Memo, "boom") is None
    assert door.gateway.log[-1].fault


def test_unknown_tools_are_refused(door: Door) -> None:
    assert door.use("sample_nothing", {}).status == 0


@pytest.mark.parametrize(
    "response", [Response(200, "{}"), Response(404, ""), Response(0, "no"), Response(200, "a\n\nb")]
)
def test_rendering_reads_back(response: Response) -> None:
    assert Response.parse(response.render()) == response


def test_rendering_names_the_status() -> None:
    assert Response(404, '{"a":1}').render() == 'HTTP 404 Not Found\n\n{"a":1}'
    assert json.loads(Response(200, "[1]").text) == Response(200, "[1]").json() == [1]
