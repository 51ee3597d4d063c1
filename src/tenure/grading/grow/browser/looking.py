"""Looking at a page as the harness: its accessible and visible text, and a picture."""

import base64
from collections.abc import Iterator
from typing import Any, NamedTuple

from tenure.grading.grow.browser.watch import Tab
from tenure.schema.text import readable
from tenure.workspace.devtools import DevTools, Late

LARGEST = 200_000
"""Characters that are kept of a page's tree, and of its text."""
_WORLD = "tenure"
_TEXT = f"document.body ? document.body.innerText.slice(0, {LARGEST}) : ''"
_PLAIN = frozenset(["none", "generic", "InlineTextBox", "LineBreak", "LayoutTable", "StaticText"])
"""Roles that say nothing themselves."""
_STATES = (
    "checked",
    "disabled",
    "expanded",
    "focused",
    "invalid",
    "level",
    "pressed",
    "required",
    "selected",
)


class Shown(NamedTuple):
    """What a page shows.

    Attributes:
        tree: Its accessibility tree, an element a line; the text where that cannot be had.
        text: Its visible text.
    """

    tree: str
    text: str


async def shown(tools: DevTools, tab: Tab) -> Shown:
    """Read a page, from a world of the harness's that its scripts do not reach.

    Raises:
        Refused: It does not answer.
    """
    world = await tools.send("Page.createIsolatedWorld", tab.session, frameId=tab.target, worldName=_WORLD)
    context = world["executionContextId"]
    read = await tools.send("Runtime.evaluate", tab.session, expression=_TEXT, contextId=context)
    text = readable(str(read["result"].get("value", "")))
    try:
        nodes = (await tools.send("Accessibility.getFullAXTree", tab.session))["nodes"]
    except Late:  # There is too much of it.
        return Shown(text, text)
    return Shown(readable(_tree(nodes)[:LARGEST]), text)


async def picture(tools: DevTools, tab: Tab) -> bytes:
    """A page's picture, as it is in its window: PNG.

    Raises:
        Refused: It does not answer.
    """
    taken = await tools.send("Page.captureScreenshot", tab.session, format="png", optimizeForSpeed=True)
    return base64.b64decode(taken["data"])


def _tree(nodes: list[dict[str, Any]]) -> str:
    known = {node["nodeId"]: node for node in nodes}
    return "\n".join(_lines(nodes[0], known)) if nodes else ""


def _lines(root: dict[str, Any], known: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A line for each element that says something, each level further in."""
    left = [(root, 0, "")]
    while left:
        node, depth, above = left.pop()
        role, name = _value(node, "role"), " ".join(_value(node, "name").split())
        said = not node.get("ignored") and role not in _PLAIN and bool(name or node.get("properties"))
        if said:
            yield f"{'  ' * depth}- {role}{_quoted(name)}{_state(node)}{_held(node)}"
        elif role == "StaticText" and name and name not in above:
            yield f"{'  ' * depth}- text: {name}"
        if role != "StaticText":
            below = [known[child] for child in node.get("childIds", ()) if child in known]
            heard = f"{name} {_value(node, 'value')}" if said else above
            left += [(child, depth + said, heard) for child in reversed(below)]


def _value(node: dict[str, Any], key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def _quoted(name: str) -> str:
    return f' "{name}"' if name else ""


def _state(node: dict[str, Any]) -> str:
    values = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
    told = [
        name if values[name] is True or values[name] == "true" else f"{name}={values[name]}"
        for name in _STATES
        if values.get(name) not in (None, False, "false", "")
    ]
    return f" [{', '.join(told)}]" if told else ""


def _held(node: dict[str, Any]) -> str:
    held = _value(node, "value")
    return f": {held}" if held else ""
