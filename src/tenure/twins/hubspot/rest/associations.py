"""Routes of associations: ``/crm/v4``."""

from collections.abc import Callable

from tenure.twins.hubspot.rest.request import array, json, number, pair_of, type_of
from tenure.twins.hubspot.service import associations, batch, labels
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.paging import is_number, listed
from tenure.twins.hubspot.service.types import Type
from tenure.twins.wire import Route
from tenure.world import Act, Call, Reply

_LIST = "/crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}"
_ONE = _LIST + "/{toObjectId}"
_DEFAULT = "/crm/v4/objects/{fromObjectType}/{fromObjectId}/associations/default/{toObjectType}/{toObjectId}"
_BATCH = "/crm/v4/associations/{fromObjectType}/{toObjectType}/batch"
_LABELS = "/crm/v4/associations/{fromObjectType}/{toObjectType}/labels"


def get_page(call: Call) -> Reply:
    """An object's associations with objects of a type."""
    t, to = type_of(call), type_of(call, "toObjectType")
    limit, after = number(call, "limit", 500), call.arg("after") or ""
    rows, more = associations.page(call.act, t, call.params["objectId"], to, limit=limit, after=after)
    return Reply(200, listed(rows, more))


def create(call: Call) -> Reply:
    """Associate two objects under given types."""
    t, to = type_of(call), type_of(call, "toObjectType")
    id, to_id = call.params["objectId"], call.params["toObjectId"]
    made = associations.link(call.act, t, id, to, to_id, batch.type_pairs(array(call)))
    return Reply(201, associations.pair_body(call.act, t, id, to, made))


def create_default(call: Call) -> Reply:
    """Associate two objects under the plain type."""
    t, to = pair_of(call)
    id, to_id = call.params["fromObjectId"], call.params["toObjectId"]
    call.act.show(associations.link_default(call.act, t, id, to, to_id))
    done = batch.Outcome(associations.default_body(t, id, to, to_id), [])
    return Reply(200, done.answer(call.act))


def archive(call: Call) -> Reply:
    """Take every association of two objects away."""
    t, to = type_of(call), type_of(call, "toObjectType")
    associations.unlink(call.act, t, call.params["objectId"], to, call.params["toObjectId"])
    return Reply(204)


def _batch(run: Callable[[Act, Type, Type, Body], batch.Outcome], success: int) -> Callable[[Call], Reply]:
    def handle(call: Call) -> Reply:
        t, to = pair_of(call)
        done = run(call.act, t, to, json(call))
        return Reply(207 if done.errors else success, done.answer(call.act))

    return handle


def _silent(run: Callable[[Act, Type, Type, Body], None]) -> Callable[[Call], Reply]:
    def handle(call: Call) -> Reply:
        t, to = pair_of(call)
        run(call.act, t, to, json(call))
        return Reply(204)

    return handle


def get_labels(call: Call) -> Reply:
    """The association types between two object types."""
    t, to = pair_of(call)
    return Reply(200, {"results": labels.listed(call.act, t, to)})


def create_label(call: Call) -> Reply:
    """Define a label."""
    t, to = pair_of(call)
    return Reply(200, {"results": [spec.body() for spec in labels.make(call.act, t, to, json(call))]})


def remove_label(call: Call) -> Reply:
    """Delete a label."""
    t, to = pair_of(call)
    id = call.params["associationTypeId"]
    if not is_number(id):
        raise invalid(f"associationTypeId must be an integer, was {id!r}")
    labels.archive(call.act, t, to, int(id))
    return Reply(204)


ROUTES = (
    Route("crm.associations.v4.basic.get_page", "GET", _LIST, get_page),
    Route("crm.associations.v4.basic.create", "PUT", _ONE, create),
    Route("crm.associations.v4.basic.archive", "DELETE", _ONE, archive),
    Route("crm.associations.v4.basic.create_default", "PUT", _DEFAULT, create_default),
    Route("crm.associations.v4.batch.create", "POST", _BATCH + "/create", _batch(batch.link, 201)),
    Route(
        "crm.associations.v4.batch.create_default",
        "POST",
        _BATCH + "/associate/default",
        _batch(batch.link_default, 200),
    ),
    Route("crm.associations.v4.batch.get_page", "POST", _BATCH + "/read", _batch(batch.linked, 200)),
    Route("crm.associations.v4.batch.archive", "POST", _BATCH + "/archive", _silent(batch.unlink)),
    Route(
        "crm.associations.v4.batch.archive_labels", "POST", _BATCH + "/labels/archive", _silent(batch.unlabel)
    ),
    Route("crm.associations.v4.schema.definitions.get_all", "GET", _LABELS, get_labels),
    Route("crm.associations.v4.schema.definitions.create", "POST", _LABELS, create_label),
    Route("crm.associations.v4.schema.definitions.update", "PUT", _LABELS, _silent(labels.change)),
    Route(
        "crm.associations.v4.schema.definitions.remove",
        "DELETE",
        _LABELS + "/{associationTypeId}",
        remove_label,
    ),
)
