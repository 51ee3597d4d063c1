"""Tools over objects and associations."""

from typing import Any

from tenure.twins.hubspot.service import associations, batch, labels, objects, search, types, view
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.hubspot.service.view import Asked
from tenure.world import Act

Arguments = dict[str, Any]


def list_objects(act: Act, args: Arguments) -> Any:
    """A page of records."""
    t = types.resolve(act, args["objectType"])
    asked = Asked.of(args.get("properties", ()), (), args.get("associations", ()))
    found, more = objects.page(
        act,
        t,
        limit=args.get("limit", 100),
        after=args.get("after", ""),
        archived=args.get("archived", False),
    )
    return view.page(act, t, found, asked, more)


def search_objects(act: Act, args: Arguments) -> Any:
    """A page of a search's results."""
    t = types.resolve(act, args["objectType"])
    wanted = search.parse(act, t, Body(args))
    found, total = search.run(act, t, wanted)
    end = wanted.offset + len(found)
    asked = Asked.of(args.get("properties", ()))
    return {"total": total, **view.page(act, t, found, asked, str(end) if end < total else "")}


def batch_create(act: Act, args: Arguments) -> Any:
    """Create records."""
    return batch.create(act, types.resolve(act, args["objectType"]), Body(args)).answer(act)


def batch_update(act: Act, args: Arguments) -> Any:
    """Update records."""
    return batch.update(act, types.resolve(act, args["objectType"]), Body(args)).answer(act)


def batch_read(act: Act, args: Arguments) -> Any:
    """Read records."""
    return batch.read(act, types.resolve(act, args["objectType"]), Body(args), archived=False).answer(act)


def list_associations(act: Act, args: Arguments) -> Any:
    """A record's associations."""
    t, to = types.resolve(act, args["objectType"]), types.resolve(act, args["toObjectType"])
    rows, more = associations.page(act, t, args["objectId"], to, after=args.get("after", ""))
    return listed(rows, more)


def association_definitions(act: Act, args: Arguments) -> Any:
    """The association types between two object types."""
    t, to = types.resolve(act, args["fromObjectType"]), types.resolve(act, args["toObjectType"])
    return {"results": labels.listed(act, t, to)}


def batch_associate(act: Act, args: Arguments) -> Any:
    """Associate pairs of records, all under the same types."""
    t, to = types.resolve(act, args["fromObjectType"]), types.resolve(act, args["toObjectType"])
    request = Body({"inputs": [{**pair, "types": args["types"]} for pair in args["inputs"]]})
    return batch.link(act, t, to, request).answer(act)


RUN = {
    "hubspot-list-objects": list_objects,
    "hubspot-search-objects": search_objects,
    "hubspot-batch-create-objects": batch_create,
    "hubspot-batch-update-objects": batch_update,
    "hubspot-batch-read-objects": batch_read,
    "hubspot-list-associations": list_associations,
    "hubspot-get-association-definitions": association_definitions,
    "hubspot-batch-create-associations": batch_associate,
}
