"""Batches of objects and associations: what failed comes back beside what did not."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from tenure.twins.hubspot.service import associations, lookup, objects
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import HubSpotError, invalid, not_found
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.hubspot.service.types import Type
from tenure.twins.hubspot.service.view import WHOLE, Asked, body
from tenure.twins.hubspot.times import iso
from tenure.world import Act

MAX_INPUTS = 100
MAX_ASSOCIATIONS = 2_000
MAX_ASSOCIATION_READS = 1_000


class Outcome(NamedTuple):
    """A batch's results and refusals."""

    results: list[dict[str, Any]]
    errors: list[HubSpotError]

    def answer(self, act: Act) -> dict[str, Any]:
        """The batch answer; ``numErrors`` and ``errors`` only when there are any."""
        at = iso(act.now)
        found: dict[str, Any] = {
            "status": "COMPLETE",
            "results": self.results,
            "requestedAt": at,
            "startedAt": at,
            "completedAt": at,
        }
        if self.errors:
            found |= {"numErrors": len(self.errors), "errors": [error.entry() for error in self.errors]}
        return found


def inputs_of(request: Body, most: int = MAX_INPUTS) -> list[Body]:
    """The inputs of a batch.

    Raises:
        HubSpotError: 400, there are none or too many.
    """
    found = request.parts("inputs", required=True)
    if len(found) > most:
        raise invalid(f"A batch may have at most {most} inputs, found {len(found)}")
    return found


def each(act: Act, inputs: list[Body], run: Callable[[Body], list[dict[str, Any]]]) -> Outcome:
    """Run each input by itself.

    Raises:
        HubSpotError: None succeeded; the first one's refusal.
    """
    results: list[dict[str, Any]] = []
    errors: list[HubSpotError] = []
    for part in inputs:
        try:
            with act.nested():
                results += run(part)
        except HubSpotError as error:
            errors.append(error)
    if errors and not results:
        raise errors[0]
    return Outcome(results, errors)


def _refuse_repeats(keys: list[str]) -> None:
    repeated = sorted(key for key, n in Counter(keys).items() if key and n > 1)
    if repeated:
        raise invalid(
            f"Duplicate IDs found in batch input: {repeated}. IDs must be unique", context={"ids": repeated}
        )


# -- objects ---------------------------------------------------------------------------------


def wanted(parts: list[Body]) -> list[associations.Wanted]:
    """The associations that a create asks for."""
    return [
        associations.Wanted(part.part("to").text("id"), type_pairs(part.parts("types", required=True)))
        for part in parts
    ]


def type_pairs(parts: list[Body]) -> tuple[tuple[str, int], ...]:
    """(category, type id) of each association type that a body names."""
    return tuple((p.text("associationCategory"), p.number("associationTypeId")) for p in parts)


def create(act: Act, t: Type, request: Body) -> Outcome:
    """Create objects. Two contacts with one address refuse the whole batch."""
    inputs = inputs_of(request)
    if t.key == "contacts":
        _refuse_repeats([str(p.mapping("properties").get("email") or "").lower() for p in inputs])

    def run(part: Body) -> list[dict[str, Any]]:
        links = wanted(part.parts("associations"))
        made = objects.make(act, t, part.mapping("properties", required=True), links)
        return [_traced(part, body(act, t, made, WHOLE))]

    return each(act, inputs, run)


def _traced(part: Body, found: dict[str, Any]) -> dict[str, Any]:
    trace = part.text("objectWriteTraceId", "")
    return {**found, "objectWriteTraceId": trace} if trace else found


def read(act: Act, t: Type, request: Body, archived: bool) -> Outcome:
    """Read objects by id or by a unique property. Several missing ones are one error."""
    inputs = inputs_of(request)
    by = request.text("idProperty", "")
    asked = Asked.of(request.texts("properties"), request.texts("propertiesWithHistory"))
    found, missing = [], []
    for id in dict.fromkeys(part.text("id") for part in inputs):
        try:
            record = objects.get(act, t, id, by, archived)
        except HubSpotError as error:
            if error.status != 404:
                raise
            missing.append(id)
        else:
            found.append(body(act, t, record, asked))
    if not missing:
        return Outcome(found, [])
    what = t.spec.singular.upper()
    message = (
        f"Could not get some {what} objects, they may be deleted or not exist. Check that ids are valid."
    )
    return Outcome(found, [not_found(message, context={"ids": missing})])


