"""The Gmail twin, as worlds take it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.twins.gmail import postpone
from tenure.twins.gmail.delivery import VACATION_EVENT, answer_for
from tenure.twins.gmail.mcp import SCOPES, TOOLS, URL
from tenure.twins.gmail.records import KINDS
from tenure.twins.gmail.rest import API
from tenure.twins.gmail.screen import SCREEN
from tenure.twins.gmail.screen_records import SCREEN_KINDS
from tenure.twins.google import IDENTITY_SURFACES, Upload, headers_of, mcp_sign_in, resource_surface
from tenure.twins.wire import mcp_surface
from tenure.world import Act, Record, Surface, Tool


class _Gmail:
    name = "gmail"
    kinds: Sequence[type[Record]] = (*KINDS, *SCREEN_KINDS, Upload)
    surfaces: Sequence[Surface] = (
        *API.surfaces,
        *SCREEN.surfaces,
        mcp_surface(URL, "gmail", TOOLS, mcp_sign_in(SCOPES), open_list=True),
        resource_surface(URL, SCOPES),
        *IDENTITY_SURFACES,
    )
    tools: Sequence[Tool] = TOOLS
    mcp = URL
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {
        VACATION_EVENT: answer_for,
        postpone.SEND_EVENT: postpone.send_due,
        postpone.WAKE_EVENT: postpone.wake,
    }

    def credential(self, act: Act, account: str) -> dict[str, str]:
        return headers_of(act, account)


TWIN = _Gmail()
