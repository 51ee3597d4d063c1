"""Routes of lists: ``/crm/v3/lists``."""

from tenure.twins.hubspot.rest.request import flag, json, listed, number, strings
from tenure.twins.hubspot.service import lists
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.paging import listed as page_of
from tenure.twins.wire import Route
from tenure.world import Call, Reply

_LISTS = "/crm/v3/lists"
_LIST = _LISTS + "/{listId}"
_MEMBERS = _LIST + "/memberships"


def create(call: Call) -> Reply:
    """Create a list."""
    return Reply(200, {"list": lists.body(call.act, lists.make(call.act, json(call)))})


def get_all(call: Call) -> Reply:
    """Several lists by id."""
    filters = flag(call, "includeFilters")
    found = [lists.get(call.act, id) for id in listed(call, "listIds")]
    return Reply(200, {"lists": [lists.body(call.act, s, filters=filters) for s in found]})


def get_by_id(call: Call) -> Reply:
    """One list."""
    found = lists.get(call.act, call.params["listId"])
    return Reply(200, {"list": lists.body(call.act, found, filters=flag(call, "includeFilters"))})


def get_by_name(call: Call) -> Reply:
    """One list, by name."""
    found = lists.by_name(call.act, call.params["objectTypeId"], call.params["listName"])
    return Reply(200, {"list": lists.body(call.act, found, filters=flag(call, "includeFilters"))})


def remove(call: Call) -> Reply:
    """Delete a list."""
    lists.delete(call.act, lists.get(call.act, call.params["listId"]))
    return Reply(204)


def restore(call: Call) -> Reply:
    """Bring a deleted list back."""
    lists.restore(call.act, lists.get(call.act, call.params["listId"], deleted=True))
    return Reply(204)


def update_name(call: Call) -> Reply:
    """Rename a list."""
    name = call.arg("listName")
    if not name:
        raise invalid("listName is required")
    changed = lists.rename(call.act, lists.get(call.act, call.params["listId"]), name)
    return Reply(200, {"updatedList": lists.body(call.act, changed, filters=flag(call, "includeFilters"))})


def update_list_filters(call: Call) -> Reply:
    """Replace an active list's filter."""
    found = lists.get(call.act, call.params["listId"])
    changed = lists.refilter(call.act, found, json(call).mapping("filterBranch", required=True))
    return Reply(200, {"updatedList": lists.body(call.act, changed)})


def do_search(call: Call) -> Reply:
    """Search lists."""
    return Reply(200, lists.search(call.act, json(call)))


def get_page(call: Call) -> Reply:
    """A page of a list's members."""
    found = lists.get(call.act, call.params["listId"])
    limit, after = number(call, "limit", 100), call.arg("after") or ""
    rows, more, total = lists.members(call.act, found, limit=limit, after=after)
    return Reply(200, {**page_of(rows, more), "total": total})


def add(call: Call) -> Reply:
    """Add records."""
    found = lists.get(call.act, call.params["listId"])
    return Reply(200, lists.change_members(call.act, found, strings(call), []))


def remove_members(call: Call) -> Reply:
    """Remove records."""
    found = lists.get(call.act, call.params["listId"])
    return Reply(200, lists.change_members(call.act, found, [], strings(call)))


def add_and_remove(call: Call) -> Reply:
    """Add some records and remove others."""
    found, request = lists.get(call.act, call.params["listId"]), json(call)
    to_add, to_remove = request.texts("recordIdsToAdd"), request.texts("recordIdsToRemove")
    return Reply(200, lists.change_members(call.act, found, to_add, to_remove))


def remove_all(call: Call) -> Reply:
    """Take every record out of a list."""
    lists.clear(call.act, lists.get(call.act, call.params["listId"]))
    return Reply(204)


def get_lists(call: Call) -> Reply:
    """The lists that a record is in."""
    rows = lists.of_record(call.act, call.params["objectTypeId"], call.params["recordId"])
    return Reply(200, {"results": rows, "total": len(rows)})


ROUTES = (
    Route("crm.lists.lists.create", "POST", _LISTS, create),
    Route("crm.lists.lists.get_all", "GET", _LISTS, get_all),
    Route("crm.lists.lists.get_by_id", "GET", _LIST, get_by_id),
    Route(
        "crm.lists.lists.get_by_name",
        "GET",
        _LISTS + "/object-type-id/{objectTypeId}/name/{listName}",
        get_by_name,
    ),
    Route("crm.lists.lists.remove", "DELETE", _LIST, remove),
    Route("crm.lists.lists.restore", "PUT", _LIST + "/restore", restore),
    Route("crm.lists.lists.update_name", "PUT", _LIST + "/update-list-name", update_name),
    Route("crm.lists.lists.update_list_filters", "PUT", _LIST + "/update-list-filters", update_list_filters),
    Route("crm.lists.lists.do_search", "POST", _LISTS + "/search", do_search),
    Route("crm.lists.memberships.get_page", "GET", _MEMBERS, get_page),
    Route("crm.lists.memberships.add", "PUT", _MEMBERS + "/add", add),
    Route("crm.lists.memberships.remove", "PUT", _MEMBERS + "/remove", remove_members),
    Route("crm.lists.memberships.add_and_remove", "PUT", _MEMBERS + "/add-and-remove", add_and_remove),
    Route("crm.lists.memberships.remove_all", "DELETE", _MEMBERS, remove_all),
    Route(
        "crm.lists.memberships.get_lists",
        "GET",
        _LISTS + "/records/{objectTypeId}/{recordId}/memberships",
        get_lists,
    ),
)
