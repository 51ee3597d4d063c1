"""Cell formats: merging what was given, and the defaults that effective formats start from."""

from collections.abc import Iterator
from typing import Any

from tenure.twins.google import fields as selectors
from tenure.twins.sheets.a1 import area
from tenure.twins.sheets.records import Ranged

Format = dict[str, Any]
WHITE = {"red": 1, "green": 1, "blue": 1}
_WHOLE = frozenset(
    f"{name}{form}" for name in ("backgroundColor", "foregroundColor", "color") for form in ("", "Style")
) | {"numberFormat", "link"}
"""Fields that are replaced as a whole."""


def default_format() -> Format:
    """The format of a new spreadsheet's cells."""
    return {
        "backgroundColor": dict(WHITE),
        "padding": {"top": 2, "right": 3, "bottom": 2, "left": 3},
        "verticalAlignment": "BOTTOM",
        "wrapStrategy": "OVERFLOW_CELL",
        "textFormat": {
            "foregroundColor": {},
            "fontFamily": "arial,sans,sans-serif",
            "fontSize": 10,
            "bold": False,
            "italic": False,
            "strikethrough": False,
            "underline": False,
            "foregroundColorStyle": {"rgbColor": {}},
        },
        "backgroundColorStyle": {"rgbColor": dict(WHITE)},
    }


def merged(base: Format, patch: Format | None) -> Format:
    """A format with a patch applied; ``None`` inside removes a field, ``None`` itself everything."""
    if patch is None:
        return {}
    found = dict(base)
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        elif isinstance(value, dict) and name not in _WHOLE:
            inner = merged(found.get(name, {}), value)
            if inner:
                found[name] = inner
            else:
                found.pop(name, None)
        else:
            found[name] = value
    return found


def paths(patch: Format, prefix: str = "") -> Iterator[str]:
    """The dotted names of what a patch sets or removes."""
    for name, value in patch.items():
        if isinstance(value, dict) and name not in _WHOLE:
            yield from paths(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def mask_of(text: str) -> selectors.Mask:
    """A field mask such as ``a.b,c(d,e)`` as a tree; ``*`` is the empty tree.

    Raises:
        GoogleError: 400, it is malformed.
    """
    tree = selectors.parse(text)
    return {} if "*" in tree else tree


def picked(value: Any, mask: selectors.Mask) -> Any:
    """What a mask takes of a message; listed fields that the message lacks become ``None``."""
    if not mask or "*" in mask:
        return value
    given = value if isinstance(value, dict) else {}
    return {name: picked(given.get(name), inner) for name, inner in mask.items()}


def with_colors(patch: Any) -> Any:
    """A patch whose colours come in both forms, as the product keeps them."""
    if not isinstance(patch, dict):
        return patch
    found = {name: with_colors(value) for name, value in patch.items()}
    for plain in ("backgroundColor", "foregroundColor", "color", "tabColor"):
        styled = f"{plain}Style"
        if styled in found and found[styled] and "rgbColor" in found[styled]:
            found[plain] = found[styled]["rgbColor"]
        elif plain in found and plain != "color":
            found[styled] = None if found[plain] is None else {"rgbColor": found[plain]}
    return found


def given(rules: list[Ranged], range: str, patch: Format | None) -> list[Ranged]:
    """Rules with a patch added; earlier ones that it hides altogether are dropped."""
    where = area(range)
    names = None if patch is None else set(paths(patch))
    kept = [
        rule
        for rule in rules
        if not (
            where.covers(area(rule.range))
            and (names is None or (rule.value is not None and set(paths(rule.value)) <= names))
        )
    ]
    needless = patch is None and not any(where.meets(area(rule.range)) for rule in kept)
    return kept if needless else [*kept, Ranged(range=range, value=patch)]


class Fold:
    """The formats that a list of rules gives to cells. Lists are replaced, never changed in place."""

    def __init__(self, rules: list[Ranged]) -> None:
        """Look at a list of rules."""
        self.rules = rules
        self._areas = [area(rule.range) for rule in rules]
        self._known: dict[tuple[int, ...], Format] = {}

    def at(self, row: int, column: int) -> Format:
        """The format of a cell; not to be changed."""
        holding = tuple([n for n, where in enumerate(self._areas) if where.holds(row, column)])
        found = self._known.get(holding)
        if found is None:
            found = {}
            for n in holding:
                found = merged(found, self.rules[n].value)
            self._known[holding] = found
        return found
