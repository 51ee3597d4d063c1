"""Properties, groups, pipelines and owners."""

from typing import Any

import pytest

from tenure.twins.hubspot.definitions import STANDARD_PIPELINES, standard_properties
from tenure.twins.hubspot.objecttypes import OBJECT_TYPES
from tenure.twins.hubspot.service.derived import computed
from tenure.twins.hubspot.service.types import STANDARD, Type
from twins.hubspot.make import CONTACTS, DEALS, Api

PROPERTIES = "/crm/v3/properties/contacts"
PIPELINES = "/crm/v3/pipelines/deals"
NEW = {
    "name": "size",
    "label": "Size",
    "type": "enumeration",
    "fieldType": "select",
    "groupName": "contactinformation",
    "options": [{"label": "Small", "value": "s"}, {"label": "Large", "value": "l"}],
}


def test_every_name_that_a_type_mentions_is_defined() -> None:
    for spec in OBJECT_TYPES.values():
        known = standard_properties()[spec.name]
        named = {*spec.defaults, *spec.searchable, *spec.indexed, *spec.required, spec.modified}
        assert named <= set(known), spec.name


@pytest.mark.parametrize("t", STANDARD.values(), ids=lambda t: t.key)
def test_what_is_computed_is_read_only_and_what_is_read_only_is_computed(t: Type) -> None:
    """Else a write would be stored and never be seen again, or a property could have no value at all."""
    known = standard_properties()[t.key]
    assert {name for name, p in known.items() if p.read_only} == computed(t) & set(known)


def test_properties_are_listed_and_read(api: Api) -> None:
    listed = {p["name"]: p for p in api("GET", PROPERTIES)["results"]}
    assert listed["region"]["options"][0]["value"] == "north"
    assert listed["region"]["hubspotDefined"] is False
    assert listed["email"]["hubspotDefined"] is True
    assert "hs_marketable_status" not in listed
    hidden = api("GET", PROPERTIES, query="includeHidden=true")["results"]
    assert "hs_marketable_status" in {p["name"] for p in hidden}
    assert api("GET", f"{PROPERTIES}/region") == listed["region"]
    api("GET", f"{PROPERTIES}/nosuch", status=404)
    assert api("GET", PROPERTIES, query="archived=true")["results"] == []


def test_a_property_lives_from_creation_to_archiving(api: Api) -> None:
    made = api("POST", PROPERTIES, NEW, status=201)
    assert [o["displayOrder"] for o in made["options"]] == [0, 1]
    assert api("POST", PROPERTIES, NEW, status=409)["category"] == "CONFLICT"
    api("PATCH", f"{CONTACTS}/1", {"properties": {"size": "m"}}, status=400)
    options = [*NEW["options"], {"label": "Medium", "value": "m"}]
    changed = api("PATCH", f"{PROPERTIES}/size", {"label": "T-shirt", "options": options})
    assert (changed["label"], len(changed["options"]), changed["type"]) == ("T-shirt", 3, "enumeration")
    api("PATCH", f"{CONTACTS}/1", {"properties": {"size": "m"}})
    api("DELETE", f"{PROPERTIES}/size", status=204)
    api("GET", f"{PROPERTIES}/size", status=404)
    assert api("GET", f"{PROPERTIES}/size", query="archived=true")["archived"] is True
    assert "size" not in api("GET", f"{CONTACTS}/1", query="properties=size")["properties"]
    api("DELETE", f"{PROPERTIES}/email", status=400)
    api("DELETE", f"{PROPERTIES}/nosuch", status=404)


def test_a_standard_property_can_get_more_options(api: Api) -> None:
    known = api("GET", f"{PROPERTIES}/hs_lead_status")["options"]
    options = [*known, {"label": "Nurture", "value": "NURTURE"}]
    api("PATCH", f"{PROPERTIES}/hs_lead_status", {"options": options})
    api("PATCH", f"{CONTACTS}/1", {"properties": {"hs_lead_status": "NURTURE"}})
    api("PATCH", f"{PROPERTIES}/hubspot_owner_id", {"options": options}, status=400)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Size"},
        {"name": "1size"},
        {"type": "money"},
        {"fieldType": "date"},
        {"groupName": "nosuch"},
        {"label": None},
        {"options": [{"label": "A", "value": "a"}, {"label": "B", "value": "a"}]},
        {"options": [{"label": "A"}]},
        {"hidden": "yes"},
        {"displayOrder": "first"},
    ],
)
def test_definitions_that_are_refused(api: Api, change: dict[str, Any]) -> None:
    api("POST", PROPERTIES, {**NEW, **change}, status=400)


