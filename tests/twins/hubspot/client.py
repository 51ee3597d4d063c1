"""The unmodified hubspot-api-client against the real hostnames.

Run by ``test_client.py`` inside a private network; prints one JSON line per call: its name and what
came of it. The client reads every answer into its models, which refuse a missing field; an answer
with a status that it does not know reads as ``None``, which is an error here.
"""

import json
import os
import sys
from typing import Any

import hubspot
from hubspot.crm import companies, contacts, deals, lists, objects, pipelines, properties, tickets
from hubspot.crm.associations import v4
from hubspot.crm.associations.v4 import schema as labels
from hubspot.crm.schemas import ObjectSchemaEgg, ObjectTypeDefinitionLabels, ObjectTypePropertyCreate

CLIENT = hubspot.Client.create(access_token=os.environ["TOKEN"])
CRM = CLIENT.crm
HUBSPOT = "HUBSPOT_DEFINED"


def note(name: str, found: Any) -> Any:
    """Print a call's outcome and hand it on."""
    if found is None:
        raise AssertionError(f"{name}: the client did not know the answer's status")
    shown = found.to_dict() if hasattr(found, "to_dict") else found
    json.dump([name, shown], sys.stdout, default=str)
    sys.stdout.write("\n")
    return found


def silent(name: str, found: Any) -> None:
    """Print that a call without an answer went well."""
    if found is not None:
        raise AssertionError(f"{name}: {found}")
    note(name, "done")


def refused(name: str, call: Any, status: int) -> None:
    """A call that the vendor refuses."""
    try:
        call()
    except Exception as error:
        if getattr(error, "status", None) != status:
            raise
        note(name, json.loads(error.body))  # type: ignore[attr-defined]
        return
    raise AssertionError(f"{name} was not refused")


def crud() -> None:
    """The four main types: create, read, page, update, archive."""
    for name, package, given in (
        ("contacts", contacts, {"email": "new@north.test", "firstname": "New"}),
        ("companies", companies, {"name": "New", "domain": "new.test"}),
        ("deals", deals, {"dealname": "New", "dealstage": "qualifiedtobuy", "amount": "10"}),
    ):
        basic = getattr(CRM, name).basic_api
        given_input = package.SimplePublicObjectInputForCreate(properties=given, associations=[])
        made = note(f"{name} create", basic.create(given_input))
        note(f"{name} get", basic.get_by_id(made.id, properties=list(given), archived=False))
        note(f"{name} page", basic.get_page(limit=2, archived=False))
        changed = package.SimplePublicObjectInput(properties={"hubspot_owner_id": "12"})
        note(f"{name} update", basic.update(made.id, changed))
        note(f"{name} all", len(getattr(CRM, name).get_all()))
        silent(f"{name} archive", basic.archive(made.id))
    both = CRM.contacts.basic_api.get_by_id(
        "1", associations=["companies", "deals"], properties_with_history=["lifecyclestage"]
    )
    note("contacts associated", both)
    note("contacts by email", CRM.contacts.basic_api.get_by_id("zoe@north.test", id_property="email"))
    text = {"subject": "New", "hs_pipeline": "0", "hs_pipeline_stage": "1"}
    ticket = tickets.SimplePublicObjectInputForCreate(properties=text, associations=[])
    note("tickets create", CRM.tickets.basic_api.create(ticket))
    spec = objects.AssociationSpec(association_category=HUBSPOT, association_type_id=202)
    link = objects.PublicAssociationsForObject(types=[spec], to=objects.PublicObjectId(id="1"))
    body = {"hs_timestamp": "2026-09-20T10:00:00Z", "hs_note_body": "From the client"}
    given_input = objects.SimplePublicObjectInputForCreate(properties=body, associations=[link])
    note("notes create", CRM.objects.basic_api.create("notes", given_input))


def batches() -> None:
    """Batches, whole and partial."""
    api = CRM.contacts.batch_api
    new = contacts.SimplePublicObjectBatchInputForCreate
    many = contacts.BatchInputSimplePublicObjectBatchInputForCreate
    inputs = [new(properties={"email": f"{n}@batch.test"}, associations=[]) for n in ("a", "b")]
    made = note("batch create", api.create(many(inputs=inputs)))
    taken = new(properties={"email": "zoe@north.test"}, associations=[])
    other = new(properties={"email": "c@batch.test"}, associations=[])
    given = many(inputs=[other, taken])
    note("batch create partial", api.create(given))
    ids = [contacts.SimplePublicObjectId(id=r.id) for r in made.results]
    read = contacts.BatchReadInputSimplePublicObjectId(
        inputs=ids, properties=["email"], properties_with_history=["email"]
    )
    note("batch read", api.read(read))
    missing = contacts.BatchReadInputSimplePublicObjectId(
        inputs=[*ids, contacts.SimplePublicObjectId(id="99")], properties=[], properties_with_history=[]
    )
    note("batch read partial", api.read(missing))
    change = [contacts.SimplePublicObjectBatchInput(id=i.id, properties={"city": "Kiel"}) for i in ids]
    note("batch update", api.update(contacts.BatchInputSimplePublicObjectBatchInput(inputs=change)))
    upserts = [
        contacts.SimplePublicObjectBatchInputUpsert(id=f"{n}@batch.test", id_property="email", properties={})
        for n in ("a", "z")
    ]
    note("batch upsert", api.upsert(contacts.BatchInputSimplePublicObjectBatchInputUpsert(inputs=upserts)))
    silent("batch archive", api.archive(contacts.BatchInputSimplePublicObjectId(inputs=ids)))


