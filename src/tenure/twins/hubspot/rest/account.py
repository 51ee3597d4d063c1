"""Routes of schemas, engagements, the account, its tokens and its workflows."""

from tenure.twins.hubspot.rest.request import flag, json, number
from tenure.twins.hubspot.service import account, engagements, schemas
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.wire import Route
from tenure.world import Call, Reply

_SCHEMAS = "/crm-object-schemas/v3/schemas"
_SCHEMA = _SCHEMAS + "/{objectType}"
_ENGAGEMENTS = "/engagements/v1/engagements"
_ENGAGEMENT = _ENGAGEMENTS + "/{engagementId}"
_ACCESS = "/oauth/v1/access-tokens/"
TOKEN = "/oauth/v1/token"
OPEN = (TOKEN, _ACCESS)
"""How the paths begin that need no bearer token: they carry credentials themselves."""


def get_schemas(call: Call) -> Reply:
    """Every custom type."""
    found = schemas.every(call.act, flag(call, "archived"))
    return Reply(200, {"results": [schemas.schema_body(call.act, s) for s in found]})


def get_schema(call: Call) -> Reply:
    """One custom type."""
    return Reply(200, schemas.schema_body(call.act, schemas.get(call.act, call.params["objectType"])))


def create_schema(call: Call) -> Reply:
    """Define a custom type."""
    return Reply(201, schemas.schema_body(call.act, schemas.make(call.act, json(call))))


def update_schema(call: Call) -> Reply:
    """Change a custom type."""
    changed = schemas.change(call.act, call.params["objectType"], json(call))
    return Reply(200, schemas.definition_body(call.act, changed))


def archive_schema(call: Call) -> Reply:
    """Delete a custom type."""
    schemas.archive(call.act, call.params["objectType"])
    return Reply(204)


def create_engagement(call: Call) -> Reply:
    """Create an engagement."""
    return Reply(200, engagements.make(call.act, json(call)))


def get_engagement(call: Call) -> Reply:
    """One engagement."""
    return Reply(200, engagements.get(call.act, call.params["engagementId"]))


def update_engagement(call: Call) -> Reply:
    """Change an engagement."""
    return Reply(200, engagements.change(call.act, call.params["engagementId"], json(call)))


def get_details(call: Call) -> Reply:
    """The account's details."""
    return Reply(200, account.details(call.act))


def get_private_app_token(call: Call) -> Reply:
    """What a private app's token may do."""
    return Reply(200, account.private_app_token(call.act, json(call).text("tokenKey")))


def get_access_token(call: Call) -> Reply:
    """What an access token is."""
    return Reply(200, account.oauth_token(call.act, call.params["token"]))


def create_token(call: Call) -> Reply:
    """Exchange a refresh token."""
    return Reply(200, account.grant(call.act, call.form))


def get_flows(call: Call) -> Reply:
    """A page of workflows."""
    rows, more = account.flows(call.act, number(call, "limit", 100), call.arg("after") or "")
    return Reply(200, listed(rows, more))


def get_flow(call: Call) -> Reply:
    """One workflow."""
    return Reply(200, account.flow(call.act, call.params["flowId"]))


ROUTES = (
    Route("crm.schemas.core.get_all", "GET", _SCHEMAS, get_schemas),
    Route("crm.schemas.core.create", "POST", _SCHEMAS, create_schema),
    Route("crm.schemas.core.get_by_id", "GET", _SCHEMA, get_schema),
    Route("crm.schemas.core.update", "PATCH", _SCHEMA, update_schema),
    Route("crm.schemas.core.archive", "DELETE", _SCHEMA, archive_schema),
    Route("engagements.v1.create", "POST", _ENGAGEMENTS, create_engagement),
    Route("engagements.v1.get_by_id", "GET", _ENGAGEMENT, get_engagement),
    Route("engagements.v1.update", "PATCH", _ENGAGEMENT, update_engagement),
    Route("account_info.v3.details", "GET", "/account-info/v3/details", get_details),
    Route(
        "oauth.v2.private_apps.token_info",
        "POST",
        "/oauth/v2/private-apps/get/access-token-info",
        get_private_app_token,
    ),
    Route("oauth.access_tokens.get", "GET", _ACCESS + "{token}", get_access_token),
    Route("oauth.tokens.create", "POST", TOKEN, create_token),
    Route("automation.v4.flows.get_page", "GET", "/automation/v4/flows", get_flows),
    Route("automation.v4.flows.get_by_id", "GET", "/automation/v4/flows/{flowId}", get_flow),
)
