"""Associations v4: types by direction, primary companies, labels, batches."""

from typing import Any

import pytest

from tenure.twins.hubspot.associationtypes import default_types, hubspot_types
from tenure.twins.hubspot.objecttypes import OBJECT_TYPES
from twins.hubspot.make import CONTACTS, HUBSPOT, Api, where

V4 = "/crm/v4/objects"
BETWEEN = "/crm/v4/associations/contacts/companies"


def types(*ids: int, category: str = HUBSPOT) -> list[dict[str, Any]]:
    return [{"associationCategory": category, "associationTypeId": n} for n in ids]


def listed(api: Api, path: str) -> dict[str, list[int]]:
    results = api("GET", f"{V4}/{path}")["results"]
    return {r["toObjectId"]: [t["typeId"] for t in r["associationTypes"]] for r in results}


@pytest.mark.parametrize(
    ("a", "b", "there", "back"),
    [
        ("contacts", "companies", 279, 280),
        ("deals", "contacts", 3, 4),
        ("deals", "companies", 341, 342),
        ("tickets", "contacts", 16, 15),
        ("tickets", "companies", 339, 340),
        ("notes", "contacts", 202, 201),
        ("notes", "companies", 190, 189),
        ("notes", "deals", 214, 213),
        ("notes", "tickets", 228, 227),
        ("tasks", "contacts", 204, 203),
        ("calls", "contacts", 194, 193),
        ("emails", "deals", 210, 209),
        ("meetings", "companies", 188, 187),
        ("line_items", "deals", 20, 19),
    ],
)
def test_type_ids_depend_on_the_direction(a: str, b: str, there: int, back: int) -> None:
    assert default_types(a, b) == (there, back)
    assert default_types(b, a) == (back, there)


def test_no_two_associations_from_one_type_share_an_id() -> None:
    for a in OBJECT_TYPES:
        ids = [t.type_id for b in OBJECT_TYPES for t in hubspot_types(a, b)]
        assert len(ids) == len(set(ids)), a


def test_lists_carry_categories_labels_and_pages(api: Api) -> None:
    first = api("GET", f"{V4}/contacts/1/associations/companies", query="limit=1")
    assert first["results"] == [
        {
            "toObjectId": "1",
            "associationTypes": [
                {"category": HUBSPOT, "typeId": 1, "label": "Primary"},
                {"category": HUBSPOT, "typeId": 279, "label": None},
            ],
        }
    ]
    after = first["paging"]["next"]["after"]
    last = api("GET", f"{V4}/contacts/1/associations/companies", query=f"limit=1&after={after}")
    assert [r["toObjectId"] for r in last["results"]] == ["2"] and "paging" not in last
    assert listed(api, "companies/1/associations/contacts") == {"1": [2, 280], "3": [2, 280]}
    assert listed(api, "deals/1/associations/contacts") == {"1": [3, 2002]}
    assert api("GET", f"{V4}/contacts/10/associations/deals")["results"] == []
    api("GET", f"{V4}/contacts/99/associations/deals", status=404)
    for query in ("limit=0", "limit=501", "after=x"):
        api("GET", f"{V4}/contacts/1/associations/companies", query=query, status=400)


def test_a_new_primary_company_takes_the_place_of_the_old_one(api: Api) -> None:
    made = api("PUT", f"{V4}/contacts/1/associations/companies/2", types(1), status=201)
    assert made == {
        "fromObjectTypeId": "0-1",
        "fromObjectId": "1",
        "toObjectTypeId": "0-2",
        "toObjectId": "2",
        "labels": ["Primary"],
    }
    assert listed(api, "contacts/1/associations/companies") == {"1": [279], "2": [1, 279]}
    api("PUT", f"{V4}/companies/3/associations/contacts/1", types(2), status=201)
    assert listed(api, "contacts/1/associations/companies") == {"1": [279], "2": [279], "3": [1, 279]}
    assert listed(api, "contacts/3/associations/companies") == {"1": [1, 279]}


def test_default_associates_without_type_ids(api: Api) -> None:
    answer = api("PUT", f"{V4}/tickets/1/associations/default/contacts/1")
    assert [r["associationSpec"]["associationTypeId"] for r in answer["results"]] == [16, 15]
    assert listed(api, "contacts/1/associations/tickets") == {"1": [15]}
    before = api.world.store.changes()
    api("PUT", f"{V4}/tickets/1/associations/default/contacts/1")
    assert api.world.store.changes() == before


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("contacts/1/associations/companies/3", types(280), 400),
        ("contacts/1/associations/companies/3", types(5), 400),
        ("contacts/1/associations/companies/3", types(279, category="OTHER"), 400),
        ("contacts/1/associations/companies/3", types(279, category="USER_DEFINED"), 400),
        ("contacts/1/associations/companies/3", [], 400),
        ("contacts/1/associations/companies/3", {}, 400),
        ("contacts/1/associations/companies/99", types(279), 404),
        ("contacts/99/associations/companies/1", types(279), 404),
        ("contacts/1/associations/contacts/1", types(449), 400),
    ],
)
def test_links_that_cannot_be(api: Api, path: str, body: Any, status: int) -> None:
    api("PUT", f"{V4}/{path}", body, status=status)
    assert api.world.store.changes() == []


