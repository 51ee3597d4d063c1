"""Schemas, engagements, the account, tokens and workflows."""

from typing import Any
from urllib.parse import urlencode

import pytest

from tenure.twins.hubspot.records import Association, pair_id
from twins.hubspot.make import CLIENT, NOW, REFRESH, TOKEN, Api

SCHEMAS = "/crm-object-schemas/v3/schemas"
ENGAGEMENTS = "/engagements/v1/engagements"
PORT = {
    "name": "port",
    "labels": {"singular": "Port", "plural": "Ports"},
    "primaryDisplayProperty": "port_name",
    "requiredProperties": ["port_name"],
    "searchableProperties": ["port_name"],
    "properties": [{"name": "port_name", "label": "Port name", "type": "string", "fieldType": "text"}],
    "associatedObjects": ["COMPANY"],
}


def test_a_custom_type_lives_from_definition_to_deletion(api: Api) -> None:
    assert [s["name"] for s in api("GET", SCHEMAS)["results"]] == ["ship"]
    made = api("POST", SCHEMAS, PORT, status=201)
    assert made["fullyQualifiedName"] == "p4242_port"
    assert {a["toObjectTypeId"] for a in made["associations"]} >= {"0-2", "0-46"}
    api("POST", SCHEMAS, PORT, status=409)
    assert api("GET", f"{SCHEMAS}/port")["objectTypeId"] == made["objectTypeId"]
    changed = api("PATCH", f"{SCHEMAS}/{made['objectTypeId']}", {"labels": {"plural": "Harbours"}})
    assert changed["labels"] == {"singular": "Port", "plural": "Harbours"}
    api("PATCH", f"{SCHEMAS}/port", {"requiredProperties": ["nosuch"]}, status=400)
    record = api("POST", "/crm/v3/objects/port", {"properties": {"port_name": "Kiel"}}, status=201)
    assert api.search("port", query="kie") == [record["id"]]
    assert api("GET", "/crm/v3/objects/ship/" + record["id"], status=404)
    api("DELETE", f"{SCHEMAS}/port", status=400)
    api("DELETE", f"/crm/v3/objects/port/{record['id']}", status=204)
    api("DELETE", f"{SCHEMAS}/port", status=204)
    api("GET", f"{SCHEMAS}/port", status=404)
    api("GET", f"{SCHEMAS}/contacts", status=404)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "1 port"},
        {"labels": None},
        {"requiredProperties": ["nosuch"]},
        {"associatedObjects": ["SHOE"]},
        {"properties": [{"name": "port_name", "label": "P", "type": "money", "fieldType": "text"}]},
    ],
)
def test_definitions_of_types_that_are_refused(api: Api, change: dict[str, Any]) -> None:
    api("POST", SCHEMAS, {**PORT, **change}, status=400)
    assert api.world.store.changes() == []


def test_an_engagement_is_the_activity_it_names(api: Api) -> None:
    body = {
        "engagement": {"type": "NOTE", "ownerId": 11, "timestamp": NOW, "active": True},
        "associations": {"contactIds": [1], "dealIds": [2], "companyIds": [], "ownerIds": []},
        "metadata": {"body": "Said yes"},
    }
    made = api("POST", ENGAGEMENTS, body)
    id = made["engagement"]["id"]
    assert (made["engagement"]["timestamp"], made["engagement"]["ownerId"]) == (NOW, 11)
    assert made["associations"]["contactIds"] == [1]
    note = api("GET", f"/crm/v3/objects/notes/{id}", query="properties=hs_note_body,hubspot_owner_id")
    assert note["properties"]["hs_note_body"] == "Said yes"
    link = api.world.store.get(Association, pair_id(("notes", str(id)), ("contacts", "1")))
    assert link is not None and link.types_from(("notes", str(id))) == [202]
    change = {"metadata": {"body": "Said maybe"}, "associations": {"ticketIds": [1]}}
    changed = api("PATCH", f"{ENGAGEMENTS}/{id}", change)
    assert (changed["metadata"], changed["associations"]["contactIds"]) == ({"body": "Said maybe"}, [1])
    assert api("GET", f"{ENGAGEMENTS}/{id}") == changed
    assert api("GET", f"{ENGAGEMENTS}/2")["metadata"]["subject"] == "Send terms"


