"""Serving a Google API from its discovery document.

The document gives routes, parameters, bodies and scopes; a twin gives what each method does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from tenure.twins.google import fields
from tenure.twins.google.batch import run_batch
from tenure.twins.google.document import Document, Method
from tenure.twins.google.errors import GoogleError, bad_request, insufficient_scope, no_such_page
from tenure.twins.google.oauth import API_HOST
from tenure.twins.google.tokens import signed_in
from tenure.twins.google.upload import Media, receive
from tenure.twins.wire import NotRouted, Route, Routes
from tenure.world import Act, Call, Reply, Surface


@dataclass
class Request:
    """One call of one method, bound to its description.

    Attributes:
        act: Signed in.
        params: Path and query parameters by their described names, typed, with defaults.
        body: The JSON body, typed; empty when the method takes none.
        media: Uploaded bytes, ``None`` when the call brought none.
        download: ``alt=media`` was asked for.
        scopes: What the token may do.
        selector: The partial response asked for (``fields``); it is applied to the result.
    """

    act: Act
    params: dict[str, Any]
    body: dict[str, Any] = field(default_factory=dict)
    media: bytes | None = None
    download: bool = False
    scopes: frozenset[str] = frozenset()
    selector: str = ""


Operation = Callable[[Request], Any]
"""What a method does: a JSON-able result, ``None`` for an empty 204, or a ``Reply`` as it is."""


class Api:
    """One version of one Google API."""

    def __init__(
        self,
        document: Document,
        host: str,
        operations: Mapping[str, Operation],
        guard: Callable[[Request], None],
        *,
        bare_errors: bool = False,
    ) -> None:
        """Describe the API; nothing is read until the first call.

        Args:
            document: Its discovery document.
            host: Its hostname.
            operations: Method id → what it does. Described methods without one answer 501.
            guard: Runs before every operation; raises ``GoogleError`` to refuse.
            bare_errors: Refusals come without the older ``error.errors`` list.
        """
        self.document, self.host, self.operations, self.guard = document, host, operations, guard
        self.bare_errors = bare_errors

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """The API's hostname, and the directory's entry for it."""
        name = self.host.partition(".")[0]
        return (
            Surface(self.host, self.handle),
            Surface(API_HOST, self._description, f"/discovery/v1/apis/{name}"),
        )

    @cached_property
    def _routes(self) -> Routes:
        routes = []
        for method in self.document.methods.values():
            routes.append(Route(method.id, method.http, method.path, self._runner(method)))
            for template in method.uploads:
                for verb in {method.http, "PUT"}:
                    routes.append(Route(method.id, verb, template, self._uploader(method)))
        return Routes(routes)

    def handle(self, call: Call) -> Reply:
        """Answer a call on the API's hostname."""
        if call.path == "/batch" or call.path.startswith("/batch/"):
            try:
                return run_batch(call, self._answer) if call.method == "POST" else no_such_page()
            except GoogleError as error:
                return error.reply(bare=self.bare_errors)
        if unquote(call.path) == "/$discovery/rest":
            return self._description(call)
        return self._answer(call)

    def _description(self, call: Call) -> Reply:
        version = self.document.content["version"]
        asked = call.segments[-2] if call.host == API_HOST else call.arg("version", version)
        if call.method != "GET" or call.segments[-1] != "rest" or asked != version:
            return no_such_page()
        return Reply(200, self.document.raw, {"content-type": "application/json; charset=UTF-8"})

    def _answer(self, call: Call) -> Reply:
        try:
            return self._routes.dispatch(call)
        except NotRouted:
            return no_such_page()
        except GoogleError as error:
            return error.reply(bare=self.bare_errors)

    def _runner(self, method: Method) -> Callable[[Call], Reply]:
        return lambda call: self._run(method, call, Media(call.body, b""), None)

    def _uploader(self, method: Method) -> Callable[[Call], Reply]:
        def run(call: Call) -> Reply:
            if call.method != method.http and not call.arg("upload_id"):
                return no_such_page()
            self._sign_in(method, call)
            return receive(call, lambda media: self._run(method, call, media, media.data))

        return run

    def _sign_in(self, method: Method, call: Call) -> frozenset[str]:
        scopes = frozenset(signed_in(call).scopes)
        if scopes.isdisjoint(method.scopes):
            raise insufficient_scope(self.host, method.id)
        return scopes

    def _run(self, method: Method, call: Call, media: Media, data: bytes | None) -> Reply:
        scopes = self._sign_in(method, call)
        operation = self.operations.get(method.id)
        if operation is None:
            text = "Operation is not implemented, or supported, or enabled."
            raise GoogleError(501, text, "notImplemented")
        args = {name: values for name, values in call.args.items() if name != "upload_id"}
        params = self.document.bind_query(method, call.params, args)
        body = self.document.bind_body(method.request, media.metadata) if method.request else {}
        download, selector = call.arg("alt") == "media", call.arg("fields") or ""
        request = Request(call.act, params, body, data, download, scopes, selector)
        mask = self._mask(method, call)
        self.guard(request)
        result = operation(request)
        if isinstance(result, Reply):
            return result
        if result is None:
            return Reply(204)
        return Reply(200, fields.select(result, mask))

    def _mask(self, method: Method, call: Call) -> fields.Mask:
        if call.arg("alt", "json") not in ("json", "media"):
            raise bad_request([("alt", f"Invalid value at 'alt' (TYPE_ENUM), \"{call.arg('alt')}\"")])
        selector = call.arg("fields")
        if not selector:
            return {}
        mask = fields.parse(selector)
        if method.response is not None:
            fields.check(self.document, method.response, mask)
        return mask
