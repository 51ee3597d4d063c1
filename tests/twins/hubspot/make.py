"""A small CRM, and a caller whose every answer is checked against the official client's models."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import orjson

from tenure.twins.hubspot import TWIN
from tenure.twins.hubspot.records import (
    AUDIENCE,
    AssociationLabel,
    Company,
    Contact,
    CustomObject,
    Deal,
    Flow,
    Membership,
    Note,
    Option,
    Owner,
    Portal,
    Property,
    Schema,
    Segment,
    Task,
    Ticket,
    associate,
    hubspot_token,
)
from tenure.twins.hubspot.rest import ROUTES, canonical
from tenure.world import Account, BaseBuilder, Gateway, Record, Token, World
from twins.hubspot.sdk import operations, schema, shape

SEED = 7
NOW = 1_790_000_000_000
"""21 September 2026, 14:13:20 UTC."""
DAY = 86_400_000
ADA, BO = "ada", "bo"
TOKEN = hubspot_token(SEED, ADA).id
CLIENT, REFRESH = "client-1:secret-1", "refresh-1"
HOST = "api.hubapi.com"
CONTACTS, COMPANIES, DEALS = (f"/crm/v3/objects/{name}" for name in ("contacts", "companies", "deals"))
HUBSPOT = "HUBSPOT_DEFINED"

OWNERS = (
    Owner(
        id="11",
        email="ada@acme.test",
        first_name="Ada",
        last_name="Ost",
        user_id=901,
        created_at=NOW - 90 * DAY,
        updated_at=NOW - 90 * DAY,
    ),
    Owner(
        id="12",
        email="bo@acme.test",
        first_name="Bo",
        last_name="Ung",
        user_id=902,
        created_at=NOW - 90 * DAY,
        updated_at=NOW - 90 * DAY,
    ),
)
REGION = Property(
    id="contacts/region",
    object_type="contacts",
    name="region",
    label="Region",
    type="enumeration",
    field_type="checkbox",
    group_name="contactinformation",
    options=[
        Option(label="North", value="north", display_order=0),
        Option(label="South", value="south", display_order=1),
        Option(label="West", value="west", display_order=2),
    ],
)
BADGE = Property(
    id="contacts/badge",
    object_type="contacts",
    name="badge",
    label="Badge",
    group_name="contactinformation",
    has_unique_value=True,
)
RENEWAL = Property(
    id="companies/renewal",
    object_type="companies",
    name="renewal",
    label="Renewal",
    type="date",
    field_type="date",
    group_name="companyinformation",
)
SHIP = Schema(
    id="2-3001",
    name="ship",
    singular="Ship",
    plural="Ships",
    primary_display_property="ship_name",
    required_properties=["ship_name"],
    searchable_properties=["ship_name"],
    associated_objects=["companies"],
    created_at=NOW - 30 * DAY,
    updated_at=NOW - 30 * DAY,
)
SHIP_NAME = Property(
    id="2-3001/ship_name", object_type="2-3001", name="ship_name", label="Ship name", group_name="custom"
)
DECIDES = AssociationLabel(
    id="2001",
    from_type="contacts",
    to_type="deals",
    name="decides",
    label="Decides",
    type_id=2001,
    inverse_id=2002,
    inverse_label="Decided by",
)
ZOE = Contact.of(
    1,
    at=NOW - 40 * DAY,
    email="zoe@north.test",
    firstname="Zoë",
    lastname="Quist",
    phone="+46 8 555 0101",
    company="North Freight",
    lifecyclestage="opportunity",
    hubspot_owner_id="11",
    region="north;west",
    badge="B-1",
)
IVO = Contact.of(
    2,
    at=NOW - 30 * DAY,
    email="ivo@south.test",
    firstname="Ivo",
    lastname="Adler",
    lifecyclestage="lead",
    hs_lead_status="NEW",
    hubspot_owner_id="12",
    region="south",
)
KIM = Contact.of(3, at=NOW - 20 * DAY, email="kim@north.test", firstname="Kim", lastname="Quist")
MAX = Contact.of(10, at=NOW - 10 * DAY, firstname="Max", lastname="Nomail", jobtitle="Buyer")
NORTH = Company.of(
    1,
    at=NOW - 50 * DAY,
    name="North Freight",
    domain="north.test",
    industry="TRANSPORTATION_TRUCKING_RAILROAD",
    numberofemployees=250,
    renewal="2026-12-01",
)
SOUTH = Company.of(2, at=NOW - 49 * DAY, name="South Yards", domain="south.test", numberofemployees=12)
EMPTY = Company.of(3, at=NOW - 48 * DAY, name="Empty Holding")
BIG = Deal.of(
    1,
    at=NOW - 15 * DAY,
    dealname="North 2027",
    amount=12_000,
    pipeline="default",
    dealstage="contractsent",
    closedate="2026-10-01",
    hubspot_owner_id="11",
)
WON = Deal.of(
    2,
    at=NOW - 14 * DAY,
    dealname="South pilot",
    amount=900.5,
    pipeline="default",
    dealstage="closedwon",
    closedate="2026-09-14",
)
OPEN = Deal.of(
    3, at=NOW - 13 * DAY, dealname="Yard audit", pipeline="default", dealstage="appointmentscheduled"
)
TICKET = Ticket.of(
    1,
    at=NOW - 5 * DAY,
    subject="Crane stuck",
    hs_pipeline="0",
    hs_pipeline_stage="1",
    hs_ticket_priority="HIGH",
)
NOTE = Note.of(1, at=NOW - 3 * DAY, hs_timestamp="2026-09-18T09:00:00Z", hs_note_body="Called about renewal")
TASK = Task.of(
    2,
    at=NOW - 2 * DAY,
    hs_timestamp="2026-09-25T09:00:00Z",
    hs_task_subject="Send terms",
    hs_task_status="NOT_STARTED",
    hubspot_owner_id="11",
)
VEGA = CustomObject.of_type("2-3001", 1, at=NOW - 8 * DAY, ship_name="Vega")
PICKED = Segment(
    id="21", name="Picked", object_type="contacts", created_at=NOW - 9 * DAY, updated_at=NOW - 9 * DAY
)
IS_QUIST = {"operationType": "MULTISTRING", "operator": "IS_EQUAL_TO", "values": ["quist"]}


def branch(name: str, operation: dict[str, Any]) -> dict[str, Any]:
    """A list's filter with one condition."""
    filters = [{"filterType": "PROPERTY", "property": name, "operation": operation}]
    inner = {"filterBranchType": "AND", "filterBranches": [], "filters": filters}
    return {"filterBranchType": "OR", "filterBranches": [inner], "filters": []}