def test_property_batches(api: Api) -> None:
    other = {**NEW, "name": "shoe"}
    done = api("POST", f"{PROPERTIES}/batch/create", {"inputs": [NEW, other]}, status=201)
    assert [p["name"] for p in done["results"]] == ["size", "shoe"]
    third = {**NEW, "name": "hat"}
    done = api("POST", f"{PROPERTIES}/batch/create", {"inputs": [NEW, third]}, status=207)
    assert ([p["name"] for p in done["results"]], done["numErrors"]) == (["hat"], 1)
    named = {"inputs": [{"name": "size"}, {"name": "email"}]}
    assert len(api("POST", f"{PROPERTIES}/batch/read", named)["results"]) == 2
    api("POST", f"{PROPERTIES}/batch/read", {"inputs": [{"name": "nosuch"}]}, status=404)
    api("POST", f"{PROPERTIES}/batch/archive", {"inputs": [{"name": "size"}, {"name": "shoe"}]}, status=204)
    archived = api("POST", f"{PROPERTIES}/batch/read", {"inputs": [{"name": "size"}], "archived": True})
    assert archived["results"][0]["archived"] is True


def test_groups(api: Api) -> None:
    path = f"{PROPERTIES}/groups"
    assert [g["name"] for g in api("GET", path)["results"]] == ["contactinformation"]
    api("POST", path, {"name": "sizes", "label": "Sizes"}, status=201)
    api("POST", path, {"name": "sizes", "label": "Sizes"}, status=409)
    api("POST", path, {"name": "x"}, status=400)
    assert api("PATCH", f"{path}/sizes", {"label": "All sizes"})["label"] == "All sizes"
    assert api("GET", f"{path}/sizes")["label"] == "All sizes"
    api("POST", PROPERTIES, {**NEW, "groupName": "sizes"}, status=201)
    api("DELETE", f"{path}/sizes", status=400)
    api("DELETE", f"{PROPERTIES}/size", status=204)
    api("DELETE", f"{path}/sizes", status=204)
    api("GET", f"{path}/sizes", status=404)
    assert [g["name"] for g in api("GET", "/crm/v3/properties/ship/groups")["results"]] == ["custom"]


# -- pipelines -------------------------------------------------------------------------------

RENEWALS = {
    "label": "Renewals",
    "displayOrder": 1,
    "stages": [
        {"label": "Due", "displayOrder": 0, "metadata": {"probability": "0.5"}},
        {"label": "Kept", "displayOrder": 1, "metadata": {"probability": 1}},
    ],
}


def test_the_standard_pipelines(api: Api) -> None:
    (sales,) = api("GET", PIPELINES)["results"]
    assert [s["id"] for s in sales["stages"]][-2:] == ["closedwon", "closedlost"]
    assert api("GET", f"{PIPELINES}/default") == sales
    assert api("GET", f"{PIPELINES}/default/stages")["results"] == sales["stages"]
    assert api("GET", f"{PIPELINES}/default/stages/closedwon")["metadata"] == {
        "isClosed": "true",
        "probability": "1.0",
    }
    assert api("GET", "/crm/v3/pipelines/tickets/0")["label"] == "Support Pipeline"
    api("GET", f"{PIPELINES}/nosuch", status=404)
    api("GET", f"{PIPELINES}/default/stages/nosuch", status=404)
    api("POST", "/crm/v3/pipelines/contacts", RENEWALS, status=400)


