"""Saved views of an object index."""

from typing import Any

from tenure.twins.hubspot.records import View
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

MAX_VIEWS = 50
"""Saved views of one type that an account may have."""


def listed(act: Act, t: Type) -> list[View]:
    """The actor's views of a type, oldest first."""
    return act.all(View, "account", f"{act.actor}/{t.key}")


def view_body(v: View) -> dict[str, Any]:
    """A view as the screen reads it."""
    return {
        "id": v.id,
        "name": v.name,
        "filterGroups": v.filter_groups,
        "columns": v.columns,
        "sort": v.sort,
    }


def _named(act: Act, t: Type, name: str, own: str = "") -> str:
    name = name.strip()
    if not name:
        raise invalid("A view needs a name")
    if any(v.name.lower() == name.lower() and v.id != own for v in listed(act, t)):
        raise conflict(f"You already have a view named '{name}'")
    return name


def _take(v: View, request: Body) -> None:
    if "filterGroups" in request:
        v.filter_groups = [part.data for part in request.parts("filterGroups")]
    if "columns" in request:
        v.columns = request.texts("columns")
    v.sort = request.text("sort", v.sort)


def make(act: Act, t: Type, request: Body) -> View:
    """Save a view.

    Raises:
        HubSpotError: 400, it has no name or there are too many; 409, the name is taken.
    """
    if len(listed(act, t)) >= MAX_VIEWS:
        raise invalid(f"There may be at most {MAX_VIEWS} views of one kind of record")
    name = _named(act, t, request.text("name"))
    made = View(id=act.decimal_id("hubspot.view"), account=act.actor, object_type=t.key, name=name)
    _take(made, request)
    act.put(made)
    return made


def find(act: Act, t: Type, id: str) -> View:
    """One of the actor's views.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = act.get(View, id)
    if found is None or (found.account, found.object_type) != (act.actor, t.key):
        raise not_found(f"View {id} does not exist")
    return found


def change(act: Act, t: Type, id: str, request: Body) -> View:
    """Rename a view, or give it other filters, columns or order; absent fields stay."""
    found = find(act, t, id)
    if "name" in request:
        found.name = _named(act, t, request.text("name"), own=id)
    _take(found, request)
    act.put(found)
    return found
