"""Google's identity hosts."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import orjson
import pytest

from tenure.twins.google import IDENTITY_SURFACES, google_tokens, headers_of
from tenure.twins.google.oauth import LIFETIME
from tenure.world import Account, Act, BaseBuilder, Gateway, Token, World

SEED = 3
HOST, ACCOUNTS = "oauth2.googleapis.com", "accounts.google.com"


class Identity:
    """A twin that serves nothing but the identity hosts."""

    name = "identity"
    kinds = ()
    surfaces = IDENTITY_SURFACES
    tools = ()
    mcp = f"https://{HOST}/none"
    events: dict = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        return headers_of(act, account)


class Clock:
    now = 1000.0


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with BaseBuilder(tmp_path / "base.db", now=0, seed=SEED) as builder:
        for name in ("ada", "bo"):
            builder.add(Account(id=name, email=f"{name}@acme.test", name=name.title()))
            for token in google_tokens(SEED, name):
                builder.add(token)
    Clock.now = 1000.0
    world = World(tmp_path / "base.db", [Identity()], real_time=lambda: Clock.now)
    yield world
    world.close()


@pytest.fixture
def gateway(world: World) -> Gateway:
    return Gateway(world)


def post(gateway: Gateway, path: str = "/token", host: str = HOST, **form: str) -> tuple[int, dict]:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    reply = gateway.answer("POST", host, path, "", headers, urlencode(form).encode())
    return reply.status, orjson.loads(reply.encoded()[1])


def refresh(account: str = "ada", **changes: str) -> dict[str, str]:
    _, token, client = google_tokens(SEED, account)
    id, _, secret = client.id.partition(":")
    form = {
        "grant_type": "refresh_token",
        "refresh_token": token.id,
        "client_id": id,
        "client_secret": secret,
    }
    return {name: value for name, value in {**form, **changes}.items() if value}


def info(gateway: Gateway, token: str) -> tuple[int, dict]:
    reply = gateway.answer("GET", HOST, "/tokeninfo", urlencode({"access_token": token}))
    return reply.status, orjson.loads(reply.encoded()[1])


def test_the_tokens_have_the_vendors_forms() -> None:
    access, refreshing, client = google_tokens(SEED, "ada")
    assert access.id.startswith("ya29.") and refreshing.id.startswith("1//0")
    assert ".apps.googleusercontent.com:GOCSPX-" in client.id
    assert google_tokens(SEED, "ada") == [access, refreshing, client]
    assert {t.id for t in google_tokens(SEED, "bo")}.isdisjoint({access.id, refreshing.id, client.id})
    assert {t.id for t in google_tokens(SEED + 1, "ada")}.isdisjoint({access.id, refreshing.id, client.id})


@pytest.mark.parametrize(("host", "path"), [(HOST, "/token"), (ACCOUNTS, "/o/oauth2/token")])
def test_a_refresh_token_gives_an_access_token_that_expires(gateway: Gateway, host: str, path: str) -> None:
    status, body = post(gateway, path, host, **refresh())
    assert status == 200
    assert (body["expires_in"], body["token_type"]) == (LIFETIME, "Bearer")
    assert "https://mail.google.com/" in body["scope"].split()
    status, about = info(gateway, body["access_token"])
    assert (status, about["email"], about["expires_in"]) == (200, "ada@acme.test", str(LIFETIME))
    Clock.now += LIFETIME + 1
    assert info(gateway, body["access_token"])[0] == 400


def test_a_refresh_may_ask_for_less_but_not_for_more(gateway: Gateway) -> None:
    less = post(gateway, **refresh(scope="openid"))[1]
    assert less["scope"] == "openid"
    assert post(gateway, **refresh(scope="openid https://else.test/all"))[1]["error"] == "invalid_scope"


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"grant_type": ""}, 400, "invalid_request"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"refresh_token": "1//0nothing"}, 400, "invalid_grant"),
        ({"refresh_token": google_tokens(SEED, "ada")[0].id}, 400, "invalid_grant"),
        ({"refresh_token": google_tokens(SEED, "bo")[1].id}, 401, "unauthorized_client"),
        ({"client_secret": "GOCSPX-wrong"}, 401, "invalid_client"),
        ({"client_id": ""}, 401, "invalid_client"),
    ],
)
def test_refreshes_that_are_refused(gateway: Gateway, changes: dict, status: int, error: str) -> None:
    got, body = post(gateway, **refresh(**changes))
    assert (got, body["error"]) == (status, error) and body["error_description"]


def test_a_revoked_token_opens_nothing(gateway: Gateway, world: World) -> None:
    access, refreshing, client = google_tokens(SEED, "ada")
    assert post(gateway, "/revoke", token=access.id) == (200, {})
    assert info(gateway, access.id)[0] == 400
    assert post(gateway, "/revoke", token=access.id)[1]["error"] == "invalid_token"
    assert post(gateway, "/revoke", token=client.id)[0] == 400
    assert post(gateway, "/revoke", token=refreshing.id)[0] == 200
    assert post(gateway, **refresh())[1]["error"] == "invalid_grant"
    assert world.store.count(Token) == 4


def test_who_a_token_is_for(gateway: Gateway) -> None:
    headers = {"authorization": f"Bearer {google_tokens(SEED, 'bo')[0].id}"}
    reply = gateway.answer("GET", "www.googleapis.com", "/oauth2/v3/userinfo", "", headers)
    assert (reply.status, reply.body["email"]) == (200, "bo@acme.test")
    assert gateway.answer("GET", "www.googleapis.com", "/oauth2/v3/userinfo").status == 401


def test_the_consent_page_refuses_and_grants_no_code(gateway: Gateway) -> None:
    query = urlencode(
        {"redirect_uri": "https://app.test/back?a=1", "state": "s", "login_hint": "ada@acme.test"}
    )
    reply = gateway.answer("GET", ACCOUNTS, "/o/oauth2/v2/auth", query)
    assert reply.status == 302
    got = parse_qs(urlsplit(reply.headers["location"]).query)
    assert got == {"a": ["1"], "error": ["access_denied"], "state": ["s"]}
    assert gateway.answer("GET", ACCOUNTS, "/o/oauth2/v2/auth").status == 400


def test_other_paths_and_methods(gateway: Gateway) -> None:
    configuration = gateway.answer("GET", ACCOUNTS, "/.well-known/openid-configuration")
    assert configuration.body["token_endpoint"] == f"https://{HOST}/token"
    assert gateway.answer("GET", HOST, "/token").status == 404
    assert gateway.answer("GET", HOST, "/elsewhere").status == 404


def test_the_credential_is_the_accounts_lasting_token(gateway: Gateway, world: World) -> None:
    from tenure.schema import Via

    post(gateway, **refresh())
    with world.act(Via.WORLD) as act:
        assert headers_of(act, "ada") == {"authorization": f"Bearer {google_tokens(SEED, 'ada')[0].id}"}
        assert headers_of(act, "nobody") == {}
