"""Finding an object by its id."""

from tenure.twins.hubspot.records import CrmObject
from tenure.twins.hubspot.service.errors import not_found
from tenure.twins.hubspot.service.types import Type
from tenure.world import Act


def find(act: Act, t: Type, id: str) -> CrmObject | None:
    """A record by id, archived or not; a merged-away id finds what it became part of."""
    found = act.get(t.kind, id)
    while found is not None and found.merged_into:
        found = act.get(t.kind, found.merged_into)
    return None if found is None or found.type_key != t.key else found


def alive(act: Act, t: Type, id: str) -> CrmObject:
    """A live record by id.

    Raises:
        HubSpotError: 404, there is none.
    """
    found = find(act, t, id)
    if found is None or found.archived:
        raise not_found(f"No {t.spec.singular} with ID {id} exists", context={"id": [id]})
    return found
