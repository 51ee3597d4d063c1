"""Whatever is sent, the twin answers as a product does: it never fails inside, and refusals undo all."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenure.twins.hubspot.rest import ROUTES
from tenure.world import Door
from twins.hubspot.make import CONTACTS, DEALS, HOST, IS_QUIST, TOKEN, Api, branch

TEXTS = """
contacts companies deals tickets notes ship 2-3001 0-1 default closedwon 1 2 10 99 0 -1 279 1e400
99999999999999999999 x é * % email amount closedate region renewal badge hs_object_id lifecyclestage
2026-10-01 1790812800000 999999999999999 0001-01-01T00:00:00+23:00 true HUBSPOT_DEFINED EQ IN BETWEEN
CONTAINS_TOKEN GT AND OR PROPERTY DYNAMIC MANUAL NOTE zoe@north.test associations.contact IS_BETWEEN
string number enumeration select
"""
NAMES = """
properties associations inputs id idProperty to from types filterGroups filters propertyName operator
value values highValue sorts limit after associationCategory associationTypeId label name displayOrder
stages metadata options type fieldType groupName engagement timestamp ownerId contactIds primaryObjectId
objectIdToMerge objectId query objectTypeId processingType filterBranch filterBranchType filterBranches
filterType property operation inverseLabel labels requiredProperties associatedObjects email amount
"""
ARGUMENTS = """
limit after archived properties propertiesWithHistory associations idProperty listIds includeFilters listName
"""
WORDS = st.sampled_from(TEXTS.split())
PLAIN = (
    WORDS | st.sampled_from(["", " ", None, True, False, 1.5, -0.0, 1e300]) | st.integers(-(2**63), 2**63 - 1)
)
BODIES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=5)
    ),
)
QUERY = st.dictionaries(st.sampled_from(ARGUMENTS.split()), WORDS, max_size=3)
CALM = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


LINK = {"to": {"id": "1"}, "types": [{"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": 279}]}
PAIR = {"from": {"id": "10"}, "to": {"id": "1"}, "types": LINK["types"]}
STAGE = {"label": "Due", "displayOrder": 0, "metadata": {"probability": "0.5"}}
FILTER = {"propertyName": "amount", "operator": "BETWEEN", "value": "1", "highValue": "2", "values": ["1"]}
OPTION = {"label": "A", "value": "a", "displayOrder": 1, "hidden": False}
PROPERTY = {
    "name": "size",
    "label": "Size",
    "type": "enumeration",
    "fieldType": "select",
    "groupName": "contactinformation",
    "options": [OPTION],
}
BETWEEN = {"operator": "IS_BETWEEN", "lowerBound": 2, "upperBound": 3}
LIST = {"name": "L", "objectTypeId": "0-1", "processingType": "DYNAMIC"}
NESTED: dict[str, Any] = {"filterBranchType": "AND"}
for _ in range(12):
    NESTED = {"filterBranchType": "AND", "filterBranches": [NESTED]}
GOOD: list[tuple[str, str, Any]] = [
    ("POST", CONTACTS, {"properties": {"email": "n@x.test", "region": "north"}, "associations": [LINK]}),
    (
        "PATCH",
        f"{DEALS}/1",
        {"properties": {"amount": "5", "closedate": "2026-10-01", "dealstage": "closedwon"}},
    ),
    ("PATCH", f"{CONTACTS}/1", {"properties": {"lifecyclestage": "customer", "hubspot_owner_id": "12"}}),
    ("POST", f"{CONTACTS}/batch/create", {"inputs": [{"properties": {"city": "X"}, "associations": [LINK]}]}),
    ("POST", f"{CONTACTS}/batch/upsert", {"inputs": [{"id": "B", "idProperty": "badge", "properties": {}}]}),
    ("POST", f"{CONTACTS}/batch/read", {"inputs": [{"id": "1"}], "propertiesWithHistory": ["email"]}),
    ("POST", f"{CONTACTS}/merge", {"primaryObjectId": "1", "objectIdToMerge": "2"}),
    ("POST", f"{CONTACTS}/gdpr-delete", {"objectId": "1", "idProperty": "email"}),
    (
        "POST",
        f"{DEALS}/search",
        {"filterGroups": [{"filters": [FILTER]}], "sorts": ["-amount"], "after": "0"},
    ),
    (
        "POST",
        f"{DEALS}/search",
        {"query": "north", "sorts": [{"propertyName": "amount", "direction": "ASCENDING"}]},
    ),
    ("PUT", "/crm/v4/objects/contacts/10/associations/companies/1", LINK["types"]),
    ("POST", "/crm/v4/associations/contacts/companies/batch/create", {"inputs": [PAIR]}),
    ("POST", "/crm/v4/associations/contacts/companies/batch/labels/archive", {"inputs": [PAIR]}),
    ("POST", "/crm/v4/associations/contacts/companies/batch/read", {"inputs": [{"id": "1", "after": "0"}]}),
    ("POST", "/crm/v4/associations/contacts/companies/labels", {"name": "pays", "label": "Pays"}),
    ("PUT", "/crm/v4/associations/contacts/deals/labels", {"associationTypeId": 2001, "label": "X"}),
    ("POST", "/crm/v3/properties/contacts", PROPERTY),
    ("PATCH", "/crm/v3/properties/contacts/region", {"options": [OPTION], "label": "R", "hidden": True}),
    ("POST", "/crm/v3/pipelines/deals", {"label": "R", "displayOrder": 1, "stages": [STAGE]}),
    ("PUT", "/crm/v3/pipelines/leads/lead-pipeline-id", {"label": "R", "displayOrder": 1, "stages": [STAGE]}),
    ("PATCH", "/crm/v3/pipelines/deals/default/stages/closedwon", STAGE),
    (
        "POST",
        "/crm/v3/lists",
        {
            "name": "L",
            "objectTypeId": "0-1",
            "processingType": "DYNAMIC",
            "filterBranch": branch("lastname", IS_QUIST),
        },
    ),
    ("PUT", "/crm/v3/lists/22/update-list-filters", {"filterBranch": branch("hs_object_id", BETWEEN)}),
    ("PUT", "/crm/v3/lists/21/memberships/add", ["1", "3"]),
    (
        "POST",
        "/engagements/v1/engagements",
        {
            "engagement": {"type": "TASK", "ownerId": 11, "timestamp": 1},
            "associations": {"contactIds": [1]},
            "metadata": {"subject": "S", "status": "WAITING"},
        },
    ),
]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (
            "/crm/v3/lists",
            {**LIST, "filterBranch": branch("lastname", {"operator": "IS_ANY_OF", "values": 5})},
            400,
        ),
        ("/crm/v3/lists", {**LIST, "filterBranch": branch("lastname", {"operator": "IS_EQUAL_TO"})}, 200),
        ("/crm/v3/lists", {**LIST, "filterBranch": NESTED}, 400),
        (DEALS, {"properties": {"dealname": "Huge", "amount": "1e308"}}, 400),
        (DEALS, {"properties": {"dealname": "Far", "closedate": "999999999999999"}}, 400),
        (f"{DEALS}/search", {"after": "99999999999999999999"}, 400),
        (f"{CONTACTS}/search", {"limit": 2**60}, 400),
        (CONTACTS, b"\xff\xfe", 400),
        (CONTACTS, b'{"properties": {"city": "\\ud800"}}', 400),
    ],
)
def test_inputs_that_once_failed_inside(api: Api, path: str, body: Any, status: int) -> None:
    api("POST", path, body, status=status)


def _altered(data: st.DataObject, value: Any) -> Any:
    """The value with one part of it replaced or left out."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(value)))
        if data.draw(st.booleans()):
            return {**value, name: _altered(data, value[name])}
        return {k: v for k, v in value.items() if k != name}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        return [_altered(data, value[0]), *value]
    return data.draw(BODIES)


