"""Tables of records: searched, restricted to a list, exported; and saved views of them."""

from typing import Any

from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.rest.request import json, type_of
from tenure.twins.hubspot.service import importing, lists, search, view, views
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.export import csv_text
from tenure.twins.hubspot.service.overview import all_found
from tenure.twins.hubspot.service.search import Search
from tenure.twins.hubspot.service.titles import named_ends, title
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import Asked
from tenure.twins.wire import Route
from tenure.world import Act, Call, Reply


def _found(act: Act, t: Type, request: Body, wanted: Search) -> list[CrmObject]:
    """Everything that a request's search finds, of a list's members if it names one."""
    found = all_found(act, t, wanted)
    if "listId" not in request:
        return found
    members = set(lists.member_ids(act, lists.get(act, request.text("listId"))))
    return [record for record in found if record.id in members]


def _rows(call: Call) -> Reply:
    """A page of a table: ``{total, rows}``; a row is an object with its title and linked records."""
    act, t, request = call.act, type_of(call), json(call)
    wanted = search.parse(act, t, request)
    if "listId" in request:
        every = _found(act, t, request, wanted)
        page, total = every[wanted.offset : wanted.offset + wanted.limit], len(every)
    else:
        page, total = search.run(act, t, wanted)
    asked, links = Asked.of(request.texts("properties")), request.texts("links")
    return Reply(200, {"total": total, "rows": [_row(act, t, record, asked, links) for record in page]})


def _row(act: Act, t: Type, record: CrmObject, asked: Asked, links: list[str]) -> dict[str, Any]:
    return {
        **view.body(act, t, record, asked),
        "title": title(t, record),
        "links": {key: named_ends(act, t, record, key) for key in links},
    }


def _ids(call: Call) -> Reply:
    """The ids of everything that a table holds, all pages together."""
    t, request = type_of(call), json(call)
    found = _found(call.act, t, request, search.parse(call.act, t, request))
    return Reply(200, {"ids": [record.id for record in found]})


def _export(call: Call) -> Reply:
    """A table as CSV: all its pages, or the records of some ids."""
    act, t, request = call.act, type_of(call), json(call)
    found = _found(act, t, request, search.parse(act, t, request))
    if "ids" in request:
        wanted = set(request.texts("ids"))
        found = [record for record in found if record.id in wanted]
    text = csv_text(act, t, found, request.texts("properties"))
    return Reply(200, {"filename": f"{t.key}.csv", "text": text, "count": len(found)})


def _import(call: Call) -> Reply:
    """Take a CSV file in; without ``columns``, only look at it."""
    act, t, request = call.act, type_of(call), json(call)
    if "columns" not in request:
        return Reply(200, importing.preview(act, t, request.text("text")))
    return Reply(200, importing.run(act, t, request.text("text"), request.texts("columns")))


def _new_view(call: Call) -> Reply:
    return Reply(201, views.view_body(views.make(call.act, type_of(call), json(call))))


def _change_view(call: Call) -> Reply:
    changed = views.change(call.act, type_of(call), call.params["id"], json(call))
    return Reply(200, views.view_body(changed))


def _delete_view(call: Call) -> Reply:
    call.act.delete(views.find(call.act, type_of(call), call.params["id"]))
    return Reply(204)


ROUTES = (
    Route("table", "POST", "/table/{objectType}", _rows),
    Route("ids", "POST", "/ids/{objectType}", _ids),
    Route("export", "POST", "/export/{objectType}", _export),
    Route("import", "POST", "/import/{objectType}", _import),
    Route("view.create", "POST", "/views/{objectType}", _new_view),
    Route("view.change", "PATCH", "/views/{objectType}/{id}", _change_view),
    Route("view.delete", "DELETE", "/views/{objectType}/{id}", _delete_view),
)
