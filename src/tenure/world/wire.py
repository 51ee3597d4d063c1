"""Requests and replies as twins see them: whole, in memory, no sockets."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

import orjson

if TYPE_CHECKING:
    from tenure.world.act import Act


@dataclass(slots=True)
class Reply:
    """What a twin answers.

    Attributes:
        status: HTTP status.
        body: Bytes as they are, ``None`` for no body, anything else as JSON.
        headers: Extra headers; the content type defaults to the body's.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    _sealed: tuple[dict[str, str], bytes] | None = field(default=None, init=False, repr=False, compare=False)

    def seal(self) -> None:
        """Encode now, so that what cannot be encoded fails inside the transaction."""
        self._sealed = self.encoded()

    def encoded(self) -> tuple[dict[str, str], bytes]:
        """Headers (lower-case names) and body bytes, ready to send."""
        if self._sealed is not None:
            return self._sealed
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.body is None:
            return headers, b""
        if isinstance(self.body, bytes):
            headers.setdefault("content-type", "application/octet-stream")
            return headers, self.body
        headers.setdefault("content-type", "application/json; charset=UTF-8")
        return headers, orjson.dumps(self.body, option=orjson.OPT_NON_STR_KEYS)


@dataclass
class Call:
    """One request to a twin.

    Attributes:
        act: The open transaction that the request runs in; handlers sign it in.
        method: Upper-case.
        host: Lower-case, without port.
        path: Percent-encoded path, without query.
        query: Raw query string.
        headers: Lower-case names.
        body: The whole body.
        params: Path parameters, decoded; the route table fills them.
    """

    act: "Act"
    method: str
    host: str
    path: str
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    params: dict[str, str] = field(default_factory=dict)

    @cached_property
    def args(self) -> dict[str, list[str]]:
        """Query arguments, each with every value given."""
        found: dict[str, list[str]] = {}
        for name, value in parse_qsl(self.query, keep_blank_values=True):
            found.setdefault(name, []).append(value)
        return found

    def arg(self, name: str, default: str | None = None) -> str | None:
        """The last value of a query argument."""
        values = self.args.get(name)
        return values[-1] if values else default

    @cached_property
    def json(self) -> Any:
        """The body as JSON; an empty body is ``{}``.

        Raises:
            ValueError: The body is not JSON.
        """
        return orjson.loads(self.body) if self.body.strip() else {}

    @cached_property
    def form(self) -> dict[str, str]:
        """The body as an HTML form."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def bearer(self) -> str:
        """The bearer token, or empty."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    @property
    def segments(self) -> list[str]:
        """The path's segments, decoded one by one."""
        return [unquote(part) for part in self.path.strip("/").split("/")]
