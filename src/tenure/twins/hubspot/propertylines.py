"""Reading ``properties.txt``: what every standard property is called and what its values are."""

from functools import cache
from pathlib import Path
from typing import NamedTuple


class PropertyLine(NamedTuple):
    """One line of the file.

    Attributes:
        name: Internal name.
        label: Label.
        type: Value type.
        field: Field type; empty for the type's usual one.
        more: Options or flags, as in the file.
    """

    name: str
    label: str
    type: str
    field: str
    more: str

    @property
    def flags(self) -> str:
        """The flags, when the rest of the line is flags."""
        return self.more if set(self.more) <= set("!~@") else ""


@cache
def property_lines() -> dict[str, dict[str, PropertyLine]]:
    """Object type → name → line."""
    found: dict[str, dict[str, PropertyLine]] = {}
    section: dict[str, PropertyLine] = {}
    for line in Path(__file__).with_name("properties.txt").read_text().splitlines():
        if line.startswith("["):
            section = found.setdefault(line[1:-1], {})
        elif line and not line.startswith("#"):
            name, label, kind, *rest = (part.strip() for part in line.split(" | "))
            kind, _, field = kind.partition(":")
            section[name] = PropertyLine(name, label, kind, field, rest[0] if rest else "")
    return found
