"""Batches of objects."""

from typing import Any

import pytest

from twins.hubspot.make import COMPANIES, CONTACTS, HUBSPOT, Api, where


def inputs(*properties: dict[str, Any]) -> dict[str, Any]:
    return {"inputs": [{"properties": p} for p in properties]}


def test_create_answers_201_with_every_record(api: Api) -> None:
    link = {"to": {"id": "1"}, "types": [{"associationCategory": HUBSPOT, "associationTypeId": 279}]}
    body = inputs({"email": "a@x.test"}, {"email": "b@x.test"})
    body["inputs"][0] |= {"associations": [link], "objectWriteTraceId": "t-1"}
    done = api("POST", f"{CONTACTS}/batch/create", body, status=201)
    assert done["status"] == "COMPLETE" and "numErrors" not in done
    assert [r["properties"]["email"] for r in done["results"]] == ["a@x.test", "b@x.test"]
    assert done["results"][0]["objectWriteTraceId"] == "t-1"
    assert api.search("contacts", where("associations.company", "EQ", "1")) == [
        "1",
        "3",
        done["results"][0]["id"],
    ]


def test_partial_failure_answers_207_and_keeps_what_succeeded(api: Api) -> None:
    body = inputs({"email": "a@x.test"}, {"email": "zoe@north.test"}, {"shoe": "1"})
    done = api("POST", f"{CONTACTS}/batch/create", body, status=207)
    assert [r["properties"]["email"] for r in done["results"]] == ["a@x.test"]
    assert done["numErrors"] == 2
    assert [(e["category"], e["status"]) for e in done["errors"]] == [
        ("CONFLICT", "error"),
        ("VALIDATION_ERROR", "error"),
    ]
    assert done["errors"][0]["message"] == "Contact already exists. Existing ID: 1"
    api("GET", f"{CONTACTS}/a@x.test", query="idProperty=email")


def test_a_batch_in_which_nothing_succeeds_is_refused_as_its_first_input_is(api: Api) -> None:
    api("POST", f"{CONTACTS}/batch/create", inputs({"email": "zoe@north.test"}, {"shoe": "1"}), status=409)
    api("POST", f"{CONTACTS}/batch/create", inputs({"shoe": "1"}), status=400)
    assert api.world.store.changes() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{CONTACTS}/batch/create", inputs({"email": "a@x.test"}, {"email": "A@x.test"})),
        (f"{CONTACTS}/batch/create", inputs(*({"city": "X"} for _ in range(101)))),
        (f"{CONTACTS}/batch/create", {}),
        (f"{CONTACTS}/batch/create", {"inputs": [{}]}),
        (
            f"{CONTACTS}/batch/update",
            {"inputs": [{"id": "1", "properties": {}}, {"id": "1", "properties": {}}]},
        ),
        (f"{CONTACTS}/batch/update", {"inputs": [{"properties": {}}]}),
        (f"{CONTACTS}/batch/read", {"inputs": [{"id": "x"}], "idProperty": "lastname"}),
        (
            f"{CONTACTS}/batch/upsert",
            {"inputs": [{"id": "Quist", "idProperty": "lastname", "properties": {}}]},
        ),
        (f"{CONTACTS}/batch/archive", {"inputs": [{}]}),
    ],
)
def test_batches_that_are_refused_whole(api: Api, path: str, body: dict[str, Any]) -> None:
    api("POST", path, body, status=400)
    assert api.world.store.changes() == []


def test_read_by_id_and_by_unique_property(api: Api) -> None:
    body = {
        "inputs": [{"id": "1"}, {"id": "3"}, {"id": "1"}],
        "properties": ["phone"],
        "propertiesWithHistory": ["phone"],
    }
    done = api("POST", f"{CONTACTS}/batch/read", body)
    assert [r["id"] for r in done["results"]] == ["1", "3"]
    assert done["results"][0]["propertiesWithHistory"]["phone"][0]["value"] == "+46 8 555 0101"
    body = {"inputs": [{"id": "ivo@south.test"}, {"id": "x@x.test"}], "idProperty": "email"}
    done = api("POST", f"{CONTACTS}/batch/read", body, status=207)
    assert [r["id"] for r in done["results"]] == ["2"]
    assert done["errors"][0]["context"] == {"ids": ["x@x.test"]}
    api("DELETE", f"{CONTACTS}/3", status=204)
    api("POST", f"{CONTACTS}/batch/read", {"inputs": [{"id": "3"}]}, status=207)
    done = api("POST", f"{CONTACTS}/batch/read", {"inputs": [{"id": "3"}]}, query="archived=true")
    assert done["results"][0]["archived"] is True


def test_update_and_archive(api: Api) -> None:
    body = {
        "inputs": [
            {"id": "1", "properties": {"city": "Kiel"}},
            {"id": "ivo@south.test", "idProperty": "email", "properties": {"city": "Bonn"}},
            {"id": "99", "properties": {"city": "Rom"}},
        ]
    }
    done = api("POST", f"{CONTACTS}/batch/update", body, status=207)
    assert [r["properties"]["city"] for r in done["results"]] == ["Kiel", "Bonn"]
    api("POST", f"{CONTACTS}/batch/update", {"inputs": body["inputs"][:2]})
    api("POST", f"{CONTACTS}/batch/archive", {"inputs": [{"id": "1"}, {"id": "99"}]}, status=204)
    assert [r["id"] for r in api("GET", CONTACTS)["results"]] == ["2", "3", "10"]


def test_upsert_says_what_is_new(api: Api) -> None:
    body = {
        "inputs": [
            {"id": "ZOE@north.test", "idProperty": "email", "properties": {"city": "Kiel"}},
            {"id": "new@x.test", "idProperty": "email", "properties": {"city": "Bonn"}},
        ]
    }
    done = api("POST", f"{CONTACTS}/batch/upsert", body)
    assert [(r["id"] == "1", r["new"], r["properties"]["city"]) for r in done["results"]] == [
        (True, False, "Kiel"),
        (False, True, "Bonn"),
    ]
    body = {"inputs": [{"id": "B-7", "idProperty": "badge", "properties": {"city": "Rom"}}]}
    assert [api("POST", f"{CONTACTS}/batch/upsert", body)["results"][0]["new"] for _ in range(2)] == [
        True,
        False,
    ]
    body = {"inputs": [{"id": "1", "properties": {"city": "Oslo"}}]}
    assert api("POST", f"{COMPANIES}/batch/upsert", body)["results"][0]["new"] is False
    api("POST", f"{COMPANIES}/batch/upsert", {"inputs": [{"id": "99", "properties": {}}]}, status=404)
