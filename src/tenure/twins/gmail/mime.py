"""RFC 822: reading what clients send, writing what seeded letters are, walking parts.

A record keeps the top-level headers decoded and, of a letter that came in as bytes, the MIME body
as a blob that all its copies share. Seeded letters have no blob: their MIME is made when asked for.
"""

import base64
import quopri
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message as Part
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import format_datetime, getaddresses, parsedate_to_datetime
from hashlib import blake2b

from tenure.twins.gmail.records import Attachment
from tenure.twins.gmail.text import html_text, mailboxes

Headers = list[tuple[str, str]]
_ADDRESSED = frozenset(("from", "to", "cc", "bcc", "reply-to", "sender"))
_IDS = re.compile(r"<[^<>\s]+>")
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


@dataclass
class Letter:
    """A letter as parsed from bytes.

    Attributes:
        headers: Top-level headers in order, decoded, with the sender's casing.
        mime: What follows the header block, with CRLF line ends.
        body: The plain text, or the HTML's text.
        html: The HTML body, or empty.
        files: (filename, MIME type, bytes, content id) of every attachment.
    """

    headers: Headers
    mime: bytes
    body: str = ""
    html: str = ""
    files: list[tuple[str, str, bytes, str]] = field(default_factory=list)

    def get(self, name: str) -> str:
        """The first header of a name, or empty."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def every(self, name: str) -> list[str]:
        """Every header of a name."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def put(self, name: str, value: str) -> None:
        """Replace a header in its place, or add it in front."""
        for i, (key, _) in enumerate(self.headers):
            if key.lower() == name.lower():
                self.headers[i] = (key, value)
                return
        self.headers.insert(0, (name, value))

    def drop(self, name: str) -> None:
        """Remove every header of a name."""
        self.headers = [pair for pair in self.headers if pair[0].lower() != name.lower()]

    @property
    def message_id(self) -> str:
        """The Message-ID with its angle brackets, or empty."""
        return next(iter(_IDS.findall(self.get("Message-ID"))), "")

    @property
    def in_reply_to(self) -> str:
        """The Message-ID that the letter answers, or empty."""
        return next(iter(_IDS.findall(self.get("In-Reply-To"))), "")

    @property
    def references(self) -> list[str]:
        """The Message-IDs of the conversation."""
        return _IDS.findall(self.get("References"))

    @property
    def date(self) -> int | None:
        """The Date header as epoch milliseconds, or ``None`` when there is none that can be read."""
        try:
            found = parsedate_to_datetime(self.get("Date"))
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
            return int(found.timestamp() * 1000)
        except (TypeError, ValueError, OverflowError):
            return None

    def people(self, name: str) -> list[str]:
        """An address header as one ``Name <address>`` each."""
        return mailboxes(self.every(name))


def decoded(value: str) -> str:
    """A header value unfolded, its encoded words read."""
    flat = re.sub(r"\r?\n[ \t]*", " ", value).strip()
    if "=?" not in flat:
        return flat
    try:
        found = decode_header(flat)
    except HeaderParseError:
        return flat
    pieces = []
    for piece, charset in found:
        raw = piece.encode("latin-1", "replace") if isinstance(piece, str) else piece
        pieces.append(_text(raw, charset or "utf-8"))
    return _one_line("".join(pieces))


def _one_line(value: str) -> str:
    """A header value that cannot start another header."""
    return re.sub(r"[\r\n]+", " ", value)


def _text(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset, "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def clean(text: str) -> str:
    """Text as the parser gives it, with bytes beyond ASCII read as UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def header_value(value: object) -> str:
    """A header as the parser gives it, decoded."""
    return decoded(clean(str(value)))


def split(raw: bytes) -> tuple[bytes, bytes]:
    """A letter's header block and MIME body, the latter with CRLF line ends."""
    if raw[:2] in (b"\r\n", b"\n\n") or raw[:1] == b"\n":
        return b"", _crlf(raw.lstrip(b"\r\n"))
    head, *rest = _END_OF_HEAD.split(raw, maxsplit=1)
    return head, _crlf(rest[0]) if rest else b""


def _crlf(data: bytes) -> bytes:
    return re.sub(rb"\r\n|\r|\n", b"\r\n", data)


def read(raw: bytes) -> Letter:
    """Parse a letter; nothing a client can send makes this fail."""
    head, mime = split(raw)
    root = parse(head + b"\r\n\r\n" + mime)
    letter = Letter([(clean(name), header_value(value)) for name, value in root.raw_items()], mime)
    plain = ""
    for part in leaves(root):
        kind, name = clean(part.get_content_type()), filename(part)
        attached = name or part.get_content_disposition() == "attachment"
        if not attached and kind == "text/plain" and not plain:
            plain = text_of(part)
        elif not attached and kind == "text/html" and not letter.html:
            letter.html = text_of(part)
        elif attached or not kind.startswith("text/"):
            content_id = header_value(part.get("Content-ID", "")).strip("<> ")
            letter.files.append((name or "noname", kind, content(part), content_id))
    letter.body = plain or html_text(letter.html)
    return letter


def parse(raw: bytes) -> Part:
    """The tree of parts of a whole letter; one nested beyond reason is a single part."""
    try:
        return BytesParser(policy=compat32).parsebytes(raw)
    except RecursionError:
        return BytesHeaderParser(policy=compat32).parsebytes(raw)


def leaves(part: Part) -> Iterator[Part]:
    """The parts that hold content; an attached letter is one."""
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        for inner in children(part):
            yield from leaves(inner)
    else:
        yield part


def children(part: Part) -> list[Part]:
    """The parts of a multipart, none of anything else."""
    inside = part.get_content_maintype() == "multipart" and part.is_multipart()
    return _inner(part) if inside else []


def _inner(part: Part) -> list[Part]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Part)] if isinstance(payload, list) else []


