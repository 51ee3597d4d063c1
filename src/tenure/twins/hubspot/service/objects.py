"""Objects: create, read, update, archive, merge and forget."""

from typing import Any

from tenure.schema import Via
from tenure.twins.hubspot.records import Association, Change, CrmObject, CustomObject, Membership
from tenure.twins.hubspot.service import associations, properties, values
from tenure.twins.hubspot.service.derived import ACTIVITIES
from tenure.twins.hubspot.service.errors import conflict, invalid, not_found
from tenure.twins.hubspot.service.lookup import find
from tenure.twins.hubspot.service.paging import check_limit, cursor
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act

MAX_LIST = 100
"""Largest page of a list."""


# -- reading ---------------------------------------------------------------------------------


def find_by(act: Act, t: Type, name: str, text: str) -> CrmObject | None:
    """The live record with a value of a unique property.

    Raises:
        HubSpotError: 400, the property is not unique.
    """
    if name in {"", "hs_object_id"}:
        found = find(act, t, text)
        return None if found is None or found.archived else found
    properties.unique(act, t, name)
    return holder(act, t, name, text)


def holder(act: Act, t: Type, name: str, text: str) -> CrmObject | None:
    """The live record that holds a value, ignoring case; contacts' further addresses count."""
    wanted = text.strip().lower()
    if name in t.spec.indexed:
        return next(iter(act.all(t.kind, "value", f"{name}={wanted}")), None)
    live = act.all(t.kind, "state", t.live)
    return next((r for r in live if r.properties.get(name, "").lower() == wanted), None)


def get(act: Act, t: Type, id: str, by: str = "", archived: bool = False) -> CrmObject:
    """A record.

    Raises:
        HubSpotError: 404, there is none in the asked state; 400, ``by`` is not unique.
    """
    found = find(act, t, id) if archived and not by else find_by(act, t, by, id)
    if found is None or found.archived != archived:
        raise not_found()
    return found


def page(
    act: Act, t: Type, *, limit: int = 10, after: str = "", archived: bool = False
) -> tuple[list[CrmObject], str]:
    """Records by id, and where the next page starts (empty: nowhere).

    Raises:
        HubSpotError: 400, the limit or the cursor is not valid.
    """
    check_limit(limit, MAX_LIST)
    start = cursor(after)
    # The cursor is the least id of the next page; "~" follows every id.
    place = None if start is None else (start - 1, "~")
    state = t.archived if archived else t.live
    got = act.page(t.kind, "state", state, limit=limit, after=place)
    return got.records, str(int(got.after[1]) + 1) if got.after else ""


# -- writing ---------------------------------------------------------------------------------


def make(
    act: Act, t: Type, given: dict[str, Any], links: list[associations.Wanted] | None = None
) -> CrmObject:
    """Create a record, with associations.

    Raises:
        HubSpotError: 400, a value is not valid or missing; 404, an associated object is not there;
            409, a contact with the address is there.
    """
    found = {name: text for name, text in values.checked(act, t, given).items() if text}
    found |= {name: text for name, text in _defaults(t).items() if name not in given}
    missing = [name for name in t.spec.required if not found.get(name)]
    if missing:
        raise invalid(
            f"Error creating {t.spec.singular.upper()}. Some required properties were not set.",
            errors=[{"message": "missing required property", "context": {"properties": missing}}],
            context={"properties": missing},
        )
    _refuse_duplicates(act, t, found)
    # The vendor numbers all activities together: an engagement id names one of any type.
    id = act.decimal_id("hubspot.activity" if t.key in ACTIVITIES else t.kind.kind)
    more = {"type_id": t.key} if issubclass(t.kind, CustomObject) else {}
    record = t.kind(id=id, created_at=act.now, updated_at=act.now, properties=found, **more)
    act.put(record)
    for link in links or []:
        associations.link_new(act, t, record, link)
    return record


def _defaults(t: Type) -> dict[str, str]:
    if t.key == "tasks":
        return {"hs_task_status": "NOT_STARTED", "hs_task_priority": "NONE", "hs_task_type": "TODO"}
    return {}