def test_every_type_of_engagement_can_be_logged(api: Api) -> None:
    for kind, metadata in (
        ("TASK", {"subject": "Call", "body": "B", "status": "WAITING", "forObjectType": "CONTACT"}),
        ("CALL", {"title": "T", "durationMilliseconds": 60_000}),
        ("MEETING", {"title": "T", "startTime": NOW, "endTime": NOW}),
        ("EMAIL", {"subject": "S", "text": "T"}),
    ):
        made = api("POST", ENGAGEMENTS, {"engagement": {"type": kind}, "metadata": metadata})
        assert made["engagement"]["type"] == kind
        assert made["engagement"]["timestamp"] == api.world.now
        assert set(made["metadata"]) >= set(metadata) - {"forObjectType"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"engagement": {"type": "FAX"}}, 400),
        ({"engagement": {"type": "NOTE", "ownerId": 901}}, 400),
        ({"engagement": {"type": "TASK"}, "metadata": {"status": "LATER"}}, 400),
        ({"engagement": {"type": "NOTE"}, "associations": {"contactIds": [99]}}, 404),
    ],
)
def test_engagements_that_are_refused(api: Api, body: dict[str, Any], status: int) -> None:
    api("POST", ENGAGEMENTS, body, status=status)
    assert api.world.store.changes() == []
    api("GET", f"{ENGAGEMENTS}/99", status=404)


def test_the_account_and_its_token(api: Api) -> None:
    details = api("GET", "/account-info/v3/details")
    assert (details["portalId"], details["timeZone"]) == (4242, "Europe/Stockholm")
    assert (details["utcOffset"], details["utcOffsetMilliseconds"]) == ("+02:00", 7_200_000)
    path = "/oauth/v2/private-apps/get/access-token-info"
    info = api("POST", path, {"tokenKey": TOKEN})
    assert (info["userId"], info["hubId"]) == (901, 4242)
    assert "crm.objects.contacts.write" in info["scopes"]
    api("POST", path, {"tokenKey": "nobody"}, status=404)
    api("POST", path, {}, status=400)
    assert api("GET", f"/oauth/v1/access-tokens/{TOKEN}")["user"] == "ada@acme.test"
    api("GET", f"/oauth/v1/access-tokens/{REFRESH}", status=404)


def test_a_refresh_token_gives_an_access_token_that_expires(api: Api) -> None:
    id, secret = CLIENT.split(":")
    form = {"grant_type": "refresh_token", "client_id": id, "client_secret": secret, "refresh_token": REFRESH}

    def grant(status: int = 200, **change: str) -> Any:
        raw = urlencode({**form, **change}).encode()
        kind = "application/x-www-form-urlencoded"
        return api("POST", "/oauth/v1/token", raw, content_type=kind, token="", status=status)

    answer = grant()
    assert (answer["token_type"], answer["expires_in"]) == ("bearer", 1_800)
    token = answer["access_token"]
    assert api("GET", "/crm/v3/objects/contacts/1", token=token)["id"] == "1"
    assert api("GET", f"/oauth/v1/access-tokens/{token}")["expires_in"] <= 1_800
    now = api.world.real_time()
    api.world.real_time = lambda: now + 1_801
    api("GET", "/crm/v3/objects/contacts/1", token=token, status=401)
    for change in ({"grant_type": "password"}, {"client_secret": "x"}, {"refresh_token": TOKEN}):
        grant(status=400, **change)


def test_workflows_are_read_only(api: Api) -> None:
    (listed,) = api("GET", "/automation/v4/flows")["results"]
    flow = api("GET", f"/automation/v4/flows/{listed['id']}")
    assert flow["name"] == "Welcome" and flow["actions"][0]["actionId"] == "1"
    api("GET", "/automation/v4/flows/99", status=404)
    api("GET", "/automation/v4/flows", query="limit=101", status=400)
    api("GET", "/automation/v4/flows", query="after=x", status=400)
    api("PUT", "/automation/v4/flows/71", {}, status=405)
