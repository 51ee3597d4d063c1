"""The official MCP SDK against Gmail's MCP endpoint on its real hostname. Run by ``test_client.py``."""

import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

URL = "https://gmailmcp.googleapis.com/mcp/v1"


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['ACCESS']}"}
    async with (
        create_mcp_http_client(headers=headers) as http,
        streamable_http_client(URL, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        tools = await session.list_tools()
        assert len(tools.tools) == 25
        found = await session.call_tool("search_threads", {"query": "invoice"})
        thread = json.loads(found.content[0].text)["threads"][0]
        arguments = {"replyToMessageId": thread["messages"][0]["id"], "body": "Paid."}
        made = await session.call_tool("create_draft", arguments)
        assert not made.is_error, made
        refused = await session.call_tool("get_thread", {"threadId": "ff"})
        assert refused.is_error and refused.content[0].text == "Requested entity was not found."


asyncio.run(main())