def _refuse_duplicates(act: Act, t: Type, found: dict[str, str], own: str = "") -> None:
    for name, text in found.items():
        if not text:
            continue
        p = properties.definition(act, t, name)
        if p is None or not p.has_unique_value:
            continue
        other = holder(act, t, name, text)
        if other is None or other.id == own:
            continue
        if (t.key, name) == ("contacts", "email"):
            raise conflict(f"Contact already exists. Existing ID: {other.id}")
        raise invalid(
            f"Cannot set {name} to {text}: {other.id} already has that value.",
            errors=[
                {
                    "message": f"{other.id} already has that value",
                    "code": "CONFLICTING_UNIQUE_VALUE",
                    "in": name,
                }
            ],
        )


def change(act: Act, t: Type, record: CrmObject, given: dict[str, Any]) -> CrmObject:
    """Update a record's values; absent ones stay, empty ones are cleared.

    Raises:
        HubSpotError: 400, a value is not valid; 409, another contact has the address.
    """
    found = values.checked(act, t, given, record)
    _refuse_duplicates(act, t, found, own=record.id)
    if not set_values(act, record, found):
        return record
    act.put(record)
    return record


def set_values(act: Act, record: CrmObject, found: dict[str, str]) -> bool:
    """Set checked values on a record, keeping the earlier ones; whether any differed."""
    source = "CRM_UI" if act.via is Via.SCREEN else "INTEGRATION"
    changed = False
    for name, text in found.items():
        old = record.properties.get(name, "")
        if text == old:
            continue
        changed = True
        if not any(c.name == name for c in record.history):
            record.history.append(Change(name=name, value=old, at=record.created_at))
        record.history.append(Change(name=name, value=text, at=act.now, source=source, by=act.actor))
        if text:
            record.properties[name] = text
        else:
            record.properties.pop(name, None)
    if changed:
        record.updated_at = act.now
    return changed


def archive(act: Act, record: CrmObject) -> None:
    """Put a record into the recycling bin; its associations go."""
    for association in act.all(Association, "object", f"{record.type_key}/{record.id}"):
        act.delete(association)
    _leave_lists(act, record)
    record.archived, record.archived_at, record.updated_at = True, act.now, act.now
    act.put(record)


def _leave_lists(act: Act, record: CrmObject) -> None:
    for membership in act.all(Membership, "record", f"{record.type_key}/{record.id}"):
        act.delete(membership)


def merge(act: Act, t: Type, primary_id: str, other_id: str) -> CrmObject:
    """Merge one record into another: the primary's values win, the other's fill its gaps.

    Raises:
        HubSpotError: 400, both are the same; 404, one is not there.
    """
    primary, other = get(act, t, primary_id), get(act, t, other_id)
    if primary.id == other.id:
        raise invalid(f"Object {primary_id} cannot be merged with itself")
    gaps = {n: v for n, v in other.properties.items() if n not in primary.properties and n != "email"}
    address = other.properties.get("email") if t.key == "contacts" else None
    if address and not primary.properties.get("email"):
        gaps["email"] = address
    elif address:
        further = primary.properties.get("hs_additional_emails", "")
        gaps["hs_additional_emails"] = f"{further};{address}" if further else address
    set_values(act, primary, gaps)
    primary.merged = [*primary.merged, *other.merged, other.id]
    primary.updated_at = act.now
    associations.move(act, other, primary)
    _leave_lists(act, other)
    other.merged_into, other.updated_at = primary.id, act.now
    act.put(other)
    act.put(primary)
    return primary


def forget(act: Act, t: Type, id: str, by: str = "") -> None:
    """Delete a record and all that hangs on it for good. One that is not there is no error."""
    record = find_by(act, t, by, id) if by else find(act, t, id)
    if record is None:
        return
    for association in act.all(Association, "object", f"{record.type_key}/{record.id}"):
        act.delete(association)
    _leave_lists(act, record)
    act.delete(record)


def upsert(act: Act, t: Type, by: str, text: str, given: dict[str, Any]) -> tuple[CrmObject, bool]:
    """Update the record that a unique value names, or create it; whether it is new."""
    found = find_by(act, t, by, text)
    if found is not None:
        return change(act, t, found, given), False
    if by in {"", "hs_object_id"}:
        raise not_found()
    return make(act, t, {by: text, **given}), True
