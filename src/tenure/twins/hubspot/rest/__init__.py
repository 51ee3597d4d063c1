"""HubSpot's REST API: sign-in, routing, error bodies and headers."""

import re
import uuid

from tenure.twins.hubspot.records import AUDIENCE
from tenure.twins.hubspot.rest import account, associations, limits, links, lists, objects, scopes, settings
from tenure.twins.hubspot.service.errors import HubSpotError, not_found
from tenure.twins.wire import NotRouted, Routes
from tenure.world import Call, Reply, Token
from tenure.world.ids import digest

ROUTES = Routes(
    (*objects.ROUTES, *associations.ROUTES, *settings.ROUTES, *lists.ROUTES, *account.ROUTES, *links.ROUTES)
)
MAX_TARGET = 16_384
"""Longest path and query, characters."""
DATED = ("2025-09", "2026-03", "2026-09")
"""Date-based versions that answer as v3 and v4 do."""
_ALIAS = re.compile(
    r"/crm/(objects|associations|properties|pipelines|owners|lists)/(?:" + "|".join(DATED) + r")(/.*)?"
)


def handle(call: Call) -> Reply:
    """Answer one REST call."""
    call.path = canonical(call.path)
    try:
        reply = _answer(call)
    except HubSpotError as error:
        reply = Reply(error.status, {**error.body(), "correlationId": correlation_id(call)})
    reply.headers |= {"X-HubSpot-Correlation-Id": correlation_id(call), **limits.headers(call)}
    return reply


def _answer(call: Call) -> Reply:
    if len(call.path) + len(call.query) > MAX_TARGET:
        raise HubSpotError(414, "URI_TOO_LONG", f"The path and query may have {MAX_TARGET} characters")
    if not call.path.startswith(account.OPEN):
        scopes.require(call, _signed_in(call))
    if over := limits.refusal(call):
        return Reply(429, {**over, "correlationId": correlation_id(call)})
    try:
        return ROUTES.dispatch(call)
    except NotRouted as error:
        if not error.allowed:
            raise not_found() from None
        refusal = HubSpotError(405, "METHOD_NOT_ALLOWED", f"{call.method} is not allowed here")
        body = {**refusal.body(), "correlationId": correlation_id(call)}
        return Reply(405, body, {"allow": ", ".join(error.allowed)})


def _signed_in(call: Call) -> Token:
    token = call.act.sign_in(call.bearer, AUDIENCE)
    if token is None:
        raise HubSpotError(
            401,
            "INVALID_AUTHENTICATION",
            "Authentication credentials not found, expired or not of this account. "
            "Send a private app's token: Authorization: Bearer pat-na1-…",
        )
    return token


def canonical(path: str) -> str:
    """A dated path as the versioned one that it stands for; others as they are."""
    match = _ALIAS.fullmatch(path)
    if match is None:
        return path
    family, rest = match[1], match[2] or ""
    version = "v4" if family == "associations" or "/associations/" in rest else "v3"
    return f"/crm/{version}/{family}{rest}"


def correlation_id(call: Call) -> str:
    """The id that an answer and its error body carry; the world's time and the path decide it."""
    raw = digest(call.act.world.seed, f"{call.method} {call.path}", call.act.now, 16)
    return str(uuid.UUID(bytes=raw, version=4))
