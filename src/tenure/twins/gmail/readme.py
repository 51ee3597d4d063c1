"""Writes this twin's README: ``python -m tenure.twins.gmail.readme``."""

from pathlib import Path

from tenure.twins.gmail.mcp import TOOLS
from tenure.twins.gmail.rest import DOCUMENT, OPERATIONS
from tenure.twins.wire.readme import Row, generated, write

README = Path(__file__).with_name("README.md")


def part() -> str:
    """The generated part."""
    rows = [Row(m.id, m.http, m.path, m.id in OPERATIONS) for m in DOCUMENT.methods.values()]
    return generated(rows, TOOLS, f"the discovery document (revision {DOCUMENT.content['revision']})")


if __name__ == "__main__":
    write(README, part())
