"""Texts that can be stored and sent: pages, files and models may hold halves of characters."""

import json
from typing import Any


def readable(text: str) -> str:
    """A text as UTF-8 can hold it: halves of characters become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def readable_all(value: Any) -> Any:
    """A value as JSON has it, with all its texts ``readable``; what JSON has no form for becomes a text."""
    return json.loads(readable(json.dumps(value, ensure_ascii=False, default=str)))


def cut(text: str, most: int) -> str:
    """The longest beginning of a text that has so many bytes at most."""
    return readable(text).encode()[:most].decode("utf-8", "ignore")
