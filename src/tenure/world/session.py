"""Sessions: how a world's screens know who is looking.

One session signs an account in on every screen of a world, as a company's single sign-on does.
Its cookie opens screens only, and no other credential opens them.
"""

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any

from tenure.world.act import Act
from tenure.world.ids import digest
from tenure.world.record import Token
from tenure.world.wire import Call

AUDIENCE = "screen"
COOKIE = "session"
CSRF_HEADER = "x-csrf-token"


def open_session(act: Act, account: str) -> str:
    """Sign an account in; returns the secret that the cookie carries.

    Args:
        act: The act.
        account: Account id.

    Raises:
        LookupError: The world has no such account.
    """
    owner = act.account(account).id
    secret = digest(act.world.seed, f"session.{owner}", act.next(f"session/{owner}"), 32).hex()
    act.put(Token(id=secret, account=owner, audience=AUDIENCE, use="session"))
    return secret


def cookies(secret: str, hosts: Iterable[str]) -> list[dict[str, Any]]:
    """The session's cookies for a browser, in the shape of Playwright's ``add_cookies``."""
    kept = {"name": COOKIE, "value": secret, "path": "/", "secure": True, "httpOnly": True, "sameSite": "Lax"}
    return [{**kept, "domain": host} for host in sorted(hosts)]


def take_session(call: Call) -> str | None:
    """Take on the account of a call's session; returns its secret, ``None`` without one."""
    secret = _cookie(call.headers.get("cookie", ""))
    return secret if secret and call.act.sign_in(secret, AUDIENCE, "session") else None


def csrf_token(secret: str) -> str:
    """What a session's writes must repeat in ``CSRF_HEADER``."""
    return hashlib.blake2b(secret.encode(), digest_size=16, person=b"tenure.csrf").hexdigest()


def csrf_holds(call: Call, secret: str) -> bool:
    """Whether a write repeats its session's token."""
    return hmac.compare_digest(call.headers.get(CSRF_HEADER, "").encode(), csrf_token(secret).encode())


def _cookie(header: str) -> str:
    for pair in header.split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
