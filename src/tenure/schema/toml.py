"""Writing a declaration as TOML."""

import json
import re
from typing import Any


def to_toml(held: dict[str, Any]) -> str:
    """A JSON-like document as TOML: dictionaries as tables, lists of dictionaries as arrays of tables."""
    return "\n".join(_table("", held)).lstrip("\n") + "\n"


def _table(name: str, held: dict[str, Any], *, row: bool = False) -> list[str]:
    below = {key: value for key, value in held.items() if isinstance(value, dict) or _rows(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in held.items() if key not in below]
    if name and (row or lines or not below):
        lines = ["", f"[[{name}]]" if row else f"[{name}]", *lines]
    for key, value in below.items():
        inner = f"{name}.{_key(key)}" if name else _key(key)
        if isinstance(value, dict):
            lines += _table(inner, value)
        else:
            for one in value:
                lines += _table(inner, one, row=True)
    return lines


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    # JSON's scalars and lists of them are TOML too, but for the escapes of a surrogate pair and DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
