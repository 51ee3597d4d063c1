"""Who may do what: credentials, scopes, other mailboxes, unknown paths."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.twins.gmail.rest import DOCUMENT, OPERATIONS
from tenure.world import Gateway, Token

from .make import ADA, ME, Client, build, letter, open_world, raw

AUTH = "https://www.googleapis.com/auth/"
FIRST = f"{0xA1:016x}"


@pytest.fixture(scope="module")
def scoped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokens = [
        Token(id=f"ya29.{name}", account=ADA, audience="google", scopes=[f"{AUTH}gmail.{name}"])
        for name in ("readonly", "metadata", "send", "labels", "compose", "insert", "settings.basic")
    ]
    tokens.append(
        Token(id="ya29.late", account=ADA, audience="google", scopes=["https://mail.google.com/"], expires=1)
    )
    tokens.append(
        Token(id="ya29.other", account=ADA, audience="hubspot", scopes=["https://mail.google.com/"])
    )
    return build(tmp_path_factory.mktemp("access") / "base.db", tokens)


@pytest.fixture
def service(scoped: Path) -> Iterator[Gateway]:
    world, gateway = open_world(scoped)
    yield gateway
    world.close()


def test_every_operation_needs_a_credential(service: Gateway) -> None:
    for id in OPERATIONS:
        method = DOCUMENT.methods[id]
        path = method.path.replace("{userId}", "me").replace("{messageId}", FIRST).replace("{id}", FIRST)
        path = path.replace("{sendAsEmail}", "ada@acme.test")
        for secret, reason in (("", "required"), ("ya29.wrong", "authError")):
            status, body = Client(service, secret=secret).send(method.http, path)
            error = body["error"]
            assert (status, error["status"]) == (401, "UNAUTHENTICATED"), id
            assert (
                error["errors"][0]["reason"] == reason and error["errors"][0]["location"] == "Authorization"
            )


def test_expired_and_foreign_tokens_open_nothing(service: Gateway) -> None:
    for secret in ("ya29.late", "ya29.other"):
        status, headers, _ = Client(service, secret=secret).exchange("GET", f"{ME}/profile")
        assert status == 401 and 'error="invalid_token"' in headers["www-authenticate"]


def test_a_refresh_token_opens_no_api(service: Gateway) -> None:
    from tenure.twins.google import google_tokens

    from .make import SEED

    for token in google_tokens(SEED, ADA)[1:]:
        assert Client(service, secret=token.id).send("GET", f"{ME}/profile")[0] == 401


@pytest.mark.parametrize(
    ("scope", "method", "path", "body", "status"),
    [
        ("readonly", "GET", "/messages", None, 200),
        ("readonly", "POST", "/messages/send", {"raw": raw(letter("a@b.test"))}, 403),
        ("send", "POST", "/messages/send", {"raw": raw(letter("a@b.test"))}, 200),
        ("send", "GET", "/messages", None, 403),
        ("labels", "POST", "/labels", {"name": "x"}, 200),
        ("labels", "GET", "/messages", None, 403),
        ("compose", "POST", "/drafts", {"message": {"raw": raw(letter("a@b.test"))}}, 200),
        ("compose", "DELETE", f"/messages/{FIRST}", None, 403),
        ("insert", "POST", "/messages", {"raw": raw(letter("a@b.test"))}, 200),
        ("settings.basic", "PUT", "/settings/vacation", {}, 200),
        ("settings.basic", "GET", "/profile", None, 403),
        ("metadata", "GET", f"/messages/{FIRST}?format=metadata", None, 200),
        ("metadata", "GET", f"/messages/{FIRST}", None, 403),
        ("metadata", "GET", "/messages?q=x", None, 403),
        ("metadata", "GET", "/messages?labelIds=INBOX", None, 200),
    ],
)
def test_scopes(service: Gateway, scope: str, method: str, path: str, body: object, status: int) -> None:
    client = Client(service, secret=f"ya29.{scope}")
    path, _, query = path.partition("?")
    got, answer = client.send(method, f"{ME}{path}", body, **dict([query.split("=")] if query else []))
    assert got == status, answer
    if got == 403 and scope != "metadata":
        assert answer["error"]["errors"][0]["reason"] == "insufficientPermissions"
        assert answer["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"


def test_the_user_is_me_or_the_own_address(ada: Client) -> None:
    for user in ("me", "ada@acme.test", "ADA%40acme.test"):
        assert ada.send("GET", f"/gmail/v1/users/{user}/profile")[0] == 200
    for user in ("bo@acme.test", "nobody@else.test", "ada"):
        status, body = ada.send("GET", f"/gmail/v1/users/{user}/messages")
        assert (status, body["error"]["message"]) == (403, "Delegation denied for ada@acme.test")


def test_the_token_may_stand_in_the_query(ada: Client) -> None:
    nobody = Client(ada.gateway, secret="")
    assert nobody.send("GET", f"{ME}/profile", access_token=ada.secret)[0] == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/gmail/v1/nothing"),
        ("PATCH", f"{ME}/profile"),
        ("GET", "/batch"),
        ("PUT", f"{ME}/watch"),
    ],
)
def test_paths_that_no_api_has(ada: Client, method: str, path: str) -> None:
    status, headers, body = ada.exchange(method, path)
    assert status == 404 and headers["content-type"].startswith("text/html")
    assert b"Error 404 (Not Found)!!1" in body


def test_described_operations_without_an_implementation_say_so(ada: Client) -> None:
    missing = set(DOCUMENT.methods) - set(OPERATIONS)
    assert len(missing) == 36
    status, body = ada.send("GET", f"{ME}/settings/imap")
    assert (status, body["error"]["status"]) == (501, "UNIMPLEMENTED")


def test_the_description_is_served(ada: Client) -> None:
    nobody = Client(ada.gateway, secret="")
    status, document = nobody.send("GET", "/$discovery/rest", version="v1")
    assert status == 200 and document["id"] == "gmail:v1"
    status, same = nobody.send("GET", "/discovery/v1/apis/gmail/v1/rest", host="www.googleapis.com")
    assert status == 200 and same == document
    assert nobody.send("GET", "/$discovery/rest", version="v2")[0] == 404
    assert nobody.send("GET", "/discovery/v1/apis/gmail/v2/rest", host="www.googleapis.com")[0] == 404


def test_a_refused_call_changes_nothing(ada: Client) -> None:
    before = len(ada.gateway.world.store.changes())
    body = {"raw": raw(letter("bo@acme.test, broken")), "threadId": ""}
    assert ada.refused("POST", "/messages/send", body)[0] == 400
    assert len(ada.gateway.world.store.changes()) == before


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        ("/labels", b"{", "Invalid JSON payload received."),
        ("/labels", b"[]", "Invalid JSON payload received. Root element must be a message"),
        ("/labels", {"nme": "x"}, 'Invalid JSON payload received. Unknown name "nme": Cannot find field.'),
        ("/labels", {"color": {"hue": 1}}, "Unknown name \"hue\" at 'color': Cannot find field."),
        ("/labels", {"name": 5}, "Invalid value at 'name' (TYPE_STRING), 5"),
        ("/labels", {"color": 5}, "Invalid value at 'color'"),
        ("/messages/batchModify", {"ids": [1]}, "Invalid value at 'ids[0]' (TYPE_STRING), 1"),
    ],
)
def test_bodies_that_do_not_fit(ada: Client, path: str, body: object, text: str) -> None:
    status, _, message = ada.refused("POST", path, body)
    assert status == 400 and text in message


def test_field_names_may_be_in_snake_case(ada: Client) -> None:
    assert ada.ok("GET", "/messages", max_results=1)["messages"]
    assert (
        ada.ok("POST", f"/messages/{FIRST}/modify", {"add_label_ids": ["STARRED"]})["labelIds"][-1]
        == "STARRED"
    )