@CALM
@given(data=st.data())
def test_a_request_that_is_almost_right_is_answered(base: Path, data: st.DataObject) -> None:
    api = Api(base, checks=False)
    method, path, body = data.draw(st.sampled_from(GOOD))
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    for _ in range(2):
        body = _altered(data, body)
    reply = api.gateway.answer(method, HOST, path, "", headers, orjson.dumps(body))
    assert not api.gateway.log[-1].fault, api.gateway.log[-1].fault
    assert reply.status in {200, 201, 204, 207, 400, 404, 409}
    for follow in (CONTACTS, DEALS, "/crm/v3/lists/22/memberships", "/crm/v3/pipelines/deals"):
        api("GET", follow)
    api.search("deals", sorts=["amount"])


@pytest.mark.parametrize(
    ("method", "path", "body"), GOOD, ids=lambda part: part if isinstance(part, str) else ""
)
def test_the_right_requests_are_right(api: Api, method: str, path: str, body: Any) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    reply = api.gateway.answer(method, HOST, path, "", headers, orjson.dumps(body))
    assert reply.status < 300, reply.body


@CALM
@given(data=st.data())
def test_no_request_makes_the_twin_fail(api: Api, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(ROUTES.routes))
    path = route.template
    for name in [part for part in path.split("/") if part.startswith("{")]:
        path = path.replace(name, quote(data.draw(WORDS)))
    body = data.draw(BODIES)
    query = "&".join(f"{name}={quote(value)}" for name, value in data.draw(QUERY).items())
    before = len(api.world.store.changes())
    raw = orjson.dumps(body)
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    reply = api.gateway.answer(route.method, HOST, path, query, headers, raw)
    line = api.gateway.log[-1]
    assert not line.fault, line.fault
    assert reply.status in {200, 201, 204, 207, 400, 404, 409}
    if reply.status >= 400:
        assert len(api.world.store.changes()) == before and line.changed == 0
    reply.encoded()


@CALM
@given(data=st.data())
def test_no_tool_call_makes_the_twin_fail(api: Api, data: st.DataObject) -> None:
    door = Door(api.gateway, "ada")
    name = data.draw(st.sampled_from(sorted(door.tools)))
    schema = door.tools[name][1].schema
    arguments = {
        argument: data.draw(BODIES)
        for argument in schema["properties"]
        if argument in schema.get("required", ()) or data.draw(st.booleans())
    }
    answer = door.call(name, arguments)
    assert not api.gateway.log[-1].fault, api.gateway.log[-1].fault
    assert answer.status in {200, 400}