def search() -> None:
    """Search, its paging and its operators."""
    api = CRM.contacts.search_api
    owned = contacts.Filter(property_name="lastname", operator="EQ", value="Quist")
    any_of = contacts.Filter(property_name="lastname", operator="IN", values=["quist", "adler"])
    request = contacts.PublicObjectSearchRequest(
        filter_groups=[contacts.FilterGroup(filters=[owned]), contacts.FilterGroup(filters=[any_of])],
        sorts=["-createdate"],
        properties=["email"],
        limit=2,
        after="0",
    )
    first = note("search", api.do_search(request))
    request.after = first.paging.next.after
    note("search next", api.do_search(request))
    words = contacts.PublicObjectSearchRequest(query="quist", limit=5)
    note("search query", api.do_search(words))
    between = deals.Filter(property_name="amount", operator="BETWEEN", value="900", high_value="1000")
    request = deals.PublicObjectSearchRequest(filter_groups=[deals.FilterGroup(filters=[between])])
    note("search between", CRM.deals.search_api.do_search(request))


def links() -> None:
    """Associations v4 and their labels."""
    basic, batch = CRM.associations.v4.basic_api, CRM.associations.v4.batch_api
    note("links page", basic.get_page("contacts", "1", "companies", limit=1))
    spec = v4.AssociationSpec(association_category=HUBSPOT, association_type_id=1)
    note("links create", basic.create("contacts", "10", "companies", "2", [spec]))
    note("links default", basic.create_default("deals", "2", "contacts", "10"))
    ends = {"_from": v4.PublicObjectId(id="10"), "to": v4.PublicObjectId(id="1")}
    plain = v4.AssociationSpec(association_category=HUBSPOT, association_type_id=279)
    post = v4.PublicAssociationMultiPost(types=[plain], **ends)
    given = v4.BatchInputPublicAssociationMultiPost(inputs=[post])
    note("links batch create", batch.create("contacts", "companies", given))
    default = v4.BatchInputPublicDefaultAssociationMultiPost(
        inputs=[v4.PublicDefaultAssociationMultiPost(**ends)]
    )
    note("links batch default", batch.create_default("contacts", "companies", default))
    asked = v4.BatchInputPublicFetchAssociationsBatchRequest(
        inputs=[v4.PublicFetchAssociationsBatchRequest(id="10")]
    )
    note("links batch read", batch.get_page("contacts", "companies", asked))
    away = v4.BatchInputPublicAssociationMultiPost(inputs=[post])
    silent("links labels archive", batch.archive_labels("contacts", "companies", away))
    gone = v4.PublicAssociationMultiArchive(_from=v4.PublicObjectId(id="10"), to=[v4.PublicObjectId(id="1")])
    silent(
        "links batch archive",
        batch.archive("contacts", "companies", v4.BatchInputPublicAssociationMultiArchive(inputs=[gone])),
    )
    silent("links archive", basic.archive("contacts", "10", "companies", "2"))
    definitions = CRM.associations.v4.schema.definitions_api
    note("labels get", definitions.get_all("contacts", "companies"))
    request = labels.PublicAssociationDefinitionCreateRequest(
        name="pays", label="Pays", inverse_label="Paid by"
    )
    made = note("labels create", definitions.create("contacts", "companies", request))
    change = labels.PublicAssociationDefinitionUpdateRequest(
        association_type_id=made.results[0].type_id, label="Pays for"
    )
    silent("labels update", definitions.update("contacts", "companies", change))
    silent("labels remove", definitions.remove("contacts", "companies", made.results[0].type_id))


