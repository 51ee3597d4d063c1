"""Lists: manual members, active filters, snapshots."""

from typing import Any

import pytest

from tenure.world import EndState
from twins.hubspot.make import CONTACTS, IS_QUIST, Api, branch

LISTS = "/crm/v3/lists"


def members(api: Api, id: str) -> list[str]:
    return [m["recordId"] for m in api("GET", f"{LISTS}/{id}/memberships")["results"]]


def test_lists_are_read_by_id_name_and_search(api: Api) -> None:
    picked = api("GET", f"{LISTS}/21")["list"]
    assert (picked["name"], picked["size"], picked["objectTypeId"]) == ("Picked", 1, "0-1")
    assert "filterBranch" not in api("GET", f"{LISTS}/22")["list"]
    assert api("GET", f"{LISTS}/22", query="includeFilters=true")["list"]["filterBranch"]
    assert api("GET", f"{LISTS}/object-type-id/0-1/name/picked")["list"]["listId"] == "21"
    api("GET", f"{LISTS}/object-type-id/0-2/name/picked", status=404)
    assert [s["listId"] for s in api("GET", LISTS + "/", query="listIds=21&listIds=22")["lists"]] == [
        "21",
        "22",
    ]
    api("GET", f"{LISTS}/99", status=404)
    found = api("POST", f"{LISTS}/search", {"query": "pick"})
    assert (found["total"], found["lists"][0]["additionalProperties"]["hs_list_size"]) == (1, "1")
    assert api("POST", f"{LISTS}/search", {"processingTypes": ["DYNAMIC"]})["lists"][0]["listId"] == "22"
    page = api("POST", f"{LISTS}/search", {"count": 1})
    assert (page["hasMore"], page["offset"], page["total"]) == (True, 1, 2)
    api("POST", f"{LISTS}/search", {"count": 0}, status=400)


def test_a_manual_list_lives_from_creation_to_restoring(api: Api) -> None:
    body = {"name": "New", "objectTypeId": "0-1", "processingType": "MANUAL"}
    id = api("POST", LISTS, body)["list"]["listId"]
    api("POST", LISTS, {**body, "name": "NEW"}, status=409)
    added = api("PUT", f"{LISTS}/{id}/memberships/add", ["1", "3", "99"])
    assert (added["recordsIdsAdded"], added["recordIdsMissing"]) == (["1", "3"], ["99"])
    assert api("PUT", f"{LISTS}/{id}/memberships/add", [1])["recordsIdsAdded"] == []
    assert api("PUT", f"{LISTS}/{id}/memberships/remove", ["3", "10"])["recordIdsRemoved"] == ["3"]
    change = {"recordIdsToAdd": ["2", "10"], "recordIdsToRemove": ["1"]}
    api("PUT", f"{LISTS}/{id}/memberships/add-and-remove", change)
    assert members(api, id) == ["2", "10"]
    first = api("GET", f"{LISTS}/{id}/memberships", query="limit=1")
    after = first["paging"]["next"]["after"]
    rest = api("GET", f"{LISTS}/{id}/memberships", query=f"limit=1&after={after}")
    assert [m["recordId"] for m in rest["results"]] == ["10"] and "paging" not in rest
    renamed = api("PUT", f"{LISTS}/{id}/update-list-name", query="listName=Newer")
    assert renamed["updatedList"]["name"] == "Newer"
    api("PUT", f"{LISTS}/{id}/update-list-name", query="listName=Picked", status=409)
    api("PUT", f"{LISTS}/{id}/update-list-name", status=400)
    api("DELETE", f"{LISTS}/{id}/memberships", status=204)
    assert members(api, id) == []
    api("DELETE", f"{LISTS}/{id}", status=204)
    api("GET", f"{LISTS}/{id}", status=404)
    api("PUT", f"{LISTS}/{id}/restore", status=204)
    assert api("GET", f"{LISTS}/{id}")["list"]["name"] == "Newer"