def test_unlinking_and_taking_one_label_off(api: Api) -> None:
    body = {"inputs": [{"from": {"id": "1"}, "to": {"id": "1"}, "types": types(1)}]}
    api("POST", f"{BETWEEN}/batch/labels/archive", body, status=204)
    assert listed(api, "contacts/1/associations/companies") == {"1": [279], "2": [279]}
    body = {"inputs": [{"from": {"id": "1"}, "to": {"id": "1"}, "types": types(279)}]}
    api("POST", f"{BETWEEN}/batch/labels/archive", body, status=204)
    api("POST", f"{BETWEEN}/batch/labels/archive", body, status=204)
    assert listed(api, "contacts/1/associations/companies") == {"2": [279]}
    for _ in range(2):
        api("DELETE", f"{V4}/companies/2/associations/contacts/1", status=204)
    assert listed(api, "contacts/1/associations/companies") == {}


def test_batches(api: Api) -> None:
    pairs = [{"from": {"id": "10"}, "to": {"id": to}, "types": types(279)} for to in ("1", "99", "3")]
    done = api("POST", f"{BETWEEN}/batch/create", {"inputs": pairs}, status=207)
    assert [r["toObjectId"] for r in done["results"]] == ["1", "3"]
    assert (done["numErrors"], done["errors"][0]["context"]) == (1, {"id": ["99"]})
    api("POST", f"{BETWEEN}/batch/create", {"inputs": pairs[:1]}, status=201)
    api("POST", f"{BETWEEN}/batch/create", {"inputs": pairs[1:2]}, status=404)
    pairs = [{"from": {"id": "2"}, "to": {"id": "3"}}]
    done = api("POST", f"{BETWEEN}/batch/associate/default", {"inputs": pairs})
    assert len(done["results"]) == 2
    read = api("POST", f"{BETWEEN}/batch/read", {"inputs": [{"id": "10"}, {"id": "2"}]})
    assert {r["from"]["id"]: [t["toObjectId"] for t in r["to"]] for r in read["results"]} == {
        "10": ["1", "3"],
        "2": ["2", "3"],
    }
    away = {"inputs": [{"from": {"id": "10"}, "to": [{"id": "1"}, {"id": "3"}]}]}
    api("POST", f"{BETWEEN}/batch/archive", away, status=204)
    read = api("POST", f"{BETWEEN}/batch/read", {"inputs": [{"id": "10"}, {"id": "2"}]}, status=207)
    assert read["errors"][0]["category"] == "OBJECT_NOT_FOUND"
    api("POST", f"{BETWEEN}/batch/create", {"inputs": []}, status=201)
    api("POST", f"{BETWEEN}/batch/create", {"inputs": pairs * 2_001}, status=400)


def test_labels_are_defined_used_renamed_and_deleted(api: Api) -> None:
    path = f"{BETWEEN}/labels"
    known = api("GET", path)["results"]
    assert [(k["typeId"], k["label"]) for k in known] == [(1, "Primary"), (279, None)]
    body = {"name": "works_at", "label": "Works at", "inverseLabel": "Employs"}
    there, back = api("POST", path, body)["results"]
    assert (there["label"], back["label"]) == ("Works at", "Employs")
    api("POST", path, body, status=409)
    api("POST", path, {"name": "x"}, status=400)
    chosen = types(there["typeId"], category="USER_DEFINED")
    made = api("PUT", f"{V4}/contacts/10/associations/companies/1", chosen, status=201)
    assert made["labels"] == ["Works at"]
    assert listed(api, "companies/1/associations/contacts")["10"] == [280, back["typeId"]]
    api("DELETE", f"{path}/{there['typeId']}", status=400)
    api("PUT", path, {"associationTypeId": back["typeId"], "label": "Pays"}, status=204)
    reverse = api("GET", "/crm/v4/associations/companies/contacts/labels")["results"]
    assert {"category": "USER_DEFINED", "typeId": back["typeId"], "label": "Pays"} in reverse
    api("DELETE", f"{V4}/contacts/10/associations/companies/1", status=204)
    api("DELETE", f"{path}/{there['typeId']}", status=204)
    api("DELETE", f"{path}/{there['typeId']}", status=404)
    api("DELETE", f"{path}/x", status=400)
    api("PUT", path, {"associationTypeId": 5, "label": "X"}, status=404)