def settings() -> None:
    """Properties, groups, pipelines, stages and owners."""
    core = CRM.properties.core_api
    given = properties.PropertyCreate(
        name="size",
        label="Size",
        type="enumeration",
        field_type="select",
        group_name="contactinformation",
        options=[properties.OptionInput(label="Small", value="s", hidden=False, display_order=0)],
    )
    note("properties create", core.create("contacts", given))
    note("properties get", core.get_by_name("contacts", "size"))
    note("properties all", core.get_all("contacts", archived=False))
    note("properties update", core.update("contacts", "size", properties.PropertyUpdate(label="T-shirt")))
    named = [properties.PropertyName(name="size"), properties.PropertyName(name="email")]
    read = properties.BatchReadInputPropertyName(inputs=named, archived=False)
    note("properties batch read", CRM.properties.batch_api.read("contacts", read))
    silent("properties archive", core.archive("contacts", "size"))
    groups = CRM.properties.groups_api
    note("groups create", groups.create("contacts", properties.PropertyGroupCreate(name="g", label="G")))
    note("groups all", groups.get_all("contacts"))
    silent("groups archive", groups.archive("contacts", "g"))
    api, stages = CRM.pipelines.pipelines_api, CRM.pipelines.pipeline_stages_api
    note("pipelines all", api.get_all("deals"))
    stage = pipelines.PipelineStageInput(label="Due", display_order=0, metadata={"probability": "0.5"})
    given = pipelines.PipelineInput(label="Renewals", display_order=1, stages=[stage])
    made = note("pipelines create", api.create("deals", given))
    note("pipelines get", api.get_by_id("deals", made.id))
    note("pipelines update", api.update("deals", made.id, pipelines.PipelinePatchInput(label="Kept")))
    note("pipelines replace", api.replace("deals", made.id, given))
    more = pipelines.PipelineStageInput(label="Done", display_order=1, metadata={"probability": "1.0"})
    added = note("stages create", stages.create("deals", made.id, more))
    note("stages all", stages.get_all("deals", made.id))
    patch = pipelines.PipelineStagePatchInput(label="Finished", metadata={"probability": "1.0"})
    note("stages update", stages.update("deals", made.id, added.id, patch))
    silent("stages archive", stages.archive("deals", made.id, added.id))
    silent("pipelines archive", api.archive("deals", made.id))
    note("owners page", CRM.owners.owners_api.get_page(limit=1))
    note("owners get", CRM.owners.owners_api.get_by_id(11, id_property="id"))


def lists_and_schemas() -> None:
    """Lists with their members, and custom types."""
    api, members = CRM.lists.lists_api, CRM.lists.memberships_api
    request = lists.ListCreateRequest(name="New", object_type_id="0-1", processing_type="MANUAL")
    made = note("lists create", api.create(request))
    id = made.list.list_id
    note("lists get", api.get_by_id(id))
    note("lists search", api.do_search(lists.ListSearchRequest(query="New", count=5, offset=0)))
    note("members add", members.add(id, ["1", "2"]))
    note("members page", members.get_page(id, limit=10))
    note("members remove", members.remove(id, ["1"]))
    note("record lists", members.get_lists("0-1", "2"))
    note("lists rename", api.update_name(id, list_name="Newer"))
    silent("lists remove", api.remove(id))
    core = CRM.schemas.core_api
    note("schemas all", core.get_all())
    name = ObjectTypePropertyCreate(name="port_name", label="Port name", type="string", field_type="text")
    egg = ObjectSchemaEgg(
        name="port",
        labels=ObjectTypeDefinitionLabels(singular="Port", plural="Ports"),
        required_properties=["port_name"],
        primary_display_property="port_name",
        associated_objects=["COMPANY"],
        properties=[name],
    )
    note("schemas create", core.create(egg))
    note("schemas get", core.get_by_id("port"))
    silent("schemas archive", core.archive("port"))


def merging_and_raw() -> None:
    """Merge, gdpr-delete, requests by hand and sign-in."""
    pair = contacts.PublicMergeInput(primary_object_id="1", object_id_to_merge="3")
    note("merge", CRM.contacts.basic_api.merge(pair))
    purge = contacts.PublicGdprDeleteInput(object_id="2")
    silent("purge", CRM.contacts.basic_api.purge(purge))
    answer = CLIENT.api_request({"path": "/account-info/v3/details", "method": "GET"})
    note("api_request", answer.json())
    note("token info", CLIENT.oauth.access_tokens_api.get(os.environ["TOKEN"]))
    id, secret = os.environ["CLIENT"].split(":")
    note(
        "token create",
        CLIENT.oauth.tokens_api.create(
            grant_type="refresh_token",
            client_id=id,
            client_secret=secret,
            refresh_token=os.environ["REFRESH"],
        ),
    )


def refusals() -> None:
    """Errors as the client raises them."""
    basic = CRM.contacts.basic_api
    new = contacts.SimplePublicObjectInputForCreate

    refused(
        "conflict", lambda: basic.create(new(properties={"email": "zoe@north.test"}, associations=[])), 409
    )
    refused("invalid", lambda: basic.create(new(properties={"shoe": "1"}, associations=[])), 400)
    refused("missing", lambda: basic.get_by_id("99"), 404)
    stranger = hubspot.Client.create(access_token="nobody")
    refused("unauthorized", lambda: stranger.crm.owners.owners_api.get_page(), 401)
    narrow = hubspot.Client.create(access_token="narrow")
    refused("forbidden", lambda: narrow.crm.deals.basic_api.get_page(), 403)


crud()
batches()
search()
links()
settings()
lists_and_schemas()
refusals()
merging_and_raw()
