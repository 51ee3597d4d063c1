"""HubSpot: contacts, companies, deals and what hangs on them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.twins.hubspot import rest
from tenure.twins.hubspot.records import AUDIENCE, KINDS
from tenure.world import Act, Record, Surface, Token, Tool

HOSTS = ("api.hubapi.com", "api.hubspot.com")
MCP = "https://mcp.hubspot.com/"


class HubSpot:
    """The HubSpot twin."""

    name = "hubspot"
    kinds: Sequence[type[Record]] = KINDS
    surfaces: Sequence[Surface] = tuple(Surface(host, rest.handle) for host in HOSTS)
    tools: Sequence[Tool] = ()
    mcp = MCP
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """The bearer header of the account's private-app token; empty when it has none."""
        for token in act.all(Token, "account", account):
            if token.audience == AUDIENCE and token.use == "access":
                return {"authorization": f"Bearer {token.id}"}
        return {}


TWIN = HubSpot()
