"""The generated part of a twin's README: operations and tools, and how many of the vendor's there are.

The text between the markers is generated; what stands outside them is written by hand and kept.
``python -m tenure.twins.gmail.readme`` writes the file anew; a test fails while it is out of date.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tenure.world import Tool

START, END = "<!-- generated: start -->", "<!-- generated: end -->"


class Row(NamedTuple):
    """One operation of the vendor's description.

    Attributes:
        operation: The vendor's operation id.
        method: HTTP method.
        path: Path template.
        implemented: Whether the twin does it.
    """

    operation: str
    method: str
    path: str
    implemented: bool


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|"]
    return lines + [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows]


def generated(rows: Iterable[Row], tools: Iterable[Tool], source: str) -> str:
    """The generated part, markers included.

    Args:
        rows: Every operation that the description lists.
        tools: The twin's MCP tools.
        source: What the operations are counted against, in words.
    """
    listed, offered = sorted(rows), list(tools)
    done = [row for row in listed if row.implemented]
    missing = [row.operation for row in listed if not row.implemented]
    lines = [START, "", f"## Operations: {len(done)} implemented / {len(listed)} in {source}", ""]
    lines += _table(
        ("operation", "method", "path"), [(f"`{r.operation}`", r.method, f"`{r.path}`") for r in done]
    )
    if missing:
        lines += ["", f"Not implemented: {', '.join(f'`{name}`' for name in missing)}."]
    assumed = sum(tool.assumed for tool in offered)
    lines += ["", f"## MCP tools: {len(offered)}, of which {assumed} with assumed arguments", ""]
    lines += _table(
        ("tool", "arguments (* required)", "assumed"),
        [(f"`{tool.name}`", _arguments(tool), "assumed" if tool.assumed else "") for tool in offered],
    )
    return "\n".join([*lines, "", END])


def _arguments(tool: Tool) -> str:
    required = tool.schema.get("required", ())
    return ", ".join(f"{name}{'*' if name in required else ''}" for name in tool.schema.get("properties", {}))


def renewed(text: str, part: str) -> str:
    """A README with its generated part replaced.

    Raises:
        ValueError: The markers are missing.
    """
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the README lacks the markers {START} and {END}")
    return before + part + after


def write(path: Path, part: str) -> None:
    """Bring a README up to date."""
    path.write_text(renewed(path.read_text(), part))
