"""Whatever is sent, the twin answers as a product does: it never fails inside, and refusals undo all."""

from urllib.parse import quote

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenure.twins.hubspot.rest import ROUTES
from tenure.world import Door
from twins.hubspot.make import HOST, TOKEN, Api

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
CALM = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


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
