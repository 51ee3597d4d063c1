"""Automatic replies, filters and signatures."""

import base64
from typing import Any

from tenure.twins.gmail import mailbox
from tenure.twins.gmail.delivery import meets
from tenure.twins.gmail.match import Matcher
from tenure.twins.gmail.records import Answered, Filter, Message, SendAs, Vacation
from tenure.twins.google.errors import GoogleError, invalid, not_found
from tenure.world import Act
from tenure.world.ids import digest


def vacation(act: Act) -> dict[str, Any]:
    """``VacationSettings``."""
    found = act.get(Vacation, act.actor) or Vacation(id=act.actor)
    act.show(found)
    shown: dict[str, Any] = {"enableAutoReply": found.enabled}
    if found.subject:
        shown["responseSubject"] = found.subject
    if found.body:
        shown["responseBodyPlainText"] = found.body
    if found.html:
        shown["responseBodyHtml"] = found.html
    shown |= {"restrictToContacts": found.contacts_only, "restrictToDomain": found.domain_only}
    if found.start is not None:
        shown["startTime"] = str(found.start)
    if found.end is not None:
        shown["endTime"] = str(found.end)
    return shown


def set_vacation(act: Act, body: dict[str, Any]) -> dict[str, Any]:
    """Replace the automatic reply; every sender may get one anew.

    Raises:
        GoogleError: 400, enabled without any text, or it ends before it starts.
    """
    times = [int(body[name]) if name in body else None for name in ("startTime", "endTime")]
    start, end = times
    if start is not None and end is not None and start >= end:
        raise invalid("The start time must precede the end time")
    changed = Vacation(
        id=act.actor,
        enabled=body.get("enableAutoReply", False),
        subject=body.get("responseSubject", ""),
        body=body.get("responseBodyPlainText", ""),
        html=body.get("responseBodyHtml", ""),
        contacts_only=body.get("restrictToContacts", False),
        domain_only=body.get("restrictToDomain", False),
        start=start,
        end=end,
    )
    if changed.enabled and not (changed.subject or changed.body or changed.html):
        raise invalid("Either a response subject or a response body is required to enable auto-reply")
    if act.put(changed) is not None:
        for answered in act.all(Answered, "mailbox", act.actor):
            act.delete(answered)
    return vacation(act)


def _filter_json(act: Act, record: Filter) -> dict[str, Any]:
    act.show(record)
    return {"id": record.id, "criteria": record.criteria, "action": record.action}


def list_filters(act: Act) -> dict[str, Any]:
    """``ListFiltersResponse``."""
    found = [_filter_json(act, record) for record in act.all(Filter, "mailbox", act.actor)]
    return {"filter": found} if found else {}


def _find_filter(act: Act, id: str) -> Filter:
    found = act.get(Filter, id)
    if found is None or found.account != act.actor:
        raise not_found()
    return found


def get_filter(act: Act, id: str) -> dict[str, Any]:
    """A ``Filter``."""
    return _filter_json(act, _find_filter(act, id))


def delete_filter(act: Act, id: str) -> None:
    """Delete a filter."""
    act.delete(_find_filter(act, id))


def create_filter(act: Act, body: dict[str, Any]) -> dict[str, Any]:
    """Make a filter.

    Raises:
        GoogleError: 400 without criteria or action, for an unknown label, for forwarding to an
            address that is not verified (none ever is), or for a filter that exists.
    """
    criteria = {name: value for name, value in body.get("criteria", {}).items() if value}
    action = {name: value for name, value in body.get("action", {}).items() if value}
    if not criteria or set(criteria) == {"excludeChats"}:
        raise invalid("Filter doesn't have any criteria")
    if not action:
        raise invalid("Filter doesn't have any actions")
    if "forward" in action:
        raise invalid("Unrecognized forwarding address")
    add, remove = action.get("addLabelIds", []), action.get("removeLabelIds", [])
    mailbox.check_relabel(act, act.actor, add, remove)
    for record in act.all(Filter, "mailbox", act.actor):
        if (record.criteria, record.action) == (criteria, action):
            raise GoogleError(
                400, "Filter already exists", "failedPrecondition", status="FAILED_PRECONDITION"
            )
    unique = digest(act.world.seed, "gmail.filter", act.next("gmail.filter"), 36)
    id = f"ANe1B{base64.urlsafe_b64encode(unique).decode()}"
    record = Filter(id=id, account=act.actor, criteria=criteria, action=action, created=act.now)
    act.put(record)
    return _filter_json(act, record)


def apply_filter(act: Act, id: str) -> int:
    """Let a filter act on the mail that is there, as the screen offers; how many messages it changed."""
    rule, matcher, changed = _find_filter(act, id), Matcher(act, act.actor), 0
    add, remove = rule.action.get("addLabelIds", []), rule.action.get("removeLabelIds", [])
    for record in act.all(Message, "visible", act.actor):
        if meets(matcher, record, rule.criteria):
            changed += mailbox.relabel(act, record, add, remove) != record
    return changed


def primary(act: Act) -> SendAs:
    """The actor's own address."""
    return _aliases(act)[0]


def _aliases(act: Act) -> list[SendAs]:
    """The actor's addresses, the primary one first; it needs no record until it is changed."""
    owner = act.account()
    address = owner.email.lower()
    found = act.all(SendAs, "mailbox", act.actor)
    if not any(alias.primary for alias in found):
        found.append(SendAs(id=f"{act.actor}/{address}", account=act.actor, address=address, name=owner.name))
    return sorted(found, key=lambda alias: (not alias.primary, alias.address))


def _send_as_json(act: Act, alias: SendAs) -> dict[str, Any]:
    act.show(alias)
    shown: dict[str, Any] = {
        "sendAsEmail": alias.address,
        "displayName": alias.name,
        "replyToAddress": alias.reply_to,
        "signature": alias.signature,
        "isDefault": alias.primary,
    }
    if alias.primary:
        return {**shown, "isPrimary": True}
    return {**shown, "treatAsAlias": alias.treat_as_alias, "verificationStatus": "accepted"}


def list_send_as(act: Act) -> dict[str, Any]:
    """``ListSendAsResponse``."""
    return {"sendAs": [_send_as_json(act, alias) for alias in _aliases(act)]}


def _find_alias(act: Act, address: str) -> SendAs:
    for alias in _aliases(act):
        if alias.address == address.lower():
            return alias
    raise not_found()


def get_send_as(act: Act, address: str) -> dict[str, Any]:
    """A ``SendAs``."""
    return _send_as_json(act, _find_alias(act, address))


def patch_send_as(act: Act, address: str, body: dict[str, Any]) -> dict[str, Any]:
    """Change an address's name, signature or reply-to."""
    alias = _find_alias(act, address)
    given = {
        "name": body.get("displayName"),
        "signature": body.get("signature"),
        "reply_to": body.get("replyToAddress"),
        "treat_as_alias": None if alias.primary else body.get("treatAsAlias"),
    }
    changed = alias.model_copy(update={name: value for name, value in given.items() if value is not None})
    act.put(changed)
    return _send_as_json(act, changed)
