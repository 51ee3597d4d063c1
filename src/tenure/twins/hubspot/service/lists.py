"""Lists (segments): manual ones with memberships, active ones by filter."""

from typing import Any

from tenure.twins.hubspot.records import CrmObject, Membership, Segment
from tenure.twins.hubspot.service import lookup, objects, types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.branches import check, in_branch
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.paging import check_limit, cursor
from tenure.twins.hubspot.times import iso
from tenure.world import Act

PROCESSING = ("MANUAL", "DYNAMIC", "SNAPSHOT")
DYNAMIC = "DYNAMIC"


# -- reading ---------------------------------------------------------------------------------


def get(act: Act, id: str, *, deleted: bool = False) -> Segment:
    """A list by id.

    Raises:
        HubSpotError: 404, there is none in the asked state.
    """
    found = act.get(Segment, id)
    if found is None or (found.deleted_at is not None) != deleted:
        raise not_found(f"List does not exist with ID {id}.")
    return found


def by_name(act: Act, object_type: str, name: str) -> Segment:
    """A list by its objects' type and its name, ignoring case.

    Raises:
        HubSpotError: 404, there is none.
    """
    t = types.resolve(act, object_type)
    for found in act.all(Segment, "name", f"{t.key}/{name.lower()}"):
        if found.deleted_at is None:
            return found
    raise not_found(f"List does not exist with name {name} and object type ID {t.spec.type_id}.")


def member_ids(act: Act, s: Segment) -> list[str]:
    """Ids of the records in a list, in numeric order."""
    if s.processing_type != DYNAMIC:
        return [m.record_id for m in act.all(Membership, "list", s.id)]
    return [r.id for r in _matching(act, s)]


def _matching(act: Act, s: Segment) -> list[CrmObject]:
    t = types.resolve(act, s.object_type)
    branch = s.filter_branch or {}
    return [r for r in act.all(t.kind, "state", t.live) if in_branch(act, t, r, branch)]


def body(act: Act, s: Segment, *, filters: bool = False, size: bool = True) -> dict[str, Any]:
    """A list as the vendor writes it."""
    act.show(s)
    found: dict[str, Any] = {
        "listId": s.id,
        "name": s.name,
        "objectTypeId": types.resolve(act, s.object_type).spec.type_id,
        "processingType": s.processing_type,
        "processingStatus": "COMPLETE",
        "listVersion": s.version,
        "createdById": s.created_by,
        "updatedById": s.created_by,
        "createdAt": iso(s.created_at),
        "updatedAt": iso(s.updated_at),
        "filtersUpdatedAt": iso(s.updated_at),
    }
    if size:
        found["size"] = len(member_ids(act, s))
    if s.deleted_at is not None:
        found["deletedAt"] = iso(s.deleted_at)
    if filters and s.filter_branch is not None:
        found["filterBranch"] = s.filter_branch
    return found


def found_body(act: Act, s: Segment) -> dict[str, Any]:
    """A list as a search answers it."""
    more = {
        "hs_list_size": str(len(member_ids(act, s))),
        "hs_list_reference_count": "0",
        "hs_last_record_added_at": "",
    }
    return {**body(act, s, size=False), "additionalProperties": more}


def search(act: Act, request: Body) -> dict[str, Any]:
    """Lists by name, id and kind, paged by offset.

    Raises:
        HubSpotError: 400, the page is not valid.
    """
    count, offset = request.number("count", 20), request.number("offset", 0)
    check_limit(count, 500)
    if offset < 0:
        raise invalid(f"offset must not be negative, was {offset}")
    query = request.text("query", "").lower()
    ids, kinds = request.texts("listIds"), request.texts("processingTypes")
    found = [
        s
        for s in act.all(Segment, "all", False)
        if query in s.name.lower() and (not ids or s.id in ids) and (not kinds or s.processing_type in kinds)
    ]
    page = found[offset : offset + count]
    end = offset + len(page)
    return {
        "lists": [found_body(act, s) for s in page],
        "offset": end,
        "hasMore": end < len(found),
        "total": len(found),
    }


def members(act: Act, s: Segment, *, limit: int, after: str) -> tuple[list[dict[str, Any]], str, int]:
    """A page of memberships, where the next one starts, and how many there are.

    Raises:
        HubSpotError: 400, the limit or the cursor is not valid.
    """
    check_limit(limit, 250)
    start = cursor(after) or 0
    if s.processing_type == DYNAMIC:
        joined = [(r.id, max(r.updated_at, s.updated_at)) for r in _matching(act, s)]
    else:
        joined = [(m.record_id, m.added_at) for m in act.all(Membership, "list", s.id)]
    rest = [(id, at) for id, at in joined if int(id) > start]
    act.show(s)
    rows = [{"recordId": id, "membershipTimestamp": iso(at)} for id, at in rest[:limit]]
    return rows, rest[limit - 1][0] if len(rest) > limit else "", len(joined)


