"""Objects: reading, writing, refusals."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from tenure.schema import Via
from tenure.twins.hubspot.records import (
    Association,
    Contact,
    Deal,
    Membership,
    Portal,
    associate,
    pair_id,
)
from tenure.world import EndState
from twins.hubspot.make import (
    BADGE,
    COMPANIES,
    CONTACTS,
    DEALS,
    HUBSPOT,
    NOW,
    TOKEN,
    Api,
    build,
    problems,
    where,
)


def test_a_read_gives_defaults_asked_values_history_and_associations(api: Api) -> None:
    plain = api("GET", f"{CONTACTS}/1")
    assert set(plain["properties"]) == {
        "createdate",
        "email",
        "firstname",
        "hs_object_id",
        "lastmodifieddate",
        "lastname",
    }
    query = (
        "properties=phone,nosuch&properties=jobtitle&propertiesWithHistory=phone&associations=companies,deals"
    )
    found = api("GET", f"{CONTACTS}/1", query=query)
    assert found["properties"]["phone"] == "+46 8 555 0101"
    assert found["properties"]["jobtitle"] is None
    assert "nosuch" not in found["properties"]
    assert [h["value"] for h in found["propertiesWithHistory"]["phone"]] == ["+46 8 555 0101"]
    assert found["associations"]["companies"]["results"] == [
        {"id": "1", "type": "contact_to_company"},
        {"id": "1", "type": "contact_to_company_unlabeled"},
        {"id": "2", "type": "contact_to_company_unlabeled"},
    ]
    assert {row["type"] for row in found["associations"]["deals"]["results"]} == {
        "contact_to_deal",
        "decides",
    }
    assert ("hubspot.contacts", "1") in api.gateway.log[-1].records


def test_type_names_ids_and_dated_paths_mean_the_same(api: Api) -> None:
    paths = ("contacts", "contact", "CONTACT", "0-1")
    answers = [api("GET", f"/crm/v3/objects/{name}/1") for name in paths]
    answers.append(api("GET", "/crm/objects/2026-03/contacts/1", host="api.hubspot.com"))
    assert all(answer == answers[0] for answer in answers)
    custom = [api("GET", f"/crm/v3/objects/{name}/1")["id"] for name in ("2-3001", "ship", "p4242_ship")]
    assert custom == ["1", "1", "1"]
    assert "Unable to infer object type" in api("GET", "/crm/v3/objects/shoes/1", status=400)["message"]


def test_reads_by_a_unique_property(api: Api) -> None:
    assert api("GET", f"{CONTACTS}/ZOE@north.test", query="idProperty=email")["id"] == "1"
    assert api("GET", f"{CONTACTS}/B-1", query="idProperty=badge")["id"] == "1"
    api("GET", f"{CONTACTS}/nobody@north.test", query="idProperty=email", status=404)
    api("GET", f"{CONTACTS}/Quist", query="idProperty=lastname", status=400)
    api("GET", f"{CONTACTS}/x", query="idProperty=nosuch", status=400)
    changed = api(
        "PATCH", f"{CONTACTS}/zoe@north.test", {"properties": {"city": "Umeå"}}, query="idProperty=email"
    )
    assert (changed["id"], changed["properties"]["city"]) == ("1", "Umeå")


def test_create_answers_201_with_its_values_and_is_read_back(api: Api) -> None:
    given = {"email": "New@North.test", "firstname": "New", "annualrevenue": 12, "hs_email_optout": True}
    link = {"to": {"id": "1"}, "types": [{"associationCategory": HUBSPOT, "associationTypeId": 1}]}
    made = api("POST", CONTACTS, {"properties": given, "associations": [link]}, status=201)
    assert made["properties"]["email"] == "new@north.test"
    assert made["properties"]["hs_email_optout"] == "true"
    assert made["properties"]["annualrevenue"] == "12"
    assert made["createdAt"].endswith("Z") and int(made["id"]) > 2e10
    assert api.properties("contacts", made["id"], "associatedcompanyid") == {"associatedcompanyid": "1"}
    assert api.gateway.log[-2].changed == 2


def test_deals_derive_what_follows_from_their_stage(api: Api) -> None:
    names = (
        "hs_is_closed",
        "hs_is_closed_won",
        "hs_deal_stage_probability",
        "hs_projected_amount",
        "hs_closed_amount",
        "days_to_close",
        "num_associated_contacts",
        "num_notes",
        "notes_last_updated",
    )
    assert list(api.properties("deals", "1", *names).values()) == [
        "false",
        "false",
        "0.9",
        "10800",
        "0",
        "24",
        "1",
        "1",
        "2026-09-18T09:00:00.000Z",
    ]
    assert list(api.properties("deals", "2", *names).values())[:5] == [
        "true",
        "true",
        "1.0",
        "900.5",
        "900.5",
    ]
    api("PATCH", f"{DEALS}/1", {"properties": {"dealstage": "closedlost"}})
    assert list(api.properties("deals", "1", *names).values())[:5] == ["true", "false", "0.0", "0", "0"]


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        (CONTACTS, {"shoe": "1"}, {"shoe": "PROPERTY_DOESNT_EXIST"}),
        (CONTACTS, {"email": "nobody"}, {"email": "INVALID_EMAIL"}),
        (CONTACTS, {"lifecyclestage": "Lead"}, {"lifecyclestage": "INVALID_OPTION"}),
        (CONTACTS, {"region": "north;east"}, {"region": "INVALID_OPTION"}),
        (CONTACTS, {"hs_email_optout": "maybe"}, {"hs_email_optout": "INVALID_OPTION"}),
        (CONTACTS, {"hubspot_owner_id": "901"}, {"hubspot_owner_id": "INVALID_OWNER_ID"}),
        (CONTACTS, {"hs_object_id": "5"}, {"hs_object_id": "READ_ONLY_VALUE"}),
        (CONTACTS, {"firstname": ["a"]}, {"firstname": "INVALID_VALUE"}),
        (CONTACTS, {"firstname": "a" * 70_000}, {"firstname": "PROPERTY_VALUE_TOO_LONG"}),
        (COMPANIES, {"numberofemployees": "many"}, {"numberofemployees": "INVALID_NUMBER"}),
        (COMPANIES, {"numberofemployees": "nan"}, {"numberofemployees": "INVALID_NUMBER"}),
        (COMPANIES, {"renewal": "soon"}, {"renewal": "INVALID_DATE"}),
        (COMPANIES, {"renewal": "1790000000000"}, {"renewal": "INVALID_DATE"}),
        (DEALS, {"closedate": "soon"}, {"closedate": "INVALID_DATE"}),
        (DEALS, {"dealstage": "1"}, {"dealstage": "INVALID_OPTION"}),
        (DEALS, {"pipeline": "other"}, {"pipeline": "INVALID_OPTION"}),
        (
            DEALS,
            {"amount": "x", "nosuch": "y"},
            {"amount": "INVALID_NUMBER", "nosuch": "PROPERTY_DOESNT_EXIST"},
        ),
    ],
)
def test_invalid_values_are_all_named_and_nothing_is_written(
    api: Api, path: str, given: dict[str, Any], expected: dict[str, str]
) -> None:
    error = api("POST", path, {"properties": given}, status=400)
    assert error["category"] == "VALIDATION_ERROR"
    assert problems(error) == expected
    listed = orjson.loads(error["message"].removeprefix("Property values were not valid: "))
    assert {p["name"]: p["error"] for p in listed} == expected
    assert problems(api("PATCH", f"{path}/1", {"properties": given}, status=400)) == expected
    assert api.world.store.changes() == []


def test_values_have_one_form_however_they_are_written(api: Api) -> None:
    for amount in ("1500", "1500.00", 1500, 1500.0, "1.5e3"):
        made = api("POST", DEALS, {"properties": {"dealname": "A", "amount": amount}}, status=201)
        assert made["properties"]["amount"] == "1500"
    for close in ("2026-10-01", "1790812800000", 1790812800000, "2026-10-01T02:00:00+02:00"):
        made = api("POST", DEALS, {"properties": {"dealname": "A", "closedate": close}}, status=201)
        assert made["properties"]["closedate"] == "2026-10-01T00:00:00.000Z"
    for renewal in ("2026-10-01", "1790812800000"):
        made = api("POST", COMPANIES, {"properties": {"name": "A", "renewal": renewal}}, status=201)
        assert made["properties"]["renewal"] == "2026-10-01"


def test_an_equal_value_is_no_change(api: Api) -> None:
    api("PATCH", f"{DEALS}/1", {"properties": {"amount": "12000.0", "closedate": "2026-10-01T00:00:00Z"}})
    assert api.gateway.log[-1].changed == 0


def test_the_address_of_a_contact_is_taken_once(api: Api) -> None:
    error = api("POST", CONTACTS, {"properties": {"email": "ZOE@north.test"}}, status=409)
    assert (error["category"], error["message"]) == ("CONFLICT", "Contact already exists. Existing ID: 1")
    api("PATCH", f"{CONTACTS}/2", {"properties": {"email": "zoe@north.test"}}, status=409)
    api("PATCH", f"{CONTACTS}/1", {"properties": {"email": "zoe@north.test"}})
    api("PATCH", f"{CONTACTS}/1", {"properties": {"hs_additional_emails": "z@north.test"}})
    api("POST", CONTACTS, {"properties": {"email": "z@north.test"}}, status=409)
    api("DELETE", f"{CONTACTS}/1", status=204)
    api("POST", CONTACTS, {"properties": {"email": "zoe@north.test"}}, status=201)
    for _ in range(2):
        api("POST", COMPANIES, {"properties": {"domain": "North.test"}}, status=201)
    api("PATCH", f"{CONTACTS}/2", {"properties": {BADGE.name: "b-9"}})
    error = api("PATCH", f"{CONTACTS}/3", {"properties": {BADGE.name: "B-9"}}, status=400)
    assert problems(error) == {"badge": "CONFLICTING_UNIQUE_VALUE"}


def test_clearing_checkboxes_and_lifecycle(api: Api) -> None:
    api("PATCH", f"{CONTACTS}/1", {"properties": {"phone": "", "region": ";south", "company": None}})
    assert api.properties("contacts", "1", "phone", "region", "company") == {
        "phone": None,
        "region": "north;west;south",
        "company": None,
    }
    api("PATCH", f"{CONTACTS}/1", {"properties": {"lifecyclestage": "lead"}})
    assert api.properties("contacts", "1", "lifecyclestage") == {"lifecyclestage": "opportunity"}
    api("PATCH", f"{CONTACTS}/1", {"properties": {"lifecyclestage": ""}})
    api("PATCH", f"{CONTACTS}/1", {"properties": {"lifecyclestage": "lead"}})
    api("PATCH", f"{CONTACTS}/1", {"properties": {"lifecyclestage": "customer"}})
    assert api.properties("contacts", "1", "lifecyclestage") == {"lifecyclestage": "customer"}
    history = api("GET", f"{CONTACTS}/1", query="propertiesWithHistory=lifecyclestage")
    values = [h["value"] for h in history["propertiesWithHistory"]["lifecyclestage"]]
    assert values == ["customer", "lead", "", "opportunity"]


def test_stages_belong_to_pipelines_and_required_values_are_asked_for(api: Api) -> None:
    made = api("POST", DEALS, {"properties": {"dealname": "X", "dealstage": "closedwon"}}, status=201)
    assert made["properties"]["pipeline"] == "default"
    error = api("POST", "/crm/v3/objects/tickets", {"properties": {"subject": "X"}}, status=400)
    assert error["context"] == {"properties": ["hs_pipeline_stage"]}
    error = api("POST", "/crm/v3/objects/notes", {"properties": {"hs_note_body": "X"}}, status=400)
    assert error["context"] == {"properties": ["hs_timestamp"]}
    api("POST", "/crm/v3/objects/ship", {"properties": {}}, status=400)
    task = {"properties": {"hs_timestamp": NOW, "hs_task_subject": "X"}}
    assert (
        api("POST", "/crm/v3/objects/tasks", task, status=201)["properties"]["hs_task_status"]
        == "NOT_STARTED"
    )


def test_lists_page_by_id_and_stay_stable_under_writes(api: Api) -> None:
    first = api("GET", CONTACTS, query="limit=2")
    assert [r["id"] for r in first["results"]] == ["1", "2"]
    after = first["paging"]["next"]["after"]
    assert f"after={after}" in first["paging"]["next"]["link"]
    api("DELETE", f"{CONTACTS}/1", status=204)
    api("POST", CONTACTS, {"properties": {"email": "late@x.test"}}, status=201)
    rest = api("GET", CONTACTS, query=f"limit=2&after={after}")
    assert [r["id"] for r in rest["results"]] == ["3", "10"]
    last = api("GET", CONTACTS, query=f"limit=2&after={rest['paging']['next']['after']}")
    assert len(last["results"]) == 1 and "paging" not in last
    for query in ("limit=0", "limit=101", "limit=x", "after=x", "archived=perhaps"):
        api("GET", CONTACTS, query=query, status=400)


def test_archived_records_are_out_of_sight_unless_asked_for(api: Api) -> None:
    api("DELETE", f"{CONTACTS}/2", status=204)
    api("DELETE", f"{CONTACTS}/2", status=204)
    api("GET", f"{CONTACTS}/2", status=404)
    api("PATCH", f"{CONTACTS}/2", {"properties": {"city": "X"}}, status=404)
    gone = api("GET", f"{CONTACTS}/2", query="archived=true")
    api("GET", f"{CONTACTS}/1", query="archived=true", status=404)
    assert gone["archived"] is True and gone["archivedAt"] > gone["createdAt"]
    assert [r["id"] for r in api("GET", CONTACTS, query="archived=True")["results"]] == ["2"]
    assert "2" not in [r["id"] for r in api("GET", CONTACTS)["results"]]
    assert api.search("contacts", query="ivo") == []
    store = api.world.store
    assert store.get(Association, pair_id(("contacts", "2"), ("companies", "2"))) is None
    assert store.get(Membership, "21/2") is None


def test_merge_keeps_the_primary_and_leads_the_other_id_to_it(api: Api) -> None:
    merged = api("POST", f"{CONTACTS}/merge", {"primaryObjectId": "1", "objectIdToMerge": "2"})
    assert merged["id"] == "1"
    assert merged["properties"]["hs_lead_status"] == "NEW"
    assert merged["properties"]["lastname"] == "Quist"
    assert api.properties(
        "contacts", "1", "hs_additional_emails", "hs_merged_object_ids", "associatedcompanyid"
    ) == {
        "hs_additional_emails": "ivo@south.test",
        "hs_merged_object_ids": "2",
        "associatedcompanyid": "1",
    }
    assert api("GET", f"{CONTACTS}/2")["id"] == "1"
    assert api("PATCH", f"{CONTACTS}/2", {"properties": {"city": "Kiel"}})["id"] == "1"
    assert [r["id"] for r in api("GET", CONTACTS)["results"]] == ["1", "3", "10"]
    link = [{"associationCategory": HUBSPOT, "associationTypeId": 1}]
    path = "/crm/v4/objects/contacts/2/associations/companies/3"
    made = api("PUT", path, link, status=201)
    assert (made["fromObjectId"], made["labels"]) == ("1", ["Primary"])
    api("DELETE", path, status=204)
    assert api.search("companies", where("associations.contact", "EQ", "1")) == ["1", "2"]
    api("POST", f"{CONTACTS}/merge", {"primaryObjectId": "1", "objectIdToMerge": "1"}, status=400)
    api("POST", f"{CONTACTS}/merge", {"primaryObjectId": "1", "objectIdToMerge": "99"}, status=404)
    api("POST", f"{CONTACTS}/merge", {"primaryObjectId": "1"}, status=400)


def test_gdpr_delete_leaves_nothing(api: Api) -> None:
    body = {"objectId": "zoe@north.test", "idProperty": "email"}
    api("POST", f"{CONTACTS}/gdpr-delete", body, status=204)
    api("GET", f"{CONTACTS}/1", query="archived=true", status=404)
    assert api.world.store.get(Contact, "1") is None
    assert api.world.store.ids(Association, "object", "contacts/1") == []
    api("POST", f"{CONTACTS}/gdpr-delete", body, status=204)


def test_requests_that_are_wrong_in_form(api: Api) -> None:
    api("GET", f"{CONTACTS}/1", token="nobody", status=401)
    error = api("POST", CONTACTS, {"properties": {}}, token="narrow", status=403)
    assert error["errors"][0]["context"]["requiredGranularScopes"] == ["crm.objects.contacts.write"]
    api("GET", f"{CONTACTS}/1", token="narrow")
    api("POST", f"{CONTACTS}/search", {}, token="narrow")
    for path in (f"{DEALS}/1", "/crm/v3/owners", "/crm/v3/lists", "/crm/v3/properties/contacts"):
        api("GET", path, token="narrow", status=403)
    assert api("GET", "/crm/v3/objects/contacts/99", status=404)["message"] == "resource not found"
    api("GET", "/crm/v9/nothing", status=404)
    api("PUT", f"{CONTACTS}/1", {}, status=405)
    assert api.headers["allow"] == "DELETE, GET, PATCH"
    api("GET", CONTACTS, query="properties=" + "x" * 20_000, status=414)
    api("POST", CONTACTS, b"a=b", content_type="application/x-www-form-urlencoded", status=415)
    for raw in (b"{", b"[]", b'{"properties": 3}', b"{}"):
        api("POST", CONTACTS, raw, status=400)


def test_answers_carry_the_vendors_headers(api: Api) -> None:
    api("GET", f"{CONTACTS}/1")
    assert api.headers["x-hubspot-ratelimit-interval-milliseconds"] == "10000"
    assert len(api.headers["x-hubspot-correlation-id"]) == 36
    api("POST", f"{CONTACTS}/search", {})
    assert "x-hubspot-ratelimit-max" not in api.headers
    error = api("GET", f"{CONTACTS}/99", status=404)
    assert error["correlationId"] == api.headers["x-hubspot-correlation-id"]


def test_equal_work_ends_in_equal_states(base: Path) -> None:
    prints = []
    for extra in (0, 3):
        api = Api(base)
        for _ in range(extra):
            api("GET", CONTACTS)
        api(
            "POST",
            DEALS,
            {"properties": {"dealname": "Same", "amount": "10.0" if extra else "10"}},
            status=201,
        )
        api("PATCH", f"{CONTACTS}/1", {"properties": {"city": "Kiel"}})
        prints.append(EndState.of(api.world, api.gateway).fingerprint)
    assert prints[0] == prints[1]


def test_the_difference_says_what_was_done_and_no_more(api: Api) -> None:
    api("PATCH", f"{CONTACTS}/1", {"properties": {"city": "Kiel"}})
    (found,) = EndState.of(api.world, api.gateway).differences
    assert (found.kind, found.id, found.fields) == (
        "hubspot.contacts",
        "1",
        {"properties.city": (None, "Kiel")},
    )


def test_seeded_values_have_the_form_that_writes_give_them() -> None:
    deal = Deal.of(1, at=0, amount=1200.0, closedate="2026-10-01", dealname="", hs_priority=None)
    assert deal.properties == {"amount": "1200", "closedate": "2026-10-01T00:00:00.000Z"}
    with pytest.raises(ValueError, match="timestamp"):
        Deal.of(1, at=0, closedate="soon")
    with pytest.raises(ValueError, match="primary"):
        associate(Contact.of(1, at=0), Deal.of(1, at=0), primary=True)


def test_a_world_without_settings_has_the_usual_ones(tmp_path: Path) -> None:
    api = Api(build(tmp_path / "base.db", portal=Portal(id="portal")))
    assert api("GET", "/account-info/v3/details")["portalId"] == Portal(id="portal").portal_id
    with api.world.act(Via.WORLD) as act:
        assert api.world.twins["hubspot"].credential(act, "ada") == {"authorization": f"Bearer {TOKEN}"}
        assert api.world.twins["hubspot"].credential(act, "bo") == {}


def test_an_account_can_have_a_limit(tmp_path: Path) -> None:
    limited = Portal(id="portal", portal_id=4242, calls_per_interval=3)
    api = Api(build(tmp_path / "base.db", portal=limited))
    left = []
    for _ in range(3):
        api("GET", f"{CONTACTS}/1")
        left.append(api.headers["x-hubspot-ratelimit-remaining"])
    assert left == ["2", "1", "0"]
    error = api("PATCH", f"{CONTACTS}/1", {"properties": {"city": "Kiel"}}, status=429)
    assert (error["errorType"], error["policyName"]) == ("RATE_LIMIT", "TEN_SECONDLY_ROLLING")
    api.search("contacts")
    api.world.settle(10_000)
    api("GET", f"{CONTACTS}/1")