def test_an_active_list_follows_its_filter(api: Api) -> None:
    assert members(api, "22") == ["1", "3"]
    api("PATCH", f"{CONTACTS}/10", {"properties": {"lastname": "Quist"}})
    api("DELETE", f"{CONTACTS}/1", status=204)
    assert members(api, "22") == ["3", "10"]
    api("PUT", f"{LISTS}/22/memberships/add", ["2"], status=400)
    other = branch("region", {"operator": "IS_ANY_OF", "values": ["south"]})
    changed = api("PUT", f"{LISTS}/22/update-list-filters", {"filterBranch": other})["updatedList"]
    assert (changed["listVersion"], members(api, "22")) == (2, ["2"])
    api("PUT", f"{LISTS}/21/update-list-filters", {"filterBranch": other}, status=400)
    rows = api("GET", f"{LISTS}/records/0-1/2/memberships")["results"]
    assert [r["listId"] for r in rows] == ["21", "22"]


@pytest.mark.parametrize(
    ("name", "operation", "expected"),
    [
        ("lastname", IS_QUIST, ["1", "3"]),
        ("lastname", {"operator": "IS_NOT_EQUAL_TO", "values": ["quist"]}, ["2", "10"]),
        ("lastname", {"operator": "CONTAINS", "values": ["UIS"]}, ["1", "3"]),
        ("lastname", {"operator": "DOES_NOT_CONTAIN", "values": ["uis"]}, ["2", "10"]),
        ("lastname", {"operator": "STARTS_WITH", "value": "no"}, ["10"]),
        ("email", {"operator": "ENDS_WITH", "value": "south.test"}, ["2"]),
        ("email", {"operator": "IS_UNKNOWN"}, ["10"]),
        ("email", {"operator": "IS_KNOWN"}, ["1", "2", "3"]),
        ("region", {"operator": "IS_NONE_OF", "values": ["south"]}, ["1", "3", "10"]),
        ("hs_object_id", {"operator": "IS_BETWEEN", "lowerBound": 2, "upperBound": 3}, ["2", "3"]),
        ("hs_object_id", {"operator": "IS_GREATER_THAN", "value": 2}, ["3", "10"]),
        ("hs_object_id", {"operator": "IS_LESS_THAN_OR_EQUAL_TO", "value": 2}, ["1", "2"]),
    ],
)
def test_filters(api: Api, name: str, operation: dict[str, Any], expected: list[str]) -> None:
    body = {"name": "F", "objectTypeId": "0-1", "processingType": "DYNAMIC"}
    made = api("POST", LISTS, {**body, "filterBranch": branch(name, operation)})["list"]
    assert (members(api, made["listId"]), made["size"]) == (expected, len(expected))


def test_a_snapshot_keeps_whom_it_caught(api: Api) -> None:
    body = {"name": "S", "objectTypeId": "0-1", "processingType": "SNAPSHOT"}
    made = api("POST", LISTS, {**body, "filterBranch": branch("lastname", IS_QUIST)})["list"]
    api("PATCH", f"{CONTACTS}/10", {"properties": {"lastname": "Quist"}})
    assert members(api, made["listId"]) == ["1", "3"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": "X", "objectTypeId": "0-1"},
        {"name": " ", "objectTypeId": "0-1", "processingType": "MANUAL"},
        {"name": "X", "objectTypeId": "0-999", "processingType": "MANUAL"},
        {"name": "X", "objectTypeId": "0-1", "processingType": "LIVE"},
        {"name": "X", "objectTypeId": "0-1", "processingType": "DYNAMIC"},
        {
            "name": "X",
            "objectTypeId": "0-1",
            "processingType": "MANUAL",
            "filterBranch": branch("email", IS_QUIST),
        },
        {
            "name": "X",
            "objectTypeId": "0-1",
            "processingType": "DYNAMIC",
            "filterBranch": branch("nosuch", IS_QUIST),
        },
        {
            "name": "X",
            "objectTypeId": "0-1",
            "processingType": "DYNAMIC",
            "filterBranch": branch("email", {"operator": "LIKE"}),
        },
        {
            "name": "X",
            "objectTypeId": "0-1",
            "processingType": "DYNAMIC",
            "filterBranch": {"filterBranchType": "XOR"},
        },
    ],
)
def test_lists_that_are_refused(api: Api, body: dict[str, Any]) -> None:
    api("POST", LISTS, body, status=400)
    assert EndState.of(api.world, api.gateway).differences == []
    api("PUT", f"{LISTS}/21/memberships/add", {"ids": []}, status=400)