def of_record(act: Act, object_type: str, record_id: str) -> list[dict[str, Any]]:
    """The lists that a record is in."""
    t = types.resolve(act, object_type)
    record = objects.get(act, t, record_id)
    found = []
    for s in act.all(Segment, "all", False):
        if s.object_type != t.key:
            continue
        if s.processing_type == DYNAMIC:
            at = record.updated_at if in_branch(act, t, record, s.filter_branch or {}) else None
        else:
            membership = act.get(Membership, f"{s.id}/{record.id}")
            at = membership.added_at if membership else None
        if at is not None:
            row = {"listId": s.id, "listVersion": s.version}
            found.append(row | {"lastAddedTimestamp": iso(at), "firstAddedTimestamp": iso(at)})
    return found


# -- writing ---------------------------------------------------------------------------------


def make(act: Act, request: Body) -> Segment:
    """Create a list.

    Raises:
        HubSpotError: 400, not valid; 409, the name is taken.
    """
    request.need("name", "objectTypeId", "processingType")
    t = types.resolve(act, request.text("objectTypeId"))
    kind, name = request.text("processingType"), request.text("name")
    if kind not in PROCESSING:
        raise invalid(f"processingType must be one of {', '.join(PROCESSING)}, was {kind}")
    branch = request.mapping("filterBranch") or None
    if kind == "MANUAL" and branch is not None:
        raise invalid("A MANUAL list has no filterBranch")
    if kind != "MANUAL" and branch is None:
        raise invalid(f"A {kind} list needs a filterBranch")
    _free_name(act, t.key, name)
    if branch is not None:
        check(act, t, branch)
    made = Segment(
        id=act.decimal_id("hubspot.list", 5),
        name=name,
        object_type=t.key,
        processing_type=kind,
        filter_branch=branch,
        created_by=act.actor,
        created_at=act.now,
        updated_at=act.now,
    )
    act.put(made)
    if kind == "SNAPSHOT":
        add(act, made, [r.id for r in _matching(act, made)])
    return made


def _free_name(act: Act, key: str, name: str, own: str = "") -> None:
    if not name.strip():
        raise invalid("A list needs a name")
    for other in act.all(Segment, "name", f"{key}/{name.lower()}"):
        if other.deleted_at is None and other.id != own:
            raise conflict(f"A list named '{name}' already exists. Existing ID: {other.id}")


def rename(act: Act, s: Segment, name: str) -> Segment:
    """Give a list another name.

    Raises:
        HubSpotError: 409, the name is taken.
    """
    _free_name(act, s.object_type, name, own=s.id)
    s.name, s.updated_at = name, act.now
    act.put(s)
    return s


def refilter(act: Act, s: Segment, branch: dict[str, Any]) -> Segment:
    """Give an active list another filter.

    Raises:
        HubSpotError: 400, the list is not active, or the filter is not valid.
    """
    if s.processing_type != DYNAMIC:
        raise invalid(f"The filters of a {s.processing_type} list cannot be changed")
    check(act, types.resolve(act, s.object_type), branch)
    s.filter_branch, s.version, s.updated_at = branch, s.version + 1, act.now
    act.put(s)
    return s


def delete(act: Act, s: Segment) -> None:
    """Delete a list; it can be restored."""
    s.deleted_at = act.now
    act.put(s)


def restore(act: Act, s: Segment) -> None:
    """Bring a deleted list back.

    Raises:
        HubSpotError: 409, its name has been taken.
    """
    _free_name(act, s.object_type, s.name, own=s.id)
    s.deleted_at = None
    act.put(s)


def change_members(act: Act, s: Segment, to_add: list[str], to_remove: list[str]) -> dict[str, Any]:
    """Add and remove records; ids that are no records come back as missing.

    Raises:
        HubSpotError: 400, the list's members follow from its filter.
    """
    if s.processing_type == DYNAMIC:
        raise invalid(f"The members of list {s.id} follow from its filters and cannot be changed")
    added, missing = add(act, s, to_add)
    removed = [id for id in dict.fromkeys(to_remove) if _remove(act, s, id)]
    return {"recordsIdsAdded": added, "recordIdsRemoved": removed, "recordIdsMissing": missing}


def add(act: Act, s: Segment, ids: list[str]) -> tuple[list[str], list[str]]:
    """Put records into a list; what was added, and what is not there."""
    t = types.resolve(act, s.object_type)
    added, missing = [], []
    for id in dict.fromkeys(ids):
        record = lookup.find(act, t, id)
        if record is None or record.archived:
            missing.append(id)
        elif act.get(Membership, f"{s.id}/{record.id}") is None:
            act.put(
                Membership(
                    id=f"{s.id}/{record.id}",
                    list_id=s.id,
                    object_type=t.key,
                    record_id=record.id,
                    added_at=act.now,
                )
            )
            added.append(record.id)
    return added, missing


def _remove(act: Act, s: Segment, id: str) -> bool:
    membership = act.get(Membership, f"{s.id}/{id}")
    return membership is not None and act.delete(membership) is not None


def clear(act: Act, s: Segment) -> None:
    """Take every record out of a list."""
    change_members(act, s, [], member_ids(act, s))