def test_labels_between_objects_of_one_type(api: Api) -> None:
    path = "/crm/v4/associations/contacts/contacts/labels"
    (both,) = api("POST", path, {"name": "friend", "label": "Friend"})["results"]
    there, back = api("POST", path, {"name": "boss", "label": "Boss", "inverseLabel": "Report"})["results"]
    chosen = types(both["typeId"], there["typeId"], category="USER_DEFINED")
    api("PUT", f"{V4}/contacts/3/associations/contacts/1", chosen, status=201)
    assert listed(api, "contacts/3/associations/contacts") == {"1": [449, both["typeId"], there["typeId"]]}
    assert listed(api, "contacts/1/associations/contacts") == {"3": [449, both["typeId"], back["typeId"]]}


def test_creates_refuse_associations_that_cannot_be(api: Api) -> None:
    for link, status in (
        ({"to": {"id": "1"}, "types": types(9_999)}, 400),
        ({"to": {"id": "1"}, "types": types(2_999, category="USER_DEFINED")}, 400),
        ({"to": {"id": "1"}, "types": []}, 400),
        ({"types": types(279)}, 400),
        ({"to": {"id": "99"}, "types": types(279)}, 404),
    ):
        api("POST", CONTACTS, {"properties": {"city": "X"}, "associations": [link]}, status=status)
    assert api.world.store.changes() == []
    link = {"to": {"id": "3"}, "types": types(2001, category="USER_DEFINED")}
    made = api("POST", CONTACTS, {"properties": {"city": "X"}, "associations": [link]}, status=201)
    assert listed(api, f"contacts/{made['id']}/associations/deals") == {"3": [4, 2001]}


def test_custom_objects_associate_by_made_up_ids(api: Api) -> None:
    api("PUT", f"{V4}/ship/1/associations/default/companies/1")
    ((to, ids),) = listed(api, "ship/1/associations/companies").items()
    assert to == "1" and ids[0] > 10_000
    assert api.search("companies", where("associations.ship", "EQ", "1")) == ["1"]


def test_a_company_has_a_parent(api: Api) -> None:
    api("PUT", f"{V4}/companies/2/associations/companies/1", types(14), status=201)
    assert listed(api, "companies/1/associations/companies") == {"2": [13, 450]}
    assert api.properties("companies", "2", "hs_parent_company_id") == {"hs_parent_company_id": "1"}
    assert api.properties("companies", "1", "hs_parent_company_id") == {"hs_parent_company_id": None}


# -- v3, by name -----------------------------------------------------------------------------

V3 = "/crm/v3/objects"
NAMED = "/crm/v3/associations/contacts/companies"


def test_v3_reads_and_writes_the_same_associations_by_name(api: Api) -> None:
    first = api("GET", f"{V3}/contacts/1/associations/companies", query="limit=1")
    assert first["results"] == [
        {"id": "1", "type": "contact_to_company"},
        {"id": "1", "type": "contact_to_company_unlabeled"},
    ]
    after = first["paging"]["next"]["after"]
    last = api("GET", f"{V3}/contacts/1/associations/companies", query=f"limit=1&after={after}")
    assert last == {"results": [{"id": "2", "type": "contact_to_company_unlabeled"}]}
    made = api("PUT", f"{V3}/notes/1/associations/contacts/10/note_to_contact")
    assert made["associations"]["contacts"]["results"] == [{"id": "10", "type": "note_to_contact"}]
    assert listed(api, "contacts/10/associations/notes") == {"1": [201]}
    api("PUT", f"{V3}/notes/1/associations/contacts/10/202")
    api("DELETE", f"{V3}/notes/1/associations/contacts/10/note_to_contact", status=204)
    assert listed(api, "contacts/10/associations/notes") == {}
    api("PUT", f"{V3}/notes/1/associations/contacts/10/contact_to_note", status=400)
    api("PUT", f"{V3}/contacts/1/associations/deals/2/decides")
    assert listed(api, "contacts/1/associations/deals")["2"] == [4, 2001]
    api("GET", f"{V3}/contacts/99/associations/deals", status=404)


def test_v3_batches(api: Api) -> None:
    pairs = [
        {"from": {"id": "10"}, "to": {"id": to}, "type": "contact_to_company"} for to in ("1", "2", "99")
    ]
    done = api("POST", f"{NAMED}/batch/create", {"inputs": pairs}, status=207)
    assert len(done["results"]) == 2
    assert listed(api, "contacts/10/associations/companies") == {"1": [279], "2": [1, 279]}
    read = api("POST", f"{NAMED}/batch/read", {"inputs": [{"id": "10"}]})
    assert [row["id"] for row in read["results"][0]["to"]] == ["1", "2", "2"]
    api("POST", f"{NAMED}/batch/archive", {"inputs": pairs[1:2]}, status=204)
    assert listed(api, "contacts/10/associations/companies") == {"1": [279], "2": [279]}
    api("POST", f"{NAMED}/batch/create", {"inputs": [{**pairs[0], "type": "friend"}]}, status=400)
    names = {row["name"]: row["id"] for row in api("GET", f"{NAMED}/types")["results"]}
    assert names == {"contact_to_company": "1", "contact_to_company_unlabeled": "279"}
