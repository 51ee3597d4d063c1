"""The account, its tokens and its workflows."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from tenure.twins.hubspot.records import AUDIENCE, SCOPES, Flow
from tenure.twins.hubspot.service import owners, types
from tenure.twins.hubspot.service.errors import HubSpotError, not_found
from tenure.twins.hubspot.service.paging import check_limit, cursor
from tenure.twins.hubspot.times import iso
from tenure.world import Act, Token

APP_ID = 1_840_117
"""The id of the private app behind every token."""
LIFETIME = 1_800
"""Seconds that an access token from the token endpoint lives."""


def details(act: Act) -> dict[str, Any]:
    """The account's details."""
    p = types.portal(act)
    offset = ZoneInfo(p.time_zone).utcoffset(datetime.fromtimestamp(act.now / 1000, UTC))
    seconds = int(offset.total_seconds()) if offset else 0
    sign, minutes = "-" if seconds < 0 else "+", abs(seconds) // 60
    return {
        "portalId": p.portal_id,
        "accountType": "STANDARD",
        "timeZone": p.time_zone,
        "companyCurrency": p.currency,
        "additionalCurrencies": [],
        "utcOffset": f"{sign}{minutes // 60:02d}:{minutes % 60:02d}",
        "utcOffsetMilliseconds": seconds * 1000,
        "uiDomain": p.ui_domain,
        "dataHostingLocation": "na1",
    }


def _user(act: Act, token: Token) -> int:
    owner = owners.own(act, token.account)
    return owner.user_id if owner else 0


def _token(act: Act, id: str) -> Token:
    """A live access token of this account's product.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = act.get(Token, id)
    if found is None or found.audience != AUDIENCE or found.use != "access":
        raise not_found("The access token is not known, or it has expired")
    return found


def private_app_token(act: Act, id: str) -> dict[str, Any]:
    """What a private app's token may do."""
    found = _token(act, id)
    return {
        "userId": _user(act, found),
        "hubId": types.portal(act).portal_id,
        "appId": APP_ID,
        "scopes": list(found.scopes),
    }


def oauth_token(act: Act, id: str) -> dict[str, Any]:
    """What an access token is, in the older form."""
    found = _token(act, id)
    p = types.portal(act)
    left = LIFETIME if found.expires is None else max(0, int(found.expires - act.world.real_time()))
    return {
        "token": id,
        "user": act.account(found.account).email,
        "hub_domain": p.ui_domain,
        "scopes": list(found.scopes),
        "hub_id": p.portal_id,
        "app_id": APP_ID,
        "expires_in": left,
        "user_id": _user(act, found),
        "token_type": "access",
    }


def grant(act: Act, form: dict[str, str]) -> dict[str, Any]:
    """A new access token for a refresh token.

    Raises:
        HubSpotError: 400, the grant, the client or the refresh token is not valid.
    """
    kind = form.get("grant_type", "")
    if kind != "refresh_token":
        raise HubSpotError(400, "BAD_GRANT_TYPE", f"grant_type must be refresh_token here, was {kind!r}")
    client = act.get(Token, f"{form.get('client_id', '')}:{form.get('client_secret', '')}")
    if client is None or client.audience != AUDIENCE or client.use != "client":
        raise HubSpotError(400, "BAD_CLIENT_ID", "missing or unknown client id or secret")
    refresh = act.get(Token, form.get("refresh_token", ""))
    if refresh is None or refresh.audience != AUDIENCE or refresh.use != "refresh":
        raise HubSpotError(400, "BAD_REFRESH_TOKEN", "missing or unknown refresh token")
    made = Token(
        id=f"CL{act.hex_id('hubspot.token', 40)}",
        account=refresh.account,
        audience=AUDIENCE,
        scopes=refresh.scopes or list(SCOPES),
        expires=act.world.real_time() + LIFETIME,
    )
    act.put(made)
    return {
        "token_type": "bearer",
        "refresh_token": refresh.id,
        "access_token": made.id,
        "expires_in": LIFETIME,
    }


# -- workflows -------------------------------------------------------------------------------


def _flow_head(act: Act, f: Flow) -> dict[str, Any]:
    act.show(f)
    return {
        "id": f.id,
        "isEnabled": f.enabled,
        "flowType": "WORKFLOW",
        "objectTypeId": types.resolve(act, f.object_type).spec.type_id,
        "name": f.name,
        "uuid": f"flow-{f.id}",
        "createdAt": iso(f.created_at),
        "updatedAt": iso(f.updated_at),
        "revisionId": str(f.revision),
    }


def flows(act: Act, limit: int, after: str) -> tuple[list[dict[str, Any]], str]:
    """A page of workflows, and where the next one starts.

    Raises:
        HubSpotError: 400, the limit or the cursor is not valid.
    """
    check_limit(limit, 100)
    start = cursor(after)
    page = act.page(Flow, "all", limit=limit, after=None if start is None else (start, after))
    return [_flow_head(act, f) for f in page.records], str(page.after[1]) if page.after else ""


def flow(act: Act, id: str) -> dict[str, Any]:
    """A workflow with its actions.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = act.get(Flow, id)
    if found is None:
        raise not_found(f"No flow with id {id} exists")
    return {
        **_flow_head(act, found),
        "type": "CONTACT_FLOW" if found.object_type == "contacts" else "PLATFORM_FLOW",
        "description": found.description,
        "startActionId": str(found.actions[0].get("actionId", "1")) if found.actions else None,
        "actions": found.actions,
        "enrollmentCriteria": found.enrollment,
    }
