"""Credentials of Google accounts in a world."""

from collections.abc import Callable, Iterable

from tenure.twins.google.errors import unauthenticated
from tenure.world import Act, Call, Token
from tenure.world.ids import digest

AUDIENCE = "google"
SCOPES = (
    "https://mail.google.com/",
    "https://www.googleapis.com/auth/gmail.settings.basic",
    "https://www.googleapis.com/auth/gmail.settings.sharing",
    "https://www.googleapis.com/auth/calendar",
    "https://www.googleapis.com/auth/drive",
    "https://www.googleapis.com/auth/documents",
    "https://www.googleapis.com/auth/spreadsheets",
    "https://www.googleapis.com/auth/userinfo.email",
    "https://www.googleapis.com/auth/userinfo.profile",
    "openid",
)
"""What a persona's tokens may do unless a world says otherwise."""


def _secret(seed: int, kind: str, account: str, size: int) -> str:
    return digest(seed, f"google.{kind}.{account}", 0, size).hex()


def google_tokens(seed: int, account: str, scopes: Iterable[str] = SCOPES) -> list[Token]:
    """An account's access token, refresh token and OAuth client, in the vendor's forms.

    Args:
        seed: The world's seed.
        account: Account id.
        scopes: What the tokens may do.

    Returns:
        Three records for the base. The client's id is ``client_id:client_secret``.
    """
    granted = list(scopes)
    number = int(_secret(seed, "client", account, 5), 16)
    client = f"{number}-{_secret(seed, 'client', account, 16)}.apps.googleusercontent.com"
    return [
        Token(
            id=f"ya29.{_secret(seed, 'access', account, 40)}",
            account=account,
            audience=AUDIENCE,
            scopes=granted,
        ),
        Token(
            id=f"1//0{_secret(seed, 'refresh', account, 32)}",
            account=account,
            audience=AUDIENCE,
            use="refresh",
            scopes=granted,
        ),
        Token(
            id=f"{client}:GOCSPX-{_secret(seed, 'secret', account, 14)}",
            account=account,
            audience=AUDIENCE,
            use="client",
        ),
    ]


def headers_of(act: Act, account: str) -> dict[str, str]:
    """The header that signs an account's requests in; empty when it has no Google token."""
    for token in act.all(Token, "account", account):
        if token.audience == AUDIENCE and token.use == "access" and token.expires is None:
            return {"authorization": f"Bearer {token.id}"}
    return {}


def signed_in(call: Call) -> Token:
    """Take on the account of a call's access token.

    Raises:
        GoogleError: 401.
    """
    secret = call.bearer or call.arg("access_token") or call.arg("oauth_token") or ""
    token = call.act.sign_in(secret, AUDIENCE) if secret else None
    if token is None:
        raise unauthenticated(bool(secret))
    return token


def mcp_sign_in(scopes: Iterable[str]) -> Callable[[Call], bool]:
    """How an MCP endpoint signs its calls in: a token with any of the scopes."""
    needed = frozenset(scopes)

    def sign_in(call: Call) -> bool:
        token = call.act.sign_in(call.bearer, AUDIENCE) if call.bearer else None
        return token is not None and not needed.isdisjoint(token.scopes)

    return sign_in
