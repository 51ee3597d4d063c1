"""A record's timeline: the activities on it, comments under them, and the one that is pinned."""

from collections.abc import Iterable
from typing import Any

from tenure.twins.hubspot.records import Comment, CrmObject
from tenure.twins.hubspot.service import associations, derived, lookup, objects, owners, types, view
from tenure.twins.hubspot.service.errors import HubSpotError, invalid, not_found
from tenure.twins.hubspot.service.titles import named_ends
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import WHOLE
from tenure.twins.hubspot.times import iso, moment
from tenure.world import Act

KINDS = ("notes", "emails", "calls", "tasks", "meetings")
"""What a timeline shows and its composer makes."""
_LINKED = ("contacts", "companies", "deals", "tickets")
PINNED = "hs_pinned_engagement_id"


def activities(
    act: Act, t: Type, record: CrmObject, kinds: Iterable[str], limit: int
) -> tuple[list[dict[str, Any]], int]:
    """A record's newest activities and how many there are in all.

    Args:
        act: The act.
        t: The record's type.
        record: The record.
        kinds: Of ``KINDS``, those wanted.
        limit: How many at most; the pinned one comes beyond it.
    """
    found: list[tuple[int, Type, CrmObject]] = []
    for kind in kinds:
        of = types.resolve(act, kind)
        for id in derived.linked(act, record, kind):
            activity = act.get(of.kind, id)
            if activity is not None and not activity.archived:
                at = moment(activity.properties.get("hs_timestamp", "")) or activity.created_at
                found.append((at, of, activity))
    found.sort(key=lambda row: (-row[0], -int(row[2].id)))
    pinned = record.properties.get(PINNED, "")
    shown = found[:limit] + [row for row in found[limit:] if row[2].id == pinned]
    return [activity_body(act, of, activity) for _, of, activity in shown], len(found)


def activity_body(act: Act, t: Type, activity: CrmObject) -> dict[str, Any]:
    """One activity with what it is about and what was said under it."""
    return {
        **view.body(act, t, activity, WHOLE),
        "kind": t.key,
        "at": moment(activity.properties.get("hs_timestamp", "")) or activity.created_at,
        "links": [row for key in _LINKED for row in named_ends(act, t, activity, key)],
        "comments": [comment_body(act, c) for c in act.all(Comment, "activity", activity.id)],
    }


def log(
    act: Act, kind: str, given: dict[str, Any], ends: Iterable[tuple[Type, str]]
) -> tuple[Type, CrmObject]:
    """Make an activity on some records: now and the actor's, unless the values say otherwise.

    Raises:
        HubSpotError: 400, the kind or a value is not valid; 404, a record is not there.
    """
    if kind not in KINDS:
        raise invalid(f"An activity is one of {', '.join(KINDS)}, not {kind}")
    t, own = types.resolve(act, kind), owners.own(act)
    given = {"hs_timestamp": iso(act.now), "hubspot_owner_id": own.id if own else None, **given}
    made = objects.make(act, t, given)
    for to, id in ends:
        associations.link_default(act, t, made.id, to, id)
    return t, made


def pin(act: Act, t: Type, record: CrmObject, activity_id: str) -> CrmObject:
    """Pin one of a record's activities to the top of its timeline; an empty id unpins.

    Raises:
        HubSpotError: 404, the activity is not on the record.
    """
    if activity_id and all(activity_id not in derived.linked(act, record, kind) for kind in KINDS):
        raise not_found(f"Activity {activity_id} is not on this record")
    return objects.change(act, t, record, {PINNED: activity_id})


# -- comments --------------------------------------------------------------------------------


def comment_body(act: Act, c: Comment) -> dict[str, Any]:
    """A comment as the screen shows it."""
    act.show(c)
    author = act.account(c.account)
    return {
        "id": c.id,
        "body": c.body,
        "at": c.created_at,
        "by": author.name or author.email,
        "own": c.account == act.actor,
    }


def comment(act: Act, kind: str, activity_id: str, text: str) -> Comment:
    """Say something under an activity.

    Raises:
        HubSpotError: 400, nothing is said; 404, there is no such activity.
    """
    if not text.strip():
        raise invalid("A comment needs text")
    lookup.alive(act, types.resolve(act, kind), activity_id)
    made = Comment(
        id=act.decimal_id("hubspot.comment"),
        activity_id=activity_id,
        account=act.actor,
        body=text.strip(),
        created_at=act.now,
        updated_at=act.now,
    )
    act.put(made)
    return made


def uncomment(act: Act, id: str) -> None:
    """Delete a comment of the actor's own.

    Raises:
        HubSpotError: 403, it is another's; 404, there is none.
    """
    found = act.get(Comment, id)
    if found is None:
        raise not_found(f"Comment {id} does not exist")
    if found.account != act.actor:
        raise HubSpotError(403, "FORBIDDEN", "Only its author can delete a comment")
    act.delete(found)
