"""Writes this twin's README: ``python -m tenure.twins.sheets.readme``."""

import textwrap
from collections.abc import Iterable
from pathlib import Path

from tenure.twins.sheets.dialect import SUPPORTED
from tenure.twins.sheets.locales import LOCALES
from tenure.twins.sheets.mcp import TOOLS
from tenure.twins.sheets.requests import KINDS
from tenure.twins.sheets.rest import DOCUMENT, OPERATIONS
from tenure.twins.wire.readme import END, Row, generated, write

README = Path(__file__).with_name("README.md")


def part() -> str:
    """The generated part."""
    rows = [Row(m.id, m.http, m.path, m.id in OPERATIONS) for m in DOCUMENT.methods.values()]
    source = f"the discovery document (revision {DOCUMENT.content['revision']})"
    described = len(DOCUMENT.content["schemas"]["Request"]["properties"])
    lines = [
        generated(rows, TOOLS, source).removesuffix(END).rstrip(),
        "",
        f"## Kinds of batchUpdate requests: {len(KINDS)} implemented / {described} in {source}",
        "",
        _wrapped(f"`{name}`" for name in sorted(KINDS)),
        "",
        f"## Functions: {len(SUPPORTED)}",
        "",
        _wrapped(SUPPORTED),
        "",
        f"## Locales that entries and formats know: {len(LOCALES)}",
        "",
        _wrapped(f"`{name}`" for name in LOCALES),
        "",
        END,
    ]
    return "\n".join(lines)


def _wrapped(names: Iterable[str]) -> str:
    return textwrap.fill(", ".join(names) + ".", 105, break_on_hyphens=False)


if __name__ == "__main__":
    write(README, part())
