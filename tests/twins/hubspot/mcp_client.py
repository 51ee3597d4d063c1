"""The same tool calls through two MCP servers: the vendor's npm package and the twin's own.

Run by ``test_mcp.py`` inside a private network, with the official MCP client. Argument: ``npm`` (the
unmodified ``@hubspot/mcp-server`` over stdio, which calls the twin's REST API) or ``twin`` (Streamable
HTTP). Prints one JSON line with the tools, then one for each call: tool, whether it failed, text.
"""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

URL = "https://mcp.hubspot.com/"
HUBSPOT = "HUBSPOT_DEFINED"
PRIMARY = [{"associationCategory": HUBSPOT, "associationTypeId": 1}]
LINKS = {"contactIds": [1], "companyIds": [], "dealIds": [1], "ownerIds": [], "ticketIds": []}
QUIST = {"propertyName": "lastname", "operator": "EQ", "value": "Quist"}
GROUP = "contactinformation"
SIZE = {"objectType": "contacts", "name": "Shoe Size", "label": "Size", "groupName": GROUP}
PAGE = {"pagetype": "record", "objectTypeId": "0-1", "objectId": "1"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("hubspot-get-user-details", {}),
    ("hubspot-list-objects", {"objectType": "contacts", "limit": 2, "associations": ["companies"]}),
    ("hubspot-list-objects", {"objectType": "shoes"}),
    (
        "hubspot-search-objects",
        {
            "objectType": "contacts",
            "filterGroups": [{"filters": [QUIST]}],
            "sorts": [{"propertyName": "createdate", "direction": "DESCENDING"}],
            "properties": ["email"],
            "limit": 1,
        },
    ),
    ("hubspot-search-objects", {"objectType": "deals", "query": "south"}),
    (
        "hubspot-batch-create-objects",
        {
            "objectType": "contacts",
            "inputs": [
                {"properties": {"email": "m@x.test"}, "associations": [{"types": PRIMARY, "to": {"id": "1"}}]}
            ],
        },
    ),
    (
        "hubspot-batch-create-objects",
        {"objectType": "contacts", "inputs": [{"properties": {"email": "zoe@north.test"}}]},
    ),
    (
        "hubspot-batch-update-objects",
        {"objectType": "deals", "inputs": [{"id": "3", "properties": {"dealstage": "qualifiedtobuy"}}]},
    ),
    (
        "hubspot-batch-read-objects",
        {"objectType": "deals", "inputs": [{"id": "3"}], "properties": ["dealstage"]},
    ),
    (
        "hubspot-batch-create-associations",
        {
            "fromObjectType": "contacts",
            "toObjectType": "companies",
            "types": PRIMARY,
            "inputs": [{"from": {"id": "10"}, "to": {"id": "2"}}],
        },
    ),
    (
        "hubspot-get-association-definitions",
        {"fromObjectType": "contacts", "toObjectType": "deals"},
    ),
    ("hubspot-list-associations", {"objectType": "contacts", "objectId": "10", "toObjectType": "companies"}),
    ("hubspot-list-properties", {"objectType": "contacts"}),
    ("hubspot-get-property", {"objectType": "contacts", "propertyName": "region"}),
    ("hubspot-create-property", SIZE),
    (
        "hubspot-update-property",
        {"objectType": "contacts", "propertyName": "shoe_size", "label": "Size of shoe"},
    ),
    (
        "hubspot-create-engagement",
        {"type": "NOTE", "ownerId": 11, "associations": LINKS, "metadata": {"body": "Asked"}, "timestamp": 1},
    ),
    (
        "hubspot-create-engagement",
        {"type": "TASK", "ownerId": 11, "associations": LINKS, "metadata": {"body": "Ask"}, "timestamp": 1},
    ),
    ("hubspot-get-engagement", {"engagementId": 2}),
    (
        "hubspot-update-engagement",
        {
            "engagementId": 2,
            "ownerId": 12,
            "associations": LINKS,
            "metadata": {"status": "COMPLETED"},
        },
    ),
    ("hubspot-generate-feedback-link", {}),
    ("hubspot-get-schemas", {}),
    ("hubspot-get-link", {"portalId": "4242", "uiDomain": "app.hubspot.com", "pageRequests": [PAGE]}),
    ("hubspot-list-workflows", {}),
    ("hubspot-get-workflow", {"flowId": "71"}),
]


async def main(server: str) -> None:
    token = os.environ["TOKEN"]
    async with AsyncExitStack() as stack:
        if server == "npm":
            env = {**os.environ, "PRIVATE_APP_ACCESS_TOKEN": token}
            program = "node_modules/@hubspot/mcp-server/dist/index.js"
            streams = await stack.enter_async_context(
                stdio_client(StdioServerParameters(command="node", args=[program], env=env))
            )
        else:
            http = create_mcp_http_client(headers={"authorization": f"Bearer {token}"})
            await stack.enter_async_context(http)
            streams = await stack.enter_async_context(streamable_http_client(URL, http_client=http))
        session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
        await session.initialize()
        listed = await session.list_tools()
        emit({tool.name: tool.input_schema for tool in listed.tools})
        for name, arguments in CALLS:
            result: Any = await session.call_tool(name, arguments)
            text = "\n".join(part.text for part in result.content)
            emit([name, bool(result.is_error), text])


def emit(found: Any) -> None:
    sys.stdout.write(json.dumps(found) + "\n")


asyncio.run(main(sys.argv[1]))
