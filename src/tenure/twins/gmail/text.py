"""Text of mail: HTML to plain, snippets, addresses."""

import html
import re
from collections.abc import Iterable
from email.utils import getaddresses, quote
from html.parser import HTMLParser
from unicodedata import combining, normalize

SNIPPET = 200
"""Characters of a body that a snippet shows."""
_BLOCKS = frozenset(("address", "article", "br", "div", "dl", "dt", "dd", "hr", "li", "ol", "p", "pre"))
_BLOCKS |= frozenset(("table", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6"))
_HIDDEN = frozenset(("head", "script", "style", "title"))
_SPECIAL = re.compile(r"[()<>@,:;\".\[\]\\]")
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<[^>]*>?")
_SPACES = re.compile(r"[ \t\r\f\v]+")
_REPLY = re.compile(r"^(?:\s*(?:re|fwd?|aw|wg)\s*(?:\[\d+\])?:)+\s*", re.IGNORECASE)


class _Plain(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def html_text(source: str) -> str:
    """The readable text of an HTML body, one line per block."""
    parser = _Plain()
    try:
        parser.feed(source)
        parser.close()
    except AssertionError:  # the parser's answer to a marked section that HTML does not have
        parser.parts = [_TAG.sub(" ", source)]
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)


def snippet(body: str) -> str:
    """The HTML-escaped beginning of a body, as list rows show it."""
    flat = " ".join(body[: SNIPPET * 4].split())
    return html.escape(flat[:SNIPPET].rstrip(), quote=True).replace("&#x27;", "&#39;")


def addresses(values: Iterable[str]) -> list[tuple[str, str]]:
    """(name, lower-case address) pairs of address headers; what is no address is left out."""
    return [(name, address.lower()) for name, address in getaddresses(list(values)) if "@" in address]


def emails(values: Iterable[str]) -> list[str]:
    """The lower-case addresses of address headers."""
    return [address for _, address in addresses(values)]


def mailbox(name: str, address: str) -> str:
    """``Name <address>`` in Unicode, the name quoted where it must be; a bare address without one."""
    if not name:
        return address
    return f'"{quote(name)}" <{address}>' if _SPECIAL.search(name) else f"{name} <{address}>"


def mailboxes(values: Iterable[str]) -> list[str]:
    """Address headers as one ``Name <address>`` each."""
    return [mailbox(name, address) for name, address in getaddresses(list(values)) if "@" in address]


def bare_subject(subject: str) -> str:
    """A subject without its reply and forward prefixes, for comparing."""
    return " ".join(_REPLY.sub("", subject).split()).casefold()


def words(text: str) -> list[str]:
    """The words of a text as search sees them: case, accents and punctuation gone."""
    if not text.isascii():
        text = "".join(c for c in normalize("NFD", text) if not combining(c))
    return _WORD.findall(text.lower())