QUISTS = Segment(
    id="22",
    name="Quists",
    object_type="contacts",
    processing_type="DYNAMIC",
    filter_branch=branch("lastname", IS_QUIST),
    created_at=NOW - 9 * DAY,
    updated_at=NOW - 9 * DAY,
)
FLOW = Flow(
    id="71",
    name="Welcome",
    actions=[{"actionId": "1", "type": "SINGLE_CONNECTION", "actionTypeId": "0-3", "fields": {}}],
    created_at=NOW - 60 * DAY,
    updated_at=NOW - 60 * DAY,
)
RECORDS: tuple[Record, ...] = (
    Account(id=ADA, email="ada@acme.test", name="Ada Ost", details={"hubspot": {"owner": "11"}}),
    Account(id=BO, email="bo@acme.test", name="Bo Ung"),
    hubspot_token(SEED, ADA),
    Token(id="narrow", account=ADA, audience=AUDIENCE, scopes=["crm.objects.contacts.read"]),
    Token(id=CLIENT, account=ADA, audience=AUDIENCE, use="client"),
    Token(id=REFRESH, account=ADA, audience=AUDIENCE, use="refresh"),
    *OWNERS,
    *(REGION, BADGE, RENEWAL, SHIP, SHIP_NAME, DECIDES, PICKED, QUISTS, FLOW),
    *(ZOE, IVO, KIM, MAX, NORTH, SOUTH, EMPTY, BIG, WON, OPEN, TICKET, NOTE, TASK, VEGA),
    associate(ZOE, NORTH, primary=True),
    associate(KIM, NORTH, primary=True),
    associate(ZOE, SOUTH),
    associate(IVO, SOUTH, primary=True),
    associate(BIG, NORTH, primary=True),
    associate(ZOE, BIG, label=DECIDES),
    associate(NOTE, BIG),
    associate(TASK, ZOE),
    Membership(id="21/2", list_id="21", object_type="contacts", record_id="2", added_at=NOW - 9 * DAY),
)


