"""Search: every operator, limits, order, paging and lag."""

from pathlib import Path
from typing import Any

import pytest

from tenure.twins.hubspot.records import Contact, Portal
from twins.hubspot.make import CONTACTS, DAY, DEALS, NOW, Api, build, where


@pytest.mark.parametrize(
    ("kind", "condition", "expected"),
    [
        ("contacts", where("email", "EQ", "ZOE@north.test"), ["1"]),
        ("contacts", where("lastname", "EQ", "quist"), ["1", "3"]),
        ("contacts", where("lastname", "EQ", " Quist "), ["1", "3"]),
        ("contacts", where("lastname", "NEQ", "quist"), ["2", "10"]),
        ("contacts", where("lifecyclestage", "NEQ", "lead"), ["1", "3", "10"]),
        ("contacts", where("region", "EQ", "west"), ["1"]),
        ("contacts", where("region", "IN", values=["south", "west"]), ["1", "2"]),
        ("contacts", where("region", "NOT_IN", values=["west"]), ["2", "3", "10"]),
        ("contacts", where("lastname", "IN", values=["quist", "adler"]), ["1", "2", "3"]),
        ("contacts", where("lastname", "IN", values=["Quist"]), []),
        ("contacts", where("hs_lead_status", "IN", values=["NEW"]), ["2"]),
        ("contacts", where("hs_object_id", "IN", values=["1", "10"]), ["1", "10"]),
        ("contacts", where("email", "HAS_PROPERTY"), ["1", "2", "3"]),
        ("contacts", where("email", "NOT_HAS_PROPERTY"), ["10"]),
        ("contacts", where("email", "CONTAINS_TOKEN", "north.test"), ["1", "3"]),
        ("contacts", where("email", "CONTAINS_TOKEN", "*@north.test"), ["1", "3"]),
        ("contacts", where("email", "CONTAINS_TOKEN", "nor"), []),
        ("contacts", where("firstname", "CONTAINS_TOKEN", "zo*"), ["1"]),
        ("contacts", where("email", "NOT_CONTAINS_TOKEN", "*@north.test"), ["2", "10"]),
        ("contacts", where("phone", "CONTAINS_TOKEN", "0101"), ["1"]),
        ("contacts", where("hs_object_id", "GT", "2"), ["3", "10"]),
        ("contacts", where("createdate", "GTE", str(NOW - 20 * DAY)), ["3", "10"]),
        ("contacts", where("createdate", "LT", "2026-08-23"), ["1", "2"]),
        ("contacts", where("lastname", "GT", "Nomail"), ["1", "3"]),
        ("companies", where("numberofemployees", "EQ", "250.0"), ["1"]),
        ("companies", where("numberofemployees", "LT", "100"), ["2"]),
        ("companies", where("numberofemployees", "GTE", "12"), ["1", "2"]),
        ("companies", where("numberofemployees", "BETWEEN", "12", highValue="249"), ["2"]),
        ("companies", where("renewal", "EQ", "1796083200000"), ["1"]),
        ("companies", where("renewal", "LTE", "2026-12-01"), ["1"]),
        ("deals", where("amount", "LTE", "900.5"), ["2"]),
        ("deals", where("closedate", "BETWEEN", "2026-09-14", highValue="2026-09-30"), ["2"]),
        ("deals", where("hs_is_closed", "EQ", "false"), ["1", "3"]),
        ("deals", where("dealstage", "EQ", "closedwon"), ["2"]),
        ("contacts", where("associations.company", "EQ", "1"), ["1", "3"]),
        ("contacts", where("associations.companies", "IN", values=["1", "2"]), ["1", "2", "3"]),
        ("companies", where("associations.contact", "HAS_PROPERTY"), ["1", "2"]),
        ("companies", where("associations.contact", "NOT_HAS_PROPERTY"), ["3"]),
        ("companies", where("associations.contact", "NEQ", "2"), ["1", "3"]),
        ("ship", where("ship_name", "EQ", "vega"), ["1"]),
    ],
)
def test_operators(api: Api, kind: str, condition: dict[str, Any], expected: list[str]) -> None:
    assert api.search(kind, condition) == expected


def test_groups_are_ored_and_filters_are_anded(api: Api) -> None:
    quist, lead = where("lastname", "EQ", "Quist"), where("lifecyclestage", "EQ", "lead")
    assert api.search("contacts", quist, where("email", "HAS_PROPERTY")) == ["1", "3"]
    assert api.search("contacts", quist, lead) == []
    groups = [{"filters": [quist]}, {"filters": [lead]}]
    assert api.search("contacts", filterGroups=groups) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("kind", "query", "expected"),
    [
        ("contacts", "quist", ["1", "3"]),
        ("contacts", "qui", ["1", "3"]),
        ("contacts", "uist", []),
        ("contacts", "zoë quist", ["1"]),
        ("contacts", "ivo@south", ["2"]),
        ("contacts", "north", ["1", "3"]),
        ("contacts", "buyer", []),
        ("companies", "south.test", ["2"]),
        ("deals", "2027", ["1"]),
        ("deals", "closedwon", ["2"]),
        ("ship", "veg", ["1"]),
    ],
)
def test_the_query_finds_words_of_searchable_properties(
    api: Api, kind: str, query: str, expected: list[str]
) -> None:
    assert api.search(kind, query=query) == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (["amount"], ["3", "2", "1"]),
        (["-amount"], ["1", "2", "3"]),
        ([{"propertyName": "amount", "direction": "DESCENDING"}], ["1", "2", "3"]),
        ([{"propertyName": "dealname"}], ["1", "2", "3"]),
        (["-createdate"], ["3", "2", "1"]),
        (["-hs_object_id"], ["3", "2", "1"]),
        ([], ["1", "2", "3"]),
    ],
)
def test_sorts(api: Api, sort: list[Any], expected: list[str]) -> None:
    assert api.search("deals", sorts=sort) == expected
    assert api.search("deals", where("dealname", "HAS_PROPERTY"), sorts=sort) == expected


