"""One record's page: its values, what it is associated with, and its timeline."""

from typing import Any

from tenure.twins.hubspot.associationtypes import PRIMARY
from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.rest.request import json, listed, number, type_of
from tenure.twins.hubspot.service import (
    associations,
    entry,
    lists,
    objects,
    properties,
    timeline,
    types,
    view,
)
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.titles import title
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import Asked
from tenure.twins.wire import Route
from tenure.twins.wire.screen import conflict
from tenure.world import Act, Call, Reply

_CARDS = {
    "contacts": Asked(("jobtitle", "email", "phone")),
    "companies": Asked(("domain", "phone", "city")),
    "deals": Asked(("amount", "closedate", "pipeline", "dealstage", "deal_currency_code")),
    "tickets": Asked(("hs_pipeline", "hs_pipeline_stage", "hs_ticket_priority")),
}
"""The types that a record page has association cards of, and what a card says."""
FIRST = 50
"""Activities that a timeline shows at first."""


def _record(call: Call) -> tuple[Type, CrmObject]:
    t = type_of(call)
    return t, objects.get(call.act, t, call.params["id"])


def _page(act: Act, t: Type, record: CrmObject) -> dict[str, Any]:
    known = tuple(properties.definitions(act, t))
    return {
        **view.body(act, t, record, Asked(known)),
        "type": t.key,
        "title": title(t, record),
        "associations": {key: _cards(act, t, record, key) for key in _CARDS},
    }


def _cards(act: Act, t: Type, record: CrmObject, to_key: str) -> list[dict[str, Any]]:
    to, end = types.STANDARD[to_key], (t.key, record.id)
    known = {s.type_id: s for s in associations.specs(act, t, to)}
    cards = []
    for association in associations.between(act, end, to):
        other = act.get(to.kind, association.other(end)[1])
        if other is None:
            continue
        act.show(association)
        specs = [known[n] for n in association.types_from(end) if n in known]
        cards.append(
            {
                **view.body(act, to, other, _CARDS[to_key]),
                "type": to_key,
                "title": title(to, other),
                "primary": any(s.label == PRIMARY for s in specs),
                "labels": [s.body() for s in specs if s.label and s.label != PRIMARY],
            }
        )
    return sorted(cards, key=lambda card: not card["primary"])


def _read(call: Call) -> Reply:
    t, record = _record(call)
    return Reply(200, _page(call.act, t, record))


def _lists(call: Call) -> Reply:
    """The lists that a record is in."""
    t, record = _record(call)
    rows = []
    for row in lists.of_record(call.act, t.key, record.id):
        found = lists.get(call.act, row["listId"])
        call.act.show(found)
        rows.append({"id": found.id, "name": found.name, "processingType": found.processing_type})
    return Reply(200, {"lists": rows})


def _ends(act: Act, request: Body) -> list[tuple[Type, str]]:
    return [(types.resolve(act, p.text("type")), p.text("id")) for p in request.parts("associations")]


def _create(call: Call) -> Reply:
    """Create a record as the panel does, with associations."""
    act, t, request = call.act, type_of(call), json(call)
    made = entry.make(act, t, request.mapping("properties", required=True), _ends(act, request))
    return Reply(201, _page(act, t, made))


def _change(call: Call) -> Reply:
    """Change values that are still as the editor saw them (``was``); 409 with the present ones else."""
    (t, record), request = _record(call), json(call)
    if changed := entry.changed_since(call.act, t, record, request.mapping("was")):
        call.act.show(record)
        raise conflict({"properties": changed}, title(t, record))
    written = objects.change(call.act, t, record, request.mapping("properties", required=True))
    return Reply(200, _page(call.act, t, written))


def _tie(call: Call) -> Reply:
    """Associate a record with others: the first company becomes the primary one."""
    (t, record), act = _record(call), call.act
    for to, id in _ends(act, json(call)):
        entry.tie(act, t, record.id, to, id)
    return Reply(200, _page(act, t, record))


# -- timeline --------------------------------------------------------------------------------


def _timeline(call: Call) -> Reply:
    t, record = _record(call)
    kinds = [kind for kind in timeline.KINDS if kind in listed(call, "kinds")] or list(timeline.KINDS)
    rows, total = timeline.activities(call.act, t, record, kinds, number(call, "limit", FIRST))
    return Reply(200, {"total": total, "pinned": record.properties.get(timeline.PINNED, ""), "rows": rows})


def _log(call: Call) -> Reply:
    """Log an activity of any kind on the records that the request names."""
    act, request = call.act, json(call)
    t, made = timeline.log(act, call.params["kind"], request.mapping("properties"), _ends(act, request))
    return Reply(201, timeline.activity_body(act, t, made))


def _pin(call: Call) -> Reply:
    t, record = _record(call)
    timeline.pin(call.act, t, record, json(call).text("activity", ""))
    return Reply(204)


def _comment(call: Call) -> Reply:
    made = timeline.comment(call.act, call.params["kind"], call.params["id"], json(call).text("body"))
    return Reply(201, timeline.comment_body(call.act, made))


def _uncomment(call: Call) -> Reply:
    timeline.uncomment(call.act, call.params["comment"])
    return Reply(204)


_ONE = "/records/{objectType}/{id}"
ROUTES = (
    Route("record.create", "POST", "/records/{objectType}", _create),
    Route("record.read", "GET", _ONE, _read),
    Route("record.change", "PATCH", _ONE, _change),
    Route("record.lists", "GET", _ONE + "/lists", _lists),
    Route("record.tie", "POST", _ONE + "/associations", _tie),
    Route("record.timeline", "GET", _ONE + "/timeline", _timeline),
    Route("record.pin", "POST", _ONE + "/pin", _pin),
    Route("activity.log", "POST", "/activities/{kind}", _log),
    Route("activity.comment", "POST", "/activities/{kind}/{id}/comments", _comment),
    Route("activity.uncomment", "DELETE", "/comments/{comment}", _uncomment),
)
