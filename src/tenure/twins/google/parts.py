"""Multipart bodies as Google's clients write them: CRLF or bare LF."""

import re
from email.message import Message
from email.parser import HeaderParser
from typing import NamedTuple

from tenure.twins.google.errors import invalid

_BLANK = re.compile(rb"\r?\n\r?\n")


class Part(NamedTuple):
    """One part.

    Attributes:
        headers: Lower-case names.
        body: Bytes between the blank line and the next boundary.
    """

    headers: dict[str, str]
    body: bytes


def headers_and_body(data: bytes) -> Part:
    """A header block and what follows it."""
    if data.startswith((b"\r\n", b"\n")):
        return Part({}, data.removeprefix(b"\r").removeprefix(b"\n"))
    head, *rest = _BLANK.split(data, maxsplit=1)
    parsed = HeaderParser().parsestr(head.decode("utf-8", "replace"))
    return Part({name.lower(): str(value) for name, value in parsed.items()}, rest[0] if rest else b"")


def parts_of(content_type: str, body: bytes) -> list[Part]:
    """The parts of a multipart body.

    Raises:
        GoogleError: 400, the content type has no boundary or the body does not use it.
    """
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_param("boundary")
    if not isinstance(boundary, str) or not boundary:
        raise invalid("Missing multipart boundary in the Content-Type header.")
    mark = b"--" + re.escape(boundary.encode())
    pieces = re.split(rb"(?:^|\r?\n)" + mark + rb"(?:--)?[ \t]*(?=\r?\n|$)", body)
    parts = []
    for piece in pieces[1:]:
        inner = re.sub(rb"^\r?\n", b"", piece, count=1)
        if inner.strip():
            parts.append(headers_and_body(inner))
    if not parts:
        raise invalid("Failed to parse the multipart body.")
    return parts
