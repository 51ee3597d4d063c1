"""The server's side of a twin's screen: its page, the built files, and its ``/_screen`` routes.

A screen lives on the product's hostname. Its page is one document that the built script fills; the
script talks to ``/_screen/<twin>/…`` with a session cookie and repeats the session's CSRF token in
every write. Every JSON reply says the world's time and the number of its newest change in headers.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tenure.schema import Via
from tenure.twins.wire import built
from tenure.twins.wire.routes import NotRouted, Route, Routes
from tenure.world import Act, Call, Record, Reply, Surface
from tenure.world.ids import digest
from tenure.world.session import csrf_holds, csrf_token, take_session

READS = frozenset(("GET", "HEAD"))
DEFAULT_LOCALE = "en-US"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_UNSAFE_NAME = re.compile(r"[^\w .()-]+")

Body = TypeVar("Body", bound=BaseModel)


class Refused(Exception):
    """A refusal that the screen shows to its user.

    Attributes:
        status: HTTP status.
        message: A sentence for the user.
        more: Further fields of ``error``.
    """

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.message, self.more = status, message, more

    def reply(self) -> Reply:
        """The refusal as a reply: ``{"error": {"message": …}}``."""
        return Reply(self.status, {"error": {"message": self.message, **self.more}})


def conflict(current: Mapping[str, Any], what: str = "This") -> Refused:
    """409: what is to be written was changed elsewhere since it was read.

    Args:
        current: The current version as its reads show it, with its ``rev``.
        what: What was changed, for the sentence.
    """
    message = f"{what} was changed in another window. Nothing has been overwritten."
    return Refused(409, message, current=dict(current))


def revision(*records: Record) -> str:
    """What changes with any of the records: an editor repeats it when it saves."""
    return digest(0, "".join(record.model_dump_json() for record in records), 0, 8).hex()


def read(call: Call, shape: type[Body]) -> Body:
    """A request's JSON body in a shape.

    Raises:
        Refused: 400, it does not have that shape.
    """
    try:
        return shape.model_validate(call.json)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refused(400, f"{where or 'The request'}: {first['msg']}") from None
    except ValueError:
        raise Refused(400, "The request is not JSON.") from None


def file_reply(filename: str, mime: str, data: bytes, *, shown: bool = False) -> Reply:
    """A file of a user's: for saving, or for showing inside the page (pictures only)."""
    name = _UNSAFE_NAME.sub("_", filename) or "file"
    picture = shown and mime.startswith("image/") and mime != "image/svg+xml"
    headers = {
        "content-type": mime if picture else "application/octet-stream",
        "content-disposition": f'{"inline" if picture else "attachment"}; filename="{name}"',
        "content-security-policy": _FILE_POLICY,
        "cache-control": "private, max-age=3600",
    }
    return Reply(200, data, headers)


def no_facts(act: Act) -> dict[str, Any]:
    """What a screen without facts of its own starts with."""
    return {}


class Screen:
    """One twin's screen.

    Attributes:
        surfaces: What the twin adds to its own.
    """

    def __init__(
        self,
        name: str,
        host: str,
        routes: Iterable[Route],
        *,
        title: str,
        prefix: str = "/",
        home: str = "/",
        start: Callable[[Act], dict[str, Any]] = no_facts,
        errors: Mapping[type[Exception], Callable[[Any], Refused]] | None = None,
    ) -> None:
        """Describe the screen.

        Args:
            name: The twin's name, and the name of its entry in ``web/src``.
            host: The product's hostname for people.
            routes: Operations; templates are relative to ``/_screen/<name>``.
            title: The page's title before the script has run.
            prefix: Path prefix of the pages on the host.
            home: The page that every path outside of it leads to.
            start: What the page knows when it opens, beyond account and clock.
            errors: The service's refusals, by exception type.
        """
        self.name, self.host, self.title, self.home = name, host, title, home
        self._start, self._errors = start, dict(errors or {})
        self._errors[Refused] = lambda error: error
        root = f"/_screen/{name}"
        own = (Route("start", "GET", f"{root}/start", lambda call: Reply(200, self._opening(call))),)
        self._routes = Routes([*own, *(route._replace(template=root + route.template) for route in routes)])
        self.surfaces: tuple[Surface, ...] = (
            Surface(host, self._page, prefix, home=home),
            Surface(host, self._json, root),
            Surface(host, self._pulse, f"{root}/pulse", quiet=True),
            Surface(host, built.asset, built.ASSETS, quiet=True),
        )

    def _signed_in(self, call: Call) -> str:
        call.act.via = Via.SCREEN
        secret = take_session(call)
        if secret is None:
            raise Refused(401, "Your session has ended. Reload the page to sign in again.")
        return secret

    def _page(self, call: Call) -> Reply:
        call.act.via = Via.SCREEN
        if call.method not in READS:
            return Reply(405, None, {"allow": "GET"})
        if not call.path.startswith(self.home):
            return Reply(302, None, {"location": self.home})
        if take_session(call) is None:
            return built.notice(401, "You are signed out", "This page needs the session of one of its users.")
        return built.page(self.name, self.title, self._opening(call), _POLICY)

    def _opening(self, call: Call) -> dict[str, Any]:
        act = call.act
        owner = act.account()
        return {
            "account": {"email": owner.email, "name": owner.name or owner.email},
            "clock": {
                "now": act.now,
                "zone": owner.zone,
                "locale": owner.details.get("locale", DEFAULT_LOCALE),
            },
            "csrf": csrf_token(take_session(call) or ""),
            "change": act.world.store.last_change,
            "facts": self._start(act),
        }

    def _pulse(self, call: Call) -> Reply:
        """Whether anything changed since a screen last looked: answered at no cost in world time."""
        try:
            self._signed_in(call)
        except Refused as refused:
            return refused.reply()
        return self._timed(call, Reply(204))

    def _json(self, call: Call) -> Reply:
        try:
            secret = self._signed_in(call)
            if call.method not in READS and not csrf_holds(call, secret):
                raise Refused(403, "This request did not come from the page. Reload it and try again.")
            return self._timed(call, self._routes.dispatch(call))
        except NotRouted as missing:
            status = 405 if missing.allowed else 404
            return self._timed(call, Refused(status, "This screen has no such action.").reply())
        except tuple(self._errors) as error:
            refused = next(make for kind, make in self._errors.items() if isinstance(error, kind))(error)
            return self._timed(call, refused.reply())

    @staticmethod
    def _timed(call: Call, reply: Reply) -> Reply:
        reply.headers.setdefault("cache-control", "no-store")
        reply.headers["x-world-now"] = str(call.act.now)
        reply.headers["x-world-change"] = str(call.act.world.store.last_change)
        return reply