def test_pages_are_offsets_and_totals_count_everything(api: Api) -> None:
    first = api("POST", f"{CONTACTS}/search", {"limit": 3, "properties": ["phone", "nosuch"]})
    assert (first["total"], first["paging"]["next"]["after"]) == (4, "3")
    assert first["results"][0]["properties"]["phone"] == "+46 8 555 0101"
    last = api("POST", f"{CONTACTS}/search", {"limit": 3, "after": "3"})
    assert [r["id"] for r in last["results"]] == ["10"] and "paging" not in last
    assert api("POST", f"{CONTACTS}/search", {"limit": "3", "after": 1})["total"] == 4
    assert api("POST", f"{CONTACTS}/search", {"after": "50"})["results"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"filterGroups": [{"filters": [where("city", "HAS_PROPERTY")]}] * 6},
        {"filterGroups": [{"filters": [where("city", "HAS_PROPERTY")] * 7}]},
        {"filterGroups": [{"filters": [where("city", "HAS_PROPERTY")] * 5}] * 4},
        {"filterGroups": [{"filters": [where("nosuch", "EQ", "1")]}]},
        {"filterGroups": [{"filters": [where("city", "LIKE", "1")]}]},
        {"filterGroups": [{"filters": [where("city", "EQ")]}]},
        {"filterGroups": [{"filters": [where("city", "IN", "1")]}]},
        {"filterGroups": [{"filters": [where("city", "BETWEEN", "1")]}]},
        {"filterGroups": [{"filters": [where("createdate", "GT", "soon")]}]},
        {"filterGroups": [{"filters": [where("hubspotscore", "BETWEEN", "1", highValue="x")]}]},
        {"filterGroups": [{"filters": [where("associations.shoe", "EQ", "1")]}]},
        {"filterGroups": [{"filters": [where("associations.company", "GT", "1")]}]},
        {"filterGroups": [{"filters": [{"operator": "EQ", "value": "1"}]}]},
        {"filterGroups": {"filters": []}},
        {"sorts": ["email", "city"]},
        {"sorts": ["nosuch"]},
        {"sorts": [{"propertyName": "email", "direction": "UP"}]},
        {"limit": 201},
        {"limit": 0},
        {"after": "x"},
        {"after": "9999"},
        {"query": "x" * 3_001},
    ],
)
def test_searches_that_the_vendor_refuses(api: Api, body: dict[str, Any]) -> None:
    assert api("POST", f"{CONTACTS}/search", body, status=400)["category"] == "VALIDATION_ERROR"


def test_the_last_reachable_result_is_the_ten_thousandth(api: Api) -> None:
    api("POST", f"{CONTACTS}/search", {"limit": 100, "after": "9900"})
    api("POST", f"{CONTACTS}/search", {"limit": 100, "after": "9901"}, status=400)


def test_search_sees_writes_at_once_by_default(api: Api) -> None:
    made = api("POST", CONTACTS, {"properties": {"email": "new@x.test"}}, status=201)
    assert api.search("contacts", where("email", "EQ", "new@x.test")) == [made["id"]]
    api("PATCH", f"{CONTACTS}/{made['id']}", {"properties": {"email": "other@x.test"}})
    assert api.search("contacts", where("email", "EQ", "new@x.test")) == []
    api("DELETE", f"{CONTACTS}/{made['id']}", status=204)
    assert api.search("contacts", where("email", "EQ", "other@x.test")) == []


def test_search_can_lag_behind_writes(tmp_path: Path) -> None:
    lag = Portal(id="portal", portal_id=4242, search_delay_ms=10_000)
    api = Api(build(tmp_path / "base.db", portal=lag))
    made = api("POST", CONTACTS, {"properties": {"email": "new@x.test"}}, status=201)
    api("PATCH", f"{CONTACTS}/2", {"properties": {"lastname": "Bauer"}})
    api("DELETE", f"{CONTACTS}/3", status=204)
    assert api("GET", f"{CONTACTS}/{made['id']}")["id"] == made["id"]
    assert api.search("contacts", where("email", "EQ", "new@x.test")) == []
    assert api.search("contacts", where("lastname", "EQ", "Adler")) == ["2"]
    assert api.search("contacts", where("lastname", "EQ", "Quist")) == ["1", "3"]
    api.world.settle(20_000)
    assert api.search("contacts", where("email", "EQ", "new@x.test")) == [made["id"]]
    assert api.search("contacts", where("lastname", "EQ", "Bauer")) == ["2"]
    assert api.search("contacts", where("lastname", "EQ", "Quist")) == ["1"]


def test_windowing_by_id_reaches_every_record_once(tmp_path: Path) -> None:
    more = [Contact.of(100 + n, at=NOW - DAY, lastname=f"L{n}") for n in range(450)]
    api = Api(build(tmp_path / "base.db", more))
    seen: list[str] = []
    while page := api.search(
        "contacts",
        where("hs_object_id", "GT", seen[-1] if seen else "0"),
        sorts=["hs_object_id"],
        limit=200,
    ):
        seen += page
    assert len(seen) == len(set(seen)) == 454


def test_what_a_search_returns_is_logged_as_shown(api: Api) -> None:
    api.search("deals", where("dealstage", "EQ", "closedwon"))
    assert api.gateway.log[-1].records == (("hubspot.deals", "2"),)
    api("POST", f"{DEALS}/search", {"limit": 1})
    assert api.gateway.log[-1].records == (("hubspot.deals", "1"),)
