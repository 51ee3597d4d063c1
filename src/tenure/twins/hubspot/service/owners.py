"""Owners."""

from typing import Any

from tenure.twins.hubspot.records import Owner
from tenure.twins.hubspot.service.errors import invalid, not_found
from tenure.twins.hubspot.service.paging import check_limit, cursor, is_number
from tenure.twins.hubspot.times import iso
from tenure.world import Act


def owner_body(o: Owner) -> dict[str, Any]:
    """An owner as the vendor writes it."""
    return {
        "id": o.id,
        "email": o.email,
        "type": "PERSON",
        "firstName": o.first_name,
        "lastName": o.last_name,
        "userId": o.user_id,
        "userIdIncludingInactive": o.user_id,
        "createdAt": iso(o.created_at),
        "updatedAt": iso(o.updated_at),
        "archived": o.archived,
        "teams": [{"id": team.id, "name": team.name, "primary": team.primary} for team in o.teams],
    }


def page(
    act: Act, *, email: str = "", archived: bool = False, limit: int = 100, after: str = ""
) -> tuple[list[Owner], str]:
    """Owners by id, and where the next page starts (empty: nowhere).

    Raises:
        HubSpotError: 400, the limit or the cursor is not valid.
    """
    check_limit(limit, 500)
    start = cursor(after)
    if email:
        found = [o for o in act.all(Owner, "email", email.lower()) if o.archived == archived]
        return _shown(act, found), ""
    got = act.page(Owner, "all", archived, limit=limit, after=None if start is None else (start, after))
    return _shown(act, got.records), str(got.after[1]) if got.after else ""


def _shown(act: Act, owners: list[Owner]) -> list[Owner]:
    for owner in owners:
        act.show(owner)
    return owners


def get(act: Act, id: str, by: str = "id", archived: bool = False) -> Owner:
    """An owner by owner id or by user id.

    Raises:
        HubSpotError: 400, ``by`` is neither; 404, there is none.
    """
    if by not in {"id", "userId"}:
        raise invalid(f"idProperty must be id or userId, was {by}")
    if by == "id":
        found = act.get(Owner, id)
    else:
        found = next(iter(act.all(Owner, "user", int(id) if is_number(id) else -1)), None)
    if found is None or found.archived != archived:
        raise not_found(f"No owner found with {by} {id}")
    act.show(found)
    return found


def own(act: Act, account_id: str | None = None) -> Owner | None:
    """The owner that an account is, if it is one; the signed-in one by default."""
    account = act.account(account_id)
    id = str(account.details.get("hubspot", {}).get("owner", ""))
    if id:
        return act.get(Owner, id)
    return next(iter(act.all(Owner, "email", account.email.lower())), None)
