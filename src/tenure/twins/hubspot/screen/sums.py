"""Pages over many records: the board, the reports and the search over everything."""

from tenure.twins.hubspot.rest.request import json, type_of
from tenure.twins.hubspot.service import overview, search
from tenure.twins.wire import Route
from tenure.world import Call, Reply

CARDS = 50
"""Cards of a stage that a board shows at first."""


def _board(call: Call) -> Reply:
    act, t, request = call.act, type_of(call), json(call)
    wanted = search.parse(act, t, request)
    stages = overview.board(act, t, request.text("pipeline"), wanted, request.number("cards", CARDS))
    return Reply(200, {"stages": stages})


def _everywhere(call: Call) -> Reply:
    query = json(call).text("query", "").strip()
    return Reply(200, {"groups": overview.everywhere(call.act, query) if query else []})


def _reports(call: Call) -> Reply:
    return Reply(200, overview.reports(call.act))


ROUTES = (
    Route("board", "POST", "/board/{objectType}", _board),
    Route("everywhere", "POST", "/everywhere", _everywhere),
    Route("reports", "GET", "/reports", _reports),
)
