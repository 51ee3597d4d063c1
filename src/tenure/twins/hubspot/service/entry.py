"""What the product does when a person, not a program, enters records and ties them together."""

from collections.abc import Iterable, Mapping
from typing import Any

from tenure.twins.hubspot.associationtypes import PRIMARY, hubspot_types
from tenure.twins.hubspot.records import Association, CrmObject
from tenure.twins.hubspot.service import associations, derived, objects
from tenure.twins.hubspot.service.associations import HUBSPOT, between
from tenure.twins.hubspot.service.errors import conflict
from tenure.twins.hubspot.service.lookup import alive
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act


def make(act: Act, t: Type, given: dict[str, Any], ends: Iterable[tuple[Type, str]]) -> CrmObject:
    """Create a record, tied to others. Unlike the API, the screen refuses a second company of a domain.

    Raises:
        HubSpotError: 400, a value is not valid or missing; 404, an associated object is not there;
            409, there is such a contact or company already.
    """
    domain = str(given.get("domain") or "")
    if t.key == "companies" and domain:
        other = objects.holder(act, t, "domain", domain)
        if other is not None:
            raise conflict(f"A company with the domain {domain} already exists. Existing ID: {other.id}")
    made = objects.make(act, t, given)
    for to, id in ends:
        tie(act, t, made.id, to, id)
    return made


def tie(act: Act, t: Type, id: str, to: Type, to_id: str) -> Association:
    """Associate two records; the first company of a record becomes its primary one.

    Raises:
        HubSpotError: 400, both are the same; 404, one is not there.
    """
    for one, one_id, company in ((t, id, to), (to, to_id, t)):
        primary = next((k for k in hubspot_types(one.key, company.key) if k.label == PRIMARY), None)
        if company.key != "companies" or primary is None:
            continue
        end = (one.key, alive(act, one, one_id).id)
        if not between(act, end, company):
            here = primary.type_id if one is t else primary.inverse_id
            return associations.link(act, t, id, to, to_id, [(HUBSPOT, here)])
    return associations.link_default(act, t, id, to, to_id)


def changed_since(act: Act, t: Type, record: CrmObject, was: Mapping[str, str | None]) -> dict[str, str]:
    """Which of the values that an editor saw have changed: name → the value now."""
    now = {name: derived.value(act, t, record, name) or "" for name in was}
    return {name: now[name] for name, text in was.items() if now[name] != (text or "")}
