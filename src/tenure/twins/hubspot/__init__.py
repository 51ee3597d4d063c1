"""HubSpot: contacts, companies, deals and what hangs on them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.twins.hubspot import mcp, rest
from tenure.twins.hubspot.records import AUDIENCE, KINDS, PRIVATE_APP
from tenure.twins.hubspot.screen import SCREEN
from tenure.world import Act, Record, Surface, Token, Tool

HOSTS = ("api.hubapi.com", "api.hubspot.com")


class HubSpot:
    """The HubSpot twin."""

    name = "hubspot"
    kinds: Sequence[type[Record]] = KINDS
    surfaces: Sequence[Surface] = (
        *(Surface(host, rest.handle) for host in HOSTS),
        *SCREEN.surfaces,
        mcp.SURFACE,
    )
    tools: Sequence[Tool] = mcp.TOOLS
    mcp = mcp.URL
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """The bearer header of the account's private-app token; empty when it has none."""
        for token in act.all(Token, "account", account):
            if token.audience == AUDIENCE and token.id.startswith(PRIVATE_APP):
                return {"authorization": f"Bearer {token.id}"}
        return {}


TWIN = HubSpot()