def filename(part: Part) -> str:
    """A part's file name, decoded, or empty."""
    return header_value(part.get_filename("") or "")


def content(part: Part) -> bytes:
    """A part's bytes, transfer encoding undone."""
    if part.is_multipart():
        return b"".join(map(_bytes, _inner(part)))
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _bytes(part: Part) -> bytes:
    try:
        return part.as_bytes()
    except UnicodeError:  # the standard library cannot write every broken part that it can read
        return clean(part.as_string()).encode()


def text_of(part: Part) -> str:
    """A text part as text with LF line ends."""
    try:
        charset = part.get_content_charset("utf-8")
    except ValueError:
        charset = "utf-8"
    return _text(content(part), charset).replace("\r\n", "\n").rstrip("\n")


def encoded(name: str, value: str) -> str:
    """A header value for the wire: one line, encoded words where it is not ASCII."""
    value = _one_line(value)
    if value.isascii():
        return value
    if name.lower() in _ADDRESSED:
        pairs = getaddresses([value])
        return ", ".join(f"{Header(n, 'utf-8').encode()} <{a}>" if n else a for n, a in pairs)
    return Header(value, "utf-8", maxlinelen=75).encode(linesep="\r\n")


def assemble(headers: Sequence[tuple[str, str]], mime: bytes) -> bytes:
    """A whole letter from decoded headers and a MIME body."""
    head = "".join(f"{name}: {encoded(name, value)}\r\n" for name, value in headers)
    return head.encode("ascii", "replace") + b"\r\n" + mime


def date_header(at: int) -> str:
    """Epoch milliseconds as a Date header."""
    return format_datetime(datetime.fromtimestamp(at // 1000, UTC))


def compose(
    text: str,
    html: str,
    attachments: Sequence[Attachment],
    blob: Callable[[str], bytes],
    mark: str,
) -> tuple[Headers, bytes]:
    """The content headers and MIME body of a letter.

    Args:
        text: Plain body; left out when empty and there is HTML.
        html: HTML body, or empty.
        attachments: Files.
        blob: Gives bytes by hash.
        mark: What the boundaries derive from, so that equal letters have equal bytes.
    """
    bodies = [_text_part("plain", text)] if text or not html else []
    if html:
        bodies.append(_text_part("html", html))
    node = bodies[0] if len(bodies) == 1 else _multipart("alternative", bodies, mark)
    inline = [file for file in attachments if file.content_id]
    others = [file for file in attachments if not file.content_id]
    if inline:
        node = _multipart("related", [node, *(_file_part(file, blob(file.blob)) for file in inline)], mark)
    if others:
        node = _multipart("mixed", [node, *(_file_part(file, blob(file.blob)) for file in others)], mark)
    return [("MIME-Version", "1.0"), *node[0]], node[1]


def _text_part(subtype: str, text: str) -> tuple[Headers, bytes]:
    data = _crlf(text.encode()) + b"\r\n"
    if text.isascii() and max(map(len, data.split(b"\r\n"))) < 900:
        return [("Content-Type", f'text/{subtype}; charset="UTF-8"')], data
    wrapped = _crlf(quopri.encodestring(text.encode() + b"\n"))
    coding = ("Content-Transfer-Encoding", "quoted-printable")
    return [("Content-Type", f'text/{subtype}; charset="UTF-8"'), coding], wrapped


def _file_part(file: Attachment, data: bytes) -> tuple[Headers, bytes]:
    name = encoded("", file.filename.replace('"', "'"))
    way = "inline" if file.content_id else "attachment"
    headers = [
        ("Content-Type", f'{file.mime}; name="{name}"'),
        ("Content-Disposition", f'{way}; filename="{name}"'),
        ("Content-Transfer-Encoding", "base64"),
    ]
    if file.content_id:
        headers.append(("Content-ID", f"<{file.content_id}>"))
    return headers, _crlf(base64.encodebytes(data))


def _multipart(subtype: str, parts: Sequence[tuple[Headers, bytes]], mark: str) -> tuple[Headers, bytes]:
    boundary = blake2b(f"{mark}/{subtype}".encode(), digest_size=14).hexdigest()
    out = b"".join(f"--{boundary}\r\n".encode() + assemble(headers, data) for headers, data in parts)
    out += f"--{boundary}--\r\n".encode()
    return [("Content-Type", f'multipart/{subtype}; boundary="{boundary}"')], out
