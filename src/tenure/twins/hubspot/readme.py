"""Writes this twin's README: ``python -m tenure.twins.hubspot.readme``.

``operations.txt`` lists what the vendor's Apache-2.0 Python client can call, one operation a line:
method, path, name. ``tests/twins/hubspot/sdk.py`` writes it from the installed client.
"""

import re
from pathlib import Path

from tenure.twins.hubspot.mcp import TOOLS
from tenure.twins.hubspot.rest import ROUTES
from tenure.twins.wire.readme import Row, generated, write

README = Path(__file__).with_name("README.md")
OPERATIONS = Path(__file__).with_name("operations.txt")
SOURCE = (
    "the `crm` packages of hubspot-api-client 12.0.0 (object types folded into one parameter) and the "
    "further routes that the npm MCP server or sign-in calls"
)
_PARAM = re.compile(r"\{\w+\}")


def _shape(path: str) -> str:
    return _PARAM.sub("{}", path.rstrip("/"))


def rows() -> list[Row]:
    """Every operation of the client, and those of the twin that the client lacks."""
    ours = {(r.method, _shape(r.template)): r for r in ROUTES.routes}
    found = []
    for line in OPERATIONS.read_text().splitlines():
        method, path, name = line.split(" ")
        found.append(Row(name, method, path, ours.pop((method, _shape(path)), None) is not None))
    return found + [Row(r.operation, r.method, r.template, True) for r in ours.values()]


def part() -> str:
    """The generated part."""
    return generated(rows(), TOOLS, SOURCE)


if __name__ == "__main__":
    write(README, part())