def update(act: Act, t: Type, request: Body) -> Outcome:
    """Update objects by id or by a unique property. One object named twice refuses the whole batch."""
    inputs = inputs_of(request)
    _refuse_repeats([p.text("id") for p in inputs])

    def run(part: Body) -> list[dict[str, Any]]:
        record = objects.get(act, t, part.text("id"), part.text("idProperty", ""))
        changed = objects.change(act, t, record, part.mapping("properties", required=True))
        return [_traced(part, body(act, t, changed, WHOLE))]

    return each(act, inputs, run)


def upsert(act: Act, t: Type, request: Body) -> Outcome:
    """Update or create objects by a unique property; each result says whether it is new."""
    inputs = inputs_of(request)
    _refuse_repeats([p.text("id").lower() for p in inputs])

    def run(part: Body) -> list[dict[str, Any]]:
        by = part.text("idProperty", "")
        values = part.mapping("properties", required=True)
        record, new = objects.upsert(act, t, by, part.text("id"), values)
        return [_traced(part, {**body(act, t, record, WHOLE), "new": new})]

    return each(act, inputs, run)


def archive(act: Act, t: Type, request: Body) -> None:
    """Archive objects; those that are not there are passed over."""
    for part in inputs_of(request):
        record = lookup.find(act, t, part.text("id"))
        if record is not None and not record.archived:
            objects.archive(act, record)


# -- associations ----------------------------------------------------------------------------


def _ends(part: Body) -> tuple[str, str]:
    return part.part("from").text("id"), part.part("to").text("id")


def link(act: Act, t: Type, to: Type, request: Body) -> Outcome:
    """Associate pairs under given types."""

    def run(part: Body) -> list[dict[str, Any]]:
        a, b = _ends(part)
        made = associations.link(act, t, a, to, b, type_pairs(part.parts("types", required=True)))
        return [associations.pair_body(act, t, a, to, made)]

    return each(act, inputs_of(request, MAX_ASSOCIATIONS), run)


def link_default(act: Act, t: Type, to: Type, request: Body) -> Outcome:
    """Associate pairs under the plain type."""

    def run(part: Body) -> list[dict[str, Any]]:
        a, b = _ends(part)
        associations.link_default(act, t, a, to, b)
        return associations.default_body(t, a, to, b)

    return each(act, inputs_of(request, MAX_ASSOCIATIONS), run)


def linked(act: Act, t: Type, to: Type, request: Body) -> Outcome:
    """Read the associations of several objects; one without any gives no result but an error."""

    def run(part: Body) -> list[dict[str, Any]]:
        id = part.text("id")
        rows, more = associations.page(act, t, id, to, after=part.text("after", ""))
        if not rows:
            raise not_found(
                f"No {to.key} is associated with {t.spec.singular} {id}.",
                context={"fromObjectId": [id], "toObjectType": [to.spec.type_id]},
            )
        answer = listed(rows, more)
        return [{"from": {"id": id}, "to": answer.pop("results"), **answer}]

    return each(act, inputs_of(request, MAX_ASSOCIATION_READS), run)


def unlink(act: Act, t: Type, to: Type, request: Body) -> None:
    """Take all associations of several pairs away."""
    for part in inputs_of(request, MAX_ASSOCIATIONS):
        id = part.part("from").text("id")
        for other in part.parts("to", required=True):
            associations.unlink(act, t, id, to, other.text("id"))


def unlabel(act: Act, t: Type, to: Type, request: Body) -> None:
    """Take some types of several pairs' associations away."""
    for part in inputs_of(request, MAX_ASSOCIATIONS):
        a, b = _ends(part)
        associations.unlabel(act, t, a, to, b, type_pairs(part.parts("types", required=True)))
