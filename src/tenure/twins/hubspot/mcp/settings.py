"""Tools over properties, engagements, schemas, workflows and the account itself."""

from typing import Any

import orjson

from tenure.twins.hubspot.objecttypes import OBJECT_TYPES
from tenure.twins.hubspot.records import SCOPES
from tenure.twins.hubspot.service import account, engagements, owners, properties, schemas, types
from tenure.twins.hubspot.service.body import Body
from tenure.twins.hubspot.service.errors import invalid
from tenure.twins.hubspot.service.owners import owner_body
from tenure.twins.hubspot.service.paging import listed
from tenure.twins.hubspot.service.properties import property_body
from tenure.world import Act, ToolError

Arguments = dict[str, Any]
TASK_STATES = ("NOT_STARTED", "IN_PROGRESS", "COMPLETED", "WAITING")
FOR_OBJECTS = ("CONTACT", "COMPANY", "DEAL", "TICKET")
FEEDBACK = "https://developers.hubspot.com/mcp"


def user_details(act: Act, args: Arguments) -> Any:
    """Token, owner and account, in the order and form of the vendor's tool."""
    owner = owners.own(act)
    if owner is not None:
        act.show(owner)
    token = {
        "userId": owner.user_id if owner else 0,
        "hubId": types.portal(act).portal_id,
        "appId": account.APP_ID,
        "scopes": list(SCOPES),
    }
    parts = {
        "Token Info": token,
        "OwnerInfo": owner_body(owner) if owner else None,
        "AccountInfo": account.details(act),
    }
    return "\n".join(f"- {name}: {orjson.dumps(part).decode()}" for name, part in parts.items())


def list_properties(act: Act, args: Arguments) -> Any:
    """The properties of a type, in brief."""
    t = types.resolve(act, args["objectType"])
    found = properties.definitions(act, t, args.get("archived", False)).values()
    shown = [p for p in found if args.get("includeHidden") or not p.hidden]
    for p in shown:
        act.show(p)
    brief = ("name", "label", "type", "description", "groupName")
    return {"results": [{name: property_body(p)[name] for name in brief} for p in shown]}


def get_property(act: Act, args: Arguments) -> Any:
    """One property."""
    return property_body(properties.get(act, types.resolve(act, args["objectType"]), args["propertyName"]))


def create_property(act: Act, args: Arguments) -> Any:
    """Create a property; blanks in the name become underscores."""
    t = types.resolve(act, args["objectType"])
    name = "_".join(args["name"].lower().split())
    given = {"type": "string", "fieldType": "text", **args, "name": name}
    return property_body(properties.make(act, t, Body(given)))


def update_property(act: Act, args: Arguments) -> Any:
    """Change a property."""
    given = {name: value for name, value in args.items() if name not in {"objectType", "propertyName"}}
    if not given:
        raise ToolError("At least one property field must be provided for update")
    t = types.resolve(act, args["objectType"])
    return property_body(properties.change(act, t, args["propertyName"], Body(given)))


def create_engagement(act: Act, args: Arguments) -> Any:
    """Log a note or create a task."""
    kind, metadata = args["type"], dict(args["metadata"])
    needed = ("body",) if kind == "NOTE" else ("body", "subject")
    if missing := [name for name in needed if not isinstance(metadata.get(name), str)]:
        raise invalid(f"Invalid metadata of a {kind}: required: {', '.join(missing)}")
    if kind == "TASK":
        metadata.setdefault("status", TASK_STATES[0])
        metadata.setdefault("forObjectType", FOR_OBJECTS[0])
        if metadata["status"] not in TASK_STATES or metadata["forObjectType"] not in FOR_OBJECTS:
            raise invalid(
                f"Invalid metadata of a TASK: status is one of {', '.join(TASK_STATES)}, "
                f"forObjectType one of {', '.join(FOR_OBJECTS)}"
            )
    engagement = {"type": kind, "ownerId": args["ownerId"], "timestamp": args.get("timestamp") or act.now}
    request = {"engagement": engagement, "associations": args["associations"], "metadata": metadata}
    made = engagements.make(act, Body(request))
    message = f"Successfully created {kind.lower()} engagement"
    return {"status": "success", "engagement": made, "message": message}


def get_engagement(act: Act, args: Arguments) -> Any:
    """One engagement."""
    return engagements.get(act, str(args["engagementId"]))


def update_engagement(act: Act, args: Arguments) -> Any:
    """Change an engagement."""
    request: dict[str, Any] = {"metadata": args["metadata"], "associations": args["associations"]}
    request["engagement"] = {name: args[name] for name in ("ownerId", "timestamp") if name in args}
    id = str(args["engagementId"])
    changed = engagements.change(act, id, Body(request))
    return {
        "status": "success",
        "engagement": changed,
        "message": f"Successfully updated engagement {id}",
    }


def get_schemas(act: Act, args: Arguments) -> Any:
    """The custom types, in brief."""
    found = schemas.every(act)
    for s in found:
        act.show(s)
    return {
        "results": [
            {
                "objectTypeId": s.id,
                "objectType": s.name,
                "name": s.name,
                "labels": {"singular": s.singular, "plural": s.plural},
            }
            for s in found
        ]
    }


def get_link(act: Act, args: Arguments) -> Any:
    """Links to pages of the account."""
    known = {t.type_id for t in OBJECT_TYPES.values()}
    problems, links = [], []
    root = f"https://{args['uiDomain']}/contacts/{args['portalId']}"
    for page in args["pageRequests"]:
        type_id, id = page["objectTypeId"], page.get("objectId")
        if type_id not in known and not type_id.startswith("2-"):
            problems.append(f"Invalid objectTypeId: {type_id}")
        elif page["pagetype"] == "record" and not id:
            problems.append(f"objectId is required for record page with objectTypeId: {type_id}")
        else:
            path = f"record/{type_id}/{id}" if page["pagetype"] == "record" else f"objects/{type_id}"
            links.append({**page, "url": f"{root}/{path}"})
    if problems:
        raise ToolError("; ".join(problems))
    return {"urls": links}


def feedback_link(act: Act, args: Arguments) -> Any:
    """Where feedback goes."""
    return f"Feedback about these tools goes to {FEEDBACK}"


def list_workflows(act: Act, args: Arguments) -> Any:
    """A page of workflows."""
    rows, more = account.flows(act, int(args.get("limit", 20)), args.get("after", ""))
    return listed(rows, more)


def get_workflow(act: Act, args: Arguments) -> Any:
    """One workflow."""
    return account.flow(act, args["flowId"])


RUN = {
    "hubspot-get-user-details": user_details,
    "hubspot-list-properties": list_properties,
    "hubspot-get-property": get_property,
    "hubspot-create-property": create_property,
    "hubspot-update-property": update_property,
    "hubspot-create-engagement": create_engagement,
    "hubspot-get-engagement": get_engagement,
    "hubspot-update-engagement": update_engagement,
    "hubspot-generate-feedback-link": feedback_link,
    "hubspot-get-schemas": get_schemas,
    "hubspot-get-link": get_link,
    "hubspot-list-workflows": list_workflows,
    "hubspot-get-workflow": get_workflow,
}
