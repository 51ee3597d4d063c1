"""The twin, as worlds take it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parcels.mcp import TOOLS, URL
from parcels.records import KINDS
from parcels.rest import AUDIENCE, HOST, handle, signed_in
from parcels.service import ARRIVED, arrived
from tenure.twins.wire import mcp_surface
from tenure.world import Act, Record, Surface, Token, Tool


class _Parcels:
    name = "parcels"
    kinds: Sequence[type[Record]] = KINDS
    surfaces: Sequence[Surface] = (Surface(HOST, handle), mcp_surface(URL, "parcels", TOOLS, signed_in))
    tools: Sequence[Tool] = TOOLS
    mcp = URL
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {ARRIVED: arrived}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        """The header that signs the account in."""
        for token in act.all(Token, "account", account):
            if token.audience == AUDIENCE:
                return {"authorization": f"Bearer {token.id}"}
        return {}


TWIN = _Parcels()
