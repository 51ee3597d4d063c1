"""The Sheets twin, as worlds take it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.twins.google import IDENTITY_SURFACES, Upload, headers_of, mcp_sign_in, resource_surface
from tenure.twins.google.files import FILE_KINDS
from tenure.twins.sheets.mcp import SCOPES, TOOLS, URL
from tenure.twins.sheets.records import KINDS
from tenure.twins.sheets.rest import API
from tenure.twins.sheets.screen import SCREEN
from tenure.twins.wire import mcp_surface
from tenure.world import Act, Record, Surface, Tool


class _Sheets:
    name = "sheets"
    kinds: Sequence[type[Record]] = (*KINDS, *FILE_KINDS, Upload)
    surfaces: Sequence[Surface] = (
        *API.surfaces,
        *SCREEN.surfaces,
        mcp_surface(URL, "sheets", TOOLS, mcp_sign_in(SCOPES), open_list=True),
        resource_surface(URL, SCOPES),
        *IDENTITY_SURFACES,
    )
    tools: Sequence[Tool] = TOOLS
    mcp = URL
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        return headers_of(act, account)


TWIN = _Sheets()
