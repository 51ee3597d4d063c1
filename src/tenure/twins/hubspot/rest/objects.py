"""Routes of objects: ``/crm/v3/objects``."""

from collections.abc import Callable

from tenure.twins.hubspot.rest.request import asked, flag, json, number, type_of
from tenure.twins.hubspot.service import batch, lookup, objects, search, view
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import WHOLE, Asked
from tenure.twins.wire import Route
from tenure.world import Act, Call, Reply

_OBJECTS = "/crm/v3/objects/{objectType}"
_ONE = _OBJECTS + "/{objectId}"


def get_page(call: Call) -> Reply:
    """A page of objects by id."""
    t = type_of(call)
    limit, after = number(call, "limit", 10), call.arg("after") or ""
    found, more = objects.page(call.act, t, limit=limit, after=after, archived=flag(call, "archived"))
    link = f"https://{call.host}{call.path}?limit={limit}&after={more}" if more else ""
    return Reply(200, view.page(call.act, t, found, asked(call), more, link))


def create(call: Call) -> Reply:
    """Create an object, with associations."""
    t, request = type_of(call), json(call)
    links = batch.wanted(request.parts("associations"))
    made = objects.make(call.act, t, request.mapping("properties", required=True), links)
    return Reply(201, view.body(call.act, t, made, WHOLE))


def get_by_id(call: Call) -> Reply:
    """One object."""
    t = type_of(call)
    found = objects.get(
        call.act, t, call.params["objectId"], call.arg("idProperty") or "", flag(call, "archived")
    )
    return Reply(200, view.body(call.act, t, found, asked(call)))


def update(call: Call) -> Reply:
    """Change an object's values."""
    t, request = type_of(call), json(call)
    record = objects.get(call.act, t, call.params["objectId"], call.arg("idProperty") or "")
    changed = objects.change(call.act, t, record, request.mapping("properties", required=True))
    return Reply(200, view.body(call.act, t, changed, WHOLE))


def archive(call: Call) -> Reply:
    """Put an object into the recycling bin."""
    t = type_of(call)
    record = lookup.find(call.act, t, call.params["objectId"])
    if record is not None and not record.archived:
        objects.archive(call.act, record)
    return Reply(204)


def merge(call: Call) -> Reply:
    """Merge two objects."""
    t, request = type_of(call), json(call)
    request.need("primaryObjectId", "objectIdToMerge")
    merged = objects.merge(call.act, t, request.text("primaryObjectId"), request.text("objectIdToMerge"))
    return Reply(200, view.body(call.act, t, merged, WHOLE))


def gdpr_delete(call: Call) -> Reply:
    """Delete an object and its traces for good."""
    t, request = type_of(call), json(call)
    objects.forget(call.act, t, request.text("objectId"), request.text("idProperty", ""))
    return Reply(204)


def do_search(call: Call) -> Reply:
    """Search."""
    t, request = type_of(call), json(call)
    wanted = search.parse(call.act, t, request)
    found, total = search.run(call.act, t, wanted)
    end = wanted.offset + len(found)
    shown = Asked.of(request.texts("properties"), request.texts("propertiesWithHistory"))
    answer = view.page(call.act, t, found, shown, str(end) if end < total else "")
    return Reply(200, {"total": total, **answer})


def _batch(run: Callable[[Act, Type, Body], batch.Outcome], success: int) -> Callable[[Call], Reply]:
    def handle(call: Call) -> Reply:
        done = run(call.act, type_of(call), json(call))
        return Reply(207 if done.errors else success, done.answer(call.act))

    return handle


def batch_read(call: Call) -> Reply:
    """Read several objects."""
    done = batch.read(call.act, type_of(call), json(call), flag(call, "archived"))
    return Reply(207 if done.errors else 200, done.answer(call.act))


def batch_archive(call: Call) -> Reply:
    """Archive several objects."""
    batch.archive(call.act, type_of(call), json(call))
    return Reply(204)


ROUTES = (
    Route("crm.objects.basic.get_page", "GET", _OBJECTS, get_page),
    Route("crm.objects.basic.create", "POST", _OBJECTS, create),
    Route("crm.objects.basic.get_by_id", "GET", _ONE, get_by_id),
    Route("crm.objects.basic.update", "PATCH", _ONE, update),
    Route("crm.objects.basic.archive", "DELETE", _ONE, archive),
    Route("crm.objects.basic.merge", "POST", _OBJECTS + "/merge", merge),
    Route("crm.objects.basic.purge", "POST", _OBJECTS + "/gdpr-delete", gdpr_delete),
    Route("crm.objects.search.do_search", "POST", _OBJECTS + "/search", do_search),
    Route("crm.objects.batch.create", "POST", _OBJECTS + "/batch/create", _batch(batch.create, 201)),
    Route("crm.objects.batch.read", "POST", _OBJECTS + "/batch/read", batch_read),
    Route("crm.objects.batch.update", "POST", _OBJECTS + "/batch/update", _batch(batch.update, 200)),
    Route("crm.objects.batch.upsert", "POST", _OBJECTS + "/batch/upsert", _batch(batch.upsert, 200)),
    Route("crm.objects.batch.archive", "POST", _OBJECTS + "/batch/archive", batch_archive),
)