def build(path: Path, more: Iterable[Record] = (), *, portal: Portal | None = None) -> Path:
    """A base with ``RECORDS`` and more; the sequences of labels go on after the one there is."""
    with BaseBuilder(path, now=NOW, seed=SEED) as builder:
        for record in (
            *RECORDS,
            *more,
            portal or Portal(id="portal", portal_id=4242, time_zone="Europe/Stockholm"),
        ):
            builder.add(record)
        builder.next("hubspot.association_label")
        builder.next("hubspot.association_label")
    return path


@cache
def _model(method: str, template: str, status: int) -> dict[str, Any] | None:
    for o in operations():
        if o.method == method and shape(o.path) == template and status in o.models:
            return schema(*o.models[status])
    return None


class Api:
    """Calls a world's gateway as its persona.

    Attributes:
        world: The world.
        gateway: Its gateway.
        headers: The last answer's headers.
        checks: Whether answers are held against the client's models.
    """

    def __init__(self, base: Path, *, checks: bool = True) -> None:
        self.checks = checks
        self.world = World(base, [TWIN])
        self.gateway = Gateway(self.world)
        self.headers: dict[str, str] = {}

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        status: int = 200,
        query: str = "",
        token: str = TOKEN,
        content_type: str = "application/json",
        host: str = HOST,
    ) -> Any:
        """One call, whose status must be as said; a good answer must fit the client's model."""
        sent = {"authorization": f"Bearer {token}", "content-type": content_type}
        raw = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
        reply = self.gateway.answer(method, host, path, query, sent, raw)
        line = self.gateway.log[-1]
        assert not line.fault, line.fault
        self.headers, data = reply.encoded()
        assert reply.status == status, f"{method} {path}: {reply.status}, not {status}: {data.decode()}"
        found = orjson.loads(data) if data else None
        if status < 300 and self.checks:
            self._check(method, path, status, found)
        elif status >= 300:
            assert found["status"] == "error" and found["message"] and found["correlationId"]
        return found

    def _check(self, method: str, path: str, status: int, found: Any) -> None:

        template = _template(ROUTES.routes, method, canonical(path))
        wanted = _model(method, shape(template), status)
        if wanted is not None:
            jsonschema.validate(found, wanted)
        elif status == 204:
            assert found is None

    def search(self, kind: str, *filters: dict[str, Any], **more: Any) -> list[str]:
        """The ids that a search with one group of filters finds."""
        groups = [{"filters": list(filters)}] if filters else []
        found = self("POST", f"/crm/v3/objects/{kind}/search", {"filterGroups": groups, **more})
        assert found["total"] >= len(found["results"])
        return [result["id"] for result in found["results"]]

    def properties(self, kind: str, id: str, *names: str) -> dict[str, Any]:
        """Some of a record's values."""
        found = self("GET", f"/crm/v3/objects/{kind}/{id}", query=f"properties={','.join(names)}")
        return {name: found["properties"].get(name) for name in names}


def _template(routes: Iterable[Any], method: str, path: str) -> str:
    parts = path.rstrip("/").split("/")
    fitting = [
        r.template
        for r in routes
        if r.method == method
        and len(pieces := r.template.split("/")) == len(parts)
        and all(a.startswith("{") or a == b for a, b in zip(pieces, parts, strict=True))
    ]
    return max(fitting, key=lambda template: -template.count("{"))


def where(name: str, operator: str, value: Any = None, **more: Any) -> dict[str, Any]:
    """A search filter."""
    given = {} if value is None else {"value": value}
    return {"propertyName": name, "operator": operator, **given, **more}


def problems(error: Any) -> dict[str, str]:
    """Property → code of an answer about invalid values."""
    return {part["in"]: part["code"] for part in error["errors"]}
