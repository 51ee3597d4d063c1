"""The Gmail twin, as worlds take it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.twins.gmail.delivery import VACATION_EVENT, answer_for
from tenure.twins.gmail.records import KINDS
from tenure.twins.gmail.rest import API
from tenure.twins.google import IDENTITY_SURFACES, Upload, headers_of
from tenure.world import Act, Record, Surface, Tool


class _Gmail:
    name = "gmail"
    kinds: Sequence[type[Record]] = (*KINDS, Upload)
    surfaces: Sequence[Surface] = (*API.surfaces, *IDENTITY_SURFACES)
    tools: Sequence[Tool] = ()
    mcp = "https://gmailmcp.googleapis.com/mcp/v1"
    events: Mapping[str, Callable[[Act, dict[str, Any]], None]] = {VACATION_EVENT: answer_for}

    def credential(self, act: Act, account: str) -> dict[str, str]:
        return headers_of(act, account)


TWIN = _Gmail()