def test_a_pipeline_lives_from_creation_to_deletion(api: Api) -> None:
    made = api("POST", PIPELINES, RENEWALS, status=201)
    due, kept = made["stages"]
    assert kept["metadata"] == {"probability": "1.0", "isClosed": "true"}
    api("POST", PIPELINES, RENEWALS, status=409)
    deal = {"dealname": "R", "pipeline": made["id"], "dealstage": due["id"]}
    api("POST", DEALS, {"properties": deal}, status=201)
    api("POST", DEALS, {"properties": {**deal, "dealstage": "closedwon"}}, status=400)
    api("PATCH", f"{DEALS}/1", {"properties": {"pipeline": made["id"]}}, status=400)
    moved = {"pipeline": made["id"], "dealstage": kept["id"]}
    api("PATCH", f"{DEALS}/1", {"properties": moved})
    assert api.properties("deals", "1", "hs_is_closed_won") == {"hs_is_closed_won": "true"}
    assert api("PATCH", f"{PIPELINES}/{made['id']}", {"label": "Kept ones"})["label"] == "Kept ones"
    api("PATCH", f"{PIPELINES}/{made['id']}", {"label": "Sales Pipeline"}, status=409)
    api("DELETE", f"{PIPELINES}/{made['id']}", status=400)
    for id in api.search("deals", {"propertyName": "pipeline", "operator": "EQ", "value": made["id"]}):
        api("DELETE", f"{DEALS}/{id}", status=204)
    api("DELETE", f"{PIPELINES}/{made['id']}", status=204)
    api("DELETE", f"{PIPELINES}/default", status=400)
    assert [p["id"] for p in api("GET", PIPELINES)["results"]] == ["default"]
    assert STANDARD_PIPELINES["deals/default"].label == "Sales Pipeline"


def test_stages(api: Api) -> None:
    path = f"{PIPELINES}/default/stages"
    new = {"label": "Legal", "displayOrder": 5, "metadata": {"probability": "0.95"}}
    made = api("POST", path, new, status=201)
    api("POST", path, new, status=409)
    api("PATCH", f"{DEALS}/3", {"properties": {"dealstage": made["id"]}})
    changed = api("PATCH", f"{path}/{made['id']}", {"metadata": {"probability": "0.97"}})
    assert (changed["label"], changed["metadata"]["probability"]) == ("Legal", "0.97")
    replaced = api("PUT", f"{path}/{made['id']}", {**new, "label": "Paper"})
    assert (replaced["label"], replaced["metadata"]["probability"]) == ("Paper", "0.95")
    api("PUT", f"{path}/{made['id']}", {"label": "X"}, status=400)
    api("PATCH", f"{path}/{made['id']}", {"metadata": {"probability": "2"}}, status=400)
    api("DELETE", f"{path}/{made['id']}", status=400)
    api("PATCH", f"{DEALS}/3", {"properties": {"dealstage": "qualifiedtobuy"}})
    api("DELETE", f"{path}/{made['id']}", status=204)
    api("GET", f"{path}/{made['id']}", status=404)
    ticket = api(
        "POST",
        "/crm/v3/pipelines/tickets/0/stages",
        {"label": "Done", "displayOrder": 9, "metadata": {"ticketState": "CLOSED"}},
        status=201,
    )
    assert ticket["metadata"]["isClosed"] == "true"


def test_replacing_a_pipeline_keeps_named_stages_and_used_ones(api: Api) -> None:
    stages = api("GET", f"{PIPELINES}/default")["stages"]
    kept = [{**s, "stageId": s["id"]} for s in stages if s["id"] != "qualifiedtobuy"]
    body = {"label": "Sales", "displayOrder": 0, "stages": kept}
    replaced = api("PUT", f"{PIPELINES}/default", body)
    assert (replaced["label"], len(replaced["stages"])) == ("Sales", 6)
    unused = [s for s in kept if s["id"] != "closedwon"]
    api("PUT", f"{PIPELINES}/default", {**body, "stages": unused}, status=400)
    api("PUT", f"{PIPELINES}/default", {**body, "stages": []}, status=400)


# -- owners ----------------------------------------------------------------------------------


def test_owners(api: Api) -> None:
    first = api("GET", "/crm/v3/owners/", query="limit=1")
    assert first["results"][0]["email"] == "ada@acme.test"
    second = api("GET", "/crm/v3/owners", query=f"limit=1&after={first['paging']['next']['after']}")
    assert [o["id"] for o in second["results"]] == ["12"] and "paging" not in second
    assert [o["id"] for o in api("GET", "/crm/v3/owners", query="email=BO@acme.test")["results"]] == ["12"]
    assert api("GET", "/crm/v3/owners/11")["userId"] == 901
    assert api("GET", "/crm/v3/owners/902", query="idProperty=userId&archived=false")["id"] == "12"
    api("GET", "/crm/v3/owners/901", status=404)
    api("GET", "/crm/v3/owners/11", query="archived=true", status=404)
    for query in ("limit=0", "limit=501", "after=x"):
        api("GET", "/crm/v3/owners", query=query, status=400)
    api("GET", "/crm/v3/owners/11", query="idProperty=email", status=400)
