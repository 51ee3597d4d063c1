"""What each operation refuses: strangers, names that are not there, forms that are wrong."""

from typing import Any

import pytest

from tenure.twins.hubspot.rest import ROUTES
from tenure.twins.hubspot.rest.account import OPEN
from tenure.twins.wire import Route
from twins.hubspot.make import HUBSPOT, Api

PLAIN = [{"associationCategory": HUBSPOT, "associationTypeId": 279}]
SHOES = {"inputs": [{"from": {"id": "1"}, "to": {"id": "1"}, "types": PLAIN, "type": "friend"}]}
EMPTY: dict[str, Any] = {}


@pytest.mark.parametrize(
    "route", [r for r in ROUTES.routes if not r.template.startswith(OPEN)], ids=lambda r: r.operation
)
def test_every_operation_wants_a_token(api: Api, route: Route) -> None:
    path = route.template.replace("{", "").replace("}", "")
    error = api(route.method, path, EMPTY, token="nobody", status=401)
    assert error["category"] == "INVALID_AUTHENTICATION"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("DELETE", "/crm/v3/objects/shoes/1", None, 400),
        ("POST", "/crm/v3/objects/contacts/gdpr-delete", {"objectId": "x", "idProperty": "lastname"}, 400),
        ("POST", "/crm/v3/objects/contacts/gdpr-delete", EMPTY, 400),
        ("DELETE", "/crm/v4/objects/shoes/1/associations/contacts/1", None, 400),
        ("PUT", "/crm/v4/objects/contacts/1/associations/default/companies/99", None, 404),
        (
            "POST",
            "/crm/v4/associations/contacts/companies/batch/associate/default",
            {"inputs": [{"from": {"id": "99"}, "to": {"id": "1"}}]},
            404,
        ),
        ("POST", "/crm/v4/associations/contacts/companies/batch/read", {"inputs": [{"id": "99"}]}, 404),
        ("POST", "/crm/v4/associations/contacts/companies/batch/archive", {"inputs": [{"to": []}]}, 400),
        ("POST", "/crm/v4/associations/contacts/deals/batch/labels/archive", SHOES, 400),
        ("GET", "/crm/v4/associations/contacts/shoes/labels", None, 400),
        ("DELETE", "/crm/v3/objects/contacts/1/associations/companies/1/friend", None, 400),
        ("POST", "/crm/v3/associations/contacts/companies/batch/read", {"inputs": [{"id": "99"}]}, 404),
        ("POST", "/crm/v3/associations/contacts/companies/batch/archive", SHOES, 400),
        ("GET", "/crm/v3/associations/contacts/shoes/types", None, 400),
        ("GET", "/crm/v3/properties/shoes", None, 400),
        ("POST", "/crm/v3/properties/contacts/batch/create", {"inputs": [{"name": "x"}]}, 400),
        ("POST", "/crm/v3/properties/contacts/batch/archive", {"inputs": [{"name": "email"}]}, 400),
        ("GET", "/crm/v3/properties/shoes/groups", None, 400),
        ("PATCH", "/crm/v3/properties/contacts/groups/nosuch", {"label": "X"}, 404),
        ("GET", "/crm/v3/pipelines/shoes", None, 400),
        ("GET", "/crm/v3/pipelines/deals/nosuch/stages", None, 404),
        ("GET", "/crm/v3/lists", None, 404),
        ("DELETE", "/crm/v3/lists/99", None, 404),
        ("PUT", "/crm/v3/lists/21/restore", None, 404),
        ("GET", "/crm/v3/lists/99/memberships", None, 404),
        ("PUT", "/crm/v3/lists/22/memberships/remove", ["1"], 400),
        ("PUT", "/crm/v3/lists/22/memberships/add-and-remove", {"recordIdsToAdd": ["1"]}, 400),
        ("DELETE", "/crm/v3/lists/22/memberships", None, 400),
        ("GET", "/crm/v3/lists/records/0-1/99/memberships", None, 404),
        ("GET", "/crm-object-schemas/v3/schemas", None, 400),
        ("PATCH", "/engagements/v1/engagements/99", EMPTY, 404),
    ],
)
def test_operations_refuse_what_is_not_there(
    api: Api, method: str, path: str, body: Any, status: int
) -> None:
    query = {"/crm/v3/lists": "listIds=99", "/crm-object-schemas/v3/schemas": "archived=maybe"}.get(path, "")
    api(method, path, body, query=query, status=status)
    assert api.world.store.changes() == []
