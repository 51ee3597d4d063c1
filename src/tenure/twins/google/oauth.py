"""Google's identity hosts: token refresh, revocation, who a token is for.

There is no consent screen: a persona's credentials are the ones that its world gave it, so the
authorization endpoint refuses as a user would who clicks Cancel.
"""

import hmac
from typing import Any
from urllib.parse import urlencode, urlsplit

from tenure.twins.google.errors import no_such_page
from tenure.twins.google.tokens import AUDIENCE
from tenure.world import Call, Reply, Surface, Token

LIFETIME = 3599
"""Seconds of real time for which a refreshed access token is good."""
TOKEN_HOST, ACCOUNTS_HOST, API_HOST = "oauth2.googleapis.com", "accounts.google.com", "www.googleapis.com"
_CONFIGURATION = {
    "issuer": f"https://{ACCOUNTS_HOST}",
    "authorization_endpoint": f"https://{ACCOUNTS_HOST}/o/oauth2/v2/auth",
    "token_endpoint": f"https://{TOKEN_HOST}/token",
    "revocation_endpoint": f"https://{TOKEN_HOST}/revoke",
    "response_types_supported": ["code"],
    "grant_types_supported": ["refresh_token"],
    "code_challenge_methods_supported": ["S256"],
}


def _refuse(status: int, error: str, text: str) -> Reply:
    return Reply(status, {"error": error, "error_description": text})


def _client(call: Call) -> Token | None:
    form = call.form
    id, secret = form.get("client_id", ""), form.get("client_secret", "")
    found = call.act.get(Token, f"{id}:{secret}")
    good = found is not None and found.audience == AUDIENCE and found.use == "client"
    return found if good else None


def _token(call: Call) -> Reply:
    if call.method != "POST":
        return no_such_page()
    form, act = call.form, call.act
    grant = form.get("grant_type")
    if not grant:
        return _refuse(400, "invalid_request", "Required parameter is missing: grant_type")
    if grant != "refresh_token":
        return _refuse(400, "unsupported_grant_type", f"Invalid grant_type: {grant}")
    client = _client(call)
    if client is None:
        return _refuse(401, "invalid_client", "The OAuth client was not found.")
    refresh = act.get(Token, form.get("refresh_token", ""))
    if refresh is None or refresh.audience != AUDIENCE or refresh.use != "refresh":
        return _refuse(400, "invalid_grant", "Bad Request")
    if not hmac.compare_digest(refresh.account, client.account):
        return _refuse(401, "unauthorized_client", "Unauthorized")
    scopes = form["scope"].split() if form.get("scope") else refresh.scopes
    if not set(scopes) <= set(refresh.scopes):
        return _refuse(400, "invalid_scope", "Some requested scopes were invalid.")
    act.actor = refresh.account
    token = Token(
        id=f"ya29.{act.hex_id('google.token', 80)}",
        account=refresh.account,
        audience=AUDIENCE,
        scopes=scopes,
        expires=act.world.real_time() + LIFETIME,
    )
    act.put(token)
    body = {
        "access_token": token.id,
        "expires_in": LIFETIME,
        "scope": " ".join(scopes),
        "token_type": "Bearer",
    }
    return Reply(200, body)


def _revoke(call: Call) -> Reply:
    secret = call.form.get("token") or call.arg("token") or ""
    token = call.act.get(Token, secret)
    if token is None or token.audience != AUDIENCE or token.use == "client":
        return _refuse(400, "invalid_token", "Token expired or revoked")
    call.act.actor = token.account
    call.act.delete(token)
    return Reply(200, {})


def _about(call: Call) -> tuple[Token, dict[str, Any]] | None:
    secret = call.arg("access_token") or call.form.get("access_token") or call.bearer
    token = call.act.sign_in(secret, AUDIENCE) if secret else None
    if token is None:
        return None
    account = call.act.account()
    return token, {"sub": account.id, "email": account.email, "email_verified": True, "name": account.name}


def _tokeninfo(call: Call) -> Reply:
    about = _about(call)
    if about is None:
        return _refuse(400, "invalid_token", "Invalid Value")
    token, who = about
    left = LIFETIME if token.expires is None else int(token.expires - call.act.world.real_time())
    body = {"email": who["email"], "email_verified": "true", "sub": who["sub"], "access_type": "offline"}
    return Reply(200, {**body, "scope": " ".join(token.scopes), "expires_in": str(left)})


def _userinfo(call: Call) -> Reply:
    about = _about(call)
    if about is None:
        return _refuse(401, "invalid_request", "Invalid Credentials")
    return Reply(200, about[1])


def _consent(call: Call) -> Reply:
    target = call.arg("redirect_uri") or ""
    if not urlsplit(target).scheme:
        return _refuse(400, "invalid_request", "Missing required parameter: redirect_uri")
    answer = {"error": "access_denied"} | ({"state": state} if (state := call.arg("state")) else {})
    return Reply(
        302, None, {"location": f"{target}{'&' if urlsplit(target).query else '?'}{urlencode(answer)}"}
    )


_ROUTES = {
    (TOKEN_HOST, "/token"): _token,
    (TOKEN_HOST, "/revoke"): _revoke,
    (TOKEN_HOST, "/tokeninfo"): _tokeninfo,
    (ACCOUNTS_HOST, "/o/oauth2/token"): _token,
    (ACCOUNTS_HOST, "/o/oauth2/v2/auth"): _consent,
    (ACCOUNTS_HOST, "/o/oauth2/auth"): _consent,
    (ACCOUNTS_HOST, "/.well-known/openid-configuration"): lambda call: Reply(200, _CONFIGURATION),
    (API_HOST, "/oauth2/v3/userinfo"): _userinfo,
}


def _identity(call: Call) -> Reply:
    run = _ROUTES.get((call.host, call.path.rstrip("/")))
    return run(call) if run else no_such_page()


IDENTITY_SURFACES = (
    Surface(TOKEN_HOST, _identity),
    Surface(ACCOUNTS_HOST, _identity),
    Surface(API_HOST, _identity, "/oauth2"),
)
"""The same for every Google twin, so that a world with several serves them once."""


def resource_surface(url: str, scopes: tuple[str, ...]) -> Surface:
    """The RFC 9728 document of an MCP endpoint: where its tokens come from.

    Args:
        url: The endpoint.
        scopes: What its tools need.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    prefix = "/.well-known/oauth-protected-resource"
    body = {
        "resource": url,
        "authorization_servers": [f"https://{ACCOUNTS_HOST}/"],
        "scopes_supported": list(scopes),
        "bearer_methods_supported": ["header"],
    }

    def handle(call: Call) -> Reply:
        known = call.path in (prefix, prefix + parts.path)
        return Reply(200, body) if known else no_such_page()

    return Surface(host, handle, prefix)
